//! A list that all clones of a value share, such as what `-q` delays until the exit code is known.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The items, oldest first.
#[derive(Clone, Debug)]
pub(super) struct SharedList<T>(Arc<Mutex<Vec<T>>>);

impl<T> Default for SharedList<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> SharedList<T> {
    pub(super) fn push(&self, item: T) {
        self.items().push(item);
    }

    /// Removes and returns the items.
    pub(super) fn take(&self) -> Vec<T> {
        std::mem::take(&mut *self.items())
    }

    fn items(&self) -> MutexGuard<'_, Vec<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
