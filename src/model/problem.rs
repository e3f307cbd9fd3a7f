//! What is wrong, odd or mended in a row, with the cell where it stands.

use crate::model::{Field, RowNumber};

/// One finding about a row. A bad row never stops the batch: problems are gathered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The row as Excel or an editor numbers it.
    pub row: RowNumber,
    /// `F22` in a workbook; in text, column letter and line all the same.
    pub cell: Option<String>,
    /// The zero-based column.
    pub column_index: Option<usize>,
    /// The header of the column.
    pub column: Option<String>,
    /// The field that the column feeds.
    pub field: Option<Field>,
    /// How much it matters.
    pub severity: Severity,
    /// A lowercase fragment without a full stop.
    pub message: String,
}

/// How much a problem matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The row is invalid and not sent.
    Error,
    /// The row is sent; a person should look.
    Warning,
    /// Mended, because it had one meaning.
    Tidied,
}

impl Severity {
    /// The public name, as JSON spells it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Tidied => "tidied",
        }
    }
}
