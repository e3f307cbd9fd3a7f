//! The clock of one process: the wall clock and the monotonic clock combined, so that time never runs backwards.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tokio::time::Instant;

use crate::model::Timeline;

/// The clock that all workers of a run read. Clones share it.
#[derive(Clone)]
pub struct Clock {
    wall: fn() -> Timestamp,
    started: Instant,
    timeline: Arc<Mutex<Timeline>>,
}

impl Clock {
    /// A clock that reads the wall clock through `wall`.
    pub fn new(wall: fn() -> Timestamp) -> Self {
        let started = Instant::now();
        let timeline = Timeline::new(wall(), started.elapsed());
        Self {
            wall,
            started,
            timeline: Arc::new(Mutex::new(timeline)),
        }
    }

    /// Returns the current time.
    pub fn now(&self) -> Timestamp {
        let wall = (self.wall)();
        // The timeline is a single value, so a panic elsewhere cannot leave it inconsistent.
        let mut timeline = self.timeline.lock().unwrap_or_else(PoisonError::into_inner);
        timeline.read(wall, self.started.elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Clock").finish_non_exhaustive()
    }
}
