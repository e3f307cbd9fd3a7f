//! Every way an import can fail besides what its rows and the service do, as facts.

use crate::journal;
use crate::sheet;

/// Why an import could not be planned or ended.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file cannot be read, or changed meanwhile.
    #[error(transparent)]
    Table(#[from] sheet::Error),
    /// The journal does not answer.
    #[error(transparent)]
    Journal(#[from] journal::Error),
}
