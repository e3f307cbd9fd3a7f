//! Measurements as of their newest responses, and warnings about those.

use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::column_values::{column_json, column_optional_json};
use crate::journal::houses_without_row;
use crate::journal::response_record::ResponseRecord;
use crate::model::{
    AddressMatch, FieldNames, Measurement, Request, ResponseWarning, StreetAddress, WarningKind,
};

/// Moves a measurement's previous response to the attempt that received it, if the new response differs.
pub(super) fn archive_response(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement_id: &str,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "UPDATE attempts SET body = (SELECT body FROM measurements WHERE id = ?1)
             WHERE id = (SELECT attempt FROM measurements WHERE id = ?1 AND body <> ?2)",
        )?
        .execute(params![measurement_id, response_record.body])
        .map(drop)
}

/// Whether a response has the address of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressAgreement {
    /// It has.
    AsRequested,
    /// It has another address. Result, location and status are not stored: a house whose measurement is withdrawn may be
    /// requested again, and this one's is not.
    OtherHouse,
}

/// Stores the newest response about a measurement, and removes the warnings of earlier ones except that of another
/// customer. An earlier result is kept even if a later response has none.
pub(super) fn store_measurement(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
    agreement: AddressAgreement,
) -> rusqlite::Result<()> {
    let external_id = response_record.id();
    let body = response_record.body.as_deref().unwrap_or_default();
    let own = (agreement == AddressAgreement::AsRequested).then_some(measurement);
    let status = measurement.status.name();
    let completed_at = own.and_then(|own| own.completed_at);
    let has_result = own.is_some_and(|own| own.result.is_some());
    let kept = own.is_none().then_some("null");
    let changed = connection
        .prepare_cached(
            "INSERT INTO measurements (id, external_id, status, created_at, updated_at, completed_at, fetched_at, changed_at,
                 body, result, attempt)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?7, ?8, ?9, ?10)
             ON CONFLICT (id) DO UPDATE SET status = coalesce(?11, status), updated_at = ?5,
                 changed_at = iif(updated_at = ?5, changed_at, ?7),
                 unchanged_at = coalesce(unchanged_at, iif(updated_at = ?5, NULL, fetched_at)), completed_at = coalesce(?6, completed_at),
                 fetched_at = ?7, not_found_since = NULL, body = ?8,
                 result = CASE WHEN ?12 THEN NULL
                     ELSE coalesce(result, CASE WHEN json_valid(body) THEN nullif(body -> '$.result', 'null') END, ?9)
                     END, attempt = ?10
             WHERE external_id = ?2",
        )?
        .execute(params![
            measurement.id,
            external_id,
            status,
            measurement.created_at.as_millisecond(),
            measurement.updated_at.as_millisecond(),
            completed_at.map(jiff::Timestamp::as_millisecond),
            response_record.now.as_millisecond(),
            body,
            kept,
            response_record.slot.attempt,
            own.map(|_| status),
            has_result,
        ])?;
    if changed == 0 {
        // The measurement belongs to another external id already.
        return Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CONSTRAINT),
            None,
        ));
    }
    connection
        .prepare_cached("DELETE FROM warnings WHERE external_id = ?1 AND kind <> ?2")?
        .execute(params![external_id, WarningKind::CustomerDiffers.name()])?;
    let Some(point) = own.and_then(location_point) else {
        return Ok(());
    };
    // The contractor refines the location; another request for the house has the original one, so that both are kept.
    connection
        .prepare_cached("INSERT OR IGNORE INTO locations (point, external_id) VALUES (?1, ?2)")?
        .execute(params![point, external_id])
        .map(drop)
}

/// Returns [`PlacedAddress::point`](crate::model::PlacedAddress::point): the latitude in the upper half, the longitude in
/// the lower.
fn location_point(measurement: &Measurement) -> Option<i64> {
    let (latitude, longitude) = measurement.address.point()?;
    Some(i64::from(latitude) << 32 | i64::from(longitude.cast_unsigned()))
}

/// Records the warnings of a response, and one if another id has the same location. Returns all of them.
pub(super) fn record_warnings(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
    mut warnings: Vec<ResponseWarning>,
) -> rusqlite::Result<Vec<ResponseWarning>> {
    let id = response_record.id();
    warnings.extend(same_location(connection, id, measurement)?);
    if warnings.iter().any(|warning| !warning.fields.is_empty()) {
        let names = field_names(connection, id)?;
        for warning in &mut warnings {
            warning.name_fields(&names);
        }
    }
    for warning in &warnings {
        record_warning(connection, id, warning)?;
    }
    Ok(warnings)
}

/// Returns the user's names of the fields in the table from which an external id was submitted.
pub(super) fn field_names(
    connection: &Connection,
    external_id: &str,
) -> rusqlite::Result<FieldNames> {
    let names = connection
        .prepare_cached(
            "SELECT field_names FROM sources JOIN requests ON sources.id = requests.source WHERE external_id = ?1",
        )?
        .query_row([external_id], |row| column_optional_json(row, 0))
        .optional()?;
    Ok(names.unwrap_or_default())
}

fn record_warning(
    connection: &Connection,
    id: &str,
    warning: &ResponseWarning,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR REPLACE INTO warnings (external_id, kind, message) VALUES (?1, ?2, ?3)",
        )?
        .execute(params![id, warning.kind.name(), warning.message])
        .map(drop)
}

/// Stores a response to a read, with its warnings.
pub(super) fn record_read_response(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
) -> rusqlite::Result<Vec<ResponseWarning>> {
    let id = response_record.id();
    let stored: Option<(Request, Option<Request>)> = connection
        .prepare_cached("SELECT request, normalized FROM requests WHERE external_id = ?1")?
        .query_row([id], |row| {
            Ok((column_json(row, 0)?, column_optional_json(row, 1)?))
        })
        .optional()?;
    if let Some((request, normalized)) = &stored
        && !request.matches_accepted(normalized.as_ref(), measurement)
    {
        store_measurement(
            connection,
            response_record,
            measurement,
            AddressAgreement::OtherHouse,
        )?;
        let warning = ResponseWarning::address_differs(request, measurement);
        record_warning(connection, id, &warning)?;
        return Ok(vec![warning]);
    }
    store_measurement(
        connection,
        response_record,
        measurement,
        AddressAgreement::AsRequested,
    )?;
    // The request that created it was in conflict with it.
    let sql = "UPDATE requests SET state = 'created', messages = NULL WHERE external_id = ?1 AND state = 'conflict'";
    if connection.prepare_cached(sql)?.execute([id])? > 0 {
        houses_without_row::remove_house_without_row(connection, &measurement.id)?;
    }
    let elsewhere =
        stored.and_then(|(request, _)| ResponseWarning::placed_elsewhere(&request, measurement));
    record_warnings(
        connection,
        response_record,
        measurement,
        elsewhere.into_iter().collect(),
    )
}

/// A warning if another id has the same location, unless both are units of one building.
fn same_location(
    connection: &Connection,
    external_id: &str,
    measurement: &Measurement,
) -> rusqlite::Result<Option<ResponseWarning>> {
    let Some(point) = location_point(measurement) else {
        return Ok(None);
    };
    let mut others = connection.prepare_cached(
        // Skip rows that the user decided to send: the user already knows about the other request.
        "SELECT l.external_id, own.request, other.request FROM locations l
         LEFT JOIN requests own ON own.external_id = ?2
         LEFT JOIN requests other ON other.external_id = l.external_id
         WHERE l.point = ?1 AND l.external_id <> ?2 AND NOT EXISTS (
            SELECT 1 FROM house_decisions d
            WHERE d.external_id IN (?2, l.external_id) AND d.decision = 'send' AND own.house = other.house
         )",
    )?;
    let mut others = others.query(params![point, external_id])?;
    let mut own = None;
    while let Some(row) = others.next()? {
        let address = |column| -> rusqlite::Result<Option<StreetAddress>> {
            let request: Option<Request> = column_optional_json(row, column)?;
            Ok(request.map(|request| StreetAddress::new(&request.address)))
        };
        if own.is_none() {
            own = address(1)?;
        }
        let is_other_unit = own
            .as_ref()
            .zip(address(2)?)
            .is_some_and(|(own, other)| own.compare(&other) == AddressMatch::OtherUnit);
        if !is_other_unit {
            let other: String = row.get(0)?;
            return Ok(Some(ResponseWarning {
                kind: WarningKind::SameLocation,
                message: format!("the service placed the house at the same point as id {other}"),
                fields: Vec::new(),
            }));
        }
    }
    Ok(None)
}
