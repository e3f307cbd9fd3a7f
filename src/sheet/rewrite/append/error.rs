//! Why columns cannot be appended in place.

use crate::sheet::rewrite::error::RewriteError;

/// Why nothing, or not all of it, was written.
#[derive(Debug)]
pub(super) enum AppendError {
    /// The workbook is laid out in no usual way.
    Unusual,
    /// An end failed.
    Rewrite(RewriteError),
}

impl<T: Into<RewriteError>> From<T> for AppendError {
    fn from(error: T) -> Self {
        Self::Rewrite(error.into())
    }
}

impl From<quick_xml::Error> for AppendError {
    fn from(_: quick_xml::Error) -> Self {
        Self::Unusual
    }
}
