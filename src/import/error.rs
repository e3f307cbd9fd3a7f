//! Why an import fails or ends early, as facts.

use crate::dispatch::DispatchError;
use crate::import::ImportStop;
use crate::journal;
use crate::sheet;

/// Why an import could not be planned or recorded.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input or the rejects cannot be read or written, or the input changed after it was checked.
    #[error(transparent)]
    Table(#[from] sheet::Error),
    /// The journal cannot be read or written.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// It is unclear which rows are meant.
    #[error("{0}")]
    Stopped(ImportStop),
}

/// Why an import ended before all of its rows were submitted and recorded.
#[derive(Debug)]
pub enum ImportError {
    /// The dispatcher sends nothing more.
    Dispatch(DispatchError),
    /// A file or the journal could not be read or written.
    Storage(Error),
    /// The service refused too many rows.
    Refused {
        /// Number of rows that were refused when the limit was reached.
        rows: u64,
        /// Number of rows in flight then that were refused too.
        more: u64,
    },
    /// The user declined to submit, before anything was sent.
    Declined,
    /// The canary was submitted, and the user declined to submit the rest.
    CanaryDeclined {
        /// Number of rows in the canary.
        rows: u64,
    },
    /// The canary was submitted, and the user could not be asked about the rest.
    CanaryUnconfirmed {
        /// Number of rows in the canary.
        rows: u64,
    },
}

impl From<DispatchError> for ImportError {
    fn from(error: DispatchError) -> Self {
        Self::Dispatch(error)
    }
}

impl<T: Into<Error>> From<T> for ImportError {
    fn from(error: T) -> Self {
        Self::Storage(error.into())
    }
}
