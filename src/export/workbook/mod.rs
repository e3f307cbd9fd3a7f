//! The workbook.
//!
//! `Summary` is the first sheet and is filled last. All other sheets are tables, written row by row while measurements
//! are read, so that memory does not grow with them. The same input gives the same bytes: the library numbers formats
//! in the order of their first use, so only one of the threads may use new ones.

mod cell;
mod charts;
mod embedded_images;
mod figure_blocks;
pub(super) mod provenance;
mod sheet_setup;
mod style;
mod summary;
mod table_definition;
pub(super) mod table_rows;
mod table_sheet;
mod tables;
mod thumbnail;

use std::collections::BTreeMap;
use std::io::Write;

use jiff::Timestamp;
use rust_xlsxwriter::{DocProperties, ExcelDateTime, Workbook, XlsxError};

use crate::export::review::ReviewReason;
use crate::export::{
    Error, ExportResults, FigureTotals, RenderOptions, ResultStatistics, protected_file,
};
use crate::model::excerpt;
use crate::sheet::save_workbook;

use tables::WorkbookTables;

pub(super) use figure_blocks::{BLOCKS, COMPLETED, NAME as SUMMARY};
pub(super) use provenance::{SEALS, SealColumn, UNKNOWN};
pub(super) use sheet_setup::part_name;
pub use table_sheet::SheetLimits;
pub(super) use thumbnail::thumbnail;

/// The compression level, 1 to 9. The library's default takes twice as long for a file that is 5 % smaller.
const COMPRESSION: u8 = 4;

/// Writes the workbook.
///
/// # Errors
/// [`Error::Stream`] and [`Error::Scratch`] if `out` or the folder cannot be written, and [`Error::Journal`].
///
/// # Panics
/// In the library, if it cannot write its temporary files.
pub(super) fn write(
    results: &ExportResults<'_>,
    statistics: &ResultStatistics,
    rendering: RenderOptions<'_>,
    out: &mut (dyn Write + Send),
) -> Result<(), Error> {
    let mut workbook = Workbook::new();
    workbook.set_default_format(&style::base(), style::ROW_PIXELS, style::COLUMN_PIXELS)?;
    workbook.set_tempdir(rendering.temporary_folder)?;
    workbook.set_zip_compression_level(COMPRESSION);
    workbook.set_properties(&properties(results)?);
    workbook.add_worksheet().set_name(figure_blocks::NAME)?;
    let mut tables = WorkbookTables::new(&mut workbook, results, statistics, rendering)?;
    tables.write(results, &statistics.shared_locations, rendering)?;
    let is_sealed = results.context.sealed.is_some();
    let outcome = TableSummary {
        adjusted: rendering.adjustments.len() as u64,
        adjustment_totals: FigureTotals::from_adjustments(rendering.adjustments)
            .filter(|_| is_sealed),
        ..tables.finish(&mut workbook)?
    };
    summary::fill(
        workbook.worksheet_from_index(0)?,
        results,
        statistics,
        &outcome,
    )?;
    save_workbook(&mut workbook, out)?;
    Ok(())
}

/// What `Summary` shows of the tables, known once they are written.
#[derive(Debug, Default)]
struct TableSummary {
    /// The number of measurements to review, by reason.
    to_review: BTreeMap<ReviewReason, u64>,
    /// The number of adjusted measurements.
    adjusted: u64,
    /// Their net, if the workbook bills it.
    adjustment_totals: Option<FigureTotals>,
    /// Sentences for the reader.
    remarks: Vec<String>,
}

/// Returns the footer of every page: the team and the time of the newest response. Excel limits it to 255 characters.
fn footer(results: &ExportResults<'_>) -> String {
    let context = &results.context;
    let team = context.owner.as_ref();
    let team = team.map(|owner| excerpt(&owner.team_name).into_owned());
    let as_of = context
        .as_of
        .map(|as_of| summary::local_time(as_of, &context.zone));
    [team, as_of]
        .into_iter()
        .flatten()
        .collect::<Vec<_>>()
        .join(", ")
}

/// Returns the document's properties. The time is the newest response's, so that the same journal gives the same bytes.
fn properties(results: &ExportResults<'_>) -> Result<DocProperties, XlsxError> {
    let context = &results.context;
    let company = context
        .owner
        .as_ref()
        .map_or("", |owner| owner.team_name.as_str());
    let seconds = context.as_of.map_or(0, Timestamp::as_second);
    Ok(DocProperties::new()
        .set_title(summary::title(results))
        .set_subject(protected_file::subject(context.sealed))
        .set_author(protected_file::AUTHOR)
        .set_company(company)
        .set_creation_datetime(&ExcelDateTime::from_timestamp(seconds)?))
}

impl From<XlsxError> for Error {
    fn from(error: XlsxError) -> Self {
        match error {
            XlsxError::IoError(source) => Self::Stream(source),
            XlsxError::TempFileError(path, source) => Self::Scratch { path, source },
            XlsxError::ZipError(source) => Self::Stream(system_error(source)),
            other => Self::Workbook(other.to_string()),
        }
    }
}

/// Returns the system's error that caused an archive's error, if one did.
fn system_error(error: impl std::error::Error + Send + Sync + 'static) -> std::io::Error {
    let below = error.source();
    let refusal = below.and_then(|below| below.downcast_ref::<std::io::Error>()?.raw_os_error());
    match refusal {
        Some(code) => std::io::Error::from_raw_os_error(code),
        None => std::io::Error::other(error),
    }
}
