//! What a table lacks before it can be read, and what may supply it.

use std::fmt;

use crate::model::{Field, excerpt};

/// One of several addresses side by side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressTitle {
    /// The title above its columns, or the words in front of their headers.
    pub title: String,
    /// Its columns: `F–I`.
    pub columns: String,
    /// What `--address` calls it: the title, or a column's letters where titles are the same.
    pub answer: String,
}

/// A required field without a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// What is missing.
    pub field: Field,
    /// Unused headers that are spelled similarly, the nearest first. For the id only columns whose values are all
    /// there and all different.
    pub near: Vec<NearHeader>,
    /// For the id, why those columns are left out whose values are not all there or not all different.
    pub refused: Vec<RefusedColumn>,
}

/// A header that is spelled like one of a field that is missing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NearHeader {
    /// The zero-based column.
    pub column: usize,
    /// The header as written.
    pub header: String,
}

/// A column that is not suggested for the id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RefusedColumn {
    /// The header as written.
    pub header: String,
    /// The first cell for which it is refused.
    pub cell: String,
    /// Whether that cell is empty; otherwise it has the value of an earlier row.
    pub is_empty: bool,
}

impl fmt::Display for RefusedColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = excerpt(self.header.trim());
        let cause = if self.is_empty {
            "is empty"
        } else {
            "has the value of an earlier row"
        };
        write!(
            formatter,
            "`{header}` is not used for the ids: {} {cause}",
            self.cell
        )
    }
}
