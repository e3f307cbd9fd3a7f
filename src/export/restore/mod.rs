//! A lost journal, restored from what an exported workbook shows: `Summary`, `Measurements`, `Downspouts` and `Open`.
//!
//! Nothing is asked of the service. Every restored measurement counts as not yet asked for, so that the next refresh
//! verifies it.

mod shown;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::export::columns::{
    ADDRESS, CITY, COMPLETED, CORNERS, COUNTRY, CREATED_AT, CUSTOMER, DOWNSPOUT_LENGTH, DOWNSPOUTS,
    EXTERNAL_ID, GUTTER_LENGTH, GUTTER_SIZE, MEASUREMENT, MEASUREMENTS_COLUMNS, POSTAL_CODE,
    REGION, REQUEST, SEALED, SOURCE_FILE, SOURCE_ROW, STATUS, UPDATED_AT,
};
use crate::export::result_column::ResultColumn;
use crate::export::workbook::{downspouts, has_sealed_comment, measurements, open};
use crate::export::{BilledFigures, Error, Feet, ResultTotals, TotalsReport, ZoneName};
use crate::journal::{
    self, Journal, JournalRestoration, RestoreOutcome, RestoredMeasurement, RestoredSeal,
};
use crate::model::{Address, Country, Customer, Outcome, Request, Status};
use crate::sheet::{self, Document, Fault};

use shown::{ShownRow, ShownSummary, each_row, summary};

/// What was restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RestoreSummary {
    /// Measurements.
    pub measurements: u64,
    /// Those of them that were billed.
    pub billed: u64,
    /// Sealed exports.
    pub sealed: u64,
    /// Rows that could not be read.
    pub unreadable: u64,
    /// Measurements that the workbook counts and shows on no sheet, for instance those of earlier sealed exports.
    pub missing: u64,
    /// The number, where the workbook says that it is a sealed export and its bytes are not those that were sealed.
    pub altered: Option<u64>,
}

/// Fills an empty journal from a workbook of `export`, without a request. `service` is the address that the settings name,
/// where they name one: an empty journal is not bound to a service yet.
///
/// # Errors
/// [`Error::NoMap`] for a workbook that is not one of `export`, [`Error::OtherService`] and [`Error::OtherOwner`] for one
/// of another service, app or team, [`Error::NotEmpty`] for a journal that is in use, [`Error::Own`] where the file cannot be read, and those of
/// the journal.
pub fn restore(
    journal: &Journal,
    path: &Path,
    service: Option<&str>,
    now: Timestamp,
) -> Result<RestoreSummary, Error> {
    let book = read(path)?;
    let theirs = &book.shown.owner.base_url;
    if let Some(ours) = service.filter(|ours| ours != theirs)
        && journal.binding()?.is_none()
    {
        return Err(Error::OtherService {
            ours: ours.to_owned(),
            theirs: theirs.clone(),
        });
    }
    let sealed = seals(&book, path)?;
    let altered = book.shown.sealed.filter(|number| {
        sealed
            .iter()
            .any(|seal| seal.number == *number && seal.file.is_none())
    });
    let rows = book.rows.len() as u64 + book.unreadable;
    let restored = RestoreSummary {
        measurements: book.rows.len() as u64,
        billed: book.rows.iter().filter(|row| row.sealed.is_some()).count() as u64,
        sealed: sealed.len() as u64,
        unreadable: book.unreadable,
        missing: book.missing_rows.max(book.shown.all.saturating_sub(rows)),
        altered,
    };
    let restoration = JournalRestoration {
        binding: Some(book.shown.owner),
        sealed,
        measurements: book.rows.into_iter().map(|row| row.restored).collect(),
        learned_at: now,
    };
    match journal.restore(restoration) {
        Ok(RestoreOutcome::Restored) => Ok(restored),
        Ok(RestoreOutcome::NotEmpty) => Err(Error::NotEmpty {
            path: journal.path().to_owned(),
        }),
        Err(journal::Error::OtherAccount { what, ours, theirs }) => {
            Err(Error::OtherOwner { what, ours, theirs })
        }
        Err(error) => Err(error.into()),
    }
}

/// A workbook as it was read.
struct RestoredWorkbook {
    shown: ShownSummary,
    rows: Vec<RestoredRow>,
    unreadable: u64,
    /// Rows of `Measurements` that `Summary` counts and that are not there.
    missing_rows: u64,
}

struct RestoredRow {
    restored: RestoredMeasurement,
    sealed: Option<u64>,
    figures: Option<BilledFigures>,
}

fn read(path: &Path) -> Result<RestoredWorkbook, Error> {
    let not_ours = || Error::NoMap {
        path: path.to_owned(),
    };
    let unusable = |error| Error::Own(Box::new(error));
    let document = Document::at(path);
    let shown = summary(&document).map_err(|error| match error.fault {
        Fault::NotATable(_) | Fault::Empty | Fault::NoSuchSheet { .. } => not_ours(),
        _ => unusable(error),
    })?;
    let shown = shown.ok_or_else(not_ours)?;
    let mut downspouts_by_id: HashMap<String, Vec<Value>> = HashMap::new();
    each_row(&document, downspouts::NAME, &mut |row| {
        if let Some(downspout) = downspout(row) {
            let id = row.text(MEASUREMENT.header).to_owned();
            downspouts_by_id.entry(id).or_default().push(downspout);
        }
    })
    .map_err(unusable)?;
    let mut claims = SeenIds::default();
    each_row(&document, measurements::NAME, &mut |row| {
        let lines = downspouts_by_id.remove(row.text(MEASUREMENT.header));
        claims.add(row, measured(row, &shown.zone, lines.unwrap_or_default()));
    })
    .map_err(unusable)?;
    let measured = claims.rows.len() as u64 + claims.unreadable;
    each_row(&document, open::NAME, &mut |row| {
        // A complete measurement without images stands on both sheets.
        if !claims.measured.contains(row.text(MEASUREMENT.header)) {
            claims.add(row, not_final(row, &shown.zone));
        }
    })
    .map_err(unusable)?;
    Ok(RestoredWorkbook {
        missing_rows: shown.completed.unwrap_or(0).saturating_sub(measured),
        shown,
        rows: claims.rows,
        unreadable: claims.unreadable,
    })
}

/// Rows so far, each external id and each measurement once.
#[derive(Default)]
struct SeenIds {
    rows: Vec<RestoredRow>,
    ids: HashSet<String>,
    measured: HashSet<String>,
    unreadable: u64,
}

impl SeenIds {
    fn add(&mut self, shown: &ShownRow<'_>, row: Option<RestoredRow>) {
        let Some(row) = row else {
            self.unreadable += 1;
            return;
        };
        if self.measured.contains(shown.text(MEASUREMENT.header))
            || !self.ids.insert(shown.text(EXTERNAL_ID.header).to_owned())
        {
            self.unreadable += 1;
            return;
        }
        self.measured
            .insert(shown.text(MEASUREMENT.header).to_owned());
        self.rows.push(row);
    }
}

/// Reads a row of `Measurements`; `None` if a required cell cannot be read.
fn measured(row: &ShownRow<'_>, zone: &ZoneName, downspouts: Vec<Value>) -> Option<RestoredRow> {
    let count = |column: ResultColumn| {
        row.count(column.header)
            .and_then(|count| u32::try_from(count).ok())
    };
    let number = |column: ResultColumn| row.number(column.header);
    let figures = BilledFigures {
        gutter_length: Feet::new(number(GUTTER_LENGTH)?),
        gutter_size_in: row.optional(GUTTER_SIZE.header, ShownRow::number).ok()?,
        corners: count(CORNERS)?,
        downspouts: count(DOWNSPOUTS)?,
        downspout_length: Feet::new(number(DOWNSPOUT_LENGTH)?),
    };
    let sealed = row.optional(SEALED.header, ShownRow::count).ok()?;
    let completed_at = row.moment(COMPLETED.header, zone)?;
    let state = ShownState {
        status: Status::Complete,
        created_at: completed_at,
        updated_at: completed_at,
        completed_at: Some(completed_at),
        result: Some(result(row, downspouts)?),
    };
    let mut restored = restored(row, state)?;
    if let Some(number) = sealed {
        let figures = serde_json::to_string(&figures).expect("figures have string keys alone");
        restored.billed = Some((number, figures));
    }
    Some(RestoredRow {
        restored,
        sealed,
        figures: Some(figures),
    })
}

/// Builds the service's result from every result column of the row. Images have no column to restore them from.
fn result(row: &ShownRow<'_>, downspouts: Vec<Value>) -> Option<Value> {
    let columns = MEASUREMENTS_COLUMNS.iter();
    let mut result = columns
        .filter(|column| column.is_of_result())
        .map(|column| Some((column.key.to_owned(), row.json(column)?)))
        .collect::<Option<Map<String, Value>>>()?;
    result.insert("downspouts".to_owned(), downspouts.into());
    result.insert("asset_pack".to_owned(), json!([]));
    Some(Value::Object(result))
}

/// A row of `Open`. A complete one has its result on no sheet, and is pending until the service is asked.
fn not_final(row: &ShownRow<'_>, zone: &ZoneName) -> Option<RestoredRow> {
    let created_at = row.moment(CREATED_AT.header, zone)?;
    let status = Status::from_name(row.text(STATUS.header))
        .filter(|status| *status != Status::Complete)
        .unwrap_or(Status::Pending);
    let state = ShownState {
        status,
        created_at,
        updated_at: row.moment(UPDATED_AT.header, zone).unwrap_or(created_at),
        completed_at: None,
        result: None,
    };
    Some(RestoredRow {
        restored: restored(row, state)?,
        sealed: None,
        figures: None,
    })
}

/// Where a measurement stands, as a sheet shows it.
struct ShownState {
    status: Status,
    created_at: Timestamp,
    updated_at: Timestamp,
    completed_at: Option<Timestamp>,
    result: Option<Value>,
}

fn restored(row: &ShownRow<'_>, state: ShownState) -> Option<RestoredMeasurement> {
    let measurement_id = row
        .some(MEASUREMENT.header)
        .filter(|id| id.strip_prefix("msr_").is_some_and(|rest| !rest.is_empty()))?;
    let request = Request {
        external_id: row.some(EXTERNAL_ID.header)?.to_owned(),
        address: Address {
            line1: row.some(ADDRESS.header)?.to_owned(),
            line2: None,
            city: row.text(CITY.header).to_owned(),
            region: row.text(REGION.header).to_owned(),
            postal_code: row.text(POSTAL_CODE.header).to_owned(),
            country: Country::from_code(row.text(COUNTRY.header)),
        },
        customer: Customer {
            name: row.text(CUSTOMER.header).to_owned(),
            email: None,
            phone: None,
        },
        notes: None,
        url: None,
        label: None,
    };
    let source_row = row
        .count(SOURCE_ROW.header)
        .and_then(|row| u32::try_from(row).ok())?;
    Some(RestoredMeasurement {
        file: row.text(SOURCE_FILE.header).to_owned(),
        sheet: String::new(),
        row: source_row,
        outcome: Outcome::Existing,
        measurement_id: measurement_id.to_owned(),
        status: state.status,
        created_at: state.created_at,
        updated_at: state.updated_at,
        completed_at: state.completed_at,
        body: body(row, &request, measurement_id, &state),
        result: state.result.map(|result| result.to_string()),
        billed: None,
        request,
    })
}

/// A measurement of the service's shape that says what the workbook shows.
fn body(row: &ShownRow<'_>, request: &Request, id: &str, state: &ShownState) -> String {
    let address = &request.address;
    json!({
        "id": id,
        "status": state.status.name(),
        "created_at": state.created_at,
        "updated_at": state.updated_at,
        "completed_at": state.completed_at,
        "address": {
            "line1": address.line1, "line2": null, "city": address.city, "region": address.region,
            "postal_code": address.postal_code, "country": row.text(COUNTRY.header),
        },
        "request": {
            "id": row.text(REQUEST.header),
            "created_at": state.created_at,
            "customer": { "name": request.customer.name, "email": null, "phone": null },
            "notes": null,
            "external": { "id": request.external_id, "url": null, "label": null },
            "url": null,
        },
        "result": state.result,
    })
    .to_string()
}

fn downspout(row: &ShownRow<'_>) -> Option<Value> {
    Some(json!({
        "length_ft": row.number(downspouts::LENGTH)?,
        "floors": row.count(downspouts::FLOORS)?,
        "size_in": row.number(downspouts::SIZE),
    }))
}

/// The sealed exports that the workbook lists or names in its rows, and the one that it is itself.
fn seals(book: &RestoredWorkbook, path: &Path) -> Result<Vec<RestoredSeal>, Error> {
    let mut seals: BTreeMap<u64, RestoredSeal> = BTreeMap::new();
    for seal in &book.shown.seals {
        let format = Path::new(&seal.file).extension().unwrap_or_default();
        seals.insert(
            seal.number,
            RestoredSeal {
                sealed_at: seal.sealed_at,
                period: seal.period.clone(),
                file_name: seal.file.clone(),
                format: format.to_string_lossy().to_ascii_lowercase(),
                measurements: seal.measurements,
                adjustments: seal.adjustments,
                ..unlisted(seal.number, book)
            },
        );
    }
    for number in book.rows.iter().filter_map(|row| row.sealed) {
        // A number that the list lacks is the workbook's own, or somebody edited the list.
        seals
            .entry(number)
            .or_insert_with(|| unlisted(number, book));
    }
    if let Some(number) = book.shown.sealed {
        let seal = seals
            .entry(number)
            .or_insert_with(|| unlisted(number, book));
        seal.file_name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        seal.period.clone_from(&book.shown.period);
        let file = std::fs::read(path)?;
        if has_sealed_comment(&file) {
            seal.sha256 = sheet::sha256(file.as_slice())?;
            seal.file = Some(file);
        }
    }
    Ok(seals.into_values().collect())
}

/// A sealed export as far as its rows tell.
fn unlisted(number: u64, book: &RestoredWorkbook) -> RestoredSeal {
    let rows = book.rows.iter().filter(|row| row.sealed == Some(number));
    let figures: Vec<BilledFigures> = rows.filter_map(|row| row.figures).collect();
    let sum = |get: fn(&BilledFigures) -> Feet| figures.iter().map(get).sum();
    let totals = ResultTotals {
        gutter_length: sum(|one| one.gutter_length),
        corners: figures.iter().map(|one| u64::from(one.corners)).sum(),
        downspouts: figures.iter().map(|one| u64::from(one.downspouts)).sum(),
        downspout_length: sum(|one| one.downspout_length),
        ..ResultTotals::default()
    };
    RestoredSeal {
        number,
        sealed_at: Timestamp::UNIX_EPOCH,
        period: None,
        file_name: String::new(),
        format: "xlsx".to_owned(),
        measurements: figures.len() as u64,
        adjustments: 0,
        totals: serde_json::to_string(&TotalsReport::new(&totals))
            .expect("totals have string keys alone"),
        sha256: String::new(),
        file: None,
    }
}
