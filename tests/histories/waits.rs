//! The waits of one run: the clock moves to their ends once the requests in flight are answered.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use jiff::Timestamp;

use super::virtual_time::pass_until;

/// How often other tasks may run before a request counts as lost.
const MOST_YIELDS: u32 = 100_000;

/// How often a run may wait: the longest import of the histories waits for some hundred slots.
const MOST_WAITS: u32 = 10_000;

/// The waits of one run.
#[derive(Debug, Default)]
pub(super) struct Waits {
    /// Requests that are sent and not answered.
    in_flight: AtomicUsize,
    /// Ends to which the clock is about to be moved.
    ends: Mutex<BTreeSet<Timestamp>>,
    begun: AtomicU32,
}

impl Waits {
    pub(super) fn sent(&self) {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn completed(&self) {
        self.in_flight.fetch_sub(1, Ordering::Relaxed);
    }

    /// The program waits until a time. A program that waits again and again without end fails here.
    pub(super) fn begin(self: &Arc<Self>, until: Timestamp) {
        let begun = self.begun.fetch_add(1, Ordering::Relaxed);
        assert!(begun < MOST_WAITS, "the run waits without end");
        if self.ends.lock().unwrap().insert(until) {
            tokio::spawn(Arc::clone(self).pass(until));
        }
    }

    /// Lets the time until `until` pass once the requests in flight are answered, so that they do not time out.
    async fn pass(self: Arc<Self>, until: Timestamp) {
        for _ in 0..MOST_YIELDS {
            if self.in_flight.load(Ordering::Relaxed) == 0 {
                break;
            }
            tokio::task::yield_now().await;
        }
        self.ends.lock().unwrap().remove(&until);
        pass_until(until).await;
    }
}
