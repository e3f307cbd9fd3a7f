//! Counts the rows that were lost and the measurements that were doubled in a rehearsal with faults.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::import::{CheckResult, CheckedFile};
use crate::sandbox::StoredMeasurement;

/// The result of a rehearsal with faults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(super) struct RoughReport {
    /// Rows of the sheet.
    pub(super) rows: u64,
    /// Kills of the importing process.
    pub(super) kills: u64,
    /// Injected faults.
    pub(super) faults: u64,
    /// Rows that should have a measurement and have none.
    pub(super) lost: u64,
    /// Measurements beyond the first of an id, or without a row.
    pub(super) doubled: u64,
}

impl RoughReport {
    /// Whether no row was lost and none doubled.
    pub(super) fn is_sound(self) -> bool {
        self.lost == 0 && self.doubled == 0
    }
}

/// Compares the sheet with the measurements of the service; `without_measurement` are the ids that must not have one.
pub(super) fn rough_report(
    checked: &CheckedFile,
    without_measurement: &BTreeSet<String>,
    measurements: &[StoredMeasurement],
) -> RoughReport {
    let rows: BTreeSet<&str> = valid_ids(checked).collect();
    let ids_with_measurement: Vec<Option<&str>> = measurements
        .iter()
        .map(|measurement| {
            measurement
                .external_id
                .as_deref()
                .filter(|id| rows.contains(id))
        })
        .collect();
    let distinct: BTreeSet<&str> = ids_with_measurement.iter().flatten().copied().collect();
    let lost = rows
        .difference(&distinct)
        .filter(|id| !without_measurement.contains(**id))
        .count();
    RoughReport {
        rows: checked.rows.len() as u64,
        lost: lost as u64,
        doubled: (measurements.len() - distinct.len()) as u64,
        ..RoughReport::default()
    }
}

/// The ids of the rows that may be sent.
pub(super) fn valid_ids(checked: &CheckedFile) -> impl Iterator<Item = &str> {
    checked.rows.iter().filter_map(|row| match &row.result {
        CheckResult::Valid { external_id, .. } => Some(&**external_id),
        CheckResult::Duplicate { .. } | CheckResult::Invalid { .. } => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::{CheckRules, ImportInput, check};
    use crate::sandbox::Country;
    use crate::table::TableOptions;

    fn checked() -> CheckedFile {
        let folder = tempfile::tempdir().unwrap();
        let sheet = folder.path().join("leads.csv");
        let row = |id: &str| format!("{id},Ann,a@example.com,1 Elm Street,Ottawa,ON,K1A 0B1\n");
        let rows = ["A-1", "A-2", "A-3", "A-3"].map(row).concat();
        let header = "id,name,email,line1,city,region,postal_code\n";
        std::fs::write(&sheet, format!("{header}{rows}A-4,,,,,,\n")).unwrap();
        let input =
            ImportInput::new(&sheet, TableOptions::default(), CheckRules::default()).unwrap();
        check(&input, |_| {}).unwrap()
    }

    fn measurement(id: &str) -> StoredMeasurement {
        StoredMeasurement {
            external_id: Some(id.to_owned()),
            measurement_id: String::new(),
            request_id: String::new(),
            status: "pending",
            customer: "Ann".to_owned(),
            line1: "1 Elm Street".to_owned(),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country: Country::CA,
            notes: None,
            gutter_length_ft: None,
        }
    }

    fn count(refused: &[&str], with_the_service: &[&str]) -> (u64, u64) {
        let refused = refused.iter().map(ToString::to_string).collect();
        let measurements: Vec<StoredMeasurement> =
            with_the_service.iter().map(|id| measurement(id)).collect();
        let report = rough_report(&checked(), &refused, &measurements);
        assert_eq!(report.rows, 5);
        assert_eq!(report.is_sound(), report.lost == 0 && report.doubled == 0);
        (report.lost, report.doubled)
    }

    #[test]
    fn every_valid_row_once_is_sound() {
        assert_eq!(count(&[], &["A-1", "A-2", "A-3"]), (0, 0));
    }

    #[test]
    fn a_row_that_the_service_neither_holds_nor_refused_is_lost() {
        assert_eq!(count(&[], &["A-1", "A-3"]), (1, 0));
        assert_eq!(count(&["A-2"], &["A-1", "A-3"]), (0, 0));
        assert_eq!(count(&["A-1"], &["A-1", "A-3"]), (1, 0));
    }

    #[test]
    fn a_second_measurement_of_a_row_or_one_of_no_row_is_doubled() {
        assert_eq!(count(&[], &["A-1", "A-2", "A-3", "A-2"]), (0, 1));
        assert_eq!(count(&[], &["A-1", "A-2", "A-3", "wandered"]), (0, 1));
        assert_eq!(count(&[], &["A-1", "A-1", "A-1"]), (2, 2));
    }
}
