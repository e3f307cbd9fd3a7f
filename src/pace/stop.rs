//! How the user stops a run: first gently, then at once.

use tokio::sync::watch;

/// How far stopping has come; only ever further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stopping {
    /// Not at all.
    #[default]
    Running,
    /// No new rows; those in flight settle.
    Draining,
    /// At once.
    Now,
}

/// The end that stops.
#[derive(Clone, Debug)]
pub struct Stopper(watch::Sender<Stopping>);

/// The end that is stopped. Clones hear the same.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<Stopping>);

/// Both ends.
pub fn stop_signal() -> (Stopper, StopSignal) {
    let (sender, receiver) = watch::channel(Stopping::Running);
    (Stopper(sender), StopSignal(receiver))
}

impl Stopper {
    /// Goes one step further.
    pub fn press(&self) -> Stopping {
        self.0.send_modify(|stopping| {
            *stopping = match *stopping {
                Stopping::Running => Stopping::Draining,
                Stopping::Draining | Stopping::Now => Stopping::Now,
            };
        });
        *self.0.borrow()
    }
}

impl StopSignal {
    /// A signal that never comes.
    pub fn never() -> Self {
        stop_signal().1
    }

    /// How far stopping has come.
    pub fn stopping(&self) -> Stopping {
        *self.0.borrow()
    }

    /// Ready once stopping has come so far; never, where nobody is left to stop.
    pub async fn reached(&self, stage: Stopping) {
        let mut receiver = self.0.clone();
        let is_over = {
            let waited = receiver.wait_for(|stopping| *stopping >= stage).await;
            waited.is_err()
        };
        if is_over {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_press_drains_and_the_second_ends() {
        let (stopper, signal) = stop_signal();
        assert_eq!(signal.stopping(), Stopping::Running);
        assert_eq!(stopper.press(), Stopping::Draining);
        signal.reached(Stopping::Draining).await;
        assert_eq!(stopper.press(), Stopping::Now);
        signal.reached(Stopping::Draining).await;
        signal.reached(Stopping::Now).await;
    }
}
