//! Problems found in a row, each with its cell.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::model::{Field, RowNumber, named_enum};

/// A problem of a row. Problems are collected: an invalid row does not stop the run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The row's number.
    pub row: RowNumber,
    /// The cell, for instance `F22`: column letter and row number, also for text files.
    pub cell: Option<String>,
    /// The zero-based column.
    pub column_index: Option<usize>,
    /// The column's header.
    pub column: Option<String>,
    /// The field that the column supplies.
    pub field: Option<Field>,
    /// The severity.
    pub severity: Severity,
    /// What problems with the same cause have in common.
    pub kind: Cow<'static, str>,
    /// A lowercase fragment without a full stop.
    pub message: String,
}

/// The kind of rows that look like headings: they have one cause, whatever their texts are.
pub const HEADING: &str = "heading";

/// The kind of rows without a contact where a column that is not sent has one.
pub const CONTACT_ELSEWHERE: &str = "contact elsewhere";

/// The kind of ids that became dates: where there are many, another column has the ids.
pub const DATED_ID: &str = "dated id";

named_enum! {
    /// The severity of a problem.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
    pub enum Severity {
        /// The row is invalid and not sent.
        Error = "error",
        /// The row is sent, but a person should check it.
        Warning = "warning",
        /// The value was corrected automatically, because only one reading was possible.
        Tidied = "tidied",
    }
}
