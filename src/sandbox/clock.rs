//! The sandbox's clock: the system clock plus an offset that tests advance.

use std::sync::Mutex;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// A clock that can be advanced but not set back.
#[derive(Debug, Default)]
pub(super) struct Clock {
    ahead: Mutex<Duration>,
}

impl Clock {
    /// The time in microseconds, the resolution of the JSON, so that stored and answered times are equal.
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place where the sandbox reads the clock; all else is given the time"
    )]
    pub(super) fn now(&self) -> Timestamp {
        let ahead = *self.ahead.lock().expect("no holder of this lock panics");
        let ahead = SignedDuration::try_from(ahead).unwrap_or(SignedDuration::MAX);
        let now = Timestamp::now()
            .saturating_add(ahead)
            .expect("a duration without calendar units always adds");
        Timestamp::from_microsecond(now.as_microsecond()).expect("a time that was one stays one")
    }

    /// Moves the clock forward.
    pub(super) fn advance(&self, by: Duration) {
        let mut ahead = self.ahead.lock().expect("no holder of this lock panics");
        *ahead = ahead.saturating_add(by);
    }
}
