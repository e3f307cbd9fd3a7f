//! A monotonic time line that follows the wall clock.
//!
//! The monotonic clock may stop while the machine is suspended; the wall clock then jumps ahead on resume, and the time
//! line follows it. If the wall clock is set back, the time line continues with the monotonic clock. If it is then set
//! forward by the same amount, the time line does not change, because only the largest lead of the wall clock counts.

use std::time::Duration;

use jiff::Timestamp;

/// The time line of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The wall clock's time at the monotonic clock's zero, when the wall clock was furthest ahead.
    origin: Timestamp,
}

impl Timeline {
    /// Starts a time line at `wall`, when the monotonic clock shows `elapsed`.
    pub fn new(wall: Timestamp, elapsed: Duration) -> Self {
        Self {
            origin: wall - elapsed,
        }
    }

    /// Returns the time at which the wall clock shows `wall` and the monotonic clock shows `elapsed`.
    pub fn read(&mut self, wall: Timestamp, elapsed: Duration) -> Timestamp {
        self.origin = self.origin.max(wall - elapsed);
        self.origin + elapsed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn a_wall_clock_set_back_takes_nothing_away() {
        let mut timeline = Timeline::new(START, seconds(0));
        let set_back = START - seconds(3600);
        assert_eq!(timeline.read(set_back, seconds(10)), START + seconds(10));
        let restored = START + seconds(20);
        assert_eq!(timeline.read(restored, seconds(20)), restored);
    }

    #[test]
    fn time_asleep_has_passed() {
        let mut timeline = Timeline::new(START, seconds(5));
        let awake = START + seconds(8 * 3600);
        assert_eq!(timeline.read(awake, seconds(6)), awake);
        assert_eq!(
            timeline.read(awake + seconds(1), seconds(7)),
            awake + seconds(1)
        );
    }
}
