//! Sealed exports: each completed measurement is billed in exactly one of them.
//!
//! There are three steps, and the process may be killed between any two. First, a complete temporary file is written
//! ([`PreparedSeal`]). Then one transaction of the journal bills its measurements and stores the file ([`SealedFile`]).
//! Last, the file is renamed to its path, reported to the user, and recorded as delivered. If the process is killed
//! before the transaction, nothing is billed; if it is killed after it, the next billing run writes the file from the
//! journal, unless it is there, and reports it.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::export::output_file::{OutputFile, PreparedOutput};
use crate::export::results::BillingFilter;
use crate::export::statistics::StatusCounts;
use crate::export::undeclared_billing::BilledElsewhereSurvey;
use crate::export::{
    Adjustment, BilledFigures, Error, ExportFormat, ExportJob, ExportOptions, ExportResults,
    ExportSummary, ExportTarget, FigureTotals, OverwritePolicy, RecordFilter, ResultRecord,
    ResultStatistics, render,
};
use crate::journal::{Journal, JournalSnapshot, LastRun, NewSeal, SealedExport, SealedItem};
use crate::sheet::{file_sha256, resolved_path};

/// A complete temporary file that is not sealed yet.
#[derive(Debug)]
pub struct PreparedSeal {
    ready: PreparedOutput,
    seal: NewSeal,
    summary: ExportSummary,
}

/// A sealed file that does not have its final path yet.
#[derive(Debug)]
pub struct SealedFile {
    ready: PreparedOutput,
    number: u64,
    sha256: String,
    summary: ExportSummary,
}

/// The result of preparing a sealed export.
#[derive(Debug)]
pub enum SealPreparation {
    /// A file to seal.
    File(Box<PreparedSeal>),
    /// There is nothing to bill or adjust.
    Nothing(Box<ExportSummary>),
}

/// Writes everything that is complete and not billed yet to a temporary file.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with nothing sealed, and [`Error::Journal`].
pub fn prepare_sealed_export(
    snapshot: &JournalSnapshot,
    options: &ExportOptions,
    output: &OutputFile,
    now: Timestamp,
) -> Result<SealPreparation, Error> {
    let last = snapshot.sealed_exports()?.last().map(|last| last.number);
    let number = last.unwrap_or(0) + 1;
    let filter = RecordFilter {
        billing: BillingFilter::Unbilled,
        ..options.filter.clone()
    };
    let mut results = options.results(snapshot, filter)?;
    results.context.sealed = Some(number);
    let (mut summary, mut adjustments, billed) = survey(&results, options.format)?;
    summary.pending = pending(snapshot)?;
    if !options.format.lists_adjustments() {
        summary.waiting = adjustments.drain(..).count() as u64;
    }
    if summary.statistics.completed == 0 && adjustments.is_empty() {
        return Ok(SealPreparation::Nothing(Box::new(summary)));
    }
    let rendering = options.rendering(output.folder(), &adjustments);
    let ready = output.write(|out| render(&results, &summary.statistics, rendering, out))?;
    options.unless_stopped()?;
    let period = options.filter.period.as_ref();
    let seal = NewSeal {
        export: SealedExport {
            number,
            sealed_at: now,
            period: period.map(|period| period.name().to_owned()),
            path: output.path().to_owned(),
            format: options.format.name().to_owned(),
            measurements: billed.len() as u64,
            adjustments: adjustments.len() as u64,
            totals: to_json(&summary.statistics.totals.figures),
            sha256: ready.sha256()?,
            delivered_at: None,
            is_stored: true,
        },
        file: ready.file()?,
        billed,
        adjusted: adjustments.iter().map(adjusted).collect(),
        waiting: summary.waiting,
    };
    summary.sealed = Some(number);
    summary.adjusted = seal.export.adjustments;
    summary.adjustment_totals = FigureTotals::from_adjustments(&adjustments);
    Ok(SealPreparation::File(Box::new(PreparedSeal {
        ready,
        seal,
        summary,
    })))
}

/// Returns the newest import of each file that left rows to the next one.
fn pending(snapshot: &JournalSnapshot) -> Result<Vec<LastRun>, Error> {
    let mut runs = snapshot.last_runs()?;
    runs.retain(|run| run.pending() > 0);
    Ok(runs)
}

impl PreparedSeal {
    /// Bills the measurements and stores the file, in one transaction.
    ///
    /// # Errors
    /// [`Error::Journal`], with nothing sealed.
    pub fn seal(self, journal: &Journal) -> Result<SealedFile, Error> {
        let export = &self.seal.export;
        let (number, sha256) = (export.number, export.sha256.clone());
        journal.seal_export(self.seal)?;
        Ok(SealedFile {
            ready: self.ready,
            number,
            sha256,
            summary: self.summary,
        })
    }
}

impl SealedFile {
    /// Renames the file to its path. If that fails, the seal is removed. Once the file has its path, the seal stays.
    ///
    /// # Errors
    /// [`Error::Write`] with nothing sealed and an existing file unchanged; [`Error::Undelivered`] if the seal could
    /// not be removed either.
    pub fn deliver(self, journal: &Journal) -> Result<ExportSummary, Error> {
        let path = self.ready.output().path().to_owned();
        let placed = match self.ready.rename_into_place() {
            Ok(placed) => placed,
            // Network file systems may report the failure of a rename that succeeded.
            Err(_) if file_sha256(&path).is_ok_and(|sha256| sha256 == self.sha256) => path,
            Err(error) => {
                if let Err(source) = journal.unseal(self.number) {
                    let number = self.number;
                    return Err(Error::Undelivered {
                        number,
                        path,
                        source,
                    });
                }
                return Err(error);
            }
        };
        Ok(ExportSummary {
            written: Some(placed),
            ..self.summary
        })
    }
}

/// Writes the file of a sealed export again, byte for byte. If its own path never had it, it is delivered now, and `path`
/// is its own. Returns the export as it was before.
///
/// # Errors
/// Returns [`Error::NoSuchSeal`], [`Error::OtherFormat`] if the extension is of another format,
/// [`Error::SealedFileMissing`] if the journal does not have the bytes that were sealed, [`Error::Write`], or
/// [`Error::Journal`].
pub fn write_sealed_again(
    journal: &Journal,
    number: u64,
    path: &Path,
    now: Timestamp,
) -> Result<SealedExport, Error> {
    let exports = journal.sealed_exports()?;
    let known = exports.len() as u64;
    let Some(export) = exports.into_iter().find(|export| export.number == number) else {
        return Err(Error::NoSuchSeal { number, known });
    };
    let format = ExportFormat::from_path(path)?;
    if format.name() != export.format {
        return Err(Error::OtherFormat {
            number,
            format: export.format,
        });
    }
    let output = OutputFile::new(path)?;
    write_again(journal, &export, &output)?;
    if export.is_undelivered() {
        journal.mark_delivered(number, output.path().to_owned(), now)?;
    }
    Ok(export)
}

/// Whether this run may write the file of an earlier sealed export to its path. The same billing command run again may
/// replace what is there as far as its policy allows; any other run fills only an empty path that it does not write
/// itself.
fn may_deliver(job: &ExportJob<'_>, path: &Path) -> bool {
    let output = job.target.output();
    let is_own_path = output.is_some_and(|output| output.path() == path);
    match &job.target {
        ExportTarget::SealedFile { .. } => {
            !path.exists() || is_own_path && matches!(may_replace(job, path), Ok(true))
        }
        ExportTarget::Stream(_) | ExportTarget::File(_) | ExportTarget::CustomerSheet { .. } => {
            !is_own_path && !path.exists()
        }
    }
}

/// Whether the file at a path may be replaced by a bill of an earlier run: it is none itself.
fn may_replace(job: &ExportJob<'_>, path: &Path) -> Result<bool, Error> {
    let Ok(sha256) = file_sha256(path) else {
        return Ok(false);
    };
    let may_replace = match job.overwrite {
        OverwritePolicy::OtherFiles => true,
        OverwritePolicy::UnchangedExports => job.journal.has_exported(&sha256)?,
    };
    let exports = job.journal.sealed_exports()?;
    Ok(may_replace && exports.iter().all(|export| export.sha256 != sha256))
}

/// Whether the file of an earlier sealed export is at its path, or has been written there now because this run may do so.
pub(super) fn try_deliver(job: &ExportJob<'_>, export: &SealedExport) -> bool {
    // The process may have been killed before it reported the delivery.
    export.is_at_its_path()
        || may_deliver(job, &export.path) && redeliver(&job.journal, export).is_ok()
}

/// Returns the summary of a sealed export whose file an earlier run could not write, with the numbers in the file:
/// measurements may have changed since.
///
/// # Errors
/// [`Error::Journal`].
pub(super) fn summary_of_delivered(
    snapshot: &JournalSnapshot,
    options: &ExportOptions,
    export: &SealedExport,
) -> Result<ExportSummary, Error> {
    let filter = RecordFilter {
        period: None,
        billing: BillingFilter::Sealed(export.number),
        external_ids: None,
    };
    let results = options.results(snapshot, filter)?;
    let mut statistics = ResultStatistics::new(&results)?;
    if let Some(totals) = FigureTotals::billed_by(export) {
        if statistics.completed != export.measurements {
            statistics.days.clear();
        }
        statistics.selected = StatusCounts::of_complete(export.measurements);
        statistics.completed = export.measurements;
        statistics.totals.figures = totals;
    }
    Ok(ExportSummary {
        written: Some(export.path.clone()),
        sealed: Some(export.number),
        adjusted: export.adjustments,
        adjustment_totals: FigureTotals::from_sealed(snapshot, export)?,
        waiting: snapshot.waiting_adjustments()?,
        unanswered: results.context.unanswered,
        ..ExportSummary::new(statistics)
    })
}

fn redeliver(journal: &Journal, export: &SealedExport) -> Result<(), Error> {
    write_again(journal, export, &OutputFile::new(&export.path)?)
}

/// Writes the stored file of a sealed export, if its digest is right.
fn write_again(journal: &Journal, export: &SealedExport, output: &OutputFile) -> Result<(), Error> {
    let number = export.number;
    if !export.is_stored {
        return Err(Error::SealedFileMissing(number));
    }
    let ready = journal.snapshot()?.read_sealed_file(number, |file| {
        output.write(|out| std::io::copy(file, out).map(drop).map_err(Error::Stream))
    })?;
    if ready.sha256()? != export.sha256 {
        return Err(Error::SealedFileMissing(number));
    }
    let placed = ready.rename_into_place()?;
    // What an unsealed export wrote there is gone, even if it had the same bytes.
    Ok(journal.remove_written(vec![resolved_path(&placed)])?)
}

/// Reads all measurements once, before the file is written: returns what the export will have done, the billed
/// measurements whose figures have changed, whatever the period, and those to bill.
///
/// # Errors
/// [`Error::Undeclared`], and [`Error::Journal`].
fn survey(
    results: &ExportResults<'_>,
    format: ExportFormat,
) -> Result<(ExportSummary, Vec<Adjustment>, Vec<SealedItem>), Error> {
    let mut elsewhere = BilledElsewhereSurvey::default();
    let mut adjustments = Vec::new();
    let mut billed = Vec::new();
    let statistics = ResultStatistics::with_visitor(results, &mut |filtered| {
        let record = &filtered.record;
        elsewhere.add(filtered, results);
        if filtered.is_selected {
            billed.extend(sealed_item(record));
            return Ok(());
        }
        let adjustment = Adjustment::new(record);
        if adjustment.is_some() && format.lists_adjustments() {
            elsewhere.add_adjusted(record, &results.context);
        }
        adjustments.extend(adjustment);
        Ok(())
    })?;
    elsewhere.require_declaration()?;
    let summary = ExportSummary {
        billed_elsewhere: elsewhere.billed_elsewhere,
        unbilled_before_period: elsewhere.unbilled_before_period,
        unbilled_after_period: elsewhere.unbilled_after_period,
        unanswered: results.context.unanswered,
        ..ExportSummary::new(statistics)
    };
    Ok((summary, adjustments, billed))
}

fn sealed_item(record: &ResultRecord) -> Option<SealedItem> {
    let (result, _) = record.valid_result()?;
    Some(SealedItem {
        measurement_id: record.measurement.id.as_str().into(),
        figures: to_json(&BilledFigures::from(result)).into(),
    })
}

fn adjusted(adjustment: &Adjustment) -> SealedItem {
    SealedItem {
        measurement_id: adjustment.measurement_id.as_str().into(),
        figures: to_json(&adjustment.new).into(),
    }
}

/// Serializes figures or totals.
pub(super) fn to_json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("figures have only string keys")
}
