//! What a dispatcher reports while it works, for progress display.

use std::time::Duration;

use jiff::Timestamp;

use crate::journal::WaitReason;

/// Progress of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DispatchEvent {
    /// No request is sent before `until`.
    Waiting {
        /// When sending resumes.
        until: Timestamp,
        /// What it waits for.
        because: WaitReason,
    },
    /// A request is about to be sent.
    Sent {
        /// Requests that may follow without a wait.
        left: usize,
    },
    /// A request failed and will be repeated.
    Retrying {
        /// The delay before that.
        after: Duration,
        /// Why it failed.
        reason: String,
    },
    /// The service answered 429.
    RateLimited {
        /// The `Retry-After` of the response.
        retry_after: Option<Duration>,
    },
}
