//! The progress of an import: a status line, and the rows of the canary.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::end_of_windows;
use crate::dispatch::DispatchEvent;
use crate::import::{ImportSchedule, RowResult};
use crate::model::{Outcome, OutcomeCounts, QuotaShare, nonzero_counts, pluralize};

/// The progress, shared by the dispatcher, which reports waits, and the submission, which reports outcomes.
#[derive(Clone, Debug)]
pub(super) struct ImportProgress(Arc<Mutex<ImportProgressState>>);

#[derive(Debug)]
struct ImportProgressState {
    console: Console,
    progress: ProgressLine,
    share: QuotaShare,
    started_at: Timestamp,
    total: u64,
    done: u64,
    /// Number of requests that were sent, and whose outcome is not counted yet.
    uncounted: u64,
    /// Number of requests that can be sent before one has to wait.
    left: usize,
    /// The end of the run by its schedule.
    scheduled_end: Timestamp,
    /// The end of the run if only the quota limits it.
    ends_at: Timestamp,
    outcomes: OutcomeCounts,
    /// Number of rows of the canary that are still to be shown.
    canary: u64,
}

impl ImportProgress {
    /// Starts to show the progress of `total` rows.
    pub(super) fn new(
        console: &Console,
        total: u64,
        share: QuotaShare,
        schedule: &ImportSchedule,
    ) -> Self {
        Self(Arc::new(Mutex::new(ImportProgressState {
            console: console.clone(),
            progress: ProgressLine::start(console, Some(total)),
            share,
            started_at: clock::now(),
            total,
            done: 0,
            uncounted: 0,
            left: 0,
            scheduled_end: schedule.finishes_at,
            ends_at: schedule.finishes_at,
            outcomes: OutcomeCounts::default(),
            canary: 0,
        })))
    }

    /// Prints the first `rows` rows with their addresses.
    pub(super) fn show_canary(&self, rows: u64) {
        self.state().canary = rows;
    }

    /// Shows an event of the dispatcher.
    pub(super) fn event(&self, event: &DispatchEvent) {
        let mut state = self.state();
        let waits = state.progress.event(event);
        match event {
            DispatchEvent::Sent { left } => {
                state.left = *left;
                state.uncounted += 1;
            }
            DispatchEvent::Waiting { until, .. } => state.ends_at = state.ends_after(*until),
            DispatchEvent::Completed(request) if request.row.is_some() => {}
            DispatchEvent::Completed(_)
            | DispatchEvent::Retrying { .. }
            | DispatchEvent::RateLimited => state.uncounted = state.uncounted.saturating_sub(1),
        }
        // Otherwise the outcome of a row draws soon.
        if waits {
            state.draw();
        }
    }

    /// Shows the outcome of a row.
    pub(super) fn row(&self, result: &RowResult<'_>) {
        let mut state = self.state();
        if result.outcome != Outcome::Pending {
            state.done += 1;
        }
        state.uncounted = state.uncounted.saturating_sub(1);
        state.outcomes = result.rows.outcomes();
        state.show(result);
        state.draw();
    }

    fn state(&self) -> MutexGuard<'_, ImportProgressState> {
        // After a panic in another thread the state is still complete, and the run matters more.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ImportProgressState {
    fn show(&mut self, result: &RowResult<'_>) {
        if self.canary == 0 {
            return;
        }
        self.canary -= 1;
        let placed = result.measurement.map(|measurement| {
            let link = measurement.request.url.as_deref().unwrap_or_default();
            format!(": {} {link}", measurement.address.geocoded_line())
        });
        self.console.note(&format!(
            "row {}: {}{}",
            result.row,
            result.outcome.name(),
            placed.unwrap_or_default()
        ));
    }

    fn draw(&mut self) {
        let now = clock::now();
        if self.uncounted > 0 && self.progress.prints_wait() || !self.progress.is_shown(now) {
            return;
        }
        let shown = [
            Outcome::Created,
            Outcome::Existing,
            Outcome::Refused,
            Outcome::Conflict,
        ];
        let counts = shown.map(|outcome| (self.outcomes.count(outcome), outcome.name()));
        let left = pluralize(self.left as u64, "request");
        let state = format!("{left} left of the quota");
        let finishes = ("finishes", self.estimated_end(now));
        self.progress.set_finish(Some(finishes));
        let counts = nonzero_counts(counts, ", ");
        self.progress.update_counts(self.done, &state, counts);
    }

    fn remaining(&self) -> u64 {
        self.total.saturating_sub(self.done)
    }

    /// When the remaining rows are sent, if the next is sent at `next` and the quota limits the rate.
    fn ends_after(&self, next: Timestamp) -> Timestamp {
        let end = end_of_windows(self.remaining(), next, self.share);
        // The slots may become available one after the other, which the schedule knows.
        end.max(self.scheduled_end)
    }

    /// The estimated end: by the quota, or else by the rate of the rows so far.
    fn estimated_end(&self, now: Timestamp) -> Timestamp {
        if self.ends_at > now || self.done == 0 {
            return self.ends_at.max(now);
        }
        let so_far = now.duration_since(self.started_at).unsigned_abs();
        let left = u32::try_from(self.remaining()).unwrap_or(u32::MAX);
        let done = u32::try_from(self.done).unwrap_or(u32::MAX);
        let long = so_far.saturating_mul(left) / done;
        now.checked_add(long).unwrap_or(Timestamp::MAX)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::cli::document::RunDocument;
    use crate::cli::output_style::OutputStyle;
    use crate::import::schedule;
    use crate::journal::WaitReason;
    use crate::model::{Rate, SlotOpenings};

    #[test]
    fn a_wait_for_the_first_of_staggered_slots_keeps_the_end_by_the_last() {
        let window = Duration::from_mins(1);
        let share = QuotaShare {
            rate: Rate { count: 30, window },
            reserve: 0,
        };
        let now = Timestamp::constant(1_800_000_000, 0);
        let opens_at = |slot: u32| now + window + Duration::from_secs(1) * slot;
        let openings = SlotOpenings::new(0, now, (0..30).map(opens_at));
        let schedule = schedule(60, &openings, share, now);
        assert_eq!(schedule.finishes_at, opens_at(29) + window);
        let style = OutputStyle {
            without_bars: true,
            ..OutputStyle::default()
        };
        let console = Console::new(style, RunDocument::from_line(&[], |_| false));
        let progress = ImportProgress::new(&console, 60, share, &schedule);
        let wait_until = |until| {
            let because = WaitReason::QuotaUsedUp;
            progress.event(&DispatchEvent::Waiting { until, because });
            progress.state().ends_at
        };
        assert_eq!(wait_until(opens_at(0)), schedule.finishes_at);
        // A limit that the service reports moves the end.
        let later = opens_at(29) + window;
        assert_eq!(wait_until(later), later + window);
    }
}
