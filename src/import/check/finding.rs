//! A finding about a row.

use crate::model::{Field, Severity};

/// A finding about a row; [`crate::model::Problem`] adds the cell and the header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) field: Option<Field>,
    pub(super) column: Option<usize>,
    pub(super) message: String,
}
