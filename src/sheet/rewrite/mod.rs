//! Rewrites the user's table: its columns, order and styles are kept, rows can be dropped, columns appended, and cells
//! highlighted.
//!
//! A text file keeps its encoding, byte order mark, delimiter, line ends and header row; its fields are quoted as in
//! RFC 4180. A workbook of any format is written as XLSX by `xlsx::rewrite`.
//!
//! Rows are streamed: memory does not grow with them, except for the notes, whose number is limited.

pub(in crate::sheet) mod error;
pub(in crate::sheet) mod plan;
pub(in crate::sheet) mod source;

pub use plan::{
    AppendedColumn, AppendedValue, EarlierColumns, Highlight, RewriteNote, RewritePlan, Rewritten,
    RowAddition,
};

pub(crate) use source::{SourceContent, SourceTable, SourceWorkbook, TableRegion};

use std::fs::File;
use std::path::Path;

use crate::model::RowNumber;
use crate::sheet::{Error, SheetError, csv, xlsx};

use error::RewriteError;

/// Where a table is rewritten to.
#[derive(Debug)]
pub struct RewriteOutput<'a> {
    /// The open file.
    pub file: &'a mut File,
    /// The path at which it is put later; temporary files are created beside it.
    pub path: &'a Path,
}

/// Rewrites the table into an open file.
///
/// `each` is called for every row that is not blank, in the file's order, and returns what is appended to it; none
/// drops the row.
///
/// # Errors
/// What makes the sheet unreadable, among it [`SheetError::Changed`]; and [`SheetError::Write`].
pub(crate) fn write_into<F>(
    source: SourceTable<'_>,
    plan: &RewritePlan<'_>,
    each: F,
    output: RewriteOutput<'_>,
) -> Result<Rewritten, Error>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    let name = source.input_file.name();
    let path = output.path;
    let outcome = rewrite(source, plan, each, output);
    outcome.map_err(|error| error.at(path).in_file(&name))
}

fn rewrite<F>(
    source: SourceTable<'_>,
    plan: &RewritePlan<'_>,
    mut each: F,
    output: RewriteOutput<'_>,
) -> Result<Rewritten, RewriteError>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    let SourceTable {
        input_file,
        fingerprint,
        region,
        content,
    } = source;
    let mut rewritten = match content {
        SourceContent::Text { file, layout } => {
            csv::rewrite((file, layout), &region, plan, each, output.file)?
        }
        SourceContent::Workbook(source) => {
            xlsx::rewrite((input_file, source), &region, plan, &mut each, output)?
        }
    };
    let now = input_file.fingerprint().ok();
    if now.is_some_and(|now| now != fingerprint) {
        return Err(SheetError::Changed.into());
    }
    rewritten.notes.extend(plan.kept_note(&region.headers));
    Ok(rewritten)
}
