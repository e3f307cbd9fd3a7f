//! The requests of one run that have left and wait for their answers: each has its turn once the run can do nothing but
//! wait for them, in an order that does not depend on the threads.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{Notify, oneshot};
use tokio::task::yield_now;

use super::waits::Waits;

/// Dropped when a turn is over.
pub(super) type Turn = oneshot::Sender<()>;

/// The requests that wait.
#[derive(Debug)]
pub(super) struct WaitingRoom {
    waits: Arc<Waits>,
    waiting: Mutex<Vec<(String, oneshot::Sender<Turn>)>>,
    entered: Notify,
}

impl WaitingRoom {
    pub(super) fn new(waits: &Arc<Waits>) -> Self {
        Self {
            waits: Arc::clone(waits),
            waiting: Mutex::default(),
            entered: Notify::new(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<(String, oneshot::Sender<Turn>)>> {
        self.waiting.lock().unwrap()
    }

    /// Waits for the turn of a request; `None` if its client gave up before.
    pub(super) async fn enter(&self, name: String) -> Option<Turn> {
        let (sender, turn) = oneshot::channel();
        self.waiting().push((name, sender));
        self.entered.notify_one();
        turn.await.ok()
    }

    /// The client of a request has its answer, or gave up.
    pub(super) fn completed(&self, name: &str) {
        self.waiting().retain(|(other, _)| other != name);
    }

    /// Gives each request its turn.
    pub(super) async fn take_turns(&self) {
        loop {
            while self.waiting().is_empty() {
                self.entered.notified().await;
            }
            self.waits.settle().await;
            if self.waiting().len() < self.waits.in_flight() {
                // Another one has left, and has not arrived.
                yield_now().await;
                continue;
            }
            let next = {
                let mut waiting = self.waiting();
                let names = waiting.iter().map(|(name, _)| name).enumerate();
                let first = names.min_by_key(|(_, name)| *name).map(|(at, _)| at);
                first.map(|at| waiting.remove(at).1)
            };
            let (turn, over) = oneshot::channel();
            if next.is_some_and(|next| next.send(turn).is_ok()) {
                // An error: nobody sends anything, the turn is dropped.
                let _ = over.await;
            }
        }
    }
}
