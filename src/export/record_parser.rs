//! Parsing: a measurement as the journal stores it becomes a [`ResultRecord`].

use std::collections::BTreeMap;
use std::mem;

use serde_json::value::RawValue;

use crate::api::wire;
use crate::export::{BilledFigures, BillingState, Error, ResultRecord};
use crate::journal::StoredMeasurement;
use crate::model::{Country, Measurement, PlacedAddress, Request, ReturnedCustomer, Status};

/// Parses a stored measurement.
pub(super) fn parse_record(stored: StoredMeasurement) -> Result<ResultRecord, Error> {
    let unreadable = |error: wire::WireError| Error::Answer {
        measurement_id: stored.measurement_id.clone(),
        reason: error.0,
    };
    let mut measurement = wire::measurement(&stored.body).map_err(unreadable)?;
    if let (Some(result), None) = (&stored.earlier_result, &measurement.result) {
        measurement = with_result(&stored.body, result, measurement.status).map_err(unreadable)?;
    }
    let billed = stored
        .sealed
        .zip(stored.last_sealed)
        .map(|numbers| billed(numbers, stored.billed_figures.as_deref()))
        .transpose()
        .map_err(unreadable)?;
    let requested = (&stored.request, stored.normalized.as_ref());
    let other_address = discard_other_house(&mut measurement, requested);
    Ok(ResultRecord {
        external_id: stored.external_id,
        source: stored.source,
        source_name: stored.source_name,
        row: stored.row,
        outcome: stored.outcome,
        request: stored.request,
        measurement,
        not_found_since: stored.not_found_since,
        differing_address: other_address,
        learned_at: stored.learned_at,
        changed_at: stored.changed_at,
        unchanged_at: stored.unchanged_at,
        billed_elsewhere: stored.billed_elsewhere,
        billed,
    })
}

/// Discards a response for another house: its address and customer are replaced by what was requested, its result is
/// removed. Returns that house's address.
fn discard_other_house(
    measurement: &mut Measurement,
    (request, normalized): (&Request, Option<&Request>),
) -> Option<PlacedAddress> {
    if request.matches_accepted(normalized, measurement) {
        return None;
    }
    let Request {
        address,
        customer,
        notes,
        ..
    } = request;
    measurement.result = None;
    measurement.completed_at = None;
    measurement.request.customer = ReturnedCustomer {
        name: Some(customer.name.clone()),
        email: customer.email.clone(),
        phone: customer.phone.clone(),
    };
    measurement.request.notes.clone_from(notes);
    let requested = PlacedAddress {
        line1: address.line1.clone(),
        line2: address.line2.clone(),
        city: address.city.clone(),
        region: address.region.clone(),
        postal_code: address.postal_code.clone(),
        country: address.country.map_or("", Country::code).to_owned(),
        formatted: None,
        lat: None,
        lng: None,
    };
    Some(mem::replace(&mut measurement.address, requested))
}

fn billed(
    (number, last_number): (u64, u64),
    figures: Option<&str>,
) -> Result<BillingState, wire::WireError> {
    let figures = figures.map_or(Ok(BilledFigures::default()), BilledFigures::parse);
    Ok(BillingState {
        number,
        last_number,
        figures: figures.map_err(|error| wire::WireError(error.to_string()))?,
    })
}

/// Parses the measurement with the result of an earlier response, which a withdrawn measurement keeps.
fn with_result(body: &str, result: &str, status: Status) -> Result<Measurement, wire::WireError> {
    // Fields are copied as text: those that the program does not read may contain numbers that it cannot represent.
    let mut whole: BTreeMap<String, &RawValue> = serde_json::from_str(body)?;
    let complete = serde_json::value::to_raw_value(Status::Complete.name())?;
    whole.insert("status".to_owned(), &complete);
    whole.insert("result".to_owned(), serde_json::from_str(result)?);
    let mut measurement = wire::measurement(&serde_json::to_string(&whole)?)?;
    measurement.status = status;
    Ok(measurement)
}
