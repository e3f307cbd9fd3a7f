//! The sheet `Measurements`: one row for each completed measurement.

use crate::export::ResultRecord;
use crate::export::column_value::ColumnValue;
use crate::export::columns::{ADDRESS, DOWNSPOUT_LENGTH, MEASUREMENTS_COLUMNS};
use crate::export::review::{ReviewNote, ReviewReason};
use crate::export::workbook::sheet_layout::{CellHighlight, SheetColumn};

pub(in crate::export) const NAME: &str = "Measurements";

pub(super) fn columns() -> Vec<SheetColumn> {
    MEASUREMENTS_COLUMNS.map(SheetColumn::from).into()
}

/// Returns the row of a completed measurement; `None` for any other.
pub(super) fn row(record: &ResultRecord) -> Option<[ColumnValue<'_>; MEASUREMENTS_COLUMNS.len()]> {
    record.valid_result()?;
    Some(MEASUREMENTS_COLUMNS.map(|column| column.value(record)))
}

/// Returns the highlight of a row: the total that differs from the sum of its downspouts, otherwise the address.
pub(super) fn highlight(notes: &[ReviewNote]) -> Option<CellHighlight> {
    let mut reasons = notes.iter().map(|(reason, _)| *reason);
    let column = if reasons.any(|reason| reason == ReviewReason::TotalMismatch) {
        DOWNSPOUT_LENGTH
    } else {
        ADDRESS
    };
    CellHighlight::new(notes, column.index_in(&MEASUREMENTS_COLUMNS))
}
