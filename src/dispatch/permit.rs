//! The permit to send a recorded request.

use jiff::SignedDuration;
use tokio::sync::SemaphorePermit;

use crate::api::Verdict;
use crate::dispatch::Dispatcher;
use crate::dispatch::shutdown::ShutdownStage;
use crate::model::QuotaSlot;

impl Dispatcher {
    /// Waits for a permit to send. Returns `None` if the run ends meanwhile, if a 429 came since `generation`, or if
    /// the slot would time out before the response.
    pub(super) async fn acquire_permit(
        &self,
        generation: u64,
        slot: QuotaSlot,
    ) -> Option<SemaphorePermit<'_>> {
        let permit = self.in_flight.acquire();
        let permit = self.shutdown.run_before(ShutdownStage::Closed, permit);
        let permit = permit.await.ok()?;
        let now = self.config.clock.now();
        let may_send = self.shutdown.check(ShutdownStage::Closed).is_ok()
            && !self.is_past_deadline(now)
            && self.in_flight.generation() == generation
            && now + self.config.client.timeouts().call <= slot.times_out_at;
        may_send.then_some(permit)
    }

    /// Adapts the in-flight window to how the service responds.
    pub(super) fn adapt_window(&self, verdict: &Verdict, latency: SignedDuration) {
        match verdict {
            Verdict::RateLimited { .. } => self.in_flight.rate_limited(),
            Verdict::Retry { .. } | Verdict::Exhausted { .. } | Verdict::Stop(_) => {
                self.in_flight.failed();
            }
            Verdict::Account(_)
            | Verdict::Accepted(..)
            | Verdict::Conflict(_)
            | Verdict::Read(_)
            | Verdict::NotFound
            | Verdict::Refused(_) => self.in_flight.succeeded(latency.unsigned_abs()),
        }
    }
}
