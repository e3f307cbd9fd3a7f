//! Appends columns to the user's table: it is located here by its headers, and rewritten by [`crate::sheet::rewrite`].

use std::fs::File;
use std::io;
use std::path::Path;

use crate::model::RowNumber;
use crate::sheet::csv::encoding;
use crate::sheet::csv::read::TextDialect;
use crate::sheet::format::{FileFormat, recognize};
use crate::sheet::rewrite::{
    self, RewritePlan, Rewritten, RowAddition, SourceContent, SourceTable, TableRegion,
};
use crate::sheet::stream::apart;
use crate::sheet::workbook;
use crate::sheet::{Document, Error, SheetError};
use crate::table::address_blocks::address_titles;
use crate::table::columns::Columns;
use crate::table::headers::{self, Headers, TextHead};
use crate::table::options::TableOptions;
use crate::table::sheet_choice::find_sheet;

/// Rewrites the table to a file that is complete or absent, and that only its owner can read.
///
/// `each` is called for every row that is not blank, in the file's order, and returns what is appended to it; none
/// drops the row. `finished` is given the temporary file before it is renamed; with an error of its the old file stays.
///
/// # Errors
/// What makes the table unreadable, among it [`SheetError::Changed`]; and [`SheetError::Write`].
pub fn write<F>(
    document: &Document,
    options: &TableOptions,
    plan: &RewritePlan<'_>,
    mut each: F,
    to: &Path,
    finished: &mut dyn FnMut(&Path) -> io::Result<()>,
) -> Result<Rewritten, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<RowAddition> + Send,
{
    let (source, columns) = located(document, options, plan)?;
    rewrite::write(source, plan, |row| each(&columns, row), to, finished)
}

/// Rewrites the table into an open file, which is later put at the path; temporary files are created beside it.
///
/// # Errors
/// As [`write()`].
pub fn write_into<F>(
    document: &Document,
    options: &TableOptions,
    plan: &RewritePlan<'_>,
    mut each: F,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, Error>
where
    F: FnMut(&Columns, RowNumber) -> Option<RowAddition> + Send,
{
    let (source, columns) = located(document, options, plan)?;
    rewrite::write_into(source, plan, |row| each(&columns, row), (out, to))
}

fn located<'a>(
    document: &'a Document,
    options: &TableOptions,
    plan: &RewritePlan<'_>,
) -> Result<(SourceTable<'a>, Columns), Error> {
    locate(document, options, plan).map_err(|cause| cause.in_file(&document.name()))
}

/// Finds the headers and columns, and leaves the file open.
fn locate<'a>(
    document: &'a Document,
    options: &TableOptions,
    plan: &RewritePlan<'_>,
) -> Result<(SourceTable<'a>, Columns), SheetError> {
    let (mut file, fingerprint) = document.open()?;
    if plan.fingerprint.is_some_and(|known| known != fingerprint) {
        return Err(SheetError::Changed);
    }
    let (content, headers) = match recognize(&mut file)? {
        FileFormat::Text => {
            let charset = encoding::find(&mut file, options.encoding.as_deref())?;
            let TextHead {
                delimiter, headers, ..
            } = headers::text(&mut file, charset, options)?;
            let layout = TextDialect { charset, delimiter };
            (SourceContent::Text { file, layout }, headers)
        }
        format @ (FileFormat::Xlsx | FileFormat::Xlsb | FileFormat::Xls | FileFormat::Ods) => {
            let mut book = workbook::open(file, format)?;
            let found = apart(|| find_sheet(&mut book, options))?;
            let sheet = found.name;
            (
                SourceContent::Workbook {
                    book,
                    format,
                    sheet,
                },
                found.headers,
            )
        }
    };
    let region = |headers: &Headers, columns: &Columns| TableRegion {
        headers: columns.headers().to_vec(),
        header_row: headers.row,
        title_row: address_titles(headers),
        hidden_rows: options.hidden_rows,
    };
    let columns = Columns::find(headers.clone(), options)?;
    let source = SourceTable {
        document,
        fingerprint,
        region: region(&headers, &columns),
        content,
    };
    Ok((source, columns))
}
