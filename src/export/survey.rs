//! The first pass over the measurements: everything that must be known before the first row is written.
//!
//! The numbers of rows size the tables, the first sheet shows totals and charts, and measurements at one point can only
//! be found when all of them have been read.

use std::collections::BTreeMap;

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use crate::export::line::{ADDRESS_DIFFERS, NOT_FOUND};
use crate::export::marks::{LocationCounter, SharedLocations};
use crate::export::results::VisitAll;
use crate::export::{Error, ExportResults, Feet, LineUse, ResultLine, ZoneName};
use crate::model::{MeasurementResult, Outcome, Status, TableSource};

/// How long a complete measurement without images is asked for again, and stands open.
pub(super) const IMAGES_WITHIN: SignedDuration = SignedDuration::from_hours(7 * 24);

/// What a walk over the lines found.
#[derive(Clone, Debug, Default)]
pub struct ResultSurvey {
    /// Lines that are asked for, by state.
    pub selected: StatusCounts,
    /// All lines, by state.
    pub all: StatusCounts,
    /// Completed lines that are asked for: the rows of `Measurements`.
    pub measured: u64,
    /// Their totals.
    pub totals: ResultTotals,
    /// How many of them were completed in each week, by its Monday in the zone of the export.
    pub weeks: BTreeMap<Date, u64>,
    /// Gutter length by size, in thousandths of an inch.
    pub sizes: BTreeMap<Option<i64>, Feet>,
    /// Downspouts by the storeys they drop.
    pub floors: BTreeMap<u32, u64>,
    /// Lines that are not final, or canceled.
    pub open: u64,
    /// Rows that became no measurement of theirs.
    pub rejected: BTreeMap<Outcome, u64>,
    /// Where the lines come from, in the order of the journal.
    pub sources: Vec<(TableSource, u64)>,
    /// Which of them lie at one point.
    pub roofs: SharedLocations,
    /// The first of those whose newest answer has another house's address.
    pub other_addresses: Vec<OtherAddress>,
}

/// A measurement whose newest answer has another house's address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct OtherAddress {
    /// `external.id`.
    pub external_id: String,
    /// The address that was requested.
    pub requested: String,
    /// The address of the newest answer.
    pub answered: String,
}

/// Lines of another address that a survey keeps by name; all are counted.
const NAMED_ADDRESSES: usize = 20;

/// Sums over completed lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ResultTotals {
    /// Gutter run.
    pub gutter_length: Feet,
    /// Corners.
    pub corners: u64,
    /// Downspouts as the service counts them.
    pub downspouts: u64,
    /// Downspouts as the service adds them up.
    pub downspout_length: Feet,
    /// Downspout lines.
    pub downspout_lines: u64,
    /// The sum of the downspout lines.
    pub downspout_line_length: Feet,
    /// Images.
    pub images: u64,
}

/// Lines by state; the service's four, `not_found` and `address_differs`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StatusCounts([u64; 6]);

impl StatusCounts {
    /// Each state with its lines; the service's four in the order of a measurement's life, then the others.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        Self::names().zip(self.0.iter().copied())
    }

    /// Returns the names of all states, in the same order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let names = Status::ALL.map(Status::name).into_iter();
        names.chain([NOT_FOUND, ADDRESS_DIFFERS])
    }

    /// All lines.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Lines that the service calls complete.
    pub fn complete(&self) -> u64 {
        self.0[Status::Complete as usize]
    }

    /// Lines that the service no longer finds.
    pub fn not_found(&self) -> u64 {
        self.0[4]
    }

    /// Lines whose newest answer has another house's address.
    pub fn address_differs(&self) -> u64 {
        self.0[5]
    }

    fn add(&mut self, line: &ResultLine) {
        let index = match (line.gone_at, &line.other_address) {
            (Some(_), _) => 4,
            (None, Some(_)) => 5,
            (None, None) => line.measurement.status as usize,
        };
        self.0[index] += 1;
    }
}

impl ResultSurvey {
    /// Reads all measurements once.
    ///
    /// # Errors
    /// Those of the journal.
    pub fn new(results: &ExportResults<'_>) -> Result<Self, Error> {
        Self::with_visitor(results, &mut |_, _| Ok(()))
    }

    /// Reads all measurements once, and passes each to `visit` too, so that no second pass has to parse them again.
    ///
    /// # Errors
    /// Those of the journal, and those of `visit`.
    pub(super) fn with_visitor(
        results: &ExportResults<'_>,
        visit: VisitAll<'_>,
    ) -> Result<Self, Error> {
        let mut survey = Self::default();
        let mut roofs = LocationCounter::default();
        results.each(&mut |line, asked| {
            survey.add(line, asked, results);
            roofs.add(line);
            visit(line, asked)
        })?;
        survey.roofs = roofs.finish();
        results.each_rejected(&mut |row| {
            *survey.rejected.entry(row.outcome).or_default() += 1;
            Ok(())
        })?;
        Ok(survey)
    }

    /// Rows that became no measurement of theirs.
    pub fn rejected(&self) -> u64 {
        self.rejected.values().sum()
    }

    fn add(&mut self, line: &ResultLine, asked: LineUse, results: &ExportResults<'_>) {
        self.all.add(line);
        match self.sources.last_mut() {
            Some((source, lines)) if *source == line.source => *lines += 1,
            _ => self.sources.push((line.source.clone(), 1)),
        }
        if is_open(line, results.about.as_of) {
            self.open += 1;
        }
        if let Some(answered) = line.differing_address()
            && self.other_addresses.len() < NAMED_ADDRESSES
        {
            self.other_addresses.push(OtherAddress {
                external_id: line.external_id.clone(),
                requested: line.full_address(),
                answered: answered.one_line(),
            });
        }
        if asked == LineUse::For {
            self.selected.add(line);
            if let Some((result, completed_at)) = line.completed() {
                self.measured += 1;
                self.add_result(result);
                let week = week_of(completed_at, &results.about.zone);
                *self.weeks.entry(week).or_default() += 1;
            }
        }
    }

    fn add_result(&mut self, result: &MeasurementResult) {
        let totals = &mut self.totals;
        let length = Feet::new(result.gutter_length_ft);
        totals.gutter_length += length;
        totals.corners += u64::from(result.corner_count);
        totals.downspouts += u64::from(result.downspout_count);
        totals.downspout_length += Feet::new(result.downspout_length_ft);
        totals.images += result.asset_pack.len() as u64;
        *self
            .sizes
            .entry(result.gutter_size_in.map(thousandths))
            .or_default() += length;
        for downspout in &result.downspouts {
            totals.downspout_lines += 1;
            totals.downspout_line_length += Feet::new(downspout.length_ft);
            *self.floors.entry(downspout.floors).or_default() += 1;
        }
    }
}

/// Whether a line is requested and not final, or canceled, or not found.
pub(super) fn is_open(line: &ResultLine, as_of: Option<Timestamp>) -> bool {
    let Some((result, completed_at)) = line.completed() else {
        return true;
    };
    let waited = as_of.is_none_or(|as_of| as_of.duration_since(completed_at) >= IMAGES_WITHIN);
    result.asset_pack.is_empty() && !waited
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "gutters are a few inches wide; what is not saturates"
)]
fn thousandths(inches: f64) -> i64 {
    (inches * 1000.0).round() as i64
}

/// The Monday of a moment's week on the zone's calendar.
fn week_of(moment: Timestamp, zone: &ZoneName) -> Date {
    let day = zone.wall(moment).date();
    let since = day.weekday().since(Weekday::Monday);
    day.saturating_sub(i64::from(since).days())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_week_begins_on_the_zones_own_monday() {
        let toronto = ZoneName::named("America/Toronto").unwrap();
        // Monday 2026-10-05 starts at 04:00 UTC in Toronto.
        let before: Timestamp = "2026-10-05T03:59:59Z".parse().unwrap();
        let after: Timestamp = "2026-10-05T04:00:00Z".parse().unwrap();
        assert_eq!(week_of(before, &toronto).to_string(), "2026-09-28");
        assert_eq!(week_of(after, &toronto).to_string(), "2026-10-05");
    }
}
