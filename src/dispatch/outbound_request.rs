//! One request to the service, and the intent that is recorded before it is sent.

use crate::api::ApiCall;
use crate::journal::{RowVersion, SlotPurpose, SourceId};
use crate::model::RowNumber;

/// A call, and the row that it submits.
#[derive(Clone, Copy)]
pub(super) struct OutboundRequest<'a> {
    /// The call.
    pub(super) call: ApiCall<'a>,
    /// The table and row that a creation submits; `None` for other calls.
    pub(super) row: Option<(SourceId, RowNumber)>,
}

/// Whether the journal has recorded the version of the row that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IntentState {
    /// Not yet.
    New,
    /// An earlier attempt recorded it.
    Recorded,
}

impl OutboundRequest<'_> {
    /// Returns the external id that the request is about; `None` for GET /me.
    pub(super) fn external_id(&self) -> Option<&str> {
        match self.call {
            ApiCall::Me => None,
            ApiCall::Create(request) => Some(&request.external_id),
            ApiCall::Read { external_id, .. } => Some(external_id),
        }
    }

    /// Returns what is recorded before the request is sent.
    pub(super) fn purpose(&self, state: IntentState) -> SlotPurpose {
        match (self.call, self.row) {
            (ApiCall::Create(request), Some((source, row))) if state == IntentState::New => {
                SlotPurpose::Create(Box::new(RowVersion::new(source, row, request)))
            }
            (ApiCall::Create(request), _) => SlotPurpose::Retry {
                external_id: request.external_id.clone(),
            },
            (ApiCall::Me, _) => SlotPurpose::Me,
            (ApiCall::Read { external_id, .. }, _) => SlotPurpose::Read {
                external_id: external_id.to_owned(),
            },
        }
    }
}
