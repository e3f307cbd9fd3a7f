//! The waits of one run: the clock moves to their ends once nothing else can happen.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use gutterbatch::journal::Journal;
use jiff::Timestamp;
use tokio::sync::Notify;
use tokio::task::{spawn_blocking, yield_now};

use super::virtual_time::{pass_until, readings};

/// How often a run may wait: the longest import of the histories waits for some hundred slots.
const MOST_WAITS: u32 = 10_000;

/// How often the other tasks run until the run has seen the answers of its journal.
const YIELDS: u32 = 8;

/// The waits of one run.
#[derive(Debug)]
pub(super) struct Waits {
    journal: Weak<Journal>,
    state: Mutex<WaitState>,
    /// No request is in flight any more.
    answered: Notify,
}

#[derive(Debug, Default)]
struct WaitState {
    /// Requests that are sent, no response.
    in_flight: usize,
    /// Ends to which the clock is moved.
    ends: BTreeSet<Timestamp>,
    /// Whether a task moves the clock.
    is_moving: bool,
    begun: u32,
    /// How many things have happened.
    events: u64,
}

impl Waits {
    pub(super) fn new(journal: &Arc<Journal>) -> Self {
        Self {
            journal: Arc::downgrade(journal),
            state: Mutex::default(),
            answered: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, WaitState> {
        self.state.lock().unwrap()
    }

    /// How many requests are sent and not answered.
    pub(super) fn in_flight(&self) -> usize {
        self.state().in_flight
    }

    pub(super) fn sent(&self) {
        let mut state = self.state();
        state.events += 1;
        state.in_flight += 1;
    }

    pub(super) fn completed(&self) {
        let mut state = self.state();
        state.events += 1;
        state.in_flight -= 1;
        self.answered.notify_waiters();
    }

    /// The program waits until a time. A program that waits again and again without end fails here.
    pub(super) fn begin(self: &Arc<Self>, until: Timestamp) {
        let mut state = self.state();
        state.events += 1;
        state.begun += 1;
        assert!(state.begun < MOST_WAITS, "the run waits without end");
        state.ends.insert(until);
        if !std::mem::replace(&mut state.is_moving, true) {
            tokio::spawn(Arc::clone(self).move_clock());
        }
    }

    /// Moves the clock from end to end, each time after the requests in flight are answered, so that they do not time
    /// out.
    async fn move_clock(self: Arc<Self>) {
        loop {
            while self.state().in_flight > 0 {
                let answered = self.answered.notified();
                answered.await;
            }
            self.settle().await;
            if self.state().in_flight > 0 {
                continue;
            }
            let next = self.state().ends.pop_first();
            let Some(until) = next else {
                self.state().is_moving = false;
                return;
            };
            pass_until(until).await;
        }
    }

    /// Completes when the journal has answered the run and the run has seen that, so that what happens next does not
    /// depend on how fast the journal's thread is.
    pub(super) async fn settle(&self) {
        let mut unchanged = 0;
        while unchanged < 2 {
            let before = (self.state().events, readings());
            let Some(journal) = self.journal.upgrade() else {
                return;
            };
            // It stores nothing. A journal that has failed is found by the run itself.
            let _ = spawn_blocking(move || journal.remove_written(Vec::new())).await;
            for _ in 0..YIELDS {
                yield_now().await;
            }
            // A request that is withdrawn and recorded again reads the clock, and reports nothing.
            let is_same = (self.state().events, readings()) == before;
            unchanged = if is_same { unchanged + 1 } else { 0 };
        }
    }
}
