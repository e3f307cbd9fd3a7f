//! The progress display while measurements are requested again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::cli::console::Console;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::FOR_MEASUREMENTS;
use crate::dispatch::DispatchEvent;

/// Shared by the dispatcher, which reports waits, and the refresh, which reports progress.
#[derive(Clone, Debug)]
pub(super) struct ExportProgress(Arc<Mutex<ExportProgressState>>);

#[derive(Debug)]
struct ExportProgressState {
    progress: ProgressLine,
    done: u64,
    words: &'static str,
}

impl ExportProgress {
    /// Starts the display of a refresh of `total` measurements.
    pub(super) fn new(console: &Console, total: u64) -> Self {
        Self(Arc::new(Mutex::new(ExportProgressState {
            progress: ProgressLine::start(console, Some(total)),
            done: 0,
            words: "requested again",
        })))
    }

    /// Shows an event of the dispatcher.
    pub(super) fn event(&self, event: &DispatchEvent) {
        let mut state = self.state();
        state.progress.event(event);
        state.draw();
    }

    /// Shows that `done` measurements of `total` are done; `words` names what that means.
    pub(super) fn done(&self, done: u64, total: u64, words: &'static str) {
        let mut state = self.state();
        state.done = done;
        state.progress.set_total(total);
        state.words = words;
        state.draw();
    }

    /// Shows that the next round of requests begins then.
    pub(super) fn pause(&self, until: Timestamp) {
        let mut state = self.state();
        state.progress.pause(until, FOR_MEASUREMENTS);
        state.draw();
    }

    fn state(&self) -> MutexGuard<'_, ExportProgressState> {
        // A panic elsewhere must not end the run because of its display.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExportProgressState {
    fn draw(&mut self) {
        self.progress.update(self.done, self.words);
    }
}
