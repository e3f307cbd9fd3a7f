//! The shutdown of a run: whether requests may still be sent.
//!
//! A request that finds the quota used up ends the run, but requests that have a slot are still sent, so that the rest
//! of the quota is used. Any other end of the run stops those too.

use tokio::sync::watch;

use crate::dispatch::{DispatchError, StopSignal, StopStage};

/// The stage of ending a run; it only increases.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ShutdownStage {
    /// Requests are sent.
    #[default]
    Open,
    /// No more slots are taken.
    NoNewSlots,
    /// No more requests are sent.
    Closed,
}

impl ShutdownStage {
    /// The stage that a request advances to which ended with `error`.
    pub(super) fn after(error: &DispatchError) -> Self {
        match error {
            DispatchError::QuotaUsedUp { .. } => Self::NoNewSlots,
            // Another request has advanced to its stage, in which those that have a slot may still be sent.
            DispatchError::Closed => Self::Open,
            _ => Self::Closed,
        }
    }
}

/// The shutdown of one dispatcher, which also follows the user's stop signal.
#[derive(Debug)]
pub(super) struct Shutdown {
    stop: StopSignal,
    stage: watch::Sender<ShutdownStage>,
}

impl Shutdown {
    /// A shutdown that has not begun.
    pub(super) fn new(stop: StopSignal) -> Self {
        Self {
            stop,
            stage: watch::Sender::default(),
        }
    }

    /// Advances to `stage`, unless it is already past it.
    pub(super) fn advance(&self, stage: ShutdownStage) {
        self.stage
            .send_if_modified(|current| std::mem::replace(current, stage.max(*current)) < stage);
    }

    /// Succeeds until `stage` is reached.
    ///
    /// # Errors
    /// [`DispatchError::Interrupted`] if the user stopped the run, [`DispatchError::Closed`] if another request ended it.
    pub(super) fn check(&self, stage: ShutdownStage) -> Result<(), DispatchError> {
        if self.stop.stage() > StopStage::Running {
            return Err(DispatchError::Interrupted);
        }
        if *self.stage.borrow() >= stage {
            return Err(DispatchError::Closed);
        }
        Ok(())
    }

    /// Waits for `future`, unless `stage` is reached before it completes.
    ///
    /// # Errors
    /// As [`Shutdown::check`].
    pub(super) async fn run_before<T>(
        &self,
        stage: ShutdownStage,
        future: impl Future<Output = T>,
    ) -> Result<T, DispatchError> {
        let mut current = self.stage.subscribe();
        tokio::select! {
            output = future => Ok(output),
            () = self.stop.reached(StopStage::Draining) => Err(DispatchError::Interrupted),
            _ = current.wait_for(|current| *current >= stage) => Err(DispatchError::Closed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_up_quota_still_sends_requests_that_have_a_slot() {
        let shutdown = Shutdown::new(StopSignal::never());
        shutdown.advance(ShutdownStage::NoNewSlots);
        let new_slot = shutdown.check(ShutdownStage::NoNewSlots).unwrap_err();
        assert!(matches!(new_slot, DispatchError::Closed));
        shutdown.advance(ShutdownStage::after(&new_slot));
        assert!(shutdown.check(ShutdownStage::Closed).is_ok());
    }

    #[test]
    fn a_shutdown_never_goes_back() {
        let shutdown = Shutdown::new(StopSignal::never());
        shutdown.advance(ShutdownStage::Closed);
        shutdown.advance(ShutdownStage::NoNewSlots);
        let sending = shutdown.check(ShutdownStage::Closed);
        assert!(matches!(sending, Err(DispatchError::Closed)));
    }
}
