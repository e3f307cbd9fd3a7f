//! Time that never runs backwards, from a wall clock that may jump and a monotonic one that may sleep.
//!
//! A suspended machine stops the monotonic clock and the wall clock jumps ahead at waking: that time has passed. A wall
//! clock that is set back takes nothing away: the monotonic clock goes on. Set forward again by as much, it adds
//! nothing either, for only the furthest that the wall clock was ever ahead counts.

use std::time::Duration;

use jiff::Timestamp;

/// One process's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// When the monotonic clock stood at nothing, by the wall clock at its furthest.
    origin: Timestamp,
}

impl Timeline {
    /// Starts at `wall`, `elapsed` after the monotonic clock's own beginning.
    pub fn starting(wall: Timestamp, elapsed: Duration) -> Self {
        Self {
            origin: wall - elapsed,
        }
    }

    /// The time when the wall clock shows `wall` and the monotonic clock `elapsed`.
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
        let mut timeline = Timeline::starting(START, seconds(0));
        let set_back = START - seconds(3600);
        assert_eq!(timeline.read(set_back, seconds(10)), START + seconds(10));
        let restored = START + seconds(20);
        assert_eq!(timeline.read(restored, seconds(20)), restored);
    }

    #[test]
    fn time_asleep_has_passed() {
        let mut timeline = Timeline::starting(START, seconds(5));
        let awake = START + seconds(8 * 3600);
        assert_eq!(timeline.read(awake, seconds(6)), awake);
        assert_eq!(
            timeline.read(awake + seconds(1), seconds(7)),
            awake + seconds(1)
        );
    }
}
