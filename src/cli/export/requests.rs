//! The steps of an export that use the network, with their progress.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::api::ApiClient;
use crate::cli::dispatcher::{config, logged};
use crate::cli::export::ExportCommand;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::FOR_MEASUREMENTS;
use crate::dispatch::{Dispatcher, QuotaWait};
use crate::export::{CompletionWait, Error, ExportRun, RefreshProgress};
use crate::journal::MeasurementState;

impl ExportCommand<'_> {
    /// Requests measurements again.
    pub(super) async fn refresh(
        &self,
        run: &mut ExportRun<'_>,
        client: ApiClient,
        candidates: &[MeasurementState],
    ) -> Result<(), Error> {
        let network = &self.args.network;
        let (wait, quota_wait) = if self.args.wait_complete {
            let period_end = self.args.known_period().and_then(|period| period.end());
            (CompletionWait::UntilFinal { period_end }, QuotaWait::Wait)
        } else {
            (CompletionWait::Once, QuotaWait::NoWait)
        };
        let total = candidates.len() as u64;
        let mut display = ProgressLine::start(&self.context.console, Some(total));
        display.update(0, "requested again");
        let display = Arc::new(Mutex::new(display));
        let events = Arc::clone(&display);
        let mut config = config(self.context, network, Arc::clone(run.journal()), client);
        config.limits.quota_wait = quota_wait;
        config.report = logged(self.context, move |event| {
            let mut display = locked(&events);
            display.event(&event);
            display.redraw();
        });
        let dispatcher = Dispatcher::new(config);
        let progress = |progress| {
            let mut display = locked(&display);
            match progress {
                RefreshProgress::Answered(done) => display.update(done, "requested again"),
                RefreshProgress::Pausing { until } => {
                    display.pause(until, FOR_MEASUREMENTS);
                    display.redraw();
                }
                RefreshProgress::Final { done, total } => {
                    display.set_total(total);
                    display.update(done, "final measurements");
                }
            }
        };
        run.refresh(&dispatcher, candidates, wait, progress).await
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

/// The display, which the dispatcher and the refresh share. A panic elsewhere must not end the run because of it.
fn locked(display: &Mutex<ProgressLine>) -> MutexGuard<'_, ProgressLine> {
    display.lock().unwrap_or_else(PoisonError::into_inner)
}
