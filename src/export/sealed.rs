//! Sealed exports: each completed measurement is billed in exactly one of them, ever.
//!
//! Three steps, and a process may die between any two. The file is [`Prepared`] whole and on the disk, beside its
//! place; one transaction of the journal bills its measurements and keeps its bytes, and it is [`Sealed`]; then it is
//! put into its place and noted as delivered. Killed before the transaction, nothing is billed. Killed after it, the
//! bytes are in the journal, and the next run delivers them.

use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

use jiff::Timestamp;
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::export::elsewhere::{billed_elsewhere, unbilled_before_period, undeclared};
use crate::export::place::{Place, Placed, Ready};
use crate::export::results::Billing;
use crate::export::run::{Exported, Order, exported};
use crate::export::summary::TotalsByName;
use crate::export::{
    Adjustment, Asked, Error, Figures, Format, Results, Selection, Survey, render,
};
use crate::journal::{Journal, Kept, Seal, SealedExport, SealedItem, Snapshot};

/// A file that is whole and not yet sealed.
#[derive(Debug)]
pub struct Prepared {
    ready: Ready,
    seal: Seal,
    exported: Exported,
}

/// A file that is sealed and not yet in its place.
#[derive(Debug)]
pub struct Sealed {
    ready: Ready,
    number: u64,
    sha256: String,
    exported: Exported,
}

/// What there is to seal.
#[derive(Debug)]
pub enum Prospect {
    /// A file.
    File(Box<Prepared>),
    /// Nothing; the journal knows this all the same.
    Nothing(Box<Exported>),
}

/// Writes everything complete and not yet billed beside its place.
///
/// # Errors
/// [`Error::Write`] and [`Error::Interrupted`] with nothing sealed, and those of the journal.
pub fn prepare(
    snapshot: &Snapshot,
    order: &Order,
    place: &Place,
    now: Timestamp,
) -> Result<Prospect, Error> {
    let last = snapshot.sealed_exports()?.last().map(|last| last.number);
    let number = last.unwrap_or(0) + 1;
    let selection = Selection {
        billing: Billing::Unbilled,
        ..order.selection.clone()
    };
    let mut results = order.results(snapshot, selection)?;
    results.about.sealed = Some(number);
    if let Some(undeclared) = undeclared(&results)? {
        return Err(Error::Undeclared(Box::new(undeclared)));
    }
    let billed_elsewhere = billed_elsewhere(&results)?;
    let unbilled_before_period = unbilled_before_period(&results)?;
    let survey = Survey::of(&results)?;
    let found = adjustments(&results)?;
    let (adjustments, waiting) = match order.format {
        Format::Xlsx => (found, 0),
        Format::Csv | Format::Json | Format::Ndjson => (Vec::new(), found.len() as u64),
    };
    if survey.measured == 0 && adjustments.is_empty() {
        return Ok(Prospect::Nothing(Box::new(Exported {
            billed_elsewhere,
            unbilled_before_period,
            waiting,
            ..exported(&survey)
        })));
    }
    let rendering = order.rendering(place, &adjustments);
    let ready = place.write(|out| render(&results, &survey, rendering, out))?;
    order.unless_stopped()?;
    let sha256 = digest(ready.file()?)?;
    let seal = Seal {
        number,
        sealed_at: now,
        period: order
            .selection
            .period
            .as_ref()
            .map(|period| period.name().to_owned()),
        path: place.path().to_owned(),
        format: order.format.name().to_owned(),
        totals: json(&TotalsByName::of(&survey.totals)),
        sha256,
        file: ready.file()?,
        billed: billed(&results)?,
        adjusted: adjustments.iter().map(adjusted).collect(),
    };
    let exported = Exported {
        sealed: Some(number),
        billed_elsewhere,
        unbilled_before_period,
        adjusted: adjustments.len() as u64,
        waiting,
        ..exported(&survey)
    };
    Ok(Prospect::File(Box::new(Prepared {
        ready,
        seal,
        exported,
    })))
}

impl Prepared {
    /// Bills the measurements and keeps the bytes, in one transaction.
    ///
    /// # Errors
    /// Those of the journal, with nothing sealed.
    pub fn seal(self, journal: &Journal) -> Result<Sealed, Error> {
        let (number, sha256) = (self.seal.number, self.seal.sha256.clone());
        journal.seal(self.seal)?;
        Ok(Sealed {
            ready: self.ready,
            number,
            sha256,
            exported: self.exported,
        })
    }
}

impl Sealed {
    /// Puts the file into its place. Where that fails, the seal is taken back; once the file is there, nothing is taken
    /// back whatever fails: where the journal cannot note the delivery, the next run does.
    ///
    /// # Errors
    /// [`Error::Write`] with nothing sealed and the old file intact; [`Error::Undelivered`] where the seal could not be
    /// taken back either.
    pub fn deliver(self, journal: &Journal, now: Timestamp) -> Result<Exported, Error> {
        let path = self.ready.place().path().to_owned();
        let placed = match self.ready.put() {
            Ok(placed) => placed,
            // Network disks report failures of renames that happened.
            Err(_) if is_file(&path, &self.sha256) => Placed {
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
        let noted = journal.delivered(self.number, now);
        Ok(Exported {
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
    snapshot: &Snapshot,
    number: u64,
    path: &Path,
) -> Result<(SealedExport, Placed), Error> {
    let Some(export) = snapshot.sealed_export(number)? else {
        let known = snapshot.sealed_exports()?.len() as u64;
        return Err(Error::NoSuchSeal { number, known });
    };
    let format = Format::of_path(path)?;
    if format.name() != export.format {
        return Err(Error::OtherFormat {
            number,
            format: export.format,
        });
    }
    let placed = write_again(snapshot, &export, &Place::at(path)?)?;
    Ok((export, placed))
}

/// What became of a sealed export whose file was not known to be in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// It is there now.
    Done(SealedExport),
    /// Something else stands there, or the folder is gone: it is for the user to say where the file goes.
    Left(SealedExport),
}

/// What this run is about to do with a place that an earlier sealed export was meant for.
#[derive(Clone, Copy, Debug)]
pub enum Claim<'a> {
    /// Seal into it: the same command once more, so the earlier file takes it, as it was meant to.
    Seal(&'a Place),
    /// Write something else into it: the earlier file must go elsewhere.
    Write(Option<&'a Place>),
}

impl Claim<'_> {
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
pub fn deliver_left(
    journal: &Journal,
    claim: Claim<'_>,
    now: Timestamp,
) -> Result<Vec<Delivery>, Error> {
    let snapshot = journal.snapshot()?;
    let left = snapshot
        .sealed_exports()?
        .into_iter()
        .filter(|export| export.delivered_at.is_none() && export.kept == Kept::Here);
    let mut deliveries = Vec::new();
    for export in left {
        let delivered = is_delivered(&export)
            || claim.admits(&export.path) && redeliver(&snapshot, &export).is_ok();
        if delivered {
            journal.delivered(export.number, now)?;
            deliveries.push(Delivery::Done(export));
        } else {
            deliveries.push(Delivery::Left(export));
        }
    }
    Ok(deliveries)
}

/// What a sealed export came to that is only now in its place.
///
/// # Errors
/// Those of the journal.
pub fn delivered(
    snapshot: &Snapshot,
    order: &Order,
    export: &SealedExport,
) -> Result<Exported, Error> {
    let selection = Selection {
        period: None,
        billing: Billing::Sealed(export.number),
        ids: None,
    };
    let results = order.results(snapshot, selection)?;
    Ok(Exported {
        written: Some(export.path.clone()),
        sealed: Some(export.number),
        adjusted: export.adjustments,
        ..exported(&Survey::of(&results)?)
    })
}

/// Whether the file stands in its place already: the process died after it was put there.
fn is_delivered(export: &SealedExport) -> bool {
    is_file(&export.path, &export.sha256)
}

/// Whether a file of that digest stands there.
fn is_file(path: &Path, sha256: &str) -> bool {
    let there = std::fs::File::open(path).and_then(digest);
    there.is_ok_and(|there| there == sha256)
}

fn redeliver(snapshot: &Snapshot, export: &SealedExport) -> Result<(), Error> {
    write_again(snapshot, export, &Place::at(&export.path)?).map(drop)
}

/// Puts the bytes that were sealed into a place; others are put nowhere.
fn write_again(snapshot: &Snapshot, export: &SealedExport, place: &Place) -> Result<Placed, Error> {
    let number = export.number;
    if export.kept == Kept::Lost {
        return Err(Error::LostFile { number });
    }
    let ready = snapshot.read_sealed_file(number, |file| {
        place.write(|out| {
            std::io::copy(file, out)?;
            Ok(())
        })
    })?;
    if digest(ready.file()?)? != export.sha256 {
        return Err(Error::LostFile { number });
    }
    ready.put()
}

/// Every billed measurement whose figures changed, whatever the period.
fn adjustments(results: &Results<'_>) -> Result<Vec<Adjustment>, Error> {
    let mut adjustments = Vec::new();
    results.each(&mut |line, asked| {
        if asked == Asked::Not {
            adjustments.extend(Adjustment::of(line));
        }
        Ok(())
    })?;
    Ok(adjustments)
}

fn billed(results: &Results<'_>) -> Result<Vec<SealedItem>, Error> {
    let mut items = Vec::new();
    results.each_selected(&mut |line| {
        if let Some((result, _)) = line.completed() {
            items.push(SealedItem {
                measurement_id: line.measurement.id.as_str().into(),
                figures: json(&Figures::of(result)).into(),
            });
        }
        Ok(())
    })?;
    Ok(items)
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

pub(super) fn digest(mut file: impl Read) -> std::io::Result<String> {
    let mut hash = Sha256::new();
    std::io::copy(&mut file, &mut hash)?;
    let bytes = hash.finalize();
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}
