//! The configuration of a dispatcher.

use std::sync::Arc;

use jiff::Timestamp;

use crate::api::ApiClient;
use crate::dispatch::{Clock, DispatchEvent, StopSignal};
use crate::journal::Journal;
use crate::model::QuotaShare;

/// Limits on what is sent, and when.
#[derive(Clone, Copy, Debug)]
pub struct DispatchLimits {
    /// The part of the quota that this program may use.
    pub share: QuotaShare,
    /// Maximum number of requests per second.
    pub max_rps: Option<f64>,
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
    /// What to do when the quota is used up.
    pub quota_wait: QuotaWait,
}

/// What to do when the quota is used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuotaWait {
    /// Wait for the next slot, however long.
    Wait,
    /// Stop, unless the service asks for a short pause.
    NoWait,
    /// Wait, but send nothing at or after this time.
    Until(Timestamp),
}

/// The parts and settings of a dispatcher.
#[expect(
    missing_debug_implementations,
    reason = "the event handler is a closure and cannot be shown"
)]
pub struct DispatcherConfig {
    /// Where intents and responses are recorded.
    pub journal: Arc<Journal>,
    /// The HTTP client.
    pub client: ApiClient,
    /// Limits on what is sent, and when.
    pub limits: DispatchLimits,
    /// The clock.
    pub clock: Clock,
    /// Seed of the random numbers, for the jitter of retries.
    pub seed: u64,
    /// Signals when the user stops the run.
    pub stop: StopSignal,
    /// Called with each progress event.
    pub report: Box<dyn Fn(DispatchEvent) + Send + Sync>,
}
