//! The history of one row, for `status --id`: attempts, responses and sealed exports.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Row};
use serde::Serialize;
use serde_json::Value;

use crate::journal::column_values::{
    NAMED_SHEET, column_json, column_optional_json, column_optional_time, column_time, query_rows,
};
use crate::journal::{Error, journal_file, measurements};
use crate::model::{
    FieldError, FieldNames, Request, RowNumber, serialize_json_time, serialize_known_time,
};

/// The journal's records of one external id.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowHistory {
    /// The external id.
    pub external_id: String,
    /// The path of the row's file.
    pub file: String,
    /// The row's sheet, if several of its workbook were imported.
    pub sheet: Option<String>,
    /// The row number.
    pub row: u32,
    /// `sent`, `created`, `existing`, `refused` or `conflict`, or the outcome of a row that was never sent.
    pub state: String,
    /// The customer and the address in one line, as far as they are known.
    pub house: Vec<String>,
    /// The last submitted request; null if there is none.
    pub request: Value,
    /// Why it was refused, rejected or is in conflict.
    pub messages: Vec<FieldError>,
    /// The rejected row that it corrects.
    pub corrects: Option<CorrectedRow>,
    /// The user's names of the fields.
    pub names: FieldNames,
    /// The measurement, if there is one.
    pub measurement: Option<KnownMeasurement>,
    /// All attempts, the oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// Warnings about the responses.
    pub warnings: Vec<String>,
    /// The sealed exports that contain it.
    pub sealed: Vec<SealOfRow>,
}

/// A rejected row that was corrected in the rejects.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CorrectedRow {
    /// The path of its file.
    pub file: String,
    /// Its sheet, if several of its workbook were imported.
    #[serde(skip)]
    pub sheet: Option<String>,
    /// Its number.
    pub row: RowNumber,
}

/// A sealed export that contains a measurement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SealOfRow {
    /// Its number.
    pub number: u64,
    /// `billed` or `adjusted`.
    pub kind: String,
}

/// A measurement as the journal stores it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KnownMeasurement {
    /// The measurement id, `msr_…`.
    pub id: String,
    /// The newest status.
    pub status: String,
    /// When the newest response came; `None` for a restored measurement.
    #[serde(serialize_with = "serialize_known_time")]
    pub fetched_at: Option<Timestamp>,
    /// The newest response.
    pub answer: Value,
}

/// One attempt to send a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AttemptRecord {
    /// `create` or `read`.
    pub kind: String,
    /// When it was recorded, before it was sent.
    #[serde(serialize_with = "serialize_json_time")]
    pub at: Timestamp,
    /// When the response came or the failure was known; `None` after a crash.
    #[serde(rename = "settled_at", serialize_with = "serialize_known_time")]
    pub ended_at: Option<Timestamp>,
    /// The HTTP status; `None` if there was no response.
    pub status: Option<u16>,
    /// Why there was no response, or what is wrong with it.
    pub error: Option<String>,
    /// The response, unless it is the measurement's newest one.
    pub answer: Option<Value>,
}

/// Reads the history of an external id; `None` if the journal does not contain it.
///
/// # Errors
/// Returns [`Error::Missing`] if there is no journal, [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a
/// file that cannot be used, or another [`Error`] if it cannot be read.
pub fn row_history(path: &Path, external_id: &str) -> Result<Option<RowHistory>, Error> {
    let connection = journal_file::open_read_only(path)?.ok_or_else(|| Error::Missing {
        path: path.to_owned(),
    })?;
    let history = match request(&connection, external_id)? {
        None => rejected(&connection, external_id)?,
        submitted => submitted,
    };
    let Some(mut history) = history else {
        return Ok(None);
    };
    history.corrects = corrected(&connection, external_id)?;
    history.names = measurements::field_names(&connection, external_id)?;
    history.measurement = measurement(&connection, external_id)?;
    history.attempts = attempts(&connection, external_id)?;
    history.warnings = warnings(&connection, external_id)?;
    if let Some(measurement) = &history.measurement {
        history.sealed = sealed(&connection, &measurement.id)?;
    }
    Ok(Some(history))
}

/// The shortest id of the journal that ends with a text, apart from case: most likely the same with its prefix. Without
/// one, the ids that differ from it by one character.
///
/// # Errors
/// As [`row_history`], but none if there is no journal.
pub fn similar_ids(path: &Path, external_id: &str) -> Result<Vec<String>, Error> {
    let sql = "SELECT external_id FROM requests
        WHERE lower(substr(external_id, -length(?1))) = lower(?1) ORDER BY length(external_id) LIMIT 1";
    let Some(connection) = journal_file::open_read_only(path)? else {
        return Ok(Vec::new());
    };
    let prefixed: Vec<String> = query_rows(&connection, sql, [external_id], |row| row.get(0))?;
    if !prefixed.is_empty() {
        return Ok(prefixed);
    }
    let sql = "SELECT external_id FROM requests
        WHERE abs(length(external_id) - length(?1)) <= 1 ORDER BY external_id";
    let mut ids: Vec<String> = query_rows(&connection, sql, [external_id], |row| row.get(0))?;
    ids.retain(|id| strsim::osa_distance(id, external_id) == 1);
    Ok(ids)
}

/// The row that was submitted last under the id.
fn request(connection: &Connection, external_id: &str) -> rusqlite::Result<Option<RowHistory>> {
    let sql = format!(
        "SELECT external_id, path, {NAMED_SHEET}, source_row, state, request, messages
        FROM requests JOIN sources ON sources.id = requests.source WHERE external_id = ?1"
    );
    let history = |row: &Row<'_>| {
        let request: Request = column_json(row, 5)?;
        let house = vec![request.customer.name.clone(), request.address.one_line()];
        Ok(RowHistory {
            house,
            request: serde_json::to_value(request).expect("a request has only string keys"),
            messages: column_optional_json(row, 6)?,
            ..row_without_request(row)?
        })
    };
    connection
        .query_row(&sql, [external_id], history)
        .optional()
}

/// The row with the id that the newest import of its file rejected without a request.
fn rejected(connection: &Connection, external_id: &str) -> rusqlite::Result<Option<RowHistory>> {
    let sql = format!(
        "SELECT external_id, path, {NAMED_SHEET}, source_row, outcome, error, customer, address
        FROM rejected JOIN sources ON sources.id = rejected.source WHERE external_id = ?1 LIMIT 1"
    );
    let history = |row: &Row<'_>| {
        let house: [Option<String>; 2] = [row.get(6)?, row.get(7)?];
        Ok(RowHistory {
            house: house.into_iter().flatten().collect(),
            messages: vec![FieldError::of_row(row.get::<_, String>(5)?)],
            ..row_without_request(row)?
        })
    };
    connection
        .query_row(&sql, [external_id], history)
        .optional()
}

fn row_without_request(row: &Row<'_>) -> rusqlite::Result<RowHistory> {
    Ok(RowHistory {
        external_id: row.get(0)?,
        file: row.get(1)?,
        sheet: row.get(2)?,
        row: row.get(3)?,
        state: row.get(4)?,
        ..RowHistory::default()
    })
}

/// The row that was corrected and accepted under the id.
fn corrected(connection: &Connection, external_id: &str) -> rusqlite::Result<Option<CorrectedRow>> {
    let sql = format!(
        "SELECT path, {NAMED_SHEET}, source_row
        FROM corrections JOIN sources ON sources.id = corrections.source
        WHERE external_id = ?1 LIMIT 1"
    );
    let row = |row: &Row<'_>| {
        Ok(CorrectedRow {
            file: row.get(0)?,
            sheet: row.get(1)?,
            row: RowNumber(row.get(2)?),
        })
    };
    connection.query_row(&sql, [external_id], row).optional()
}

fn measurement(
    connection: &Connection,
    external_id: &str,
) -> rusqlite::Result<Option<KnownMeasurement>> {
    let sql =
        "SELECT id, status, nullif(fetched_at, 0), body FROM measurements WHERE external_id = ?1";
    let known = |row: &rusqlite::Row<'_>| {
        Ok(KnownMeasurement {
            id: row.get(0)?,
            status: row.get(1)?,
            fetched_at: column_optional_time(row, 2)?,
            answer: json(row.get(3)?),
        })
    };
    connection.query_row(sql, [external_id], known).optional()
}

fn attempts(connection: &Connection, external_id: &str) -> rusqlite::Result<Vec<AttemptRecord>> {
    let sql = "SELECT kind, taken_at, settled_at, status, error, body FROM attempts
        WHERE external_id = ?1 ORDER BY id";
    query_rows(connection, sql, [external_id], |row| {
        Ok(AttemptRecord {
            kind: row.get(0)?,
            at: column_time(row, 1)?,
            ended_at: column_optional_time(row, 2)?,
            status: row.get(3)?,
            error: row.get(4)?,
            answer: row.get::<_, Option<String>>(5)?.map(json),
        })
    })
}

fn warnings(connection: &Connection, external_id: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT message FROM warnings WHERE external_id = ?1 ORDER BY kind";
    query_rows(connection, sql, [external_id], |row| row.get(0))
}

fn sealed(connection: &Connection, measurement_id: &str) -> rusqlite::Result<Vec<SealOfRow>> {
    let sql = "SELECT number, kind FROM sealed_items WHERE measurement_id = ?1 ORDER BY number";
    let item = |row: &Row<'_>| {
        let (number, kind) = (row.get(0)?, row.get(1)?);
        Ok(SealOfRow { number, kind })
    };
    query_rows(connection, sql, [measurement_id], item)
}

/// A stored body as JSON if it is JSON, otherwise as text.
fn json(body: String) -> Value {
    serde_json::from_str(&body).unwrap_or(Value::String(body))
}
