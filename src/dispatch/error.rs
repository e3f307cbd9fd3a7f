//! Errors that end a run of requests.

use jiff::Timestamp;

use crate::api::FatalResponse;
use crate::journal;

/// Why no more requests are sent. Rows without a recorded response stay pending.
#[derive(Debug, thiserror::Error)]
#[error("{self:?}")]
pub enum DispatchError {
    /// The quota is used up, and the run does not wait until then.
    QuotaUsedUp {
        /// When the next slot is free.
        until: Timestamp,
    },
    /// The time of `--until` was reached.
    DeadlineReached,
    /// The service asked for a longer pause than a run waits for.
    RateLimited {
        /// When requests are allowed again.
        until: Timestamp,
    },
    /// Several rows in succession got no usable response.
    Unreachable {
        /// The number of consecutive rows.
        rows: u32,
        /// Why the last one failed.
        reason: String,
    },
    /// The service's response ends the run.
    Service(FatalResponse),
    /// The user stopped the run.
    Interrupted,
    /// The journal cannot record, so nothing may be sent.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// Another request failed and ended the run.
    Closed,
}
