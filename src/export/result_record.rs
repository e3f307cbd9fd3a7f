//! A measurement as every format renders it.

use jiff::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::export::Feet;
use crate::model::{
    Measurement, MeasurementResult, Outcome, PlacedAddress, Request, RowNumber, Status, TableSource,
};

/// A measurement with the row and the request that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultRecord {
    /// The external id.
    pub external_id: String,
    /// The table of the row.
    pub source: TableSource,
    /// The row number.
    pub row: RowNumber,
    /// `created` or `existing`.
    pub outcome: Outcome,
    /// The request as last submitted.
    pub request: Request,
    /// The newest response. A measurement that was withdrawn after it was complete keeps its result.
    pub measurement: Measurement,
    /// When the newest response came.
    pub fetched_at: Timestamp,
    /// Since when the service answers 404; `None` if it does not.
    pub not_found_since: Option<Timestamp>,
    /// The address of the newest response, if it is another house's than was requested. `measurement` then has the
    /// requested address and customer, and no result.
    pub differing_address: Option<PlacedAddress>,
    /// When the journal recorded it, if it did not create it.
    pub learned_at: Option<Timestamp>,
    /// How it was billed; `None` if no sealed export contains it.
    pub billed: Option<BillingState>,
}

/// How a measurement was billed.
#[derive(Clone, Debug, PartialEq)]
pub struct BillingState {
    /// The number of the sealed export that billed it.
    pub number: u64,
    /// The figures as billed, or as last adjusted.
    pub figures: BilledFigures,
}

/// The status of a measurement that the service no longer finds.
pub(super) const NOT_FOUND: &str = "not_found";

/// The status of a measurement whose newest response has another house's address.
pub(super) const ADDRESS_DIFFERS: &str = "address_differs";

impl ResultRecord {
    /// Returns the status for display: the service's, `not_found` or `address_differs`.
    pub fn status(&self) -> &'static str {
        match (self.not_found_since, &self.differing_address) {
            (Some(_), _) => NOT_FOUND,
            (None, Some(_)) => ADDRESS_DIFFERS,
            (None, None) => self.measurement.status.name(),
        }
    }

    /// Returns the address of another house, if the newest response has one.
    pub fn other_house(&self) -> Option<&PlacedAddress> {
        let differing = self.differing_address.as_ref();
        differing.filter(|_| self.not_found_since.is_none())
    }

    /// Whether the newest response is neither a 404 nor about another house.
    pub fn is_usable(&self) -> bool {
        self.not_found_since.is_none() && self.differing_address.is_none()
    }

    /// Returns the result and the time of completion of a complete measurement.
    pub fn valid_result(&self) -> Option<(&MeasurementResult, Timestamp)> {
        let measurement = &self.measurement;
        let is_complete = self.is_usable() && measurement.status == Status::Complete;
        let result = measurement.result.as_ref().filter(|_| is_complete)?;
        // If the service gives no time of completion, the last change is the best estimate.
        let completed_at = measurement.completed_at.unwrap_or(measurement.updated_at);
        Some((result, completed_at))
    }

    /// Returns the number of the sealed export that billed it.
    pub fn sealed_number(&self) -> Option<u64> {
        self.billed.as_ref().map(|billed| billed.number)
    }

    /// Returns the homeowner's name as the service has it, since the contractor may correct it, or as submitted.
    pub fn customer(&self) -> &str {
        self.measurement
            .request
            .name
            .as_deref()
            .unwrap_or(&self.request.customer.name)
    }

    /// Returns both lines of the address, for instance `12 Elm St, Unit 4`.
    pub fn street(&self) -> String {
        let address = &self.measurement.address;
        match address.line2.as_deref().filter(|line2| !line2.is_empty()) {
            Some(line2) => format!("{}, {line2}", address.line1),
            None => address.line1.clone(),
        }
    }

    /// Returns the address in one line.
    pub fn full_address(&self) -> String {
        let address = &self.measurement.address;
        format!(
            "{}, {}, {} {}",
            self.street(),
            address.city,
            address.region,
            address.postal_code
        )
    }
}

/// The figures by which a measurement is billed. The journal stores them as JSON.
///
/// What is stored never changes: a figure that is added here is missing in the sealed exports before, and must not count
/// as changed for their measurements (see [`Adjustment::changes`](crate::export::Adjustment::changes)).
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BilledFigures {
    /// Length of all gutters.
    #[serde(rename = "gutter_length_ft")]
    pub gutter_length: Feet,
    /// Gutter size in inches, if it was chosen.
    pub gutter_size_in: Option<f64>,
    /// Number of corners.
    #[serde(rename = "corner_count", deserialize_with = "whole_number")]
    pub corners: u32,
    /// Number of downspouts.
    #[serde(rename = "downspout_count", deserialize_with = "whole_number")]
    pub downspouts: u32,
    /// Length of all downspouts.
    #[serde(rename = "downspout_length_ft")]
    pub downspout_length: Feet,
}

impl From<&MeasurementResult> for BilledFigures {
    fn from(result: &MeasurementResult) -> Self {
        Self {
            gutter_length: Feet::new(result.gutter_length_ft),
            gutter_size_in: result.gutter_size_in,
            corners: result.corner_count,
            downspouts: result.downspout_count,
            downspout_length: Feet::new(result.downspout_length_ft),
        }
    }
}

/// Reads a count that JSON may write as `4.0`.
fn whole_number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
    let number = f64::deserialize(deserializer)?;
    number.to_string().parse().map_err(D::Error::custom)
}

/// Tolerance of a total: half of the last digit that the service gives.
const TOLERANCE_FT: f64 = 0.05;

/// Returns how the totals of a result differ from its list of downspouts; `None` if they do not.
pub(super) fn total_mismatch(result: &MeasurementResult) -> Option<String> {
    let listed = result.downspouts.len();
    let length: Feet = result
        .downspouts
        .iter()
        .map(|downspout| Feet::new(downspout.length_ft))
        .sum();
    let total = Feet::new(result.downspout_length_ft);
    let mut reasons = Vec::new();
    if usize::try_from(result.downspout_count) != Ok(listed) {
        reasons.push(format!(
            "the service counts {} downspouts and lists {listed}",
            result.downspout_count
        ));
    }
    if total.distance(length) > Feet::new(TOLERANCE_FT) {
        reasons.push(format!(
            "the total is {} ft of downspouts, the list adds up to {} ft",
            total.value(),
            length.value()
        ));
    }
    (!reasons.is_empty()).then(|| reasons.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Downspout;

    fn result(count: u32, total: f64, lines: &[f64]) -> MeasurementResult {
        MeasurementResult {
            gutter_length_ft: 100.0,
            gutter_size_in: Some(5.0),
            corner_count: 4,
            downspout_count: count,
            downspout_length_ft: total,
            downspouts: lines
                .iter()
                .map(|&length_ft| Downspout {
                    length_ft,
                    floors: 1,
                    size_in: None,
                })
                .collect(),
            installer_message: None,
            asset_pack: Vec::new(),
        }
    }

    #[test]
    fn totals_that_agree_with_the_list_are_not_reported() {
        assert_eq!(total_mismatch(&result(3, 0.3, &[0.1, 0.1, 0.1])), None);
        assert_eq!(total_mismatch(&result(2, 20.04, &[10.0, 10.0])), None);
        assert_eq!(total_mismatch(&result(0, 0.0, &[])), None);
    }

    #[test]
    fn a_total_that_differs_from_the_list_is_reported_with_both_numbers() {
        assert_eq!(
            total_mismatch(&result(2, 20.1, &[10.0, 10.0])).unwrap(),
            "the total is 20.1 ft of downspouts, the list adds up to 20 ft"
        );
        assert_eq!(
            total_mismatch(&result(3, 20.0, &[10.0, 10.0])).unwrap(),
            "the service counts 3 downspouts and lists 2"
        );
    }
}
