//! Which sheet of a workbook holds the rows: the requested one, or the one whose headers fit.

use std::ops::ControlFlow;

use crate::model::RowNumber;
use crate::sheet::file_format::recognize;
use crate::sheet::foreign::refuse_exported;
use crate::sheet::workbook::{OpenWorkbook, SheetVisibility};
use crate::sheet::{InputFile, SheetError};
use crate::table::columns::Columns;
use crate::table::detected_layout::{SkipReason, SkippedSheet};
use crate::table::error::TableError;
use crate::table::headers;
use crate::table::options::TableOptions;
use crate::table::table_head::{CandidateRow, TableHead};

/// The sheet that is read, and its headers.
pub(super) struct ChosenSheet {
    pub(super) name: String,
    pub(super) headers: TableHead,
    /// The other sheets.
    pub(super) passed_over: Vec<SkippedSheet>,
}

/// The names of a workbook's sheets; none for a text file.
///
/// # Errors
/// A [`SheetError`] if the file cannot be read.
pub fn sheet_names(input_file: &InputFile) -> Result<Vec<String>, SheetError> {
    let (mut file, _) = input_file.open()?;
    let format = recognize(&mut file)?;
    if format.is_text() {
        return Ok(Vec::new());
    }
    let sheets = format.open(file)?.sheets();
    Ok(sheets.into_iter().map(|(name, _)| name).collect())
}

/// Finds the sheet whose headers fit.
pub(super) fn find_sheet(
    book: &mut OpenWorkbook,
    options: &TableOptions,
) -> Result<ChosenSheet, TableError> {
    let sheets = book.sheets();
    let names: Vec<&str> = sheets.iter().map(|(name, _)| name.as_str()).collect();
    refuse_exported(&names)?;
    if let Some(wanted) = &options.sheet {
        let names: Vec<String> = sheets.into_iter().map(|(name, _)| name).collect();
        let name = named_sheet(&names, wanted)?;
        let headers = sheet_headers(book, &name, options)?;
        let others = names.into_iter().filter(|other| *other != name);
        return Ok(ChosenSheet {
            passed_over: others
                .map(|other| passed_over(other, SkipReason::NotAsked))
                .collect(),
            name,
            headers,
        });
    }
    let mut found = Vec::new();
    let mut cause = TableError::from(SheetError::NoSheet);
    let mut others = Vec::new();
    for (name, visibility) in sheets {
        if visibility != SheetVisibility::Visible {
            others.push(passed_over(name, SkipReason::Hidden));
            continue;
        }
        let headers = sheet_headers(book, &name, options);
        if !matches!(headers, Err(TableError::Sheet(SheetError::Empty))) {
            others.push(passed_over(name.clone(), SkipReason::HeadersDoNotFit));
        }
        match headers {
            Ok(headers) => found.push(ChosenSheet {
                name,
                headers,
                passed_over: Vec::new(),
            }),
            Err(error) => {
                if let TableError::Sheet(SheetError::NoSheet | SheetError::Empty) = cause {
                    cause = error;
                }
            }
        }
    }
    let (fitting, unfitting): (Vec<ChosenSheet>, Vec<ChosenSheet>) = found
        .into_iter()
        .partition(|sheet| headers_fit(&sheet.headers, options));
    if fitting.is_empty() {
        refuse_hidden(book, &others, options)?;
    }
    let mut sheet = choose(fitting, unfitting, cause)?;
    others.retain(|other| other.sheet != sheet.name);
    sheet.passed_over = others;
    Ok(sheet)
}

/// Stops at hidden sheets whose headers fit, beside none that is visible.
fn refuse_hidden(
    book: &mut OpenWorkbook,
    passed_over: &[SkippedSheet],
    options: &TableOptions,
) -> Result<(), TableError> {
    let mut sheets = Vec::new();
    for other in passed_over {
        if other.why == SkipReason::Hidden
            && let Ok(headers) = sheet_headers(book, &other.sheet, options)
            && headers_fit(&headers, options)
        {
            sheets.push(other.sheet.clone());
        }
    }
    if sheets.is_empty() {
        Ok(())
    } else {
        Err(TableError::HiddenSheets(sheets))
    }
}

/// Whether headers leave nothing missing.
fn headers_fit(head: &TableHead, options: &TableOptions) -> bool {
    !matches!(
        Columns::find(head, options),
        Err(TableError::MissingFields { .. }
            | TableError::NoSuchHeader { .. }
            // A page of notes beside the table has no address to choose from.
            | TableError::NoSuchAddress { .. })
    )
}

fn passed_over(sheet: String, why: SkipReason) -> SkippedSheet {
    SkippedSheet { sheet, why }
}

/// The sheets that could be imported are those whose headers leave nothing missing; without any, the likeliest one says
/// what is missing.
fn choose(
    mut fitting: Vec<ChosenSheet>,
    unfitting: Vec<ChosenSheet>,
    cause: TableError,
) -> Result<ChosenSheet, TableError> {
    match fitting.len() {
        0 => unfitting
            .into_iter()
            .reduce(|best, next| {
                if next.headers.score > best.headers.score {
                    next
                } else {
                    best
                }
            })
            .ok_or(cause),
        1 => Ok(fitting.remove(0)),
        _ => Err(TableError::SeveralSheets(
            fitting.into_iter().map(|sheet| sheet.name).collect(),
        )),
    }
}

fn named_sheet(names: &[String], wanted: &str) -> Result<String, SheetError> {
    let by_name = names.iter().find(|name| *name == wanted).or_else(|| {
        names
            .iter()
            .find(|name| name.trim().eq_ignore_ascii_case(wanted.trim()))
    });
    let by_number = || {
        let number: usize = wanted.trim().parse().ok()?;
        names.get(number.checked_sub(1)?)
    };
    by_name
        .or_else(by_number)
        .cloned()
        .ok_or_else(|| SheetError::NoSuchSheet {
            wanted: wanted.to_owned(),
            sheets: names.to_vec(),
        })
}

fn sheet_headers(
    book: &mut OpenWorkbook,
    sheet: &str,
    options: &TableOptions,
) -> Result<TableHead, TableError> {
    let mut rows = Vec::new();
    book.rows(sheet, &mut |row| {
        let mut cells = Vec::new();
        for (column, _, text) in row.cells() {
            cells.resize(column, String::new());
            cells.push(text.to_owned());
        }
        rows.push(CandidateRow {
            number: RowNumber(row.number),
            cells,
        });
        if headers::is_enough(&rows, options) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    let headers = headers::headers(&rows, options)?;
    headers::refuse_customer_above(&headers, &rows, options)?;
    Ok(headers)
}
