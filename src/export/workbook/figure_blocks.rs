//! The figures of `Summary`: three blocks side by side, each with a heading, labels and numbers.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::export::result_column::ColumnKind;
use crate::export::workbook::style;

/// The name of the sheet; charts refer to it.
pub(in crate::export) const NAME: &str = "Summary";

/// The first columns of the three blocks; each has a label and a number.
pub(in crate::export) const BLOCKS: [u16; 3] = [0, 3, 6];

/// The label of the number of completed measurements; a restoration reads the number.
pub(in crate::export) const COMPLETED: &str = "Completed measurements";

/// A row of a block: label, kind and number.
pub(super) type Figure = (String, ColumnKind, f64);

#[expect(
    clippy::cast_precision_loss,
    reason = "counts of lines are far below 2^53"
)]
pub(super) fn count(label: &str, count: u64) -> Figure {
    (label.to_owned(), ColumnKind::Count, count as f64)
}

/// Writes a heading with its figures below. Returns the next free row.
pub(super) fn block(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    heading: &str,
    figures: &[Figure],
) -> Result<u32, XlsxError> {
    sheet.write_string_with_format(row, column, heading, &style::heading())?;
    sheet.write_blank(row, column + 1, &style::heading())?;
    for (row, (label, kind, number)) in (row + 1..).zip(figures) {
        sheet.write_string_with_format(row, column, label, &style::label())?;
        sheet.write_number_with_format(row, column + 1, *number, &style::figure(*kind))?;
    }
    let lines = u32::try_from(figures.len()).unwrap_or(u32::MAX);
    Ok(row.saturating_add(lines).saturating_add(1))
}
