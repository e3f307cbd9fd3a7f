//! One measurement as every format renders it.

use jiff::Timestamp;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::export::Feet;
use crate::model::{
    Measurement, MeasurementResult, Outcome, PlacedAddress, Request, RowNumber, Status, TableSource,
};

/// A measurement with the row and the request that it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct ResultLine {
    /// `external.id`.
    pub external_id: String,
    /// The table that the row stands in.
    pub source: TableSource,
    /// The row.
    pub row: RowNumber,
    /// Whether the service made it for us or knew it already.
    pub outcome: Outcome,
    /// The request as last submitted.
    pub request: Request,
    /// The newest answer. Where the service has withdrawn a complete one, the result that was there is kept.
    pub measurement: Measurement,
    /// When the newest answer came.
    pub fetched_at: Timestamp,
    /// Since when the service answers 404, while it does.
    pub gone_at: Option<Timestamp>,
    /// The address of the newest answer, where it is another house's than was requested. The measurement then has
    /// what was requested for address and customer, and no result.
    pub other_address: Option<PlacedAddress>,
    /// When the journal learned of it, where it did not create it.
    pub learned_at: Option<Timestamp>,
    /// What sealed exports say of it.
    pub billed: Option<BillingState>,
}

/// What sealed exports say of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct BillingState {
    /// The sealed export that billed it.
    pub number: u64,
    /// The figures that accounting knows: as billed, or as last adjusted.
    pub figures: BilledFigures,
}

/// The word of a measurement that the service no longer finds.
pub(super) const NOT_FOUND: &str = "not_found";

/// The word of a measurement whose newest answer has another house's address.
pub(super) const ADDRESS_DIFFERS: &str = "address_differs";

impl ResultLine {
    /// The state as shown: the service's word, `not_found` while it answers 404, or `address_differs` while it answers
    /// with another house.
    pub fn status(&self) -> &'static str {
        match (self.gone_at, &self.other_address) {
            (Some(_), _) => NOT_FOUND,
            (None, Some(_)) => ADDRESS_DIFFERS,
            (None, None) => self.measurement.status.name(),
        }
    }

    /// The address of another house, while that is why the line has no result.
    pub fn differing_address(&self) -> Option<&PlacedAddress> {
        let differing = self.other_address.as_ref();
        differing.filter(|_| self.gone_at.is_none())
    }

    /// Whether the newest answer can be taken for this row: neither 404 nor another house's.
    pub fn is_usable(&self) -> bool {
        self.gone_at.is_none() && self.other_address.is_none()
    }

    /// The result and the moment of completion, where the service stands by both.
    pub fn completed(&self) -> Option<(&MeasurementResult, Timestamp)> {
        let there = self.is_usable() && self.measurement.status == Status::Complete;
        let result = self.measurement.result.as_ref().filter(|_| there)?;
        // The description promises the moment with the result; without it, the last change is the nearest truth.
        let moment = self
            .measurement
            .completed_at
            .unwrap_or(self.measurement.updated_at);
        Some((result, moment))
    }

    /// The sealed export that billed it.
    pub fn sealed(&self) -> Option<u64> {
        self.billed.as_ref().map(|billed| billed.number)
    }

    /// The homeowner's name as stored, since the contractor may correct it; else as submitted.
    pub fn customer(&self) -> &str {
        self.measurement
            .request
            .name
            .as_deref()
            .unwrap_or(&self.request.customer.name)
    }

    /// `12 Elm St, Unit 4`.
    pub fn street(&self) -> String {
        let address = &self.measurement.address;
        match address.line2.as_deref().filter(|line2| !line2.is_empty()) {
            Some(line2) => format!("{}, {line2}", address.line1),
            None => address.line1.clone(),
        }
    }

    /// The address in one line.
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

/// What accounting bills by; two results with the same figures are the same to it.
///
/// The journal and the workbook's map keep them as JSON under these names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BilledFigures {
    /// Total gutter run.
    #[serde(rename = "gutter_length_ft")]
    pub gutter_length: Feet,
    /// Inches, once picked.
    pub gutter_size_in: Option<f64>,
    /// Inside and outside corners.
    #[serde(rename = "corner_count", deserialize_with = "whole_number")]
    pub corners: u32,
    /// How many downspouts.
    #[serde(rename = "downspout_count", deserialize_with = "whole_number")]
    pub downspouts: u32,
    /// Total, elbows included.
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

/// How far a total may lie from the sum of its lines: half of the last digit that the service shows.
const TOLERANCE_FT: f64 = 0.05;

/// Why the totals of a result are not those of its downspout lines, if they are not.
pub(super) fn mismatch(result: &MeasurementResult) -> Option<String> {
    let lines = result.downspouts.len();
    let length: Feet = result
        .downspouts
        .iter()
        .map(|downspout| Feet::new(downspout.length_ft))
        .sum();
    let total = Feet::new(result.downspout_length_ft);
    let mut reasons = Vec::new();
    if usize::try_from(result.downspout_count) != Ok(lines) {
        reasons.push(format!(
            "the service counts {} downspouts, its lines are {lines}",
            result.downspout_count
        ));
    }
    if total.distance(length) > Feet::new(TOLERANCE_FT) {
        reasons.push(format!(
            "the total is {} ft of downspouts, its lines add up to {} ft",
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
    fn totals_that_agree_with_their_lines_are_not_marked() {
        assert_eq!(mismatch(&result(3, 0.3, &[0.1, 0.1, 0.1])), None);
        assert_eq!(mismatch(&result(2, 20.04, &[10.0, 10.0])), None);
        assert_eq!(mismatch(&result(0, 0.0, &[])), None);
    }

    #[test]
    fn a_total_that_its_lines_do_not_reach_says_both_numbers() {
        assert_eq!(
            mismatch(&result(2, 20.1, &[10.0, 10.0])).unwrap(),
            "the total is 20.1 ft of downspouts, its lines add up to 20 ft"
        );
        assert_eq!(
            mismatch(&result(3, 20.0, &[10.0, 10.0])).unwrap(),
            "the service counts 3 downspouts, its lines are 2"
        );
    }
}
