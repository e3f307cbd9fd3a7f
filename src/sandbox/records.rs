//! What tests and the rehearsal read from a running sandbox: its measurements.

use crate::sandbox::options::Country;
use crate::sandbox::store::Measurement;

/// A measurement of the sandbox, for comparison with the sheet.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMeasurement {
    /// The app's own id.
    pub external_id: Option<String>,
    /// `msr_…`.
    pub measurement_id: String,
    /// `req_…`.
    pub request_id: String,
    /// `pending`, `in_progress`, `complete` or `canceled`.
    pub status: &'static str,
    /// The customer's name, as stored.
    pub customer: String,
    /// The address as stored, normalized.
    pub line1: String,
    /// The unit.
    pub line2: Option<String>,
    /// The city.
    pub city: String,
    /// Province or state.
    pub region: String,
    /// The postal code, normalized.
    pub postal_code: String,
    /// Where the property is.
    pub country: Country,
    /// The notes as sent.
    pub notes: Option<String>,
    /// Decimal feet, once complete.
    pub gutter_length_ft: Option<f64>,
}

impl StoredMeasurement {
    pub(super) fn new(measurement: &Measurement) -> Self {
        let address = &measurement.address;
        let result = measurement.result.as_ref();
        Self {
            external_id: measurement.external_id().map(str::to_owned),
            measurement_id: measurement.id.clone(),
            request_id: measurement.request_id.clone(),
            status: measurement.status.word(),
            customer: measurement.customer.name.clone(),
            line1: address.line1.clone(),
            line2: address.line2.clone(),
            city: address.city.clone(),
            region: address.region.clone(),
            postal_code: address.postal_code.clone(),
            country: address.country,
            notes: measurement.notes.clone(),
            gutter_length_ft: result.map(|result| result.figures.gutter_length_ft.decimal()),
        }
    }
}
