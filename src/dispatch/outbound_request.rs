//! One request to the service, and the intent that is recorded before it is sent.

use crate::api::Call;
use crate::journal::{Intent, SourceId, Submission};
use crate::model::RowNumber;

/// A call, and the row that it submits.
#[derive(Clone, Copy)]
pub(super) struct OutboundRequest<'a> {
    pub(super) call: Call<'a>,
    pub(super) origin: Option<(SourceId, RowNumber)>,
}

/// Whether the journal has recorded the version of the row that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntentState {
    /// Not yet.
    New,
    /// Since an earlier attempt.
    Recorded,
}

impl OutboundRequest<'_> {
    pub(super) fn external_id(&self) -> Option<&str> {
        match self.call {
            Call::Me => None,
            Call::Create(request) => Some(&request.external_id),
            Call::Read { external_id, .. } => Some(external_id),
        }
    }

    pub(super) fn intent(&self, state: IntentState) -> Intent {
        match (self.call, self.origin) {
            (Call::Create(request), Some((source, row))) if state == IntentState::New => {
                Intent::Create(Box::new(Submission::new(source, row, request)))
            }
            (Call::Create(request), _) => Intent::Again {
                external_id: request.external_id.clone(),
            },
            (Call::Me, _) => Intent::Me,
            (
                Call::Read {
                    measurement_id,
                    external_id,
                },
                _,
            ) => Intent::Read {
                measurement_id: measurement_id.to_owned(),
                external_id: external_id.to_owned(),
            },
        }
    }
}
