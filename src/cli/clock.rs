//! The one place that reads the clocks. Everything below the command line takes time as an argument.

use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::model::{Moment, Uptime};

/// The wall clock.
#[expect(
    clippy::disallowed_methods,
    reason = "the place where the wall clock is read and passed on"
)]
pub(super) fn now() -> Timestamp {
    Timestamp::now()
}

/// The wall clock, and how long the machine has been up.
pub(super) fn moment() -> Moment {
    Moment::read(now, uptime)
}

/// How long the machine has been up, asleep or not, where the system tells that from other starts.
#[cfg(target_os = "linux")]
pub(super) fn uptime() -> Option<Uptime> {
    use std::sync::LazyLock;
    use std::time::Duration;

    use rustix::time::{ClockId, clock_gettime};

    static BOOT: LazyLock<Option<u128>> = LazyLock::new(|| {
        let written = std::fs::read_to_string("/proc/sys/kernel/random/boot_id").ok()?;
        u128::from_str_radix(&written.trim().replace('-', ""), 16).ok()
    });
    let long = clock_gettime(ClockId::Boottime);
    Some(Uptime {
        boot: (*BOOT)?,
        long: Duration::try_from(long).ok()?,
    })
}

/// How long the machine has been up: not known here.
#[cfg(not(target_os = "linux"))]
pub(super) fn uptime() -> Option<Uptime> {
    None
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
