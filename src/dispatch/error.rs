//! Errors that end a run of requests.

use jiff::Timestamp;

use crate::api::FatalResponse;
use crate::journal;
use crate::model::{pluralize, printable};

/// Why no more requests are sent. Rows without a recorded response stay pending.
#[derive(Debug, thiserror::Error)]
pub enum DispatchError {
    /// The quota is used up, and the run does not wait until then.
    #[error("{}", self.sentence(utc))]
    QuotaUsedUp {
        /// When the next slot is free.
        until: Timestamp,
    },
    /// The time of `--until` was reached.
    #[error("reached the time set with --until")]
    DeadlineReached,
    /// The service asked for a longer pause than a run waits for.
    #[error("{}", self.sentence(utc))]
    RateLimited {
        /// When requests are allowed again.
        until: Timestamp,
    },
    /// Several rows in succession got no usable response.
    #[error("no usable response from the service{}: {}", succession(*.rows), printable(.reason))]
    Unreachable {
        /// The number of consecutive rows.
        rows: u32,
        /// Why the last one failed.
        reason: String,
    },
    /// The service's response ends the run.
    #[error(transparent)]
    Service(FatalResponse),
    /// The user stopped the run.
    #[error("interrupted")]
    Interrupted,
    /// The journal cannot record, so nothing may be sent.
    #[error(transparent)]
    Journal(#[from] journal::Error),
    /// Another request failed and ended the run.
    #[error("another request ended the run")]
    Closed,
}

impl DispatchError {
    /// The error as a sentence, with times as `shown` writes them.
    pub fn sentence(&self, shown: impl Fn(Timestamp) -> String) -> String {
        match self {
            Self::QuotaUsedUp { until } => {
                format!("the quota is used up until {}", shown(*until))
            }
            Self::RateLimited { until } => {
                format!("the service asked to send nothing before {}", shown(*until))
            }
            other => other.to_string(),
        }
    }
}

fn utc(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M:%S UTC").to_string()
}

fn succession(rows: u32) -> String {
    match rows {
        1 => String::new(),
        rows => format!(
            " for {}; last error",
            pluralize(u64::from(rows), "consecutive row")
        ),
    }
}
