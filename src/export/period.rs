//! Time zones and periods: from midnight to midnight of a zone, half-open, daylight saving right.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Zoned};

/// A time zone by its IANA name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneName {
    name: String,
    zone: TimeZone,
}

impl ZoneName {
    /// Coordinated universal time, the zone unless another is asked for.
    pub fn utc() -> Self {
        Self {
            name: "UTC".to_owned(),
            zone: TimeZone::UTC,
        }
    }

    /// The zone of an IANA name, for instance `America/Toronto`; none for a name that is not known.
    pub fn named(name: &str) -> Option<Self> {
        let zone = TimeZone::get(name).ok()?;
        let name = zone.iana_name().unwrap_or(name).to_owned();
        Some(Self { name, zone })
    }

    /// The IANA name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What a clock on a wall of the zone shows.
    pub fn wall(&self, moment: Timestamp) -> DateTime {
        self.zone.to_datetime(moment)
    }

    /// The moment at which a clock on a wall of the zone shows that; where it does so twice, the earlier one.
    pub fn at(&self, wall: DateTime) -> Option<Timestamp> {
        self.zone.to_timestamp(wall).ok()
    }

    /// What people call the zone's time at that moment, for instance `EDT`.
    pub fn abbreviation(&self, moment: Timestamp) -> String {
        self.zone.to_offset_info(moment).abbreviation().to_owned()
    }

    /// The moment with its zone.
    pub fn zoned(&self, moment: Timestamp) -> Zoned {
        moment.to_zoned(self.zone.clone())
    }

    /// The first moment of a day; where midnight is skipped, the first after it.
    pub fn start_of(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.zone.clone())
            .ok()
            .map(|start| start.timestamp())
    }
}

/// From the start of one day to the start of another, the second left out; an open end reaches for ever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionPeriod {
    name: String,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl CompletionPeriod {
    /// Days of a zone, half-open; none for a day that no calendar reaches.
    pub fn of_days(from: Option<Date>, to: Option<Date>, zone: &ZoneName) -> Option<Self> {
        let start = |day: Option<Date>| day.map(|day| zone.start_of(day).ok_or(())).transpose();
        let days = match (from, to) {
            (Some(from), Some(to)) => format!("{from} to before {to}"),
            (Some(from), None) => format!("from {from}"),
            (None, Some(to)) => format!("before {to}"),
            (None, None) => "all time".to_owned(),
        };
        Some(Self {
            name: format!("{days} ({})", zone.name()),
            from: start(from).ok()?,
            to: start(to).ok()?,
        })
    }

    /// A calendar month of a zone, written `YYYY-MM`; none for anything else.
    pub fn of_month(month: &str, zone: &ZoneName) -> Option<Self> {
        let is_month = month.len() == 7 && month.as_bytes()[4] == b'-';
        let first: Date = format!("{month}-01").parse().ok().filter(|_| is_month)?;
        let next = first.checked_add(1.month()).ok()?;
        let days = Self::of_days(Some(first), Some(next), zone)?;
        Some(Self {
            name: format!("{month} ({})", zone.name()),
            ..days
        })
    }

    /// As people and the list of sealed exports read it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a moment lies in it.
    pub fn contains(&self, moment: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= moment) && self.to.is_none_or(|to| moment < to)
    }

    /// Whether a moment lies before its start.
    pub fn starts_after(&self, moment: Timestamp) -> bool {
        self.from.is_some_and(|from| moment < from)
    }

    /// Whether it ends before it starts, so that nothing can lie in it.
    pub fn is_empty(&self) -> bool {
        matches!((self.from, self.to), (Some(from), Some(to)) if to <= from)
    }
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn toronto() -> ZoneName {
        ZoneName::named("America/Toronto").unwrap()
    }

    #[test]
    fn a_month_starts_and_ends_at_the_zones_own_midnight() {
        // Summer time ends on 2026-11-01 at two in the morning: October starts and ends at UTC-4, November ends at -5.
        let october = CompletionPeriod::of_month("2026-10", &toronto()).unwrap();
        assert!(!october.contains(at("2026-10-01T03:59:59.999Z")));
        assert!(october.contains(at("2026-10-01T04:00:00Z")));
        assert!(october.contains(at("2026-11-01T03:59:59.999Z")));
        assert!(!october.contains(at("2026-11-01T04:00:00Z")));
        let november = CompletionPeriod::of_month("2026-11", &toronto()).unwrap();
        assert!(november.contains(at("2026-11-01T04:00:00Z")));
        assert!(november.contains(at("2026-12-01T04:59:59Z")));
        assert!(!november.contains(at("2026-12-01T05:00:00Z")));
    }

    #[test]
    fn the_clock_changes_of_half_hours_move_a_month_with_them() {
        // Newfoundland is at -3:30, from 2026-03-08 on at -2:30; Lord Howe is at +11, from 2026-04-05 on at +10:30.
        for (zone, month, first, last) in [
            (
                "America/St_Johns",
                "2026-03",
                "2026-03-01T03:30:00Z",
                "2026-04-01T02:29:59Z",
            ),
            (
                "Australia/Lord_Howe",
                "2026-04",
                "2026-03-31T13:00:00Z",
                "2026-04-30T13:29:59Z",
            ),
        ] {
            let period =
                CompletionPeriod::of_month(month, &ZoneName::named(zone).unwrap()).unwrap();
            let second = SignedDuration::from_secs(1);
            assert!(period.contains(at(first)), "{zone}");
            assert!(!period.contains(at(first) - second), "{zone}");
            assert!(period.contains(at(last)), "{zone}");
            assert!(!period.contains(at(last) + second), "{zone}");
        }
    }

    #[test]
    fn a_year_of_months_leaves_no_gap_and_no_overlap() {
        let months: Vec<CompletionPeriod> = (1..=12)
            .map(|month| {
                CompletionPeriod::of_month(&format!("2026-{month:02}"), &toronto()).unwrap()
            })
            .collect();
        for pair in months.windows(2) {
            assert_eq!(pair[0].to, pair[1].from);
        }
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_starts_at_one() {
        let zone = ZoneName::named("America/Asuncion").unwrap();
        let day: Date = "2023-10-01".parse().unwrap();
        let period = CompletionPeriod::of_days(Some(day), None, &zone).unwrap();
        assert!(period.contains(at("2023-10-01T04:00:00Z")));
        assert!(!period.contains(at("2023-10-01T03:59:59Z")));
    }

    #[test]
    fn only_a_month_is_a_month() {
        for text in ["2026-13", "2026-1", "2026", "2026-10-01", "x", ""] {
            assert!(
                CompletionPeriod::of_month(text, &ZoneName::utc()).is_none(),
                "{text}"
            );
        }
        assert_eq!(
            CompletionPeriod::of_month("2026-10", &ZoneName::utc())
                .unwrap()
                .name(),
            "2026-10 (UTC)"
        );
        assert!(ZoneName::named("Mars/Base").is_none());
    }
}
