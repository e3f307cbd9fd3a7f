//! Errors of reading the source or writing the result.

use std::io;
use std::path::Path;

use rust_xlsxwriter::XlsxError;

use crate::sheet::SheetError;

/// A failure at the end that is read, or at the one that is written.
#[derive(Debug)]
pub(in crate::sheet) enum RewriteError {
    Read(SheetError),
    Write(io::Error),
}

impl RewriteError {
    pub(in crate::sheet) fn at(self, to: &Path) -> SheetError {
        match self {
            Self::Read(cause) => cause,
            Self::Write(source) => SheetError::Write {
                path: to.to_owned(),
                source,
            },
        }
    }
}

impl From<SheetError> for RewriteError {
    fn from(cause: SheetError) -> Self {
        Self::Read(cause)
    }
}

impl From<io::Error> for RewriteError {
    fn from(error: io::Error) -> Self {
        Self::Write(error)
    }
}

impl From<XlsxError> for RewriteError {
    fn from(error: XlsxError) -> Self {
        Self::Write(match error {
            XlsxError::IoError(error) | XlsxError::TempFileError(_, error) => error,
            other => io::Error::other(other.to_string()),
        })
    }
}
