//! The line to the service that a command's flags ask for.

use std::sync::Arc;

use rand::RngExt as _;

use crate::api::Client;
use crate::cli::clock;
use crate::cli::network::Network;
use crate::journal::Journal;
use crate::model::Share;
use crate::pace::{Clock, Event, Line, Pacing, Patience, Setup, StopSignal};

/// How much of the quota is ours.
pub(super) fn share(network: &Network) -> Share {
    Share {
        rate: network.rate,
        reserve: network.reserve,
    }
}

/// What a line is to be, besides its flags.
pub(super) struct Wish {
    /// Where intents and answers are written.
    pub(super) journal: Arc<Journal>,
    /// Where requests go.
    pub(super) client: Client,
    /// What happens when the budget is spent.
    pub(super) patience: Patience,
    /// The user's wish to stop.
    pub(super) stop: StopSignal,
    /// Hears what happens.
    pub(super) report: Box<dyn Fn(Event) + Send + Sync>,
}

/// A line; nothing is sent yet. Needs a runtime.
pub(super) fn line(network: &Network, wish: Wish) -> Line {
    Line::new(Setup {
        journal: wish.journal,
        client: wish.client,
        pacing: Pacing {
            share: share(network),
            max_rps: network.max_rps,
            concurrency: usize::from(network.concurrency),
            patience: wish.patience,
        },
        clock: Clock::new(clock::now, clock::uptime),
        seed: rand::rng().random(),
        stop: wish.stop,
        report: wish.report,
    })
}
