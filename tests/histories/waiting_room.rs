//! The requests of one run that have left and wait for their answers: each has its turn once the run can do nothing but
//! wait for them, in an order that does not depend on the threads.

use std::sync::{Arc, Mutex, MutexGuard};

use tokio::sync::{Notify, oneshot};
use tokio::task::yield_now;

use super::waits::Waits;

/// Dropped when a turn is over.
pub(super) type Turn = oneshot::Sender<()>;

/// In which order requests in flight are answered, by their names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TurnOrder {
    FirstName,
    /// The first requests wait for the answers of those that come after them.
    LastName,
}

/// The requests that wait.
#[derive(Debug)]
pub(super) struct WaitingRoom {
    order: TurnOrder,
    waits: Arc<Waits>,
    waiting: Mutex<Vec<(String, oneshot::Sender<Turn>)>>,
    entered: Notify,
}

impl WaitingRoom {
    pub(super) fn new(order: TurnOrder, waits: &Arc<Waits>) -> Self {
        Self {
            order,
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
                waiting.sort_by(|(one, _), (other, _)| one.cmp(other));
                match self.order {
                    TurnOrder::FirstName if !waiting.is_empty() => Some(waiting.remove(0)),
                    TurnOrder::FirstName => None,
                    TurnOrder::LastName => waiting.pop(),
                }
            };
            let (turn, over) = oneshot::channel();
            if next.is_some_and(|(_, next)| next.send(turn).is_ok()) {
                // An error: nobody sends anything, the turn is dropped.
                let _ = over.await;
            }
        }
    }
}
