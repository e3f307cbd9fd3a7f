//! What a table is made of: its columns, and how much there is of it.

use crate::export::workbook::style::Kind;

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) header: &'static str,
    pub(super) kind: Kind,
    /// Characters; what is longer is cut off on the screen, or wraps.
    pub(super) widest: u16,
}

/// A column in the tables of columns.
pub(super) const fn column(header: &'static str, kind: Kind, widest: u16) -> Column {
    Column {
        header,
        kind,
        widest,
    }
}

/// What a sheet is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub(super) name: &'static str,
    pub(super) columns: &'static [Column],
    pub(super) rows: u64,
    /// Columns that stay when the table is scrolled sideways.
    pub(super) frozen: u16,
    /// Pages beside each other in print.
    pub(super) pages_wide: u16,
}
