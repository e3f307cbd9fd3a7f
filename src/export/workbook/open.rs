//! The sheet `Open`: measurements that are not final, were canceled or are no longer found.

use crate::export::ResultRecord;
use crate::export::column_value::ColumnValue;
use crate::export::columns::{ADDRESS, OPEN_COLUMNS};
use crate::export::review::ReviewNote;
use crate::export::workbook::sheet_layout::{CellHighlight, SheetColumn};

pub(in crate::export) const NAME: &str = "Open";

pub(super) fn columns() -> Vec<SheetColumn> {
    OPEN_COLUMNS.map(SheetColumn::from).into()
}

/// Returns the row of a measurement.
pub(super) fn row(record: &ResultRecord) -> [ColumnValue<'_>; OPEN_COLUMNS.len()] {
    OPEN_COLUMNS.map(|column| column.value(record))
}

/// Returns the highlight of a row: its address.
pub(super) fn highlight(notes: &[ReviewNote]) -> Option<CellHighlight> {
    CellHighlight::new(notes, ADDRESS.index_in(&OPEN_COLUMNS))
}
