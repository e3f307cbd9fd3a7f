//! What `-q` holds back until the exit code is known: it is printed unless the run ends with 0.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The texts, oldest first.
#[derive(Clone, Debug, Default)]
pub(super) struct HeldOutput(Arc<Mutex<Vec<HeldText>>>);

/// A text, and where it is written.
#[derive(Debug)]
pub(super) enum HeldText {
    /// To standard output.
    Answer(String),
    /// To standard error.
    Aside(String),
}

impl HeldOutput {
    pub(super) fn push(&self, text: HeldText) {
        self.texts().push(text);
    }

    /// Removes and returns the texts.
    pub(super) fn take(&self) -> Vec<HeldText> {
        std::mem::take(&mut *self.texts())
    }

    fn texts(&self) -> MutexGuard<'_, Vec<HeldText>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
