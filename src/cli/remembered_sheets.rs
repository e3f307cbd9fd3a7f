//! Which sheets of a workbook were imported before, and which are new in it.

use crate::cli::reading::ReadingArgs;
use crate::cli::remembered_columns::TableOpener;
use crate::import::ImportInput;
use crate::journal::{FlagsByName, RememberedFlags};
use crate::sheet::SheetError;
use crate::table;

/// The sheets that could be read instead of a remembered one and are not among those that are known.
pub(super) fn new_sheets(
    reading: &ReadingArgs,
    known: &[String],
    input: &ImportInput,
) -> Vec<String> {
    let any_sheet = ReadingArgs {
        sheet: None,
        ..reading.clone()
    };
    let opened = any_sheet.options().ok();
    let opened = opened.and_then(|options| table::open(&input.document, &options).err());
    // The choice is clear without this error.
    let mut sheets = match opened.map(|error| error.cause) {
        Some(SheetError::SeveralSheets { sheets }) => sheets,
        _ => Vec::new(),
    };
    sheets.retain(|sheet| !known.contains(sheet));
    sheets
}

/// The sheets among which to choose if several were imported and the workbook still has them: each may have new rows.
pub(super) fn imported_sheets(
    reading: &ReadingArgs,
    known: &[RememberedFlags],
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
