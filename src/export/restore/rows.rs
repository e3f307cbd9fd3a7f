//! Restoring measurements from the rows of `Measurements`, `Downspouts` and `Open`.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::export::columns::{
    ADDRESS, CITY, COMPLETED, COUNTRY, CREATED_AT, CUSTOMER, EXTERNAL_ID, MEASUREMENT,
    MEASUREMENTS_COLUMNS, POSTAL_CODE, REGION, REQUEST, SEALED, SOURCE_FILE, SOURCE_ROW, STATUS,
    UPDATED_AT,
};
use crate::export::restore::workbook_reader::{TableRow, WorkbookSummary, each_row};
use crate::export::result_column::ColumnKind;
use crate::export::workbook::table_rows::{
    ADJUSTMENTS, BILLED_IN, DOWNSPOUTS, FIGURE, FLOORS, LENGTH, MEASUREMENTS, OLD, OPEN, SIZE,
};
use crate::export::{BilledFigures, TimeZoneName};
use crate::journal::RestoredMeasurement;
use crate::model::{Address, Country, Customer, Request, RowNumber, Status};
use crate::sheet::{self, InputFile, SheetError};

/// The rows of a workbook, each external id and each measurement once.
#[derive(Default)]
pub(super) struct ParsedRows {
    pub(super) parsed: Vec<ParsedRow>,
    /// The number of rows that could not be read.
    pub(super) unreadable: u64,
    /// The number of rows of `Measurements`, unreadable ones included.
    pub(super) completed: u64,
    external_ids: HashSet<String>,
    measurement_ids: HashSet<String>,
}

/// The lines of a measurement on `Adjustments`: the sealed export that billed it, and the figures that changed, by
/// header, as they were billed.
type ListedAdjustment = (u64, Vec<(String, Option<f64>)>);

/// A row as a measurement.
pub(super) struct ParsedRow {
    pub(super) measurement: RestoredMeasurement,
    /// The number of the sealed export that billed it, and the billed figures.
    pub(super) billed: Option<(u64, BilledFigures)>,
}

/// Reads all rows of a workbook.
///
/// # Errors
/// Those of the file.
pub(super) fn parse_rows(
    input_file: &InputFile,
    summary: &WorkbookSummary,
) -> Result<ParsedRows, sheet::Error> {
    let zone = &summary.zone;
    let mut downspouts_by_id: HashMap<String, Vec<Value>> = HashMap::new();
    each_row(input_file, DOWNSPOUTS, &mut |row| {
        if let Some(downspout) = downspout(row) {
            let id = row.text(MEASUREMENT.header).to_owned();
            downspouts_by_id.entry(id).or_default().push(downspout);
        }
    })?;
    let mut rows = ParsedRows::default();
    each_row(input_file, MEASUREMENTS, &mut |row| {
        let downspouts = downspouts_by_id.remove(row.text(MEASUREMENT.header));
        let parsed = completed(row, zone, downspouts.unwrap_or_default());
        rows.add(row, parsed);
    })?;
    rows.completed = rows.parsed.len() as u64 + rows.unreadable;
    each_row(input_file, OPEN, &mut |row| {
        // A complete measurement without images is in both sheets.
        let id = row.text(MEASUREMENT.header);
        if !rows.measurement_ids.contains(id) {
            rows.add(row, not_final(row, zone));
        }
    })?;
    // The adjustments of a sealed workbook are billed, those of any other wait for the next sealed one.
    if summary.sealed.is_none() {
        rows.restore_billed_figures(input_file)?;
    }
    Ok(rows)
}

impl ParsedRows {
    /// Replaces the current figures of measurements that changed after being billed by those that were billed.
    fn restore_billed_figures(&mut self, input_file: &InputFile) -> Result<(), sheet::Error> {
        let mut by_id: HashMap<String, ListedAdjustment> = HashMap::new();
        let visited = each_row(input_file, ADJUSTMENTS, &mut |row| {
            let Some(id) = row.some(MEASUREMENT.header) else {
                // The sums below the table.
                return;
            };
            match (row.count(BILLED_IN), row.optional(OLD, TableRow::number)) {
                (Some(billed_in), Ok(old)) => {
                    let (listed_in, figures) = by_id.entry(id.to_owned()).or_default();
                    *listed_in = billed_in;
                    figures.push((row.text(FIGURE).to_owned(), old));
                }
                _ => self.unreadable += 1,
            }
        });
        match visited {
            Err(error) if matches!(error.cause, SheetError::NoSuchSheet { .. }) => return Ok(()),
            visited => visited?,
        }
        for row in &mut self.parsed {
            if let Some((billed_in, listed)) = by_id.remove(&row.measurement.measurement_id) {
                // One without a row in `Measurements` was canceled: every figure that is not listed is still nothing.
                let figures = row.billed.take().map(|(_, figures)| figures);
                let mut figures = figures.unwrap_or_else(BilledFigures::zero);
                for (header, old) in listed {
                    figures.set(&header, old);
                }
                row.billed = Some((billed_in, figures));
            }
        }
        Ok(())
    }

    fn add(&mut self, row: &TableRow<'_>, parsed: Option<ParsedRow>) {
        let id = row.text(MEASUREMENT.header);
        let external_id = row.text(EXTERNAL_ID.header);
        match parsed {
            Some(parsed)
                if !self.measurement_ids.contains(id)
                    && self.external_ids.insert(external_id.to_owned()) =>
            {
                self.measurement_ids.insert(id.to_owned());
                self.parsed.push(parsed);
            }
            Some(_) | None => self.unreadable += 1,
        }
    }
}

/// Reads a row of `Measurements`; `None` if a required cell cannot be read.
fn completed(row: &TableRow<'_>, zone: &TimeZoneName, downspouts: Vec<Value>) -> Option<ParsedRow> {
    let figures = BilledFigures::collect(|column| match column.kind {
        // A size may not be chosen yet.
        ColumnKind::Inches => row.optional(column.header, TableRow::number).ok(),
        _ => row.number(column.header).map(Some),
    })?;
    let sealed = row.optional(SEALED.header, TableRow::count).ok()?;
    let completed_at = row.moment(COMPLETED.header, zone)?;
    let result = result(row, downspouts)?;
    let times = (completed_at, completed_at);
    let complete = Some((completed_at, result));
    Some(ParsedRow {
        measurement: measurement(row, Status::Complete, times, complete)?,
        billed: sealed.map(|number| (number, figures)),
    })
}

/// Builds the service's result from every result column of the row. Images have no column to restore them from.
fn result(row: &TableRow<'_>, downspouts: Vec<Value>) -> Option<Value> {
    let columns = MEASUREMENTS_COLUMNS.iter();
    let mut result = columns
        .filter(|column| column.is_of_result())
        .map(|column| Some((column.key.to_owned(), row.json(column)?)))
        .collect::<Option<Map<String, Value>>>()?;
    result.insert("downspouts".to_owned(), downspouts.into());
    result.insert("asset_pack".to_owned(), json!([]));
    Some(Value::Object(result))
}

/// Reads a row of `Open`. No sheet has the result of a complete one there, so it is pending until it is requested again.
fn not_final(row: &TableRow<'_>, zone: &TimeZoneName) -> Option<ParsedRow> {
    let created_at = row.moment(CREATED_AT.header, zone)?;
    let status = Status::from_name(row.text(STATUS.header))
        .filter(|status| *status != Status::Complete)
        .unwrap_or(Status::Pending);
    let updated_at = row.moment(UPDATED_AT.header, zone).unwrap_or(created_at);
    Some(ParsedRow {
        measurement: measurement(row, status, (created_at, updated_at), None)?,
        billed: None,
    })
}

/// Returns a measurement that was created and updated at these times, with the time of completion and the result of a
/// complete one.
fn measurement(
    row: &TableRow<'_>,
    status: Status,
    (created_at, updated_at): (Timestamp, Timestamp),
    complete: Option<(Timestamp, Value)>,
) -> Option<RestoredMeasurement> {
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
    let (completed_at, result) = complete.unzip();
    let mut measurement = RestoredMeasurement {
        file: row.text(SOURCE_FILE.header).to_owned(),
        row: RowNumber(u32::try_from(row.count(SOURCE_ROW.header)?).ok()?),
        measurement_id: measurement_id.to_owned(),
        status,
        created_at,
        updated_at,
        completed_at,
        body: String::new(),
        result: result.as_ref().map(Value::to_string),
        billed: None,
        request,
    };
    measurement.body = body(row, &measurement, result);
    Some(measurement)
}

/// Returns a measurement object of the service with the values of the workbook.
fn body(row: &TableRow<'_>, measurement: &RestoredMeasurement, result: Option<Value>) -> String {
    let request = &measurement.request;
    let address = &request.address;
    json!({
        "id": measurement.measurement_id,
        "status": measurement.status.name(),
        "created_at": measurement.created_at,
        "updated_at": measurement.updated_at,
        "completed_at": measurement.completed_at,
        "address": {
            "line1": address.line1, "line2": null, "city": address.city, "region": address.region,
            "postal_code": address.postal_code, "country": row.text(COUNTRY.header),
        },
        "request": {
            "id": row.text(REQUEST.header),
            "created_at": measurement.created_at,
            "customer": { "name": request.customer.name, "email": null, "phone": null },
            "notes": null,
            "external": { "id": request.external_id, "url": null, "label": null },
            "url": null,
        },
        "result": result,
    })
    .to_string()
}

fn downspout(row: &TableRow<'_>) -> Option<Value> {
    Some(json!({
        "length_ft": row.number(LENGTH)?,
        "floors": row.count(FLOORS)?,
        "size_in": row.number(SIZE),
    }))
}
