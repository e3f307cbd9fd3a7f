//! What a table of the workbook consists of: its columns and the number of its rows.

use crate::export::result_column::{ColumnKind, ResultColumn};

/// A column of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct OutputColumn {
    pub(super) header: &'static str,
    pub(super) kind: ColumnKind,
    /// The maximum width in characters; longer values wrap or are cut off on the screen.
    pub(super) widest: u16,
}

/// Returns a column that is not a result column.
pub(super) const fn column(header: &'static str, kind: ColumnKind, widest: u16) -> OutputColumn {
    OutputColumn {
        header,
        kind,
        widest,
    }
}

/// Returns a result column as a column of a table.
pub(super) const fn sheet_column(column: &ResultColumn) -> OutputColumn {
    self::column(column.header, column.kind, column.widest)
}

/// Returns the columns of a table that consists of result columns.
pub(super) const fn sheet_columns<const N: usize>(
    columns: &[ResultColumn; N],
) -> [OutputColumn; N] {
    let mut sheet_columns = [sheet_column(&columns[0]); N];
    let mut index = 1;
    while index < N {
        sheet_columns[index] = sheet_column(&columns[index]);
        index += 1;
    }
    sheet_columns
}

/// Returns the index of the column with a header, starting at 0.
///
/// # Panics
/// If there is none.
pub(super) fn index_of(columns: &[OutputColumn], header: &str) -> u16 {
    let index = columns.iter().position(|column| column.header == header);
    let index = index.expect("callers name a header of their own table");
    u16::try_from(index).expect("tables have few columns")
}

/// The name, columns and size of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct SheetLayout {
    pub(super) name: &'static str,
    pub(super) columns: &'static [OutputColumn],
    pub(super) rows: u64,
    /// The number of columns on the left that stay visible when the table is scrolled sideways.
    pub(super) frozen: u16,
}
