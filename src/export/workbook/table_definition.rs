//! The parts of a table: its columns, its number of rows, and highlighted cells.

use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::review::ReviewNote;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetColumn {
    pub(super) header: &'static str,
    pub(super) kind: ColumnKind,
    /// The maximum width in characters; longer values wrap or are cut off on the screen.
    pub(super) max_width: u16,
}

impl From<(&'static str, ColumnKind, u16)> for SheetColumn {
    /// A column from its header, its kind and its maximum width.
    fn from((header, kind, max_width): (&'static str, ColumnKind, u16)) -> Self {
        Self {
            header,
            kind,
            max_width,
        }
    }
}

impl From<ResultColumn> for SheetColumn {
    fn from(column: ResultColumn) -> Self {
        (column.header, column.kind, column.max_width).into()
    }
}

/// A table of the workbook.
#[derive(Clone, Debug)]
pub(super) struct TableDefinition {
    pub(super) name: &'static str,
    pub(super) columns: Vec<SheetColumn>,
    pub(super) rows: u64,
    /// The number of columns on the left that stay visible when the table is scrolled sideways.
    pub(super) frozen: u16,
}

/// A highlighted cell of a row, with a note that explains it.
#[derive(Clone, Debug)]
pub(super) struct CellHighlight {
    /// The index of the column, starting at 0.
    pub(super) column: u16,
    /// The text of the note.
    pub(super) note: String,
}

impl CellHighlight {
    /// Combines all notes of a row; `None` for a row without notes.
    pub(super) fn new(notes: &[ReviewNote], column: usize) -> Option<Self> {
        let texts: Vec<&str> = notes.iter().map(|(_, text)| text.as_str()).collect();
        (!texts.is_empty()).then(|| Self {
            column: u16::try_from(column).expect("tables have few columns"),
            note: texts.join("\n"),
        })
    }
}
