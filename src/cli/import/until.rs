//! `--until TIME`: a time of day, a date with a time, or a duration from now.

use jiff::civil::{DateTime, Time};
use jiff::{SignedDuration, Timestamp, Zoned};

/// Parses a time relative to `now` and its time zone; a time of day that has passed is tomorrow's.
pub(super) fn until(text: &str, now: &Zoned) -> Option<Timestamp> {
    let text = text.trim();
    if let Ok(moment) = text.parse::<Timestamp>() {
        return Some(moment);
    }
    // A date with a time is tried first, because it can be parsed as a time of day too.
    if let Ok(moment) = text.parse::<DateTime>() {
        let zone = now.time_zone().clone();
        return moment.to_zoned(zone).ok().map(|moment| moment.timestamp());
    }
    if let Some(time) = time_of_day(text) {
        let today = now.with().time(time).build().ok()?;
        let next = if today > *now {
            today
        } else {
            today.tomorrow().ok()?
        };
        return Some(next.timestamp());
    }
    let long = text.parse::<SignedDuration>().ok();
    let long = long.filter(|long| *long > SignedDuration::ZERO)?;
    now.timestamp().checked_add(long).ok()
}

/// Parses `17:30` or `17:30:15`; a plain number is not a time.
fn time_of_day(text: &str) -> Option<Time> {
    text.contains(':').then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_four() -> Zoned {
        "2026-11-21T16:00:00-05:00[America/Toronto]"
            .parse()
            .unwrap()
    }

    fn at(text: &str) -> Option<String> {
        until(text, &at_four()).map(|moment| moment.to_string())
    }

    #[test]
    fn a_time_of_day_is_the_next_one() {
        assert_eq!(at("17:30").as_deref(), Some("2026-11-21T22:30:00Z"));
        assert_eq!(at("07:00").as_deref(), Some("2026-11-22T12:00:00Z"));
    }

    #[test]
    fn a_date_or_a_duration_is_as_good() {
        assert_eq!(
            at("2026-11-23 08:00").as_deref(),
            Some("2026-11-23T13:00:00Z")
        );
        assert_eq!(
            at("2026-11-23T08:00:00Z").as_deref(),
            Some("2026-11-23T08:00:00Z")
        );
        assert_eq!(at("2h").as_deref(), Some("2026-11-21T23:00:00Z"));
    }

    #[test]
    fn anything_else_is_no_time() {
        for text in ["", "later", "25:00", "-2h", "7", "99999999h"] {
            assert_eq!(at(text), None, "{text}");
        }
    }
}
