//! The steps of an export that use the network, with their progress.

use std::sync::Arc;

use crate::cli::connection::AuthorizedClient;
use crate::cli::dispatcher::{DispatcherOptions, dispatcher};
use crate::cli::export::ExportCommand;
use crate::cli::export::progress::ExportProgress;
use crate::cli::progress::ProgressLine;
use crate::dispatch::QuotaWait;
use crate::export::{
    CompletionWait, Error, ExportRun, RefreshCandidate, RefreshConnection, RefreshProgress,
};

impl ExportCommand<'_> {
    /// Requests measurements again.
    pub(super) async fn refresh(
        &self,
        run: &mut ExportRun<'_>,
        authorized: &AuthorizedClient,
        candidates: &[RefreshCandidate],
    ) -> Result<(), Error> {
        let network = &self.args.network;
        let (wait, quota_wait) = if self.args.wait_complete {
            (CompletionWait::UntilFinal, QuotaWait::Wait)
        } else {
            (CompletionWait::Once, QuotaWait::NoWait)
        };
        let total = candidates.len() as u64;
        let display = ExportProgress::new(&self.context.console, total);
        let events = display.clone();
        let options = DispatcherOptions {
            journal: Arc::clone(run.journal()),
            client: authorized.client.clone(),
            quota_wait,
            stop: self.context.listener.stop(),
            log: self.context.request_log.clone(),
            report: Box::new(move |event| events.event(&event)),
        };
        let connection = RefreshConnection {
            dispatcher: &dispatcher(network, options),
            token: &authorized.token,
            concurrency: usize::from(network.concurrency),
        };
        let progress = |progress| match progress {
            RefreshProgress::Answered(done) => display.done(done, total, "requested again"),
            RefreshProgress::Pausing { until } => display.pause(until),
            RefreshProgress::Final { done, total } => {
                display.done(done, total, "measurements are final");
            }
        };
        run.refresh(connection, candidates, wait, progress).await
    }

    /// Downloads images.
    pub(super) async fn fetch_images(&self, run: &mut ExportRun<'_>) -> Result<(), Error> {
        let network = &self.args.network;
        let mut display = None;
        let progress = |done, total| {
            let console = &self.context.console;
            display
                .get_or_insert_with(|| ProgressLine::start(console, Some(total)))
                .update(done, "images");
        };
        let concurrency = usize::from(network.concurrency);
        run.fetch_images(network.timeouts(), concurrency, progress)
            .await
    }
}
