//! How many requests a line has sent.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::Call;

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

/// Counts while workers send. A request counts from when it leaves, so that one whose answer nobody waits for any more
/// counts too.
#[derive(Debug, Default)]
pub(super) struct Counters {
    post: AtomicU64,
    get: AtomicU64,
    retried: AtomicU64,
    rate_limited: AtomicU64,
}

impl Counters {
    /// A request leaves, for the `attempt`th time.
    pub(super) fn leaves(&self, call: Call<'_>, attempt: u32) {
        for counter in self.all_of(call, attempt) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// It found no connection to leave by.
    pub(super) fn stayed(&self, call: Call<'_>, attempt: u32) {
        for counter in self.all_of(call, attempt) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The service answered 429.
    pub(super) fn limited(&self) {
        self.rate_limited.fetch_add(1, Ordering::Relaxed);
    }

    /// What was counted so far.
    pub(super) fn read(&self) -> Tally {
        Tally {
            post: self.post.load(Ordering::Relaxed),
            get: self.get.load(Ordering::Relaxed),
            retried: self.retried.load(Ordering::Relaxed),
            rate_limited: self.rate_limited.load(Ordering::Relaxed),
        }
    }

    fn all_of(&self, call: Call<'_>, attempt: u32) -> impl Iterator<Item = &AtomicU64> {
        let kind = match call {
            Call::Create(_) => &self.post,
            Call::Me | Call::Read { .. } => &self.get,
        };
        std::iter::once(kind).chain((attempt > 1).then_some(&self.retried))
    }
}
