//! A moment by two clocks: the wall clock, which may be set, and the one that runs from the machine's start, asleep or
//! not, where the system has one.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

/// When something happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// By the wall clock.
    pub at: Timestamp,
    /// By the other one; none where the system has none.
    pub uptime: Option<Uptime>,
}

/// How long the machine has been up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uptime {
    /// Tells this start of the machine from every other.
    pub boot: u128,
    /// Since then, with the time asleep.
    pub long: Duration,
}

/// When the machine started, by the wall clock as it is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Boot {
    /// Tells this start of the machine from every other.
    pub id: u128,
    /// By the wall clock.
    pub at: Timestamp,
}

/// Two readings further apart are not of one moment: the process was kept waiting in between.
const TOGETHER: Duration = Duration::from_millis(5);

/// How often both clocks are read until they are of one moment.
const READINGS: usize = 4;

impl Moment {
    /// Reads both clocks. Where they cannot be read together the wall clock stands alone, for one of them being late
    /// would look as if the wall clock were set.
    pub fn read(wall: impl Fn() -> Timestamp, uptime: impl Fn() -> Option<Uptime>) -> Self {
        for _ in 0..READINGS {
            let (before, at, after) = (uptime(), wall(), uptime());
            let apart = before
                .zip(after)
                .map(|(a, b)| b.long.saturating_sub(a.long));
            if apart.is_some_and(|apart| apart <= TOGETHER) {
                return Self { at, uptime: before };
            }
        }
        Self::wall(wall())
    }

    /// A moment by the wall clock alone.
    pub fn wall(at: Timestamp) -> Self {
        Self { at, uptime: None }
    }

    /// When the machine started, were the wall clock always as it is set.
    pub fn boot(self) -> Option<Boot> {
        self.uptime.map(|uptime| Boot {
            id: uptime.boot,
            at: self.at - uptime.long,
        })
    }
}

impl Boot {
    /// How far the wall clock was set ahead since it showed `earlier`; none where the machine started anew.
    pub fn set_since(self, earlier: Self) -> Option<SignedDuration> {
        (self.id == earlier.id).then(|| self.at.duration_since(earlier.at))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

    /// Reads clocks that run on by such steps, in milliseconds, from one look to the next.
    fn read(steps: &[u64]) -> Moment {
        let (now, looks) = (Cell::new(Duration::ZERO), Cell::new(0));
        let look = || {
            let step = steps.get(looks.replace(looks.get() + 1)).copied();
            now.set(now.get() + Duration::from_millis(step.unwrap_or_default()));
            now.get()
        };
        let uptime = || {
            let long = look();
            Some(Uptime { boot: 7, long })
        };
        Moment::read(|| START + look(), uptime)
    }

    #[test]
    fn a_reading_that_was_kept_waiting_is_taken_again() {
        for steps in [&[0, 0, 0][..], &[0, 900, 0], &[0, 0, 900], &[900, 1, 1]] {
            let boot = read(steps).boot().unwrap();
            let late = boot.at.duration_since(START).abs();
            assert!(late <= SignedDuration::from_millis(5), "{steps:?}");
        }
    }

    #[test]
    fn where_the_clocks_are_never_read_together_the_wall_clock_stands_alone() {
        assert_eq!(read(&[90; 20]).uptime, None);
    }
}
