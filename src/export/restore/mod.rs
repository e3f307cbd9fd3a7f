//! Restoring a lost journal from an exported workbook: `Summary`, `Measurements`, `Downspouts` and `Open`.
//!
//! No request is sent. Every restored measurement counts as not yet requested, so that the next refresh verifies it.

mod rows;
mod workbook_reader;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;

use crate::export::sealed::to_json;
use crate::export::{BilledFigures, Error, FigureTotals, REHEARSAL_TEAM};
use crate::journal::{
    self, Journal, JournalRestoration, RestoreResult, RestoredMeasurement, SealedExport,
};
use crate::sheet::{self, DocumentProperties, InputFile, SheetError};

use rows::{ParsedRows, parse_rows};
use workbook_reader::{WorkbookSummary, read_summary};

/// What was restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoreSummary {
    /// Whether the journal was restored from the same workbook earlier, so that nothing was changed now.
    pub is_repeated: bool,
    /// The number of measurements.
    pub measurements: u64,
    /// The number of billed measurements.
    pub billed: u64,
    /// The number of sealed exports.
    pub sealed: u64,
    /// The number of rows that could not be read.
    pub unreadable: u64,
    /// The number of measurements that the workbook counts and does not contain, for instance those of earlier sealed
    /// exports.
    pub missing: u64,
    /// The number of measurements that the listed sealed exports billed, and that the sheets show without a bill: their
    /// results are gone, so that they cannot be adjusted.
    pub unadjusted: u64,
    /// Whether the workbook was saved again since it was written, perhaps with other numbers.
    pub is_saved_again: bool,
    /// The number of the sealed export, if it is one that was saved again.
    pub altered: Option<u64>,
}

/// Fills an empty journal from a workbook of `export`, without a request; one that was filled from the same workbook is
/// left as it is. `service` is the base address in the settings, if there is one: an empty journal is not bound to a
/// service yet.
///
/// # Errors
/// [`Error::NotResults`] for another kind of file, [`Error::Rehearsed`] for invented numbers, [`Error::OtherService`]
/// and [`Error::OtherOwner`] for a workbook of another service, app or team, [`Error::NotEmpty`] for a journal that is
/// in use, [`Error::CustomerSheet`] if the file cannot be read, and [`Error::Journal`].
pub fn restore(
    journal: &Journal,
    path: &Path,
    service: Option<&str>,
    now: Timestamp,
) -> Result<RestoreSummary, Error> {
    let workbook = parse(path)?;
    if workbook.summary.owner.team_name == REHEARSAL_TEAM {
        return Err(Error::Rehearsed(path.to_owned()));
    }
    let theirs = &workbook.summary.owner.base_url;
    if let Some(ours) = service.filter(|ours| ours != theirs)
        && journal.binding()?.is_none()
    {
        return Err(Error::OtherService {
            ours: ours.to_owned(),
            theirs: theirs.clone(),
        });
    }
    let sealed = sealed_exports(&workbook, path);
    let restored = RestoreSummary {
        sealed: sealed.len() as u64,
        ..workbook.restored(path)
    };
    let ParsedWorkbook { summary, rows } = workbook;
    let measurements = rows.parsed.into_iter().map(|row| {
        let billed = row.billed;
        RestoredMeasurement {
            billed: billed.map(|(number, figures)| (number, to_json(&figures))),
            ..row.measurement
        }
    });
    let unreadable = |error| {
        let error = InputFile::at(path).error(SheetError::Read(error));
        Error::CustomerSheet(Box::new(error))
    };
    let outcome = journal.restore(JournalRestoration {
        sha256: sheet::file_sha256(path).map_err(unreadable)?,
        binding: summary.owner,
        sealed: sealed.into_values().collect(),
        measurements: measurements.collect(),
        learned_at: now,
    });
    match outcome {
        Ok(RestoreResult::Restored) => Ok(restored),
        Ok(RestoreResult::RestoredBefore) => Ok(RestoreSummary {
            is_repeated: true,
            ..restored
        }),
        Ok(RestoreResult::NotEmpty) => Err(Error::NotEmpty(journal.path().to_owned())),
        Err(journal::Error::OtherAccount { what, ours, theirs }) => {
            Err(Error::OtherOwner { what, ours, theirs })
        }
        Err(error) => Err(error.into()),
    }
}

/// The contents of a workbook.
struct ParsedWorkbook {
    summary: WorkbookSummary,
    rows: ParsedRows,
}

impl ParsedWorkbook {
    /// What is restored from it, as far as it tells, without its sealed exports.
    fn restored(&self, path: &Path) -> RestoreSummary {
        let (summary, rows) = (&self.summary, &self.rows);
        let properties = DocumentProperties::read(path);
        let is_saved_again = properties.is_none_or(|properties| properties.is_saved_again());
        let measurements = rows.parsed.len() as u64;
        let is_billed = |row: &&rows::ParsedRow| row.billed.is_some();
        let billed = rows.parsed.iter().filter(is_billed).count() as u64;
        let listed: u64 = summary.seals.iter().map(|seal| seal.measurements).sum();
        let missing = summary
            .completed
            .unwrap_or(0)
            .saturating_sub(rows.completed)
            .max(summary.all.saturating_sub(measurements + rows.unreadable));
        RestoreSummary {
            is_repeated: false,
            measurements,
            billed,
            sealed: 0,
            unreadable: rows.unreadable,
            missing,
            unadjusted: listed.saturating_sub(billed + missing + rows.unreadable),
            is_saved_again,
            altered: summary.sealed.filter(|_| is_saved_again),
        }
    }
}

fn parse(path: &Path) -> Result<ParsedWorkbook, Error> {
    let not_results = || Error::NotResults(path.to_owned());
    let input_file = InputFile::at(path);
    let summary = match read_summary(&input_file) {
        Ok(summary) => summary.ok_or_else(not_results)?,
        Err(error) => match error.cause {
            SheetError::LockFile
            | SheetError::Archive(_)
            | SheetError::NotATable(_)
            | SheetError::Empty
            | SheetError::NoSuchSheet { .. } => {
                return Err(not_results());
            }
            _ => return Err(Error::CustomerSheet(Box::new(error))),
        },
    };
    let rows = parse_rows(&input_file, &summary);
    Ok(ParsedWorkbook {
        summary,
        rows: rows.map_err(|error| Error::CustomerSheet(Box::new(error)))?,
    })
}

/// Sealed exports by number.
type SealsByNumber = BTreeMap<u64, SealedExport>;

/// Returns the sealed exports that the workbook lists, those that its rows name, and the workbook itself if it
/// is one.
fn sealed_exports(workbook: &ParsedWorkbook, path: &Path) -> SealsByNumber {
    let ParsedWorkbook { summary, rows } = workbook;
    let named = rows.parsed.iter().filter_map(|row| row.billed.as_ref());
    let numbers = named
        .map(|(number, _)| *number)
        .chain(summary.seals.iter().map(|seal| seal.number))
        .chain(summary.sealed);
    let mut sealed = BTreeMap::new();
    for number in numbers {
        let export = || sealed_export(number, rows);
        sealed.entry(number).or_insert_with(export);
    }
    for listed in &summary.seals {
        if let Some(export) = sealed.get_mut(&listed.number) {
            let format = Path::new(&listed.file).extension().unwrap_or_default();
            export.sealed_at = listed.sealed_at;
            export.delivered_at = Some(listed.sealed_at);
            export.period.clone_from(&listed.period);
            export.path = listed.file.clone().into();
            export.format = format.to_string_lossy().to_ascii_lowercase();
            // Rows of some of its measurements are missing, so their sum is not that of the bill.
            if export.measurements != listed.measurements {
                UNKNOWN_TOTALS.clone_into(&mut export.totals);
            }
            export.measurements = listed.measurements;
            export.adjustments = listed.adjustments;
        }
    }
    if let Some(export) = summary.sealed.and_then(|number| sealed.get_mut(&number)) {
        export.path = path.file_name().unwrap_or_default().into();
        export.period.clone_from(&summary.period);
    }
    forget_adjusted_totals(&mut sealed);
    sealed
}

/// Sealed exports whose totals are not known have this JSON.
const UNKNOWN_TOTALS: &str = "null";

/// Removes the totals of the exports of which a later one adjusted something: the rows have the adjusted figures.
fn forget_adjusted_totals(sealed: &mut SealsByNumber) {
    let last = sealed.iter().rfind(|(_, export)| export.adjustments > 0);
    let Some((&last, _)) = last else {
        return;
    };
    for (_, export) in sealed.range_mut(..last) {
        if export.measurements > 0 {
            UNKNOWN_TOTALS.clone_into(&mut export.totals);
        }
    }
}

/// Returns a sealed export with the totals of its rows.
fn sealed_export(number: u64, rows: &ParsedRows) -> SealedExport {
    let billed = rows.parsed.iter().filter_map(|row| row.billed.as_ref());
    let figures: Vec<&BilledFigures> = billed
        .filter(|(billed_in, _)| *billed_in == number)
        .map(|(_, figures)| figures)
        .collect();
    let totals: FigureTotals = figures.iter().copied().map(FigureTotals::from).sum();
    SealedExport {
        number,
        sealed_at: Timestamp::UNIX_EPOCH,
        period: None,
        path: "".into(),
        format: "xlsx".to_owned(),
        measurements: figures.len() as u64,
        adjustments: 0,
        totals: to_json(&totals),
        sha256: String::new(),
        delivered_at: Some(Timestamp::UNIX_EPOCH),
        is_stored: false,
    }
}
