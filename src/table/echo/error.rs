//! Why rows could not be written back.

use std::io;
use std::path::{Path, PathBuf};

use rust_xlsxwriter::XlsxError;

use crate::table::{Error, Fault};

/// Why rows could not be written back.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The sheet cannot be read again.
    #[error(transparent)]
    Unreadable(#[from] Error),
    /// The system does not let us write.
    #[error("cannot write {}", path.display())]
    Unwritable {
        /// The file to write.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: io::Error,
    },
    /// A file stands there that is none of ours.
    #[error("{} is not a file of rejects, so it is not replaced", path.display())]
    NotOurs {
        /// The file.
        path: PathBuf,
    },
    /// The rows would overwrite the file that they come from.
    #[error("{} is the input itself", path.display())]
    IsInput {
        /// The file.
        path: PathBuf,
    },
    /// The name promises another form than the rows have.
    #[error("{} cannot hold what is written as {extension}", path.display())]
    Extension {
        /// The file to write.
        path: PathBuf,
        /// The extension that fits.
        extension: &'static str,
    },
}

/// Either end of an echo.
#[derive(Debug)]
pub(super) enum Trouble {
    Read(Fault),
    Write(io::Error),
}

impl Trouble {
    pub(super) fn of(self, source: &str, to: &Path) -> WriteError {
        match self {
            Self::Read(fault) => fault.of(source).into(),
            Self::Write(error) => WriteError::Unwritable {
                path: to.to_owned(),
                source: error,
            },
        }
    }
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Self {
        Self::Read(fault)
    }
}

impl From<io::Error> for Trouble {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<XlsxError> for Trouble {
    fn from(error: XlsxError) -> Self {
        Self::Write(match error {
            XlsxError::IoError(error) => error,
            other => io::Error::other(other.to_string()),
        })
    }
}
