//! The first pass over the measurements: counts, totals and shared locations, which must be known before the first row is
//! written.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::{SignedDuration, Timestamp};
use serde::{Serialize, Serializer};

use crate::export::result_record::{ADDRESS_DIFFERS, NOT_FOUND};
use crate::export::results::{FilteredRecord, FilteredRecordSink};
use crate::export::review::{LocationCounter, SharedLocations};
use crate::export::{Error, ExportResults, Feet, FigureTotals, ResultRecord};
use crate::model::{MeasurementResult, Outcome, Status, TableSource};

/// How long a complete measurement without images is requested again and listed in `Open`.
pub(super) const IMAGES_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// Statistics of the measurements of an export.
#[derive(Clone, Debug, Default)]
pub struct ResultStatistics {
    /// The number of selected measurements, by status.
    pub selected: StatusCounts,
    /// The number of all measurements, by status.
    pub all: StatusCounts,
    /// The number of selected completed measurements: the rows of `Measurements`.
    pub completed: u64,
    /// Their totals.
    pub totals: ResultTotals,
    /// How many of them were completed on each day in the export's time zone.
    pub days: BTreeMap<Date, u64>,
    /// How many of them are billed.
    pub billed: u64,
    /// Gutter length by size, in thousandths of an inch.
    pub sizes: BTreeMap<Option<i64>, Feet>,
    /// The number of measurements that are not final, or canceled: the rows of `Open`.
    pub open: u64,
    /// The number of rows without a measurement of their own, by outcome.
    pub rejected: BTreeMap<Outcome, u64>,
    /// The tables of the rows with their numbers of selected measurements, in the order of the journal.
    pub sources: Vec<(TableSource, u64)>,
    /// The locations that several measurements have.
    pub shared_locations: SharedLocations,
    /// The first measurements whose newest response has another house's address.
    pub other_addresses: Vec<OtherAddress>,
}

/// A measurement whose newest response has another house's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherAddress {
    /// `external.id`.
    pub external_id: String,
    /// The address that was requested.
    pub requested: String,
    /// The address of the newest response.
    pub answered: String,
}

/// Maximum number of such measurements to list.
const MAX_OTHER_ADDRESSES: usize = 20;

/// Totals of completed measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultTotals {
    /// The sums of the billed figures.
    pub figures: FigureTotals,
    /// Number of listed downspouts.
    pub downspout_lines: u64,
    /// Length of the listed downspouts.
    pub downspout_line_length: Feet,
    /// Number of images.
    pub images: u64,
}

/// Numbers of measurements by status: the service's four, `not_found` and `address_differs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([u64; 6]);

impl Serialize for StatusCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

impl StatusCounts {
    /// Returns each status with its number of measurements, the service's own first.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Self::names().zip(self.0.iter().copied())
    }

    /// Returns the names of all statuses, in the same order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let names = Status::ALL.map(Status::name).into_iter();
        names.chain([NOT_FOUND, ADDRESS_DIFFERS])
    }

    /// Returns the number of all measurements.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the number of complete measurements.
    pub fn complete(&self) -> u64 {
        self.0[Status::Complete as usize]
    }

    /// Returns the number of measurements that may still get a result.
    pub fn open(&self) -> u64 {
        self.0[Status::Pending as usize] + self.0[Status::InProgress as usize]
    }

    /// Returns the number of measurements that the service no longer finds.
    pub fn not_found(&self) -> u64 {
        self.0[4]
    }

    /// Returns the number of measurements whose newest response has another house's address.
    pub fn address_differs(&self) -> u64 {
        self.0[5]
    }

    /// The number of complete measurements, and no other.
    pub(super) fn of_complete(complete: u64) -> Self {
        let mut counts = Self::default();
        counts.0[Status::Complete as usize] = complete;
        counts
    }

    fn add(&mut self, record: &ResultRecord) {
        let index = Self::names().position(|name| name == record.status());
        self.0[index.expect("every status has a name")] += 1;
    }
}

impl ResultStatistics {
    /// Reads all measurements once.
    ///
    /// # Errors
    /// [`Error::Journal`].
    pub fn new(results: &ExportResults<'_>) -> Result<Self, Error> {
        Self::with_visitor(results, &mut |_| Ok(()))
    }

    /// Reads all measurements once, and passes each to `visit` too, so that no second pass has to parse them again.
    ///
    /// # Errors
    /// [`Error::Journal`], and those of `visit`.
    pub(super) fn with_visitor(
        results: &ExportResults<'_>,
        visit: FilteredRecordSink<'_>,
    ) -> Result<Self, Error> {
        let mut statistics = Self::default();
        let mut shared_locations = LocationCounter::default();
        results.each(&mut |filtered| {
            statistics.add(filtered, results);
            shared_locations.add(&filtered.record);
            visit(filtered)
        })?;
        statistics.shared_locations = shared_locations.finish(&results.context.sent_again);
        results.each_rejected(&mut |row| {
            *statistics.rejected.entry(row.outcome).or_default() += 1;
            Ok(())
        })?;
        Ok(statistics)
    }

    /// Returns the number of rows without a measurement of their own.
    pub fn rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    /// Returns the first and the last day on which one of them was completed.
    pub fn completed_days(&self) -> Option<(Date, Date)> {
        let first = *self.days.first_key_value()?.0;
        Some((first, *self.days.last_key_value()?.0))
    }

    /// Returns how many of them were completed in each week, by its Monday.
    pub(super) fn weeks(&self) -> BTreeMap<Date, u64> {
        let mut weeks = BTreeMap::new();
        for (day, measurements) in &self.days {
            *weeks.entry(week_of(*day)).or_default() += measurements;
        }
        weeks
    }

    fn add(&mut self, filtered: &FilteredRecord, results: &ExportResults<'_>) {
        let record = &filtered.record;
        self.all.add(record);
        if is_open(record, results.context.as_of) {
            self.open += 1;
        }
        if let Some(answered) = record.other_house()
            && self.other_addresses.len() < MAX_OTHER_ADDRESSES
        {
            self.other_addresses.push(OtherAddress {
                external_id: record.external_id.clone(),
                requested: record.full_address(),
                answered: answered.line_of_other_house(),
            });
        }
        if filtered.is_selected {
            self.selected.add(record);
            match self.sources.last_mut() {
                Some((source, records)) if *source == record.source => *records += 1,
                _ => self.sources.push((record.source.clone(), 1)),
            }
            if let Some((result, completed_at)) = record.valid_result() {
                self.completed += 1;
                self.add_totals(result);
                let day = results.context.zone.to_local(completed_at).date();
                *self.days.entry(day).or_default() += 1;
                self.billed += u64::from(record.sealed_number().is_some());
            }
        }
    }

    fn add_totals(&mut self, result: &MeasurementResult) {
        let totals = &mut self.totals;
        let length = Feet::from(result.gutter_length_ft);
        let figures = &mut totals.figures;
        figures.gutter_length_ft += length;
        figures.corner_count += i64::from(result.corner_count);
        figures.downspout_count += i64::from(result.downspout_count);
        figures.downspout_length_ft += Feet::from(result.downspout_length_ft);
        totals.images += result.asset_pack.len() as u64;
        *self
            .sizes
            .entry(result.gutter_size_in.map(thousandths))
            .or_default() += length;
        for downspout in &result.downspouts {
            totals.downspout_lines += 1;
            totals.downspout_line_length += Feet::from(downspout.length_ft);
        }
    }
}

/// Whether a measurement is listed in `Open`: it is not final, canceled, or not found.
pub(super) fn is_open(record: &ResultRecord, as_of: Option<Timestamp>) -> bool {
    let Some((result, completed_at)) = record.valid_result() else {
        return true;
    };
    let waited = as_of.is_none_or(|as_of| as_of.duration_since(completed_at) >= IMAGES_WITHIN);
    result.asset_pack.is_empty() && !waited
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "gutters are a few inches wide; other values saturate"
)]
fn thousandths(inches: f64) -> i64 {
    (inches * 1000.0).round() as i64
}

/// Returns the Monday of a day's week.
fn week_of(day: Date) -> Date {
    let since = day.weekday().since(Weekday::Monday);
    day.saturating_sub(i64::from(since).days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_begins_on_monday() {
        let week = |day: &str| week_of(day.parse().unwrap()).to_string();
        assert_eq!(week("2026-10-04"), "2026-09-28");
        assert_eq!(week("2026-10-05"), "2026-10-05");
    }
}
