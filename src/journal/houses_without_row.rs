//! Houses that are requested although no row of the journal shows it: those of ids whose rows are in conflict, and
//! versions of rows that were replaced before their response was received.

use jiff::Timestamp;
use rusqlite::{Connection, Row, params};

use crate::journal::column_values::{column_json, request_json};
use crate::journal::house_column::StoredHouse;
use crate::model::{ContentHash, Measurement, Request};

/// Whether a row of `requests` was sent and has no response, or has one only to a later version, which the service
/// refused. The first condition is the one of the index.
pub(super) const IS_UNANSWERED: &str = "state <> 'created'
    AND (state = 'sent' OR state = 'refused' AND external_id IN (SELECT external_id FROM unanswered_versions))";

/// A version of a row that was sent and replaced by another version before its response was received.
pub(super) struct UnansweredVersion {
    id: i64,
    /// The request that was sent.
    pub(super) request: Request,
}

/// Stores the version of an id that one with the digest `content` replaces, if its response was not received, or if it
/// created a measurement that was shown with another address.
pub(super) fn store_unanswered(
    connection: &Connection,
    external_id: &str,
    content: ContentHash,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO unanswered_versions
                 (external_id, source, source_row, content, request, house, customer, intended_at)
             SELECT external_id, source, source_row, content, request, house, customer, intended_at FROM requests
             WHERE external_id = ?1 AND content <> ?2 AND (
                 state = 'conflict' AND EXISTS (SELECT 1 FROM measurements WHERE measurements.external_id = ?1)
                 OR state = 'sent' AND EXISTS (
                     SELECT 1 FROM attempts WHERE attempts.external_id = ?1 AND kind = 'create' AND counted = 1
                         AND status IS NOT 429))",
        )?
        .execute(params![
            external_id,
            content.to_bytes()
        ])
        .map(drop)
}

/// Returns the first unanswered version of an id that is of a measurement's house.
pub(super) fn find_version(
    connection: &Connection,
    external_id: &str,
    measurement: &Measurement,
) -> rusqlite::Result<Option<UnansweredVersion>> {
    let mut statement = connection.prepare_cached(
        "SELECT id, request FROM unanswered_versions WHERE external_id = ?1 ORDER BY id",
    )?;
    let version = |row: &Row<'_>| {
        Ok(UnansweredVersion {
            id: row.get(0)?,
            request: column_json(row, 1)?,
        })
    };
    let versions = statement
        .query_map([external_id], version)?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    let mut versions = versions.into_iter();
    Ok(versions.find(|version| version.request.matches_measurement(measurement)))
}

/// Makes a version the submitted one again, with the contents that the service stores, and returns it.
pub(super) fn restore_version(
    connection: &Connection,
    version: UnansweredVersion,
    measurement: &Measurement,
) -> rusqlite::Result<Request> {
    let stored = version.request.as_stored(measurement);
    let request = stored.unwrap_or(version.request);
    let json = request_json(&request);
    connection
        .prepare_cached(
            "UPDATE requests SET (source, source_row, house, customer, intended_at) =
                 (SELECT source, source_row, house, customer, intended_at FROM unanswered_versions WHERE id = ?2),
                 content = ?3, request = ?4
             WHERE external_id = ?1",
        )?
        .execute(params![
            request.external_id,
            version.id,
            request.content_hash().to_bytes(),
            json
        ])?;
    Ok(request)
}

/// Removes the unanswered versions of an id, once it is known which version the service stores.
pub(super) fn remove_versions(connection: &Connection, external_id: &str) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM unanswered_versions WHERE external_id = ?1")?
        .execute([external_id])
        .map(drop)
}

/// Records that the house of a measurement is requested under an id whose row is of another house.
pub(super) fn store_house_without_row(
    connection: &Connection,
    external_id: &str,
    measurement: &Measurement,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let held = Request {
        external_id: external_id.to_owned(),
        address: (&measurement.address).into(),
        customer: (&measurement.request.customer).into(),
        notes: None,
        url: None,
        label: None,
    };
    let [house, customer] = StoredHouse::from(&held).store(connection)?;
    let json = request_json(&held);
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO houses_without_row
                 (measurement_id, external_id, request, house, customer, status, learned_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            measurement.id,
            external_id,
            json,
            house,
            customer,
            measurement.status.name(),
            now.as_millisecond()
        ])
        .map(drop)
}

/// Removes that record, because the measurement has a row of its own now.
pub(super) fn remove_house_without_row(
    connection: &Connection,
    measurement_id: &str,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached("DELETE FROM houses_without_row WHERE measurement_id = ?1")?
        .execute([measurement_id])
        .map(drop)
}
