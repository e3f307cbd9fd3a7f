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
    /// Why.
    pub cause: RefusalCause,
}

/// Why a column is not suggested for the id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RefusalCause {
    /// This cell is empty.
    Empty(String),
    /// This cell has the value of an earlier row.
    Repeated(String),
    /// Its values are 1, 2, 3, and so on, as in any other file.
    Counts,
}

impl fmt::Display for RefusedColumn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = excerpt(self.header.trim());
        write!(formatter, "`{header}` is not used for the ids: ")?;
        match &self.cause {
            RefusalCause::Empty(cell) => write!(formatter, "{cell} is empty"),
            RefusalCause::Repeated(cell) => {
                write!(formatter, "{cell} has the value of an earlier row")
            }
            RefusalCause::Counts => write!(
                formatter,
                "it counts the rows, and ids must be unique in the whole app"
            ),
        }
    }
}
