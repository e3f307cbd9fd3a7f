//! One process's clock: the wall clock and tokio's monotonic one, joined so that time never runs backwards.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use tokio::time::Instant;

use crate::model::Timeline;

/// Tells the time to all workers of a run. Clones share it.
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
        let timeline = Timeline::starting(wall(), started.elapsed());
        Self {
            wall,
            started,
            timeline: Arc::new(Mutex::new(timeline)),
        }
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        let wall = (self.wall)();
        // A panic elsewhere leaves the timeline whole: it is one number.
        let mut timeline = self.timeline.lock().unwrap_or_else(PoisonError::into_inner);
        timeline.read(wall, self.started.elapsed())
    }
}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Clock").finish_non_exhaustive()
    }
}
