//! What a person sees while measurements are asked for again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cli::console::Console;
use crate::cli::progress::Progress;
use crate::cli::waiting::Waiting;
use crate::dispatch::DispatchEvent;

/// Shared by the line, which tells of waits, and the refresh, which tells how far it is.
#[derive(Clone, Debug)]
pub(super) struct View(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    progress: Progress,
    waiting: Waiting,
    done: u64,
    words: String,
}

impl View {
    /// Begins to show a refresh, of `total` measurements where that is known.
    pub(super) fn new(console: &Console, total: Option<u64>) -> Self {
        let progress = Progress::start(console, total);
        Self(Arc::new(Mutex::new(State {
            waiting: Waiting::none(console, &progress),
            progress,
            done: 0,
            words: String::new(),
        })))
    }

    /// Something happened on the line.
    pub(super) fn event(&self, event: &DispatchEvent) {
        let mut state = self.state();
        state.waiting.event(event);
        state.draw();
    }

    /// So many are done; `words` say what that means.
    pub(super) fn done(&self, done: u64, words: String) {
        let mut state = self.state();
        state.done = done;
        state.words = words;
        state.draw();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is shown matters less than the run.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn draw(&mut self) {
        let waits = self.waiting.words();
        let words = [Some(self.words.clone()), waits];
        let words: Vec<String> = words.into_iter().flatten().collect();
        self.progress.update(self.done, &words.join(", "));
    }
}
