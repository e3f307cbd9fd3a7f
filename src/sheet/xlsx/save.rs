//! Saving a workbook of `rust_xlsxwriter`, compiled once for all kinds of outputs: each further kind would add 250 kB to
//! the program.

use std::io::Write;

use rust_xlsxwriter::{Format, RowNum, Workbook, Worksheet, XlsxError};

/// The longest name of a sheet, in characters.
const MAX_NAME: usize = 31;

/// Returns the name of a sheet as Excel accepts it: other programs write longer ones, and other characters.
pub(super) fn sheet_name(name: &str) -> String {
    let cut: String = name.chars().take(MAX_NAME).collect();
    let allowed = cut.replace(['[', ']', ':', '*', '?', '/', '\\'], "_");
    let allowed = allowed.trim_matches('\'');
    if allowed.trim().is_empty() {
        return "Sheet1".to_owned();
    }
    allowed.to_owned()
}

/// Ends the rows of a sheet in constant memory, of which `next` would be the next one: the library writes the last row
/// twice if it has a height, and Excel may take that for damage.
///
/// # Errors
/// As [`Worksheet::write_blank`].
pub fn end_rows(sheet: &mut Worksheet, next: RowNum) -> Result<(), XlsxError> {
    if next < MAX_ROWS {
        // The row begins with a cell, and keeps none.
        sheet.write_blank(next, 0, &Format::new())?;
        sheet.clear_cell(next, 0);
    }
    Ok(())
}

/// The rows that a sheet can have.
const MAX_ROWS: RowNum = 1_048_576;

/// Writes a workbook.
///
/// # Errors
/// As [`Workbook::save_to_writer`].
pub fn save_workbook(
    workbook: &mut Workbook,
    out: &mut (dyn Write + Send),
) -> Result<(), XlsxError> {
    workbook.save_to_writer(out)
}

/// Returns a workbook as bytes.
///
/// # Errors
/// As [`Workbook::save_to_buffer`].
pub fn workbook_bytes(mut workbook: Workbook) -> Result<Vec<u8>, XlsxError> {
    let mut bytes = Vec::new();
    save_workbook(&mut workbook, &mut bytes)?;
    Ok(bytes)
}
