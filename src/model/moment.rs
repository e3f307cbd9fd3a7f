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

impl Moment {
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
