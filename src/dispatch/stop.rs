//! The user's stop signal: the first signal drains the run, the second ends it at once.

use tokio::sync::watch;

/// The stage of stopping a run; it only increases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopStage {
    /// Not stopped.
    #[default]
    Running,
    /// No new rows are sent; requests in flight are completed.
    Draining,
    /// The run ends at once.
    Now,
}

/// Stops a run.
#[derive(Clone, Debug)]
pub struct StopHandle(watch::Sender<StopStage>);

/// Signals to the parts of a run that it is being stopped. Clones share the stage.
#[derive(Clone, Debug)]
pub struct StopSignal(watch::Receiver<StopStage>);

/// Returns a handle and the signal that it controls.
pub fn stop_signal() -> (StopHandle, StopSignal) {
    let (sender, receiver) = watch::channel(StopStage::Running);
    (StopHandle(sender), StopSignal(receiver))
}

impl StopHandle {
    /// A signal of this handle.
    pub fn signal(&self) -> StopSignal {
        StopSignal(self.0.subscribe())
    }

    /// Advances to the next stage and returns it.
    pub fn escalate(&self) -> StopStage {
        self.0.send_modify(|stage| {
            *stage = match *stage {
                StopStage::Running => StopStage::Draining,
                StopStage::Draining | StopStage::Now => StopStage::Now,
            };
        });
        *self.0.borrow()
    }
}

impl StopSignal {
    /// A signal that never stops anything.
    pub fn never() -> Self {
        stop_signal().1
    }

    /// Returns the current stage.
    pub fn stage(&self) -> StopStage {
        *self.0.borrow()
    }

    /// Completes once `stage` is reached; never, if the handle was dropped before.
    pub async fn reached(&self, stage: StopStage) {
        let mut receiver = self.0.clone();
        let handle_is_gone = {
            let waited = receiver.wait_for(|current| *current >= stage).await;
            waited.is_err()
        };
        if handle_is_gone {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_first_signal_drains_and_the_second_ends() {
        let (handle, signal) = stop_signal();
        assert_eq!(signal.stage(), StopStage::Running);
        assert_eq!(handle.escalate(), StopStage::Draining);
        signal.reached(StopStage::Draining).await;
        assert_eq!(handle.escalate(), StopStage::Now);
        signal.reached(StopStage::Draining).await;
        signal.reached(StopStage::Now).await;
    }
}
