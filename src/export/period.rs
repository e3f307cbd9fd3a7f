//! Time zones, and half-open periods of days in them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// A time zone that has an IANA name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeZoneName(TimeZone);

impl TimeZoneName {
    /// Returns coordinated universal time, the default.
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// Returns the zone with an IANA name, for instance `America/Toronto`; `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().map(Self)
    }

    /// Returns all IANA names.
    pub fn names() -> impl Iterator<Item = String> {
        jiff::tz::db().available().map(|name| name.to_string())
    }

    /// Returns the IANA name.
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("Etc/Unknown")
    }

    /// Returns the local time.
    pub fn to_local(&self, moment: Timestamp) -> DateTime {
        self.0.to_datetime(moment)
    }

    /// Returns the local time with its distance from UTC, to be read again: `2026-11-27 22:52:06.401-05:00`.
    pub(super) fn to_exact(&self, moment: Timestamp) -> String {
        let local = moment.to_zoned(self.0.clone());
        local.strftime("%Y-%m-%d %H:%M:%S%.f%:z").to_string()
    }

    /// Returns the point in time of a local time; the earlier one if there are two.
    pub fn to_timestamp(&self, local: DateTime) -> Option<Timestamp> {
        self.0.to_timestamp(local).ok()
    }

    /// Returns the abbreviation of the zone at a time, for instance `EDT`.
    pub fn abbreviation(&self, moment: Timestamp) -> String {
        self.0.to_offset_info(moment).abbreviation().to_owned()
    }

    /// Returns the start of a day, which is later than midnight if a clock change skips midnight.
    pub fn start_of(&self, day: Date) -> Option<Timestamp> {
        day.to_zoned(self.0.clone())
            .ok()
            .map(|start| start.timestamp())
    }
}

/// A period from the start of one day to the start of another, which is excluded. Both ends may be open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompletionPeriod {
    name: String,
    from: Option<Timestamp>,
    to: Option<Timestamp>,
}

impl CompletionPeriod {
    /// Returns the period between two days of a zone, the second excluded; `None` for a day that is out of range.
    pub fn from_days(from: Option<Date>, to: Option<Date>, zone: &TimeZoneName) -> Option<Self> {
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

    /// Returns a calendar month of a zone, written `YYYY-MM`; `None` for other text.
    pub fn from_month(month: &str, zone: &TimeZoneName) -> Option<Self> {
        let is_month = month.len() == 7 && month.as_bytes()[4] == b'-';
        let first: Date = format!("{month}-01").parse().ok().filter(|_| is_month)?;
        let next = first.checked_add(1.month()).ok()?;
        let days = Self::from_days(Some(first), Some(next), zone)?;
        Some(Self {
            name: format!("{month} ({})", zone.name()),
            ..days
        })
    }

    /// Returns the period for display.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the zone in a name that [`name`](Self::name) returned.
    pub fn zone_of(name: &str) -> Option<&str> {
        let (_, zone) = name.strip_suffix(')')?.rsplit_once(" (")?;
        Some(zone)
    }

    /// Whether the period contains a time.
    pub fn contains(&self, moment: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= moment) && self.to.is_none_or(|to| moment < to)
    }

    /// Returns the first moment after the period; `None` if its end is open.
    pub fn end(&self) -> Option<Timestamp> {
        self.to
    }

    /// Whether the period starts after a time.
    pub fn starts_after(&self, moment: Timestamp) -> bool {
        self.from.is_some_and(|from| moment < from)
    }

    /// Whether the period ends before it starts.
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

    fn toronto() -> TimeZoneName {
        TimeZoneName::from_name("America/Toronto").unwrap()
    }

    #[test]
    fn a_month_starts_and_ends_at_the_zones_own_midnight() {
        // Summer time ends on 2026-11-01 at two in the morning: October starts and ends at UTC-4, November ends at -5.
        let october = CompletionPeriod::from_month("2026-10", &toronto()).unwrap();
        assert!(!october.contains(at("2026-10-01T03:59:59.999Z")));
        assert!(october.contains(at("2026-10-01T04:00:00Z")));
        assert!(october.contains(at("2026-11-01T03:59:59.999Z")));
        assert!(!october.contains(at("2026-11-01T04:00:00Z")));
        let november = CompletionPeriod::from_month("2026-11", &toronto()).unwrap();
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
                CompletionPeriod::from_month(month, &TimeZoneName::from_name(zone).unwrap())
                    .unwrap();
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
                CompletionPeriod::from_month(&format!("2026-{month:02}"), &toronto()).unwrap()
            })
            .collect();
        for pair in months.windows(2) {
            assert_eq!(pair[0].to, pair[1].from);
        }
    }

    #[test]
    fn a_day_whose_midnight_is_skipped_starts_at_one() {
        let zone = TimeZoneName::from_name("America/Asuncion").unwrap();
        let day: Date = "2023-10-01".parse().unwrap();
        let period = CompletionPeriod::from_days(Some(day), None, &zone).unwrap();
        assert!(period.contains(at("2023-10-01T04:00:00Z")));
        assert!(!period.contains(at("2023-10-01T03:59:59Z")));
    }

    #[test]
    fn only_a_month_is_a_month() {
        for text in ["2026-13", "2026-1", "2026", "2026-10-01", "x", ""] {
            assert!(
                CompletionPeriod::from_month(text, &TimeZoneName::utc()).is_none(),
                "{text}"
            );
        }
        assert_eq!(
            CompletionPeriod::from_month("2026-10", &TimeZoneName::utc())
                .unwrap()
                .name(),
            "2026-10 (UTC)"
        );
        assert!(TimeZoneName::from_name("Mars/Base").is_none());
    }

    #[test]
    fn a_local_time_that_occurs_twice_is_the_earlier_one() {
        let zone = toronto();
        let local: DateTime = "2026-11-01T01:30:00".parse().unwrap();
        let moment = at("2026-11-01T05:30:00Z");
        assert_eq!(zone.to_timestamp(local), Some(moment));
        assert_eq!(zone.to_local(moment), local);
        assert_eq!(zone.abbreviation(moment), "EDT");
    }

    #[test]
    fn a_period_starts_after_what_is_before_its_first_moment() {
        let october = CompletionPeriod::from_month("2026-10", &toronto()).unwrap();
        assert!(october.starts_after(at("2026-10-01T03:59:59Z")));
        assert!(!october.starts_after(at("2026-10-01T04:00:00Z")));
        assert!(!october.starts_after(at("2026-10-02T00:00:00Z")));
    }

    #[test]
    fn a_period_that_ends_where_it_starts_is_empty() {
        let days = |from: &str, to: &str| {
            let (from, to) = (from.parse().unwrap(), to.parse().unwrap());
            CompletionPeriod::from_days(Some(from), Some(to), &toronto()).unwrap()
        };
        assert!(days("2026-10-02", "2026-10-02").is_empty());
        assert!(days("2026-10-02", "2026-10-01").is_empty());
        assert!(!days("2026-10-01", "2026-10-02").is_empty());
    }
}
