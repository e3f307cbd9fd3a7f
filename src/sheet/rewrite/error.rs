//! Errors of reading the source or writing the result.

use std::io;
use std::path::Path;

use rust_xlsxwriter::XlsxError;

use crate::sheet::Fault;

/// A failure at the end that is read, or at the one that is written.
#[derive(Debug)]
pub(in crate::sheet) enum RewriteError {
    Read(Fault),
    Write(io::Error),
}

impl RewriteError {
    pub(in crate::sheet) fn at(self, to: &Path) -> Fault {
        match self {
            Self::Read(fault) => fault,
            Self::Write(source) => Fault::Write {
                path: to.to_owned(),
                source,
            },
        }
    }
}

impl From<Fault> for RewriteError {
    fn from(fault: Fault) -> Self {
        Self::Read(fault)
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
