//! Reads the clocks; everything below `cli` takes the time as an argument.

use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::pluralize;

/// The wall clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the wall clock"
)]
pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

/// The monotonic clock, for durations.
#[expect(
    clippy::disallowed_methods,
    reason = "the only place that reads the monotonic clock"
)]
pub(super) fn instant() -> Instant {
    Instant::now()
}

/// Times nearer than this, in seconds, are shown with seconds.
const SHOW_SECONDS_BELOW: i64 = 120;

/// A time in the zone of this computer, which is named; without the date if it is today.
pub(super) fn local(moment: Timestamp, now: Timestamp) -> String {
    let seconds = (moment.as_second() - now.as_second()).abs();
    let zone = zone();
    let (moment, now) = (moment.to_zoned(zone.clone()), now.to_zoned(zone));
    let pattern = match (moment.date() == now.date(), seconds < SHOW_SECONDS_BELOW) {
        (true, true) => "%H:%M:%S",
        (true, false) => "%H:%M",
        (false, true) => "%Y-%m-%d %H:%M:%S",
        (false, false) => "%Y-%m-%d %H:%M",
    };
    format!("{} {}", moment.strftime(pattern), moment.strftime("%Z"))
}

/// A time with its date in the zone of this computer, which is named.
pub(super) fn dated(moment: Timestamp) -> String {
    let moment = moment.to_zoned(zone());
    moment.strftime("%Y-%m-%d %H:%M:%S %Z").to_string()
}

/// A duration in its two largest units: `45 seconds`, `9 hours 12 minutes` or `3 days 4 hours`.
pub(super) fn duration(seconds: u64) -> String {
    let minutes = seconds.div_ceil(60);
    let hours = minutes.div_ceil(60);
    match (minutes, minutes % 60) {
        (..=1, _) if seconds < 60 => pluralize(seconds, "second"),
        (..60, _) => pluralize(minutes, "minute"),
        (..2_880, 0) => pluralize(minutes / 60, "hour"),
        (..2_880, rest) => {
            let hours = pluralize(minutes / 60, "hour");
            format!("{hours} {}", pluralize(rest, "minute"))
        }
        _ if hours.is_multiple_of(24) => pluralize(hours / 24, "day"),
        _ => {
            let days = pluralize(hours / 24, "day");
            format!("{days} {}", pluralize(hours % 24, "hour"))
        }
    }
}

/// The IANA name of the zone of this computer; `None` if it is UTC or has no name.
pub(super) fn zone_name() -> Option<String> {
    let zone = zone();
    let name = zone.iana_name()?;
    let is_utc = matches!(
        name,
        "UTC" | "Etc/UTC" | "Etc/GMT" | "GMT" | "Etc/Universal" | "Zulu"
    );
    (!is_utc).then(|| name.to_owned())
}

/// The zone of this computer; UTC if the computer has none.
fn zone() -> TimeZone {
    let zone = TimeZone::system();
    if zone.is_unknown() {
        TimeZone::UTC
    } else {
        zone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_just_across_midnight_has_its_date() {
        let midnight = jiff::civil::date(2026, 11, 30).to_zoned(zone()).unwrap();
        let at = |seconds| midnight.timestamp() + std::time::Duration::from_secs(seconds);
        let before = midnight.timestamp() - std::time::Duration::from_secs(20);
        assert!(local(at(10), before).starts_with("2026-11-30 00:00:10 "));
        assert!(local(at(30), at(10)).starts_with("00:00:30 "));
        assert!(local(before, at(10)).starts_with("2026-11-29 23:59:40 "));
    }

    #[test]
    fn a_duration_has_its_two_largest_units() {
        for (seconds, text) in [
            (1, "1 second"),
            (61, "2 minutes"),
            (3_600, "1 hour"),
            (33_120, "9 hours 12 minutes"),
            (172_800, "2 days"),
            (259_140, "3 days"),
            (180_000, "2 days 2 hours"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }
}
