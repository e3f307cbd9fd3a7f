//! How many requests a line has sent.

use std::sync::atomic::{AtomicU64, Ordering};

/// Requests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// POST requests that left.
    pub post: u64,
    /// GET requests that left.
    pub get: u64,
    /// Those of both that repeated a failed one.
    pub retried: u64,
    /// Answers of 429.
    pub rate_limited: u64,
}

impl Tally {
    /// All requests that left.
    pub fn total(self) -> u64 {
        self.post + self.get
    }
}

/// Counts while workers send.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) post: AtomicU64,
    pub(super) get: AtomicU64,
    pub(super) retried: AtomicU64,
    pub(super) rate_limited: AtomicU64,
}

impl Counters {
    pub(super) fn read(&self) -> Tally {
        Tally {
            post: self.post.load(Ordering::Relaxed),
            get: self.get.load(Ordering::Relaxed),
            retried: self.retried.load(Ordering::Relaxed),
            rate_limited: self.rate_limited.load(Ordering::Relaxed),
        }
    }
}

/// Counts one more.
pub(super) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}
