//! Measurements as their newest answers have them, and what a person should look at in those.

use rusqlite::{Connection, OptionalExtension, params};
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::journal::response_record::ResponseRecord;
use crate::model::{FieldNames, Measurement, Request, ResponseWarning, WarningKind};

/// Moves the answer that stands with the measurement to the attempt that brought it, where the new one differs.
pub(super) fn archive_result(
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

/// Whose address an answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressAgreement {
    /// That of the request.
    AsRequested,
    /// Another one: neither its result nor its point is the request's.
    OtherHouse,
}

/// Keeps the newest answer about a measurement. A result that was there stays, whatever comes later.
pub(super) fn store_measurement(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
    agreement: AddressAgreement,
) -> rusqlite::Result<()> {
    let external_id = response_record.external_id.as_deref().unwrap_or_default();
    let body = response_record.body.as_deref().unwrap_or_default();
    let (result, roof) = match agreement {
        AddressAgreement::AsRequested => (result_json(body), location_key(measurement)),
        AddressAgreement::OtherHouse => (None, None),
    };
    let changed = connection
        .prepare_cached(
            "INSERT INTO measurements (id, external_id, status, created_at, updated_at, completed_at, fetched_at, body,
                 result, attempt, roof, first_roof)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?11)
             ON CONFLICT (id) DO UPDATE SET status = ?3, updated_at = ?5, completed_at = coalesce(?6, completed_at),
                 fetched_at = ?7, gone_at = NULL, body = ?8, result = coalesce(?9, result), attempt = ?10, roof = ?11,
                 first_roof = coalesce(first_roof, ?11)
             WHERE external_id = ?2",
        )?
        .execute(params![
            measurement.id,
            external_id,
            measurement.status.name(),
            measurement.created_at.as_millisecond(),
            measurement.updated_at.as_millisecond(),
            measurement.completed_at.map(jiff::Timestamp::as_millisecond),
            response_record.now.as_millisecond(),
            body,
            result,
            response_record.slot.attempt,
            roof,
        ])?;
    match changed {
        // The measurement is there, with another row's external id.
        0 => Err(rusqlite::Error::SqliteFailure(
            rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CONSTRAINT),
            None,
        )),
        _ => Ok(()),
    }
}

/// The `result` of an answer, verbatim; none where it is null.
fn result_json(body: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct ResultOnly<'a> {
        #[serde(borrow)]
        result: Option<&'a RawValue>,
    }
    let shell: ResultOnly<'_> = serde_json::from_str(body).ok()?;
    shell.result.map(|result| result.get().to_owned())
}

/// The point where a house was placed, to a millionth of a degree: a hand's breadth.
fn location_key(measurement: &Measurement) -> Option<String> {
    let address = &measurement.address;
    let (lat, lng) = (address.lat?, address.lng?);
    Some(format!("{lat:.6},{lng:.6}"))
}

/// Records what a person should look at, the roof that two ids share included.
pub(super) fn record_warnings(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
    mut warnings: Vec<ResponseWarning>,
) -> rusqlite::Result<Vec<ResponseWarning>> {
    let id = response_record.external_id.as_deref().unwrap_or_default();
    warnings.extend(same_location(connection, id, measurement)?);
    if warnings.iter().any(|warning| !warning.fields.is_empty()) {
        let names = field_names(connection, id)?;
        for warning in &mut warnings {
            warning.name_fields(&names);
        }
    }
    for warning in &warnings {
        record_warning(connection, response_record, warning)?;
    }
    Ok(warnings)
}

/// What the fields are called in the table that an id was submitted from.
pub(super) fn field_names(
    connection: &Connection,
    external_id: &str,
) -> rusqlite::Result<FieldNames> {
    let names: Option<Option<String>> = connection
        .prepare_cached(
            "SELECT field_names FROM sources JOIN requests ON sources.id = requests.source WHERE external_id = ?1",
        )?
        .query_row([external_id], |row| row.get(0))
        .optional()?;
    let names = names.flatten();
    let names = names.and_then(|names| serde_json::from_str(&names).ok());
    Ok(names.unwrap_or_default())
}

fn record_warning(
    connection: &Connection,
    response_record: &ResponseRecord,
    warning: &ResponseWarning,
) -> rusqlite::Result<()> {
    let id = response_record.external_id.as_deref().unwrap_or_default();
    connection
        .prepare_cached("INSERT OR REPLACE INTO warnings (external_id, kind, message, noticed_at) VALUES (?1, ?2, ?3, ?4)")?
        .execute(params![id, warning.kind.name(), warning.message, response_record.now.as_millisecond()])
        .map(drop)
}

/// Keeps a reading, and looks at where the house was placed once more, since the contractor's roof refines it.
pub(super) fn record_reading(
    connection: &Connection,
    response_record: &ResponseRecord,
    measurement: &Measurement,
) -> rusqlite::Result<Vec<ResponseWarning>> {
    let id = response_record.external_id.as_deref().unwrap_or_default();
    connection
        .prepare_cached("DELETE FROM warnings WHERE external_id = ?1 AND kind <> ?2")?
        .execute(params![id, WarningKind::CustomerDiffers.name()])?;
    let request: Option<String> = connection
        .prepare_cached("SELECT request FROM requests WHERE external_id = ?1")?
        .query_row([id], |row| row.get(0))
        .optional()?;
    let request: Option<Request> = request.and_then(|text| serde_json::from_str(&text).ok());
    if let Some(request) = request
        .as_ref()
        .filter(|request| !request.matches_measurement(measurement))
    {
        store_measurement(
            connection,
            response_record,
            measurement,
            AddressAgreement::OtherHouse,
        )?;
        let warning = ResponseWarning::address_differs(request, measurement);
        record_warning(connection, response_record, &warning)?;
        return Ok(vec![warning]);
    }
    store_measurement(
        connection,
        response_record,
        measurement,
        AddressAgreement::AsRequested,
    )?;
    let elsewhere =
        request.and_then(|request| ResponseWarning::placed_elsewhere(&request, measurement));
    record_warnings(
        connection,
        response_record,
        measurement,
        elsewhere.into_iter().collect(),
    )
}

fn same_location(
    connection: &Connection,
    external_id: &str,
    measurement: &Measurement,
) -> rusqlite::Result<Option<ResponseWarning>> {
    let Some(roof) = location_key(measurement) else {
        return Ok(None);
    };
    let other: Option<String> = connection
        .prepare_cached(
            // The contractor refines where a house is; where it was placed first is where its twin is placed.
            "SELECT external_id FROM measurements WHERE (roof = ?1 OR first_roof = ?1) AND external_id <> ?2 LIMIT 1",
        )?
        .query_row([&roof, external_id], |row| row.get(0))
        .optional()?;
    Ok(other.map(|other| ResponseWarning {
        kind: WarningKind::SameRoof,
        message: format!("the service placed the house at the same point as id {other}"),
        fields: Vec::new(),
    }))
}
