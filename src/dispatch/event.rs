//! Progress events of a dispatcher, for display.

use std::time::Duration;

use jiff::Timestamp;

use crate::dispatch::CompletedRequest;
use crate::journal::WaitReason;

/// Progress of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchEvent {
    /// No request is sent before `until`.
    Waiting {
        /// When sending resumes.
        until: Timestamp,
        /// Why it waits.
        because: WaitReason,
    },
    /// A request is about to be sent.
    Sent {
        /// The number of requests that may follow without waiting.
        left: usize,
    },
    /// A request ended, with or without a response.
    Completed(CompletedRequest),
    /// A request failed and will be repeated.
    Retrying {
        /// The delay before the next attempt.
        after: Duration,
        /// Why it failed.
        reason: String,
    },
    /// The service answered 429.
    RateLimited,
}
