//! Filling an empty journal from what an earlier workbook remembers, without a request.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::{Binding, Error, Journal, billed_elsewhere, binding, houses};
use crate::model::{Outcome, Request, Status};

/// Everything that a workbook remembers of a journal.
#[derive(Clone, Debug)]
pub struct JournalRestoration {
    /// Whose journal it was.
    pub binding: Option<Binding>,
    /// The sealed exports.
    pub sealed: Vec<RestoredSeal>,
    /// The measurements.
    pub measurements: Vec<RestoredMeasurement>,
    /// When the journal learned of them.
    pub learned_at: Timestamp,
}

/// A sealed export as a workbook remembers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoredSeal {
    /// The number.
    pub number: u64,
    /// When.
    pub sealed_at: Timestamp,
    /// The period asked for.
    pub period: Option<String>,
    /// Where the file was to stand.
    pub file_name: String,
    /// The format's name.
    pub format: String,
    /// How many measurements it billed.
    pub measurements: u64,
    /// How many it adjusted.
    pub adjustments: u64,
    /// The sums, as JSON.
    pub totals: String,
    /// Of the file's bytes, hexadecimal.
    pub sha256: String,
    /// The file, where it is at hand.
    pub file: Option<Vec<u8>>,
}

/// A measurement as a workbook remembers it.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredMeasurement {
    /// The file's name.
    pub file: String,
    /// The sheet; empty for text.
    pub sheet: String,
    /// The row's number.
    pub row: u32,
    /// `existing`: this journal did not create it.
    pub outcome: Outcome,
    /// The request as last submitted.
    pub request: Request,
    /// `msr_…`
    pub measurement_id: String,
    /// The state that the workbook shows.
    pub status: Status,
    /// When the service made it.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was completed.
    pub completed_at: Option<Timestamp>,
    /// A stand-in for the service's answer.
    pub body: String,
    /// The result that the workbook shows, as JSON.
    pub result: Option<String>,
    /// The sealed export that billed it, and the figures that accounting knows, as JSON.
    pub billed: Option<(u64, String)>,
}

/// How a restoration ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreOutcome {
    /// All of it is in the journal.
    Restored,
    /// The journal has requests of its own; nothing was changed.
    NotEmpty,
}

impl Journal {
    /// Fills an empty journal, all of it or nothing.
    ///
    /// # Errors
    /// [`Error::Foreign`] when the journal belongs to another service, app or team; [`Error::Sqlite`] where two rows claim
    /// one measurement, or the disk is full. Nothing is changed then.
    pub fn restore(&self, restoration: JournalRestoration) -> Result<RestoreOutcome, Error> {
        self.write_blocking(move |connection| {
            let bound = binding::read_binding(connection)?;
            if let (Some(bound), Some(theirs)) = (bound, &restoration.binding)
                && let Err(error) = bound.require_same_account(theirs)
            {
                return Ok(Err(error));
            }
            let busy = "SELECT count(*) FROM requests";
            let requests: u64 = connection.query_row(busy, [], |row| row.get(0))?;
            if requests > 0 {
                return Ok(Ok(RestoreOutcome::NotEmpty));
            }
            if let Some(binding) = &restoration.binding {
                insert_binding(connection, binding)?;
            }
            for seal in &restoration.sealed {
                insert_seal(connection, seal)?;
            }
            for measurement in &restoration.measurements {
                insert_measurement(connection, measurement)?;
                billed_elsewhere::add_foreign_measurement(
                    connection,
                    &measurement.measurement_id,
                    restoration.learned_at,
                )?;
            }
            Ok(Ok(RestoreOutcome::Restored))
        })?
    }
}

/// Without a token's fingerprint: the first run with a token proves it.
fn insert_binding(connection: &Connection, binding: &Binding) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO binding (only, base_url, client_id, app_name, team_id, team_name, connected_at,
        salt, token_fingerprint) VALUES (1, ?1, ?2, ?3, ?4, ?5, ?6, x'', x'')";
    connection.execute(
        sql,
        params![
            binding.base_url,
            binding.client_id,
            binding.app_name,
            binding.team_id,
            binding.team_name,
            binding.connected_at
        ],
    )?;
    Ok(())
}

fn insert_seal(connection: &Connection, seal: &RestoredSeal) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO sealed (number, sealed_at, period, file_name, format, measurements, adjustments, totals,
             sha256, delivered_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?2)",
        )?
        .execute(params![
            seal.number,
            seal.sealed_at.as_millisecond(),
            seal.period,
            seal.file_name,
            seal.format,
            seal.measurements,
            seal.adjustments,
            seal.totals,
            seal.sha256,
        ])?;
    if let Some(file) = &seal.file {
        connection.execute(
            "INSERT INTO sealed_files (number, file) VALUES (?1, ?2)",
            params![seal.number, file],
        )?;
    }
    Ok(())
}

fn insert_measurement(
    connection: &Connection,
    measurement: &RestoredMeasurement,
) -> rusqlite::Result<()> {
    let RestoredMeasurement {
        file,
        sheet,
        request,
        ..
    } = measurement;
    connection
        .prepare_cached("INSERT OR IGNORE INTO sources (path, sheet) VALUES (?1, ?2)")?
        .execute([file, sheet])?;
    let source: i64 = connection
        .prepare_cached("SELECT id FROM sources WHERE path = ?1 AND sheet = ?2")?
        .query_row([file, sheet], |row| row.get(0))?;
    let created_at = measurement.created_at.as_millisecond();
    let json = serde_json::to_string(request)
        .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
    connection
        .prepare_cached(
            "INSERT INTO requests (external_id, source, source_row, content, request, state, measurement_id,
             intended_at, answered_at, house) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9)",
        )?
        .execute(params![
            request.external_id,
            source,
            measurement.row,
            request.content_hash().to_bytes(),
            json,
            measurement.outcome.name(),
            measurement.measurement_id,
            created_at,
            houses::house_column(request),
        ])?;
    connection
        .prepare_cached(
            "INSERT INTO measurements (id, external_id, status, created_at, updated_at, completed_at, fetched_at, body,
             result, attempt)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, ?7, ?8, 0)",
        )?
        .execute(params![
            measurement.measurement_id,
            request.external_id,
            measurement.status.name(),
            created_at,
            measurement.updated_at.as_millisecond(),
            measurement.completed_at.map(Timestamp::as_millisecond),
            measurement.body,
            measurement.result,
        ])?;
    let Some((number, figures)) = &measurement.billed else {
        return Ok(());
    };
    connection
        .prepare_cached(
            "INSERT INTO sealed_items (number, measurement_id, kind, figures) VALUES (?1, ?2, 'billed', ?3)",
        )?
        .execute(params![number, measurement.measurement_id, figures])
        .map(drop)
}
