//! What a line tells while it works, for whoever draws.

use std::time::Duration;

use jiff::Timestamp;

use crate::journal::Because;

/// Something a person may want to know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing leaves before then.
    Waiting {
        /// When it goes on.
        until: Timestamp,
        /// Whose wish that is.
        because: Because,
    },
    /// A request left.
    Sent {
        /// Requests that may follow before one has to wait.
        left: usize,
    },
    /// It will be tried again.
    Retrying {
        /// After so long.
        after: Duration,
        /// Why.
        reason: String,
    },
    /// The service answered 429.
    Limited {
        /// As it asked.
        retry_after: Option<Duration>,
    },
}
