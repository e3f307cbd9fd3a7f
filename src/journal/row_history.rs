//! One row's whole story, for `status --id`: every attempt, every answer, every sealed export.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension};

use crate::journal::{Error, journal_file, measurements};
use crate::model::FieldNames;

/// All that the journal knows of one external id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowHistory {
    /// The id as sent.
    pub external_id: String,
    /// The file that the row stands in.
    pub file: String,
    /// The row's number there.
    pub row: u32,
    /// `sent`, `created`, `existing`, `refused` or `conflict`.
    pub state: String,
    /// The request as last submitted, JSON.
    pub request: String,
    /// What the service said against it.
    pub message: Option<String>,
    /// What the fields are called in the file.
    pub names: FieldNames,
    /// Its measurement.
    pub measurement: Option<KnownMeasurement>,
    /// Every request that was made for it, oldest first.
    pub attempts: Vec<AttemptRecord>,
    /// What a person should look at in the answers.
    pub warnings: Vec<String>,
    /// The numbers of the sealed exports that hold it, each with `billed` or `adjusted`.
    pub sealed: Vec<(u32, String)>,
}

/// The measurement as the journal has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownMeasurement {
    /// `msr_…`
    pub id: String,
    /// The newest status.
    pub status: String,
    /// When it was last asked for.
    pub fetched_at: Timestamp,
    /// The newest answer, verbatim.
    pub body: String,
}

/// One request that left, or was about to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AttemptRecord {
    /// `create` or `read`.
    pub kind: String,
    /// When it was written down, before its bytes left.
    pub at: Timestamp,
    /// When its answer came or its failure was known; none after a crash.
    pub ended_at: Option<Timestamp>,
    /// HTTP status.
    pub status: Option<u16>,
    /// Why there was no answer, or what was wrong with it.
    pub error: Option<String>,
    /// The answer, verbatim, where it is not the measurement's newest.
    pub body: Option<String>,
}

/// Reads the story of an external id; none where the journal does not know it.
///
/// # Errors
/// [`Error::Missing`] without a journal, [`Error::Damaged`], [`Error::Newer`] and [`Error::Sqlite`].
pub fn row_history(path: &Path, external_id: &str) -> Result<Option<RowHistory>, Error> {
    let connection = journal_file::open_current_schema(path)?.ok_or_else(|| Error::Missing {
        path: path.to_owned(),
    })?;
    let Some(mut history) = request(&connection, external_id)? else {
        return Ok(None);
    };
    history.names = measurements::field_names(&connection, external_id)?;
    history.measurement = measurement(&connection, external_id)?;
    let measurement_id = history.measurement.as_ref().map(|known| known.id.as_str());
    history.attempts = attempts(&connection, external_id, measurement_id)?;
    history.warnings = warnings(&connection, external_id)?;
    if let Some(id) = measurement_id {
        history.sealed = sealed(&connection, id)?;
    }
    Ok(Some(history))
}

fn request(connection: &Connection, external_id: &str) -> rusqlite::Result<Option<RowHistory>> {
    let sql = "SELECT external_id, path, source_row, state, request, message
        FROM requests JOIN sources ON sources.id = requests.source WHERE external_id = ?1";
    let history = |row: &rusqlite::Row<'_>| {
        Ok(RowHistory {
            external_id: row.get(0)?,
            file: row.get(1)?,
            row: row.get(2)?,
            state: row.get(3)?,
            request: row.get(4)?,
            message: row.get(5)?,
            names: FieldNames::default(),
            measurement: None,
            attempts: Vec::new(),
            warnings: Vec::new(),
            sealed: Vec::new(),
        })
    };
    connection.query_row(sql, [external_id], history).optional()
}

fn measurement(
    connection: &Connection,
    external_id: &str,
) -> rusqlite::Result<Option<KnownMeasurement>> {
    let sql = "SELECT id, status, fetched_at, body FROM measurements WHERE external_id = ?1";
    let known = |row: &rusqlite::Row<'_>| {
        Ok(KnownMeasurement {
            id: row.get(0)?,
            status: row.get(1)?,
            fetched_at: timestamp(row.get(2)?),
            body: row.get(3)?,
        })
    };
    connection.query_row(sql, [external_id], known).optional()
}

fn attempts(
    connection: &Connection,
    external_id: &str,
    measurement_id: Option<&str>,
) -> rusqlite::Result<Vec<AttemptRecord>> {
    let sql = "SELECT kind, taken_at, settled_at, status, error, body FROM attempts
        WHERE external_id = ?1 OR (external_id IS NULL AND measurement_id = ?2) ORDER BY id";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((external_id, measurement_id), |row| {
        Ok(AttemptRecord {
            kind: row.get(0)?,
            at: timestamp(row.get(1)?),
            ended_at: row.get::<_, Option<i64>>(2)?.map(timestamp),
            status: row.get(3)?,
            error: row.get(4)?,
            body: row.get(5)?,
        })
    })?;
    rows.collect()
}

fn warnings(connection: &Connection, external_id: &str) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT message FROM warnings WHERE external_id = ?1 ORDER BY kind";
    let mut statement = connection.prepare(sql)?;
    statement
        .query_map([external_id], |row| row.get(0))?
        .collect()
}

fn sealed(connection: &Connection, measurement_id: &str) -> rusqlite::Result<Vec<(u32, String)>> {
    let sql = "SELECT number, kind FROM sealed_items WHERE measurement_id = ?1 ORDER BY number";
    let mut statement = connection.prepare(sql)?;
    statement
        .query_map([measurement_id], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect()
}

fn timestamp(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}
