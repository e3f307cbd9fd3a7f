//! From what the journal keeps of a measurement to a line of an export.

use crate::api::wire;
use crate::export::{Billed, Error, Figures, ResultLine};
use crate::journal::KeptMeasurement;
use crate::model::{Measurement, Status};

/// Types what the journal keeps.
pub(super) fn typed(kept: KeptMeasurement) -> Result<ResultLine, Error> {
    let unreadable = |error: wire::NotOurs| Error::Answer {
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
    Ok(ResultLine {
        external_id: kept.external_id,
        source: kept.source,
        row: kept.row,
        outcome: kept.outcome,
        request: kept.request,
        measurement,
        fetched_at: kept.fetched_at,
        gone_at: kept.gone_at,
        learned_at: kept.learned_at,
        billed,
    })
}

fn billed(number: u64, figures: Option<&str>) -> Result<Billed, wire::NotOurs> {
    let figures = figures.map_or(Ok(Figures::default()), serde_json::from_str);
    Ok(Billed {
        number,
        figures: figures.map_err(|error| wire::NotOurs(error.to_string()))?,
    })
}

/// The measurement with a result that an earlier answer held: what was withdrawn keeps the numbers it had.
fn with_result(body: &str, result: &str) -> Result<Measurement, wire::NotOurs> {
    let wrong = |error: serde_json::Error| wire::NotOurs(error.to_string());
    let mut whole: serde_json::Value = serde_json::from_str(body).map_err(wrong)?;
    let status = whole["status"].take();
    whole["status"] = Status::Complete.name().into();
    whole["result"] = serde_json::from_str(result).map_err(wrong)?;
    let mut measurement = wire::measurement(&whole.to_string())?;
    measurement.status = status
        .as_str()
        .and_then(Status::from_name)
        .unwrap_or(measurement.status);
    Ok(measurement)
}
