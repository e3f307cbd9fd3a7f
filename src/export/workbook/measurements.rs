//! The sheet `Measurements`: one row for each completed measurement.

use crate::export::ResultLine;
use crate::export::columns::{ADDRESS, DOWNSPOUT_LENGTH, MEASUREMENTS_COLUMNS};
use crate::export::marks::{Note, ResultMark};
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, sheet_columns};
use crate::export::workbook::row_mark::RowMark;

pub(in crate::export) const NAME: &str = "Measurements";

pub(super) static COLUMNS: [OutputColumn; MEASUREMENTS_COLUMNS.len()] =
    sheet_columns(&MEASUREMENTS_COLUMNS);

/// Returns the row of a completed measurement; `None` for any other.
pub(super) fn row(line: &ResultLine) -> Option<[OutputCell<'_>; MEASUREMENTS_COLUMNS.len()]> {
    line.completed()?;
    Some(MEASUREMENTS_COLUMNS.map(|column| column.value(line).into()))
}

/// Returns the mark of a row: at the total that differs from the sum of its downspouts, otherwise at the address.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let mismatch = notes.iter().any(|(mark, _)| *mark == ResultMark::Mismatch);
    let column = if mismatch { DOWNSPOUT_LENGTH } else { ADDRESS };
    RowMark::new(notes, column.index_in(&MEASUREMENTS_COLUMNS))
}
