//! Which sheets of a workbook were imported before, and which are new in it.

use crate::cli::reading::ReadingArgs;
use crate::cli::remembered_columns::TableOpener;
use crate::import::ImportInput;
use crate::journal::{FlagsByName, RememberedReading};
use crate::sheet::SheetError;
use crate::table;

/// The sheets that could be read instead of a remembered one and are not among those that are known.
pub(super) fn new_sheets(
    reading: &ReadingArgs,
    known: &[String],
    input: &ImportInput,
) -> Vec<String> {
    let is_new = |sheet: &String| !known.contains(sheet);
    let fitting = fitting_sheets(reading, input).into_iter();
    fitting.filter(is_new).collect()
}

/// The sheets among which to choose if none is requested; none if the choice is clear.
fn fitting_sheets(reading: &ReadingArgs, input: &ImportInput) -> Vec<String> {
    let any_sheet = ReadingArgs {
        sheet: None,
        ..reading.clone()
    };
    let Ok(options) = any_sheet.options() else {
        return Vec::new();
    };
    match table::open(&input.document, &options).map_err(|error| error.cause) {
        Err(SheetError::SeveralSheets { sheets }) => sheets,
        _ => Vec::new(),
    }
}

/// The sheets among which to choose if several were imported and the workbook still has them: each may have new rows.
pub(super) fn imported_sheets(
    reading: &ReadingArgs,
    known: &[RememberedReading],
    input: &ImportInput,
) -> Vec<String> {
    if reading.sheet.is_some() || known.len() < 2 {
        return Vec::new();
    }
    let known = known.iter().filter(|known| {
        let mut flags = known.flags.clone();
        flags.insert("sheet".to_owned(), known.sheet.clone().into());
        let given = &FlagsByName::new();
        let table = TableOpener { given, input }.open(&flags);
        table.is_ok_and(|table| table.source().sheet == known.sheet)
    });
    let mut sheets: Vec<String> = known.filter_map(|known| known.sheet.clone()).collect();
    if sheets.len() < 2 {
        return Vec::new();
    }
    sheets.sort_unstable();
    let others = new_sheets(reading, &sheets, input);
    sheets.extend(others);
    sheets
}
