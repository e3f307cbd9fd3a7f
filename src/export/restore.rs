//! A lost journal, restored from the map that every workbook carries: row to measurement, and what was billed.
//!
//! Results are not taken from the workbook: each measurement is known as pending, and the next refresh asks for it, so
//! that what is shown is the service's own word.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use serde_json::json;

use crate::export::sealed::digest;
use crate::export::workbook::{Entry, Head, MapRow, SHEET, SealFacts, part_name};
use crate::export::{Error, Feet, Figures, Totals, TotalsByName};
use crate::journal::{Journal, Restoration, RestoreEnd, RestoredMeasurement, RestoredSeal};
use crate::model::{Outcome, Request};
use crate::table::{self, Document, Fault, PlainSheet, plain_sheet};

/// What was restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restored {
    /// Measurements.
    pub measurements: u64,
    /// Those of them that were billed.
    pub billed: u64,
    /// Sealed exports.
    pub sealed: u64,
    /// Rows of the map that could not be read.
    pub unreadable: u64,
}

/// Fills an empty journal from a workbook of `export`, without a request.
///
/// # Errors
/// [`Error::NoMap`] for a workbook that is none of ours, [`Error::NotEmpty`] for a journal that is in use,
/// [`Error::Own`] where the file cannot be read, and those of the journal.
pub fn restore(journal: &Journal, path: &Path) -> Result<Restored, Error> {
    let map = read(path)?;
    let restored = Restored {
        measurements: map.entries.len() as u64,
        billed: map
            .entries
            .iter()
            .filter(|entry| entry.sealed.is_some())
            .count() as u64,
        sealed: 0,
        unreadable: map.unreadable,
    };
    let sealed = seals(&map, path)?;
    let restored = Restored {
        sealed: sealed.len() as u64,
        ..restored
    };
    let restoration = Restoration {
        binding: map.head.as_ref().map(Head::binding),
        sealed,
        measurements: map.entries.into_iter().map(measurement).collect(),
    };
    match journal.restore(restoration)? {
        RestoreEnd::Restored => Ok(restored),
        RestoreEnd::NotEmpty => Err(Error::NotEmpty {
            path: journal.path().to_owned(),
        }),
    }
}

/// A map as it was read.
#[derive(Default)]
struct Map {
    head: Option<Head>,
    seals: Vec<SealFacts>,
    entries: Vec<Entry>,
    /// External ids and measurements.
    claimed: HashSet<Box<str>>,
    unreadable: u64,
}

fn read(path: &Path) -> Result<Map, Error> {
    let no_map = || Error::NoMap {
        path: path.to_owned(),
    };
    let unusable = |error| Error::Own(Box::new(error));
    let document = Document::at(path);
    let sheet = plain_sheet(&document, SHEET).map_err(|error| match error.fault {
        Fault::NotATable(_) | Fault::Empty => no_map(),
        _ => unusable(error),
    })?;
    let mut map = Map::default();
    let added = map.add(sheet);
    // A workbook without our sheet is somebody else's.
    let expected = map.head.as_ref().ok_or_else(no_map)?.measurements;
    added.map_err(unusable)?;
    let mut part = 0;
    while map.rows() < expected {
        // A map that fills its sheet goes on, on the sheets that follow.
        part += 1;
        let more = plain_sheet(&document, &part_name(SHEET, part));
        if more.and_then(|sheet| map.add(sheet)).is_err() {
            break;
        }
    }
    map.unreadable += expected.saturating_sub(map.rows());
    Ok(map)
}

impl Map {
    /// Measurements so far, readable or not.
    fn rows(&self) -> u64 {
        self.entries.len() as u64 + self.unreadable
    }

    fn add(&mut self, mut sheet: PlainSheet) -> Result<(), table::Error> {
        while let Some(row) = sheet.next_row()? {
            match MapRow::read(row.cell(0).text, row.cell(2).text) {
                Some(MapRow::Header) => {}
                Some(MapRow::Head(head)) => self.head = Some(head),
                Some(MapRow::Sealed(facts)) => self.seals.push(facts),
                Some(MapRow::Measurement(entry)) if self.is_new(&entry) => {
                    self.entries.push(*entry);
                }
                Some(MapRow::Measurement(_)) | None => self.unreadable += 1,
            }
        }
        Ok(())
    }

    /// Whether no row before claims the same id or the same measurement.
    fn is_new(&mut self, entry: &Entry) -> bool {
        let ids = [&entry.measurement_id, &entry.request.external_id];
        ids.into_iter()
            .all(|id| self.claimed.insert(id.as_str().into()))
    }
}

fn measurement(entry: Entry) -> RestoredMeasurement {
    let body = stand_in(&entry);
    let figures = entry.figures.unwrap_or_default();
    let figures = serde_json::to_string(&figures).expect("figures have string keys alone");
    RestoredMeasurement {
        body,
        file: entry.file,
        sheet: entry.sheet.unwrap_or_default(),
        row: entry.row,
        outcome: Outcome::from_name(&entry.outcome)
            .filter(|outcome| *outcome == Outcome::Existing)
            .unwrap_or(Outcome::Created),
        measurement_id: entry.measurement_id,
        created_at: entry.created_at,
        billed: entry.sealed.map(|number| (number, figures)),
        request: entry.request,
    }
}

/// A measurement of the service's shape that says no more than is known: requested, and pending.
fn stand_in(entry: &Entry) -> String {
    let Request {
        external_id,
        address,
        customer,
        notes,
        url,
        label,
    } = &entry.request;
    json!({
        "id": entry.measurement_id,
        "status": "pending",
        "created_at": entry.created_at,
        "updated_at": entry.created_at,
        "completed_at": null,
        "address": {
            "line1": address.line1, "line2": address.line2, "city": address.city, "region": address.region,
            "postal_code": address.postal_code,
            "country": address.country.map_or("", crate::model::Country::code),
        },
        "request": {
            "id": entry.request_id,
            "created_at": entry.created_at,
            "customer": { "name": customer.name, "email": customer.email, "phone": customer.phone },
            "notes": notes,
            "external": { "id": external_id, "url": url, "label": label },
            "url": entry.request_url,
        },
        "result": null,
    })
    .to_string()
}

/// The sealed exports that the map lists, and the one that the workbook itself is.
fn seals(map: &Map, path: &Path) -> Result<Vec<RestoredSeal>, Error> {
    let mut seals: BTreeMap<u64, RestoredSeal> = map
        .seals
        .iter()
        .map(|facts| (facts.number, facts.restored()))
        .collect();
    for entry in &map.entries {
        if let Some(number) = entry.sealed {
            // Only a workbook that was written before the number was sealed can fail to list it.
            seals
                .entry(number)
                .or_insert_with(|| unlisted(number, map, path));
        }
    }
    let itself = map.head.as_ref().and_then(|head| head.sealed);
    if let Some(number) = itself {
        let file = std::fs::read(path)?;
        let seal = seals
            .entry(number)
            .or_insert_with(|| unlisted(number, map, path));
        seal.sha256 = digest(file.as_slice())?;
        seal.file = Some(file);
    }
    Ok(seals.into_values().collect())
}

fn unlisted(number: u64, map: &Map, path: &Path) -> RestoredSeal {
    let billed = map
        .entries
        .iter()
        .filter(|entry| entry.sealed == Some(number));
    let figures: Vec<Figures> = billed.filter_map(|entry| entry.figures).collect();
    let sum = |get: fn(&Figures) -> Feet| figures.iter().map(get).sum();
    let totals = Totals {
        gutter_length: sum(|one| one.gutter_length),
        corners: figures.iter().map(|one| u64::from(one.corners)).sum(),
        downspouts: figures.iter().map(|one| u64::from(one.downspouts)).sum(),
        downspout_length: sum(|one| one.downspout_length),
        ..Totals::default()
    };
    let head = map.head.as_ref();
    RestoredSeal {
        number,
        sealed_at: head
            .and_then(|head| head.as_of)
            .unwrap_or(Timestamp::UNIX_EPOCH),
        period: head.and_then(|head| head.period.clone()),
        file_name: path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned(),
        format: "xlsx".to_owned(),
        measurements: figures.len() as u64,
        adjustments: head.map_or(0, |head| head.adjustments),
        totals: serde_json::to_string(&TotalsByName::of(&totals))
            .expect("totals have string keys alone"),
        sha256: String::new(),
        file: None,
    }
}
