//! A measurement as every format renders it.

use std::collections::{BTreeMap, HashMap};

use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::export::Feet;
use crate::export::columns::BILLED_COLUMNS;
use crate::export::result_column::{ColumnKind, ResultColumn};
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
    /// The name of its file, with the sheet if several of its workbook were imported.
    pub source_name: String,
    /// The row number.
    pub row: RowNumber,
    /// `created` or `existing`.
    pub outcome: Outcome,
    /// The request as last submitted.
    pub request: Request,
    /// The newest response. A measurement that was withdrawn after it was complete keeps its result.
    pub measurement: Measurement,
    /// Since when the service answers 404; `None` if it does not.
    pub not_found_since: Option<Timestamp>,
    /// The address of the newest response, if it is another house's than was requested. `measurement` then has the
    /// requested address and customer, and no result.
    pub differing_address: Option<PlacedAddress>,
    /// When the journal recorded it, if it did not create it.
    pub learned_at: Option<Timestamp>,
    /// When the journal learned of its last change.
    pub changed_at: Timestamp,
    /// When the journal last had the version that was billed, adjusted or declared, if that has changed since.
    pub unchanged_at: Option<Timestamp>,
    /// Whether it was billed from another journal, if the user declared that.
    pub billed_elsewhere: Option<bool>,
    /// How it was billed; `None` if no sealed export contains it.
    pub billed: Option<BillingState>,
}

/// How a measurement was billed.
#[derive(Clone, Debug, PartialEq)]
pub struct BillingState {
    /// The number of the sealed export that billed it.
    pub number: u64,
    /// The number of the newest sealed export that billed or adjusted it.
    pub last_number: u64,
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

    /// Whether it is complete and not billed because it was billed from another journal.
    pub fn is_billed_elsewhere(&self) -> bool {
        self.billed_elsewhere == Some(true)
            && self.billed.is_none()
            && self.valid_result().is_some()
    }

    /// Returns the number of the sealed export that billed it.
    pub fn sealed_number(&self) -> Option<u64> {
        self.billed.as_ref().map(|billed| billed.number)
    }

    /// Returns the homeowner's name as the service has it, since the contractor may correct it, or as submitted.
    pub fn customer(&self) -> &str {
        self.measurement
            .request
            .customer
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
        self.measurement.address.one_line()
    }
}

/// The figures by which a measurement is billed, by the keys of their columns. The journal stores them as JSON.
///
/// What is stored never changes: a figure that is added to `BILLED_COLUMNS` is missing in the sealed exports before,
/// and does not count as changed for their measurements.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct BilledFigures(BTreeMap<&'static str, Option<f64>>);

impl BilledFigures {
    /// Reads the figures of each column; `None` if `figure` returns `None` for one.
    pub(super) fn collect(figure: impl Fn(&ResultColumn) -> Option<Option<f64>>) -> Option<Self> {
        let figures = BILLED_COLUMNS.iter();
        let figures = figures.map(|column| Some((column.key, figure(column)?)));
        figures.collect::<Option<_>>().map(Self)
    }

    /// Parses a JSON object that has the figures under their keys, and possibly other values.
    ///
    /// # Errors
    /// If it is not such an object.
    pub(super) fn parse(json: &str) -> serde_json::Result<Self> {
        let mut values: HashMap<String, Value> = serde_json::from_str(json)?;
        let stored = BILLED_COLUMNS
            .iter()
            .filter_map(|column| Some((column.key, values.remove(column.key)?)));
        let figures = stored.map(|(key, value)| Ok((key, serde_json::from_value(value)?)));
        figures.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the figures of a measurement that was withdrawn.
    pub(super) fn zero() -> Self {
        let nothing = |column: &ResultColumn| (column.kind != ColumnKind::Inches).then_some(0.0);
        Self::collect(|column| Some(nothing(column))).unwrap_or_default()
    }

    /// Replaces the figure whose column has a header; another header changes nothing.
    pub(super) fn set(&mut self, header: &str, figure: Option<f64>) {
        if let Some(column) = BILLED_COLUMNS.iter().find(|column| column.header == header) {
            self.0.insert(column.key, figure);
        }
    }

    /// Returns a figure; `None` if it was not billed by when this was stored.
    pub(super) fn get(&self, column: &ResultColumn) -> Option<&Option<f64>> {
        self.0.get(column.key)
    }
}

impl From<&MeasurementResult> for BilledFigures {
    fn from(result: &MeasurementResult) -> Self {
        Self::collect(|column| Some(column.result_value(result)?.number())).unwrap_or_default()
    }
}

/// Tolerance of a total: half of the last digit that the service gives.
const TOLERANCE_FT: f64 = 0.05;

/// Returns how the totals of a result differ from its list of downspouts; `None` if they do not.
pub(super) fn total_mismatch(result: &MeasurementResult) -> Option<String> {
    let listed = result.downspouts.len();
    let length: Feet = result
        .downspouts
        .iter()
        .map(|downspout| Feet::from(downspout.length_ft))
        .sum();
    let total = Feet::from(result.downspout_length_ft);
    let mut reasons = Vec::new();
    if usize::try_from(result.downspout_count) != Ok(listed) {
        reasons.push(format!(
            "the service counts {} downspouts and lists {listed}",
            result.downspout_count
        ));
    }
    if (total - length).max(length - total) > Feet::from(TOLERANCE_FT) {
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
    use serde_json::{Value, json};

    use super::*;

    fn result(count: u32, total: f64, lengths: &[f64]) -> MeasurementResult {
        let downspout = |length| json!({"length_ft": length, "floors": 1});
        let downspouts: Vec<Value> = lengths.iter().map(downspout).collect();
        serde_json::from_value(json!({
            "gutter_length_ft": 100.0,
            "corner_count": 4,
            "downspout_count": count,
            "downspout_length_ft": total,
            "downspouts": downspouts,
        }))
        .unwrap()
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

    /// What is stored has fewer figures after one more is added to the list.
    #[test]
    fn a_figure_that_was_not_billed_by_when_it_was_sealed_is_unchanged() {
        let new = BilledFigures::from(&result(2, 20.0, &[10.0, 10.0]));
        for column in BILLED_COLUMNS {
            let mut stored = serde_json::to_value(&new).unwrap();
            stored.as_object_mut().unwrap().remove(column.key).unwrap();
            let old = BilledFigures::parse(&stored.to_string()).unwrap();
            assert_eq!(old.changes(&new).count(), 0, "{}", column.key);
            assert!(old.changes(&BilledFigures::zero()).count() >= 3);
        }
        let other = BilledFigures::from(&result(3, 20.0, &[10.0, 10.0]));
        assert_eq!(new.changes(&other).count(), 1);
    }
}
