//! What a table is made of: its columns, and how much there is of it.

use crate::export::workbook::style::ColumnKind;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputColumn {
    pub(super) header: &'static str,
    pub(super) kind: ColumnKind,
    /// Characters; what is longer is cut off on the screen, or wraps.
    pub(super) widest: u16,
}

/// A column in the tables of columns.
pub(super) const fn column(header: &'static str, kind: ColumnKind, widest: u16) -> OutputColumn {
    OutputColumn {
        header,
        kind,
        widest,
    }
}

/// What a sheet is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetLayout {
    pub(super) name: &'static str,
    pub(super) columns: &'static [OutputColumn],
    pub(super) rows: u64,
    /// Columns that stay when the table is scrolled sideways.
    pub(super) frozen: u16,
    /// Pages beside each other in print.
    pub(super) pages_wide: u16,
}
