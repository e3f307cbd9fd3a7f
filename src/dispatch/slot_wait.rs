//! Waiting for a slot of the quota, with which the intent of a request is recorded; and how long a run waits.

use std::time::Duration;

use jiff::Timestamp;

use crate::dispatch::dispatcher::MAX_SLEEP;
use crate::dispatch::outbound_request::{IntentState, OutboundRequest};
use crate::dispatch::shutdown::ShutdownStage;
use crate::dispatch::{DispatchError, DispatchEvent, Dispatcher, QuotaWait};
use crate::journal::{SlotGrant, SlotRequest, WaitReason};
use crate::model::QuotaSlot;

/// The longest pause of the service that a run waits for.
const MAX_PAUSE: Duration = Duration::from_hours(2);

impl Dispatcher {
    /// Waits for a slot and records the intent. Returns the slot, and how many requests may follow without waiting.
    pub(super) async fn acquire_slot(
        &self,
        request: OutboundRequest<'_>,
        state: IntentState,
    ) -> Result<(QuotaSlot, usize), DispatchError> {
        loop {
            self.shutdown.check(ShutdownStage::NoNewSlots)?;
            if let Some(rate_limiter) = &self.rate_limiter {
                let ready = rate_limiter.until_ready();
                self.shutdown
                    .run_before(ShutdownStage::NoNewSlots, ready)
                    .await?;
            }
            let now = self.config.clock.now();
            if self.is_past_deadline(now) {
                return Err(DispatchError::DeadlineReached);
            }
            let timeouts = self.config.client.timeouts();
            let slot_request = SlotRequest {
                purpose: request.purpose(state),
                now,
                times_out_at: now + timeouts.connect + timeouts.call,
                share: self.config.limits.share,
            };
            // Subscribed before the journal is queried, so that no response in between is missed.
            let recorded = self.response_recorded.notified();
            match self.config.journal.acquire_slot(slot_request).await? {
                SlotGrant::Slot { slot, left } => return Ok((slot, left)),
                SlotGrant::Wait { until, because } => {
                    self.check_wait(until, because, now)?;
                    (self.config.report)(DispatchEvent::Waiting { until, because });
                    // Time may have passed while the journal answered.
                    let left = until.duration_since(self.config.clock.now());
                    let left = Duration::try_from(left).unwrap_or_default();
                    let woken = async {
                        tokio::select! {
                            () = tokio::time::sleep(left.min(MAX_SLEEP)) => {}
                            () = recorded => {}
                        }
                    };
                    self.shutdown
                        .run_before(ShutdownStage::NoNewSlots, woken)
                        .await?;
                }
            }
        }
    }

    /// Whether the deadline of `--until` has passed.
    pub(super) fn is_past_deadline(&self, at: Timestamp) -> bool {
        matches!(self.config.limits.quota_wait, QuotaWait::Until(end) if end <= at)
    }

    /// Checks whether the run waits until `until`.
    fn check_wait(
        &self,
        until: Timestamp,
        because: WaitReason,
        now: Timestamp,
    ) -> Result<(), DispatchError> {
        if because == WaitReason::RateLimited
            && until.duration_since(now).unsigned_abs() > MAX_PAUSE
        {
            return Err(DispatchError::RateLimited { until });
        }
        match self.config.limits.quota_wait {
            QuotaWait::Wait => Ok(()),
            QuotaWait::Until(end) if until < end => Ok(()),
            QuotaWait::NoWait if self.pauses().is_short(until, because, now) => Ok(()),
            QuotaWait::NoWait | QuotaWait::Until(_) => Err(DispatchError::QuotaUsedUp { until }),
        }
    }
}
