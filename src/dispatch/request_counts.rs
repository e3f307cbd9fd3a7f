//! The number of requests that a dispatcher has sent.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::api::ApiCall;

/// The numbers of requests of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestCounts {
    /// POST requests sent.
    pub post: u64,
    /// GET requests sent.
    pub get: u64,
    /// Requests of both methods that repeated a failed one.
    pub retried: u64,
    /// Responses with status 429.
    pub rate_limited: u64,
}

impl RequestCounts {
    /// Returns the number of all requests sent.
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
    /// Counts a request when its attempt with this number is sent.
    pub(super) fn sent(&self, call: ApiCall<'_>, attempt: u32) {
        for counter in self.counters(call, attempt) {
            counter.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Removes a counted request that was not sent, because there was no connection.
    pub(super) fn not_sent(&self, call: ApiCall<'_>, attempt: u32) {
        for counter in self.counters(call, attempt) {
            counter.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// Counts a 429 response.
    pub(super) fn rate_limited(&self) {
        self.rate_limited.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the counts so far.
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
