//! The one place that reads the clocks. Everything below the command line takes time as an argument.

use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;

/// The wall clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the place where the wall clock is read and passed on"
)]
pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

/// The monotonic clock, for durations.
#[expect(
    clippy::disallowed_methods,
    reason = "the place where the monotonic clock is read and passed on"
)]
pub(super) fn instant() -> Instant {
    Instant::now()
}

/// Moments nearer than this are told to the second.
const NEAR: i64 = 120;

/// A moment as the person at this machine reads it: the time alone today, with the date otherwise.
pub(super) fn local(moment: Timestamp, now: Timestamp) -> String {
    let seconds = (moment.as_second() - now.as_second()).abs();
    let zone = TimeZone::system();
    let (moment, now) = (moment.to_zoned(zone.clone()), now.to_zoned(zone));
    let form = match (moment.date() == now.date(), seconds < NEAR) {
        (_, true) => "%H:%M:%S",
        (true, false) => "%H:%M",
        (false, false) => "%Y-%m-%d %H:%M",
    };
    moment.strftime(form).to_string()
}
