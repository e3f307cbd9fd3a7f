//! How many requests a dispatcher has sent.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::ApiCall;

/// The requests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// POST requests sent.
    pub post: u64,
    /// GET requests sent.
    pub get: u64,
    /// Those of both that repeated a failed one.
    pub retried: u64,
    /// Responses with status 429.
    pub rate_limited: u64,
}

impl RequestCounts {
    /// All requests sent.
    pub fn total(self) -> u64 {
        self.post + self.get
    }
}

/// The counters behind [`RequestCounts`]. A request counts when it is sent, so that one whose response is no longer
/// awaited counts too.
#[derive(Debug, Default)]
pub(super) struct RequestCounters {
    post: AtomicU64,
    get: AtomicU64,
    retried: AtomicU64,
    rate_limited: AtomicU64,
}

impl RequestCounters {
    /// A request is sent, for the `attempt`th time.
    pub(super) fn sent(&self, call: ApiCall<'_>, attempt: u32) {
        for counter in self.counters(call, attempt) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// That request got no connection and was not sent after all.
    pub(super) fn not_sent(&self, call: ApiCall<'_>, attempt: u32) {
        for counter in self.counters(call, attempt) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// The service answered 429.
    pub(super) fn rate_limited(&self) {
        self.rate_limited.fetch_add(1, Ordering::Relaxed);
    }

    /// The counts so far.
    pub(super) fn read(&self) -> RequestCounts {
        RequestCounts {
            post: self.post.load(Ordering::Relaxed),
            get: self.get.load(Ordering::Relaxed),
            retried: self.retried.load(Ordering::Relaxed),
            rate_limited: self.rate_limited.load(Ordering::Relaxed),
        }
    }

    fn counters(&self, call: ApiCall<'_>, attempt: u32) -> impl Iterator<Item = &AtomicU64> {
        let method = match call {
            ApiCall::Create(_) => &self.post,
            ApiCall::Me | ApiCall::Read { .. } => &self.get,
        };
        std::iter::once(method).chain((attempt > 1).then_some(&self.retried))
    }
}
