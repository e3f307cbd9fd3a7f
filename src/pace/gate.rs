//! The gate before the wire: whether a request may still set out, and why not.
//!
//! One request that finds the budget spent ends the run, but those that have their slot already are still sent: the user
//! wanted the budget that there is to be used. Any other end holds them back as well.

use tokio::sync::watch;

use crate::pace::{Halt, StopSignal, Stopping};

/// How far the gate has closed; only ever further.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Closing {
    /// Not at all.
    #[default]
    Open,
    /// No slot is taken any more.
    Spent,
    /// Nothing leaves any more.
    Shut,
}

/// The gate of one line.
#[derive(Debug)]
pub(super) struct Gate {
    stop: StopSignal,
    closing: watch::Sender<Closing>,
}

impl Gate {
    /// An open gate, which closes as well when the user stops the run.
    pub(super) fn new(stop: StopSignal) -> Self {
        Self {
            stop,
            closing: watch::Sender::default(),
        }
    }

    /// Closes so far.
    pub(super) fn close(&self, closing: Closing) {
        self.closing
            .send_if_modified(|now| std::mem::replace(now, closing.max(*now)) < closing);
    }

    /// Passes what may pass until the gate has closed so far.
    ///
    /// # Errors
    /// [`Halt::Interrupted`] where the user stopped the run, [`Halt::Closed`] where another request ended it.
    pub(super) fn check(&self, until: Closing) -> Result<(), Halt> {
        if self.stop.stopping() > Stopping::Running {
            return Err(Halt::Interrupted);
        }
        if *self.closing.borrow() >= until {
            return Err(Halt::Closed);
        }
        Ok(())
    }

    /// Waits for `event`, unless the gate closes so far meanwhile.
    ///
    /// # Errors
    /// As [`Gate::check`].
    pub(super) async fn unless_closed<T>(
        &self,
        until: Closing,
        event: impl Future<Output = T>,
    ) -> Result<T, Halt> {
        let mut closing = self.closing.subscribe();
        tokio::select! {
            came = event => Ok(came),
            () = self.stop.reached(Stopping::Draining) => Err(Halt::Interrupted),
            _ = closing.wait_for(|now| *now >= until) => Err(Halt::Closed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spent_budget_lets_pass_what_has_its_slot() {
        let gate = Gate::new(StopSignal::never());
        gate.close(Closing::Spent);
        assert!(matches!(gate.check(Closing::Spent), Err(Halt::Closed)));
        assert!(gate.check(Closing::Shut).is_ok());
    }

    #[test]
    fn a_gate_never_opens_again() {
        let gate = Gate::new(StopSignal::never());
        gate.close(Closing::Shut);
        gate.close(Closing::Spent);
        assert!(matches!(gate.check(Closing::Shut), Err(Halt::Closed)));
    }
}
