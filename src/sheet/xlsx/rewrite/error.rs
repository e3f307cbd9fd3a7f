//! Why a workbook's XML cannot be rewritten.

use zip::result::ZipError;

use crate::sheet::rewrite::error::RewriteError;

/// Why nothing, or not all of it, was written.
#[derive(Debug)]
pub(super) enum XmlRewriteError {
    /// The workbook has a structure that is not rewritten; its values can still be copied.
    Unusual,
    /// Reading or writing failed.
    Rewrite(RewriteError),
}

impl<T: Into<RewriteError>> From<T> for XmlRewriteError {
    fn from(error: T) -> Self {
        Self::Rewrite(error.into())
    }
}

impl From<quick_xml::Error> for XmlRewriteError {
    fn from(_: quick_xml::Error) -> Self {
        Self::Unusual
    }
}

impl From<ZipError> for XmlRewriteError {
    fn from(error: ZipError) -> Self {
        match error {
            ZipError::Io(error) => error.into(),
            _ => Self::Unusual,
        }
    }
}
