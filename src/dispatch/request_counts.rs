//! The number of requests that a dispatcher has sent.

use serde::{Serialize, Serializer};

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

impl Serialize for RequestCounts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map([
            ("total", self.total()),
            ("post", self.post),
            ("get", self.get),
            ("retried", self.retried),
            ("rate_limited", self.rate_limited),
        ])
    }
}

impl RequestCounts {
    /// Returns the number of all requests sent.
    pub fn total(self) -> u64 {
        self.post + self.get
    }

    /// Counts an attempt when it is sent, so that one whose response is no longer awaited counts too.
    pub(super) fn sent(&mut self, call: ApiCall<'_>, attempt: u32) {
        *self.of_method(call) += 1;
        self.retried += u64::from(attempt > 1);
    }

    /// Removes a counted attempt that was not sent, because there was no connection.
    pub(super) fn not_sent(&mut self, call: ApiCall<'_>, attempt: u32) {
        *self.of_method(call) -= 1;
        self.retried -= u64::from(attempt > 1);
    }

    fn of_method(&mut self, call: ApiCall<'_>) -> &mut u64 {
        match call {
            ApiCall::Create(_) => &mut self.post,
            ApiCall::Me | ApiCall::Read { .. } => &mut self.get,
        }
    }
}
