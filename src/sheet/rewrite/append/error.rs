//! Why columns cannot be appended in place.

use crate::sheet::rewrite::error::Trouble;

/// Why nothing, or not all of it, was written.
#[derive(Debug)]
pub(super) enum Halt {
    /// The workbook is laid out in no usual way.
    Unusual,
    /// An end failed.
    Trouble(Trouble),
}

impl<T: Into<Trouble>> From<T> for Halt {
    fn from(trouble: T) -> Self {
        Self::Trouble(trouble.into())
    }
}

impl From<quick_xml::Error> for Halt {
    fn from(_: quick_xml::Error) -> Self {
        Self::Unusual
    }
}
