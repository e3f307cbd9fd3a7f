//! A new workbook of one empty sheet with notes, whose sheet and styles are replaced by those of the rewritten workbook.

use rust_xlsxwriter::{ColNum, Note, Workbook, XlsxError};

use crate::sheet::xlsx::rewrite::analysis::SheetAnalysis;
use crate::sheet::xlsx::rewrite::column_map::ColumnMap;
use crate::sheet::xlsx::save::{sheet_name, workbook_bytes};
use crate::sheet::xlsx::values::fitting;

/// Whether the new workbook has a list of shared strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SharedStrings {
    Present,
    Absent,
}

/// The archive of the new workbook.
pub(super) fn new_package(
    analysis: &SheetAnalysis,
    columns: &ColumnMap,
    strings: SharedStrings,
) -> Result<Vec<u8>, XlsxError> {
    let mut book = Workbook::new();
    let sheet = book.add_worksheet();
    sheet.set_name(sheet_name(&analysis.sheet))?;
    if strings == SharedStrings::Present {
        sheet.write_string(0, 0, "any")?;
    }
    for note in &analysis.notes {
        if let Some(column) = columns.target(note.column) {
            let column = ColNum::try_from(column).map_err(|_| XlsxError::RowColumnLimitError)?;
            sheet.insert_note(note.row, column, &formatted(&note.text))?;
        }
    }
    workbook_bytes(book)
}

/// A note that is as high as its text needs: about 30 characters a line at this width, and 18 pixels a line.
fn formatted(text: &str) -> Note {
    let lines = text.lines().map(|line| 1 + line.chars().count() / 30);
    let height = u32::try_from(18 * (lines.sum::<usize>() + 1)).unwrap_or(u32::MAX);
    Note::new(fitting(text))
        .set_author("gutterbatch")
        .add_author_prefix(false)
        .set_width(240)
        .set_height(height.min(400))
}
