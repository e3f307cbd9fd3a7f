//! Restores an empty journal from an exported workbook, without requests.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::column_values::request_json;
use crate::journal::house_column::StoredHouse;
use crate::journal::runs::source_id;
use crate::journal::{Error, Journal, SealedExport, billed_elsewhere, binding, metadata};
use crate::model::{Account, Outcome, Request, RowNumber, Status};

/// The digest of the workbook that the journal was restored from.
const RESTORED_FROM: &str = "restored_from";

/// The contents of a journal, from a workbook.
#[derive(Clone, Debug)]
pub struct JournalRestoration {
    /// The SHA-256 digest of the workbook, hexadecimal.
    pub sha256: String,
    /// The account of the journal.
    pub binding: Account,
    /// The sealed exports, without their files.
    pub sealed: Vec<SealedExport>,
    /// The measurements.
    pub measurements: Vec<RestoredMeasurement>,
    /// When the journal is restored.
    pub learned_at: Timestamp,
}

/// A measurement, from a workbook.
#[derive(Clone, Debug, PartialEq)]
pub struct RestoredMeasurement {
    /// The file's name.
    pub file: String,
    /// The row number.
    pub row: RowNumber,
    /// The last submitted request.
    pub request: Request,
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
    /// The state in the workbook.
    pub status: Status,
    /// When the service created it.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
    /// When it was completed; `None` before.
    pub completed_at: Option<Timestamp>,
    /// A substitute for the service's response, as JSON.
    pub body: String,
    /// The result in the workbook, as JSON.
    pub result: Option<String>,
    /// The number of the sealed export that billed it, and the billed figures, as JSON.
    pub billed: Option<(u64, String)>,
}

/// The result of a restoration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RestoreResult {
    /// Everything was restored.
    Restored,
    /// Everything was restored earlier, from the same workbook; nothing was changed.
    RestoredBefore,
    /// The journal has requests or bills already; nothing was changed.
    NotEmpty,
}

impl Journal {
    /// Restores an empty journal in one transaction. The workbook is recorded with it, because a process that ends right
    /// after the transaction has not reported it, and its user runs the same command again.
    ///
    /// # Errors
    /// Returns [`Error::OtherAccount`] if the journal is bound to another account, or [`Error::Sqlite`] if two rows
    /// have one measurement or the disk is full. Then nothing is changed.
    pub fn restore(&self, restoration: JournalRestoration) -> Result<RestoreResult, Error> {
        self.writer.write_blocking(move |connection, _| {
            let bound = binding::read_binding(connection)?;
            if let Some(bound) = &bound
                && let Err(error) = bound.require_same_account(&restoration.binding)
            {
                return Ok(Err(error));
            }
            if metadata::read_metadata(connection, RESTORED_FROM)?.as_ref()
                == Some(&restoration.sha256)
            {
                return Ok(Ok(RestoreResult::RestoredBefore));
            }
            // A workbook of adjustments alone has bills and no requests.
            let busy = "SELECT EXISTS (SELECT 1 FROM requests) OR EXISTS (SELECT 1 FROM sealed)";
            if connection.query_row(busy, [], |row| row.get(0))? {
                return Ok(Ok(RestoreResult::NotEmpty));
            }
            if bound.is_none() {
                binding::write_binding(connection, &restoration.binding, &[], &[])?;
            }
            for seal in &restoration.sealed {
                seal.insert(connection)?;
            }
            for measurement in &restoration.measurements {
                insert_measurement(connection, measurement)?;
                billed_elsewhere::add_foreign_measurement(
                    connection,
                    &measurement.measurement_id,
                    restoration.learned_at,
                    measurement.completed_at,
                )?;
            }
            metadata::write_metadata(connection, RESTORED_FROM, Some(&restoration.sha256))?;
            Ok(Ok(RestoreResult::Restored))
        })?
    }
}

fn insert_measurement(
    connection: &Connection,
    measurement: &RestoredMeasurement,
) -> rusqlite::Result<()> {
    let RestoredMeasurement { file, request, .. } = measurement;
    let source = source_id(connection, file, "")?;
    let created_at = measurement.created_at.as_millisecond();
    let [house, customer] = StoredHouse::from(request).store(connection)?;
    connection
        .prepare_cached(
            "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at,
             answered_at, house, customer) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9)",
        )?
        .execute(params![
            request.external_id,
            source,
            measurement.row.0,
            request.content_hash().to_bytes(),
            request_json(request),
            Outcome::Existing.name(),
            created_at,
            house,
            customer,
        ])?;
    connection
        .prepare_cached(
            "INSERT INTO measurements (id, external_id, status, created_at, updated_at, completed_at, fetched_at, changed_at,
             body, result, attempt)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, ?7, ?8, 0)",
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
