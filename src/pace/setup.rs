//! What a line is made of.

use std::sync::Arc;

use jiff::Timestamp;

use crate::api::Client;
use crate::journal::Journal;
use crate::model::Share;
use crate::pace::{Clock, Event, StopSignal};

/// How hard the service is leaned on.
#[derive(Clone, Copy, Debug)]
pub struct Pacing {
    /// How much of the quota is ours.
    pub share: Share,
    /// Requests a second at most.
    pub max_rps: Option<f64>,
    /// Requests on the wire at once at most.
    pub concurrency: usize,
    /// What happens when the budget is spent.
    pub patience: Patience,
}

/// What happens when the budget is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Patience {
    /// Wait for the next slot, however long.
    Wait,
    /// Stop, unless the service itself asks for a short pause.
    NoWait,
    /// Wait, but send nothing from then on.
    Until(Timestamp),
}

/// All that a line is made of.
#[expect(
    missing_debug_implementations,
    reason = "what hears the events cannot be shown"
)]
pub struct Setup {
    /// Where intents and answers are written.
    pub journal: Arc<Journal>,
    /// Where requests go.
    pub client: Client,
    /// How hard the service is leaned on.
    pub pacing: Pacing,
    /// The time.
    pub clock: Clock,
    /// Chance, for the jitter of retries.
    pub seed: u64,
    /// The user's wish to stop.
    pub stop: StopSignal,
    /// Hears what happens.
    pub report: Box<dyn Fn(Event) + Send + Sync>,
}
