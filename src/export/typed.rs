//! From what the journal keeps of a measurement to a line of an export.

use std::collections::BTreeMap;
use std::mem;

use serde_json::value::RawValue;

use crate::api::wire;
use crate::export::{BilledFigures, BillingState, Error, ResultLine};
use crate::journal::StoredMeasurement;
use crate::model::{Country, Measurement, PlacedAddress, Request, Status};

/// Types what the journal keeps.
pub(super) fn typed(kept: StoredMeasurement) -> Result<ResultLine, Error> {
    let unreadable = |error: wire::WireError| Error::Answer {
        measurement_id: kept.measurement_id.clone(),
        reason: error.0,
    };
    let mut measurement = wire::measurement(&kept.body).map_err(unreadable)?;
    if let (Some(result), None) = (&kept.earlier_result, &measurement.result) {
        measurement = with_result(&kept.body, result).map_err(unreadable)?;
    }
    let billed = kept
        .sealed
        .map(|number| billed(number, kept.billed_figures.as_deref()))
        .transpose()
        .map_err(unreadable)?;
    let other_address = hold_against_request(&mut measurement, &kept.request);
    Ok(ResultLine {
        external_id: kept.external_id,
        source: kept.source,
        row: kept.row,
        outcome: kept.outcome,
        request: kept.request,
        measurement,
        fetched_at: kept.fetched_at,
        gone_at: kept.gone_at,
        other_address,
        learned_at: kept.learned_at,
        billed,
    })
}

/// An answer about another house says nothing of this one: what was requested takes the place of its address and
/// customer, and its result goes. Returns that house's address.
fn hold_against_request(measurement: &mut Measurement, request: &Request) -> Option<PlacedAddress> {
    if request.matches_measurement(measurement) {
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
    measurement.request.name = Some(customer.name.clone());
    measurement.request.email.clone_from(&customer.email);
    measurement.request.phone.clone_from(&customer.phone);
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

fn billed(number: u64, figures: Option<&str>) -> Result<BillingState, wire::WireError> {
    let figures = figures.map_or(Ok(BilledFigures::default()), serde_json::from_str);
    Ok(BillingState {
        number,
        figures: figures.map_err(|error| wire::WireError(error.to_string()))?,
    })
}

/// The measurement with a result that an earlier answer held: what was withdrawn keeps the numbers it had.
fn with_result(body: &str, result: &str) -> Result<Measurement, wire::WireError> {
    let status = wire::measurement(body)?.status;
    // Field by field as written: what this program does not read may hold what it cannot, a number too large for it.
    let mut whole: BTreeMap<&str, &RawValue> = serde_json::from_str(body)?;
    let complete = serde_json::value::to_raw_value(Status::Complete.name())?;
    whole.insert("status", &complete);
    whole.insert("result", serde_json::from_str(result)?);
    let mut measurement = wire::measurement(&serde_json::to_string(&whole)?)?;
    measurement.status = status;
    Ok(measurement)
}
