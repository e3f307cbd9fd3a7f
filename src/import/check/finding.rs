//! One thing that was found in a row.

use crate::model::{Field, Severity};

/// One finding about a row, before it gets its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) field: Option<Field>,
    pub(super) column: Option<usize>,
    pub(super) message: String,
}
