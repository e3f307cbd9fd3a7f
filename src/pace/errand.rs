//! One thing that a worker asks of the service, and how it is written down before it leaves.

use crate::api::Call;
use crate::journal::{Intent, SourceId, Submission};
use crate::model::RowNumber;

/// What a worker asks for, and how to write it down.
#[derive(Clone, Copy)]
pub(super) struct Errand<'a> {
    pub(super) call: Call<'a>,
    pub(super) origin: Option<(SourceId, RowNumber)>,
}

/// Whether the journal has the version of the row that is about to be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// Not yet.
    New,
    /// Since an earlier attempt.
    Recorded,
}

impl Errand<'_> {
    pub(super) fn external_id(&self) -> Option<&str> {
        match self.call {
            Call::Me => None,
            Call::Create(request) => Some(&request.external_id),
            Call::Read { external_id, .. } => Some(external_id),
        }
    }

    pub(super) fn intent(&self, version: Version) -> Intent {
        match (self.call, self.origin) {
            (Call::Create(request), Some((source, row))) if version == Version::New => {
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
