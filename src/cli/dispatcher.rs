//! The configuration of a dispatcher, from the network flags.

use std::sync::Arc;

use rand::RngExt as _;

use crate::api::ApiClient;
use crate::cli::clock;
use crate::cli::context::Context;
use crate::cli::network::NetworkArgs;
use crate::dispatch::{Clock, DispatchEvent, DispatchLimits, DispatcherConfig, QuotaWait};
use crate::journal::Journal;

/// A configuration that does not wait for the quota, and logs the requests.
pub(super) fn config(
    context: &Context,
    network: &NetworkArgs,
    journal: Arc<Journal>,
    client: ApiClient,
) -> DispatcherConfig {
    DispatcherConfig {
        journal,
        client,
        limits: DispatchLimits {
            share: network.quota.share(),
            max_rps: network.max_rps,
            concurrency: usize::from(network.concurrency),
            quota_wait: QuotaWait::NoWait,
        },
        clock: Clock::new(clock::now),
        seed: rand::rng().random(),
        stop: context.listener.stop(),
        report: logged(context, |_| {}),
    }
}

/// Logs the requests, and reports every event.
pub(super) fn logged(
    context: &Context,
    report: impl Fn(DispatchEvent) + Send + Sync + 'static,
) -> Box<dyn Fn(DispatchEvent) + Send + Sync> {
    let log = context.request_log.clone();
    Box::new(move |event| {
        if let DispatchEvent::Completed(request) = &event {
            log.record(request);
        }
        report(event);
    })
}
