//! Onto the wire and off it: what was written down waits for its lane, and is taken back where it may not leave after all.

use jiff::SignedDuration;
use tokio::sync::SemaphorePermit;

use crate::api::Verdict;
use crate::journal::{Effect, Settlement};
use crate::model::Slot;
use crate::pace::errand::{Errand, Version};
use crate::pace::gate::Closing;
use crate::pace::{Halt, Line};

impl Line {
    /// Waits for a place on the wire. There is none where the run ends meanwhile, where everything has to wait, and where
    /// the slot would end before the answer is given up.
    pub(super) async fn enter(&self, turn: u64, slot: Slot) -> Option<SemaphorePermit<'_>> {
        let lane = self.lanes.enter();
        let lane = self.gate.unless_closed(Closing::Shut, lane).await.ok()?;
        let now = self.setup.clock.now();
        let stands = self.gate.check(Closing::Shut).is_ok()
            && !self.is_too_late(now)
            && self.lanes.turn() == turn
            && now + self.setup.client.timeouts().call <= slot.times_out_at;
        stands.then_some(lane)
    }

    /// Tells the lanes how the service is.
    pub(super) fn learn(&self, verdict: &Verdict, took: SignedDuration) {
        match verdict {
            Verdict::Limited { .. } => self.lanes.hold(),
            Verdict::Again { .. } | Verdict::Exhausted { .. } | Verdict::Stop(_) => {
                self.lanes.failed();
            }
            Verdict::Account(_)
            | Verdict::Accepted(..)
            | Verdict::Conflict(_)
            | Verdict::Read(_)
            | Verdict::Gone
            | Verdict::Refused(_) => self.lanes.answered(took.unsigned_abs()),
        }
    }

    /// Takes back what was written down and not sent.
    pub(super) async fn withdraw(
        &self,
        errand: Errand<'_>,
        version: Version,
        slot: Slot,
    ) -> Result<(), Halt> {
        let settlement = Settlement {
            slot,
            now: self.setup.clock.now(),
            share: self.setup.pacing.share,
            external_id: errand.external_id().map(str::to_owned),
            status: None,
            body: None,
            error: None,
            effect: match version {
                Version::New => Effect::Withdrawn,
                Version::Recorded => Effect::Unsent,
            },
        };
        self.setup.journal.settle(settlement).await?;
        self.answered.notify_waiters();
        Ok(())
    }
}
