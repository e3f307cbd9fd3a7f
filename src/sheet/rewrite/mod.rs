//! The user's own sheet again: its columns, its order and its looks, with the rows that are wanted and some columns
//! appended.
//!
//! Text keeps its encoding, byte order mark, delimiter, line ends and header row. Every field holds what it held, quoted
//! as RFC 4180 has it. A workbook of any form comes out as XLSX, with the styles and number formats of its cells;
//! formulas become the values that they showed. Cells can be marked, each with a note that says why. Where all that
//! stands around the rows is kept, an XLSX is not copied: the columns are appended in place.
//!
//! Rows stream through: memory does not grow with them, but for the notes, whose number is limited.

mod append;
mod cells;
mod dialect;
mod encoder;
mod error;
mod file;
mod plan;
mod sheet_writer;
mod source;
mod styles;
mod text;
mod widths;
mod workbook;

pub use plan::{
    AppendedColumn, AppendedValue, Highlight, RewriteNote, RewritePlan, Rewritten, RowAddition,
    ShortRows, Surroundings,
};

pub(crate) use file::same_file;
pub(crate) use source::{SourceContent, SourceTable, TableRegion};

use std::fs::File;
use std::path::Path;

use crate::model::RowNumber;
use crate::sheet::format::FileFormat;
use crate::sheet::{Error, Fault};

use error::RewriteError;
use source::SourceWorkbook;

/// Writes the table again, to a file that is whole or not there at all, and that its owner alone can read.
///
/// `each` is asked for every row that is not blank, in the file's order, and says what is appended to it; none leaves
/// the row out.
///
/// # Errors
/// What makes the sheet unreadable, among it [`Fault::Changed`]; and [`Fault::Write`].
pub(crate) fn write<F>(
    source: SourceTable<'_>,
    plan: &RewritePlan<'_>,
    each: F,
    to: &Path,
) -> Result<Rewritten, Error>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    let name = source.document.name();
    let outcome = file::whole(to, |out| rewrite(source, plan, each, (out, to)));
    let (rewritten, unsynced) = outcome.map_err(|trouble| trouble.at(to).of(&name))?;
    Ok(Rewritten {
        unsynced,
        ..rewritten
    })
}

/// Writes the table again into an open file, which is to stand at a path; temporary files stand beside it.
///
/// # Errors
/// As [`write()`].
pub(crate) fn write_into<F>(
    source: SourceTable<'_>,
    plan: &RewritePlan<'_>,
    each: F,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, Error>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    let name = source.document.name();
    let outcome = rewrite(source, plan, each, (out, to));
    outcome.map_err(|trouble| trouble.at(to).of(&name))
}

fn rewrite<F>(
    source: SourceTable<'_>,
    plan: &RewritePlan<'_>,
    mut each: F,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, RewriteError>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    let SourceTable {
        document,
        fingerprint,
        region,
        content,
    } = source;
    let rewritten = match content {
        SourceContent::Text { file, layout } => {
            text::rewrite((file, layout), &region, plan, each, out)?
        }
        SourceContent::Workbook {
            book,
            format,
            sheet,
        } => {
            let mut source = SourceWorkbook {
                document,
                region: &region,
                book,
                format,
                sheet,
            };
            match whole(&mut source, plan, &mut each, out)? {
                Some(rewritten) => rewritten,
                None => workbook::rewrite(source, plan, each, (out, to))?,
            }
        }
    };
    let now = document.fingerprint().ok();
    if now.is_some_and(|now| now != fingerprint) {
        return Err(Fault::Changed.into());
    }
    Ok(rewritten)
}

/// The whole workbook, where all of it is wanted and its form can be written.
fn whole(
    source: &mut SourceWorkbook<'_>,
    plan: &RewritePlan<'_>,
    each: &mut (dyn FnMut(RowNumber) -> Option<RowAddition> + Send),
    out: &mut File,
) -> Result<Option<Rewritten>, RewriteError> {
    match (plan.surroundings, source.format) {
        (Surroundings::Kept, FileFormat::Xlsx) => append::rewrite(source, plan, each, out),
        _ => Ok(None),
    }
}
