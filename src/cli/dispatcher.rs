//! Creates a dispatcher from the network flags.

use std::sync::Arc;

use rand::RngExt as _;

use crate::api::ApiClient;
use crate::cli::clock;
use crate::cli::context::Context;
use crate::cli::network::NetworkArgs;
use crate::dispatch::{
    Clock, DispatchEvent, DispatchLimits, Dispatcher, DispatcherConfig, QuotaWait,
};
use crate::journal::Journal;

/// What a dispatcher needs besides the network flags.
pub(super) struct DispatcherOptions {
    /// Where intents and responses are recorded.
    pub(super) journal: Arc<Journal>,
    /// The HTTP client.
    pub(super) client: ApiClient,
    /// What to do when the quota is used up.
    pub(super) quota_wait: QuotaWait,
    /// Receives the events.
    pub(super) report: Box<dyn Fn(DispatchEvent) + Send + Sync>,
}

/// Creates a dispatcher. Must be called in a runtime.
pub(super) fn dispatcher(
    context: &Context,
    network: &NetworkArgs,
    options: DispatcherOptions,
) -> Dispatcher {
    let (log, report) = (context.request_log.clone(), options.report);
    Dispatcher::new(DispatcherConfig {
        journal: options.journal,
        client: options.client,
        limits: DispatchLimits {
            share: network.quota.share(),
            max_rps: network.max_rps,
            concurrency: usize::from(network.concurrency),
            quota_wait: options.quota_wait,
        },
        clock: Clock::new(clock::now),
        seed: rand::rng().random(),
        stop: context.listener.stop(),
        report: Box::new(move |event| {
            if let DispatchEvent::Completed(request) = &event {
                log.record(request);
            }
            report(event);
        }),
    })
}
