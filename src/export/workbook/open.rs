//! The sheet `Open`: measurements that are not final, were canceled or are no longer found.

use crate::export::ResultLine;
use crate::export::columns::{ADDRESS, OPEN_COLUMNS, STATUS};
use crate::export::marks::{Note, ResultMark};
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, sheet_columns};
use crate::export::workbook::row_mark::RowMark;

pub(in crate::export) const NAME: &str = "Open";

pub(super) static COLUMNS: [OutputColumn; OPEN_COLUMNS.len()] = sheet_columns(&OPEN_COLUMNS);

/// Returns the row of a measurement.
pub(super) fn row(line: &ResultLine) -> [OutputCell<'_>; OPEN_COLUMNS.len()] {
    OPEN_COLUMNS.map(|column| column.value(line).into())
}

/// Returns the mark of a row: at the address if a note is about it, otherwise at the status.
pub(super) fn mark(notes: &[Note]) -> Option<RowMark> {
    let is_about_address = |mark: &ResultMark| {
        matches!(
            mark,
            ResultMark::PlacedElsewhere | ResultMark::SameRoof | ResultMark::AddressDiffers
        )
    };
    let is_address = notes.iter().any(|(mark, _)| is_about_address(mark));
    let column = if is_address { ADDRESS } else { STATUS };
    RowMark::new(notes, column.index_in(&OPEN_COLUMNS))
}
