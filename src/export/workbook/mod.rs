//! The workbook: what the user's customer sees of us.
//!
//! Summary stands first and is filled last. All other sheets are tables, written row by row while the lines pass by, so
//! that memory does not grow with them. The same input gives the same bytes: the library numbers formats as it meets
//! them, so only one of the threads that write may bring new ones.

mod adjustments;
mod album;
mod blocks;
mod cell;
mod charts;
pub(super) mod downspouts;
mod images;
mod layout;
pub(super) mod measurements;
pub(super) mod open;
mod origin;
mod plan;
mod rejected;
mod row_mark;
mod sheet;
mod stamp;
mod style;
mod summary;
mod tables;
mod thumbnail;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use jiff::Timestamp;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::export::marks::ResultMark;
use crate::export::{
    Adjustment, Error, ExportResults, FetchedImages, ResultSurvey, protected_file,
};
use crate::sheet::or_refused;

use stamp::CommentWriter;
use tables::WorkbookTables;

pub(super) use blocks::NAME as SUMMARY;
pub(super) use layout::part_name;
pub(super) use origin::{OriginLabel, SEALS, SealColumn};
pub use sheet::SheetLimits;
pub(super) use stamp::has_sealed_comment;

/// What a workbook is made of, besides the lines.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkbookContent<'a> {
    pub(super) survey: &'a ResultSurvey,
    pub(super) adjustments: &'a [Adjustment],
    pub(super) limits: SheetLimits,
    pub(super) pictures: Option<&'a FetchedImages>,
}

/// Of 1 to 9. The library's own level takes twice as long for a file that is a twentieth smaller.
const COMPRESSION: u8 = 4;

/// Writes the workbook. `scratch` takes the library's temporary files.
///
/// # Errors
/// [`Error::Stream`] when `out` or the scratch folder fails, and those of the journal.
pub(super) fn write(
    results: &ExportResults<'_>,
    content: WorkbookContent<'_>,
    scratch: &Path,
    out: impl Write + Send,
) -> Result<(), Error> {
    or_refused(|| fill(results, content, scratch, out))?
}

fn fill(
    results: &ExportResults<'_>,
    content: WorkbookContent<'_>,
    scratch: &Path,
    out: impl Write + Send,
) -> Result<(), Error> {
    let mut workbook = Workbook::new();
    workbook.set_default_format(&style::base(), style::ROW_PIXELS, style::COLUMN_PIXELS)?;
    workbook.set_tempdir(scratch)?;
    workbook.set_zip_compression_level(COMPRESSION);
    workbook.set_properties(&properties(results)?);
    workbook.add_worksheet().set_name(blocks::NAME)?;
    let mut tables = WorkbookTables::lay_out(&mut workbook, results, content)?;
    tables.write(results, content)?;
    let seen = WorkbookRemarks {
        adjusted: content.adjustments.len() as u64,
        ..tables.finish(&mut workbook)?
    };
    summary::fill(
        workbook.worksheet_from_index(0)?,
        results,
        content.survey,
        &seen,
    )?;
    if results.about.sealed.is_none() {
        workbook.save_to_writer(out)?;
        return Ok(());
    }
    let mut stamping = CommentWriter::new(out);
    workbook.save_to_writer(&mut stamping)?;
    Ok(stamping.finish()?)
}

/// What was only known once every row had passed.
#[derive(Debug, Default)]
struct WorkbookRemarks {
    marked: BTreeMap<ResultMark, u64>,
    /// Billed measurements on the sheet `Adjustments`.
    adjusted: u64,
    remarks: Vec<String>,
}

/// What every page says below: whose results, and of when.
fn footer(results: &ExportResults<'_>) -> String {
    let about = &results.about;
    let team = about.owner.as_ref().map(|owner| owner.team_name.clone());
    let as_of = about.as_of.map(|as_of| summary::shown(as_of, &about.zone));
    [team, as_of]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// The document's properties. The time is the journal's, so that the same journal gives the same bytes.
fn properties(results: &ExportResults<'_>) -> Result<DocProperties, XlsxError> {
    let about = &results.about;
    let company = about
        .owner
        .as_ref()
        .map_or("", |owner| owner.team_name.as_str());
    let seconds = about.as_of.map_or(0, Timestamp::as_second);
    Ok(DocProperties::new()
        .set_title(summary::title(results))
        .set_subject(protected_file::subject(about.sealed))
        .set_author(protected_file::AUTHOR)
        .set_company(company)
        .set_creation_datetime(&ExcelDateTime::from_timestamp(seconds)?))
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(source) => Self::Stream(source),
            XlsxError::TempFileError(path, source) => Self::Scratch { path, source },
            XlsxError::ZipError(source) => Self::Stream(refusal_below(source)),
            other => Self::Workbook(other.to_string()),
        }
    }
}

/// What the system said, where an archive's error is the system's.
fn refusal_below(error: impl std::error::Error + Send + Sync + 'static) -> std::io::Error {
    let below = error.source();
    let refusal = below.and_then(|below| below.downcast_ref::<std::io::Error>()?.raw_os_error());
    match refusal {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::other(error),
    }
}
