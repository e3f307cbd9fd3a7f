//! The progress display while measurements are requested again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cli::console::Console;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::WaitState;
use crate::dispatch::DispatchEvent;

/// Shared by the dispatcher, which reports waits, and the refresh, which reports progress.
#[derive(Clone, Debug)]
pub(super) struct ExportProgress(Arc<Mutex<ExportProgressState>>);

#[derive(Debug)]
struct ExportProgressState {
    progress: ProgressLine,
    waiting: WaitState,
    done: u64,
    words: String,
}

impl ExportProgress {
    /// Starts the display of a refresh, of `total` measurements if that is known.
    pub(super) fn new(console: &Console, total: Option<u64>) -> Self {
        let progress = ProgressLine::start(console, total);
        Self(Arc::new(Mutex::new(ExportProgressState {
            waiting: WaitState::none(console, &progress),
            progress,
            done: 0,
            words: String::new(),
        })))
    }

    /// Shows an event of the dispatcher.
    pub(super) fn event(&self, event: &DispatchEvent) {
        let mut state = self.state();
        state.waiting.event(event);
        state.draw();
    }

    /// Shows that `done` measurements are done; `words` names what that means.
    pub(super) fn done(&self, done: u64, words: String) {
        let mut state = self.state();
        state.done = done;
        state.words = words;
        state.draw();
    }

    fn state(&self) -> MutexGuard<'_, ExportProgressState> {
        // A panic elsewhere must not end the run because of its display.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ExportProgressState {
    fn draw(&mut self) {
        let waits = self.waiting.words();
        let words = [Some(self.words.clone()), waits];
        let words: Vec<String> = words.into_iter().flatten().collect();
        self.progress.update(self.done, &words.join(", "));
    }
}
