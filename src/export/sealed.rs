//! Sealed exports: each completed measurement is billed in exactly one of them, ever.
//!
//! Three steps, and a process may die between any two. The file is [`PreparedSeal`] whole and on the disk, beside its
//! place; one transaction of the journal bills its measurements and keeps its bytes, and it is [`SealedFile`]; then it is
//! put into its place and noted as delivered. Killed before the transaction, nothing is billed. Killed after it, the
//! bytes are in the journal, and the next run delivers them.

use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;

use crate::export::output_file::{OutputFile, PreparedOutput, WrittenOutput};
use crate::export::results::BilledLines;
use crate::export::undeclared_billing::BilledElsewhereSurvey;
use crate::export::{
    Adjustment, BilledFigures, Error, ExportFormat, ExportOptions, ExportOutcome, ExportResults,
    LineSelection, LineUse, ResultLine, ResultSurvey, TotalsReport, render,
};
use crate::journal::{Journal, JournalSnapshot, NewSeal, SealedExport, SealedItem, StoredBytes};
use crate::sheet;
use crate::sheet::file_sha256;

/// A file that is whole and not yet sealed.
#[derive(Debug)]
pub struct PreparedSeal {
    ready: PreparedOutput,
    seal: NewSeal,
    exported: ExportOutcome,
}

/// A file that is sealed and not yet in its place.
#[derive(Debug)]
pub struct SealedFile {
    ready: PreparedOutput,
    number: u64,
    sha256: String,
    exported: ExportOutcome,
}

/// What there is to seal.
#[derive(Debug)]
pub enum SealCandidate {
    /// A file.
    File(Box<PreparedSeal>),
    /// Nothing; the journal knows this all the same.
    Nothing(Box<ExportOutcome>),
}

/// Writes everything complete and not yet billed beside its place.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with nothing sealed, and those of the journal.
pub fn prepare(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    place: &OutputFile,
    now: Timestamp,
) -> Result<SealCandidate, Error> {
    let last = snapshot.sealed_exports()?.last().map(|last| last.number);
    let number = last.unwrap_or(0) + 1;
    let selection = LineSelection {
        billing: BilledLines::Unbilled,
        ..order.selection.clone()
    };
    let mut results = order.results(snapshot, selection)?;
    results.about.sealed = Some(number);
    let BillingSurvey {
        survey,
        elsewhere,
        adjustments: found,
        billed,
    } = BillingSurvey::new(&results)?;
    let (billed_elsewhere, unbilled_before_period) =
        (elsewhere.billed_elsewhere, elsewhere.unbilled_before_period);
    let (adjustments, waiting) = match order.format {
        ExportFormat::Xlsx => (found, 0),
        ExportFormat::Csv | ExportFormat::Json | ExportFormat::Ndjson => {
            (Vec::new(), found.len() as u64)
        }
    };
    if survey.measured == 0 && adjustments.is_empty() {
        return Ok(SealCandidate::Nothing(Box::new(ExportOutcome {
            billed_elsewhere,
            unbilled_before_period,
            waiting,
            ..ExportOutcome::new(&survey)
        })));
    }
    let rendering = order.rendering(place, &adjustments);
    let ready = place.write(|out| render(&results, &survey, rendering, out))?;
    order.unless_stopped()?;
    let sha256 = sheet::sha256(ready.file()?)?;
    let seal = NewSeal {
        number,
        sealed_at: now,
        period: order
            .selection
            .period
            .as_ref()
            .map(|period| period.name().to_owned()),
        path: place.path().to_owned(),
        format: order.format.name().to_owned(),
        totals: json(&TotalsReport::new(&survey.totals)),
        sha256,
        file: ready.file()?,
        billed,
        adjusted: adjustments.iter().map(adjusted).collect(),
    };
    let exported = ExportOutcome {
        sealed: Some(number),
        billed_elsewhere,
        unbilled_before_period,
        adjusted: adjustments.len() as u64,
        waiting,
        ..ExportOutcome::new(&survey)
    };
    Ok(SealCandidate::File(Box::new(PreparedSeal {
        ready,
        seal,
        exported,
    })))
}

impl PreparedSeal {
    /// Bills the measurements and keeps the bytes, in one transaction.
    ///
    /// # Errors
    /// Those of the journal, with nothing sealed.
    pub fn seal(self, journal: &Journal) -> Result<SealedFile, Error> {
        let (number, sha256) = (self.seal.number, self.seal.sha256.clone());
        journal.seal_export(self.seal)?;
        Ok(SealedFile {
            ready: self.ready,
            number,
            sha256,
            exported: self.exported,
        })
    }
}

impl SealedFile {
    /// Puts the file into its place. Where that fails, the seal is taken back; once the file is there, nothing is taken
    /// back whatever fails: where the journal cannot note the delivery, the next run does.
    ///
    /// # Errors
    /// [`Error::Write`] with nothing sealed and the old file intact; [`Error::Undelivered`] where the seal could not be
    /// taken back either.
    pub fn deliver(self, journal: &Journal, now: Timestamp) -> Result<ExportOutcome, Error> {
        let path = self.ready.place().path().to_owned();
        let placed = match self.ready.put() {
            Ok(placed) => placed,
            // Network disks report failures of renames that happened.
            Err(_) if is_file(&path, &self.sha256) => WrittenOutput {
                path,
                unsynced: None,
            },
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
        let noted = journal.mark_delivered(self.number, now);
        Ok(ExportOutcome {
            unnoted: noted.err().map(|error| error.to_string()),
            ..self.exported.placed(placed)
        })
    }
}

/// The file of a sealed export, once more, byte for byte.
///
/// # Errors
/// [`Error::NoSuchSeal`], [`Error::OtherFormat`] where the name says another format, [`Error::LostFile`] where the
/// journal has no bytes or other ones, and [`Error::Write`].
pub fn again(
    snapshot: &JournalSnapshot,
    number: u64,
    path: &Path,
) -> Result<(SealedExport, WrittenOutput), Error> {
    let Some(export) = snapshot.sealed_export(number)? else {
        let known = snapshot.sealed_exports()?.len() as u64;
        return Err(Error::NoSuchSeal { number, known });
    };
    let format = ExportFormat::of_path(path)?;
    if format.name() != export.format {
        return Err(Error::OtherFormat {
            number,
            format: export.format,
        });
    }
    let placed = write_again(snapshot, &export, &OutputFile::at(path)?)?;
    Ok((export, placed))
}

/// What became of a sealed export whose file was not known to be in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SealDelivery {
    /// It is there now.
    Done(SealedExport),
    /// Something else stands there, or the folder is gone: it is for the user to say where the file goes.
    Left(SealedExport),
}

/// What this run is about to do with a place that an earlier sealed export was meant for.
#[derive(Clone, Copy, Debug)]
pub enum OutputClaim<'a> {
    /// Seal into it: the same command once more, so the earlier file takes it, as it was meant to.
    Seal(&'a OutputFile),
    /// Write something else into it: the earlier file must go elsewhere.
    Write(Option<&'a OutputFile>),
}

impl OutputClaim<'_> {
    /// Whether an earlier file may take its place.
    fn admits(self, path: &Path) -> bool {
        match self {
            Self::Seal(place) => place.path() == path || !path.exists(),
            Self::Write(place) => !path.exists() && place.is_none_or(|place| place.path() != path),
        }
    }
}

/// Delivers what an earlier run sealed and could not put into its place. Elsewhere than at this run's own place, only
/// an empty one is filled.
///
/// # Errors
/// Those of the journal.
pub fn deliver_undelivered(
    journal: &Journal,
    claim: OutputClaim<'_>,
    now: Timestamp,
) -> Result<Vec<SealDelivery>, Error> {
    let snapshot = journal.snapshot()?;
    let left = snapshot.sealed_exports()?.into_iter().filter(|export| {
        export.delivered_at.is_none() && export.stored_bytes == StoredBytes::Stored
    });
    let mut deliveries = Vec::new();
    for export in left {
        let delivered = is_delivered(&export)
            || claim.admits(&export.path) && redeliver(&snapshot, &export).is_ok();
        if delivered {
            journal.mark_delivered(export.number, now)?;
            deliveries.push(SealDelivery::Done(export));
        } else {
            deliveries.push(SealDelivery::Left(export));
        }
    }
    Ok(deliveries)
}

/// What a sealed export came to that is only now in its place.
///
/// # Errors
/// Those of the journal.
pub fn delivered(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    export: &SealedExport,
) -> Result<ExportOutcome, Error> {
    let selection = LineSelection {
        period: None,
        billing: BilledLines::Sealed(export.number),
        ids: None,
    };
    let results = order.results(snapshot, selection)?;
    Ok(ExportOutcome {
        written: Some(export.path.clone()),
        sealed: Some(export.number),
        adjusted: export.adjustments,
        ..ExportOutcome::new(&ResultSurvey::new(&results)?)
    })
}

/// Whether the file stands in its place already: the process died after it was put there.
fn is_delivered(export: &SealedExport) -> bool {
    is_file(&export.path, &export.sha256)
}

/// Whether a file of that digest stands there.
fn is_file(path: &Path, sha256: &str) -> bool {
    file_sha256(path).is_ok_and(|digest| digest == sha256)
}

fn redeliver(snapshot: &JournalSnapshot, export: &SealedExport) -> Result<(), Error> {
    write_again(snapshot, export, &OutputFile::at(&export.path)?).map(drop)
}

/// Puts the bytes that were sealed into a place; others are put nowhere.
fn write_again(
    snapshot: &JournalSnapshot,
    export: &SealedExport,
    place: &OutputFile,
) -> Result<WrittenOutput, Error> {
    let number = export.number;
    if export.stored_bytes == StoredBytes::Missing {
        return Err(Error::LostFile { number });
    }
    let ready = snapshot.read_sealed_file(number, |file| {
        place.write(|out| {
            std::io::copy(file, out)?;
            Ok(())
        })
    })?;
    if sheet::sha256(ready.file()?)? != export.sha256 {
        return Err(Error::LostFile { number });
    }
    ready.put()
}

/// What a billing export must know before it is written, read in one pass over the measurements.
struct BillingSurvey {
    survey: ResultSurvey,
    elsewhere: BilledElsewhereSurvey,
    /// Billed measurements whose figures have changed, whatever the period.
    adjustments: Vec<Adjustment>,
    /// The measurements to bill.
    billed: Vec<SealedItem>,
}

impl BillingSurvey {
    /// Reads all measurements once.
    ///
    /// # Errors
    /// [`Error::Undeclared`], and those of the journal.
    fn new(results: &ExportResults<'_>) -> Result<Self, Error> {
        let mut elsewhere = BilledElsewhereSurvey::default();
        let mut adjustments = Vec::new();
        let mut billed = Vec::new();
        let survey = ResultSurvey::with_visitor(results, &mut |line, asked| {
            elsewhere.add(line, asked, results);
            match asked {
                LineUse::Not => adjustments.extend(Adjustment::new(line)),
                LineUse::For => billed.extend(sealed_item(line)),
            }
            Ok(())
        })?;
        elsewhere.require_declaration(&results.about)?;
        Ok(Self {
            survey,
            elsewhere,
            adjustments,
            billed,
        })
    }
}

fn sealed_item(line: &ResultLine) -> Option<SealedItem> {
    let (result, _) = line.completed()?;
    Some(SealedItem {
        measurement_id: line.measurement.id.as_str().into(),
        figures: json(&BilledFigures::from(result)).into(),
    })
}

fn adjusted(adjustment: &Adjustment) -> SealedItem {
    SealedItem {
        measurement_id: adjustment.measurement_id.as_str().into(),
        figures: json(&adjustment.new).into(),
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("figures have string keys alone")
}
