//! The steps of an export that use the network, with their progress.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::api::ApiClient;
use crate::cli::clock;
use crate::cli::dispatcher::{config, logged};
use crate::cli::export::ExportCommand;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::{RunWait, end_of_windows};
use crate::dispatch::{DispatchEvent, Dispatcher, QuotaWait};
use crate::export::{CompletionPeriod, CompletionWait, Error, ExportRun, RefreshProgress};
use crate::import::schedule;
use crate::journal::MeasurementState;
use crate::model::QuotaShare;

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
            let period_end = self.period.and_then(CompletionPeriod::end);
            (CompletionWait::UntilFinal { period_end }, QuotaWait::Wait)
        } else {
            (CompletionWait::Once, QuotaWait::NoWait)
        };
        let total = candidates.len() as u64;
        let share = network.quota.share();
        let now = clock::now();
        let openings = run.journal().window(now, share)?.openings;
        let mut line = ProgressLine::start(&self.context.console, Some(total));
        line.update(0, "requested again");
        let display = Arc::new(Mutex::new(RefreshDisplay {
            line,
            left: total,
            scheduled_end: schedule(total, &openings, share, now).finishes_at,
        }));
        let events = Arc::clone(&display);
        let mut config = config(self.context, network, Arc::clone(run.journal()), client);
        config.limits.quota_wait = quota_wait;
        config.report = logged(self.context, move |event| {
            locked(&events).event(&event, share);
        });
        let dispatcher = Dispatcher::new(config);
        let progress = |progress| locked(&display).progress(progress, total);
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

/// The display of a refresh.
struct RefreshDisplay {
    line: ProgressLine,
    /// Number of requests of the first round without a response.
    left: u64,
    /// When the last of them is sent, by the quota at the start.
    scheduled_end: Timestamp,
}

impl RefreshDisplay {
    fn event(&mut self, event: &DispatchEvent, share: QuotaShare) {
        if let DispatchEvent::Waiting { until, .. } = event
            && self.left > 0
        {
            let end = end_of_windows(self.left, *until, share).max(self.scheduled_end);
            self.line.set_finish(Some(("first round finishes", end)));
        }
        self.line.event(event);
        self.line.redraw();
    }

    fn progress(&mut self, progress: RefreshProgress, requests: u64) {
        match progress {
            RefreshProgress::Answered(done) => {
                self.left = requests.saturating_sub(done);
                self.line.update(done, "requested again");
            }
            RefreshProgress::Pausing { until } => {
                self.left = 0;
                self.line.set_finish(None);
                self.line.pause(until, RunWait::Measurements);
                self.line.redraw();
            }
            RefreshProgress::Final { done, total } => {
                self.line.set_total(total);
                self.line.update(done, "final measurements");
            }
        }
    }
}

/// The display, which the dispatcher and the refresh share. A panic elsewhere must not end the run because of it.
fn locked(display: &Mutex<RefreshDisplay>) -> MutexGuard<'_, RefreshDisplay> {
    display.lock().unwrap_or_else(PoisonError::into_inner)
}
