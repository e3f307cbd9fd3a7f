//! The requests in flight: those being sent, and those recorded in advance.
//!
//! The intent of a request is durable before it is sent, which takes a disk write. So that sending does not wait for
//! the disk, further requests are recorded in advance and share commits. They are a small part of the quota, because a
//! crash leaves their slots taken.

use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::dispatch::Dispatcher;
use crate::dispatch::shutdown::ShutdownStage;
use crate::model::{QuotaShare, QuotaSlot};

/// The part of the quota that may be recorded in advance.
const QUOTA_PART: usize = 64;

/// Maximum number of requests recorded in advance: as many as one commit of the journal takes.
const MAX_ADVANCE: usize = 256;

/// This part of the requests recorded in advance is recorded together: requests of one commit share its pages.
const COMMIT_PART: usize = 8;

/// The permits to send, and how many requests may be recorded in advance.
#[derive(Debug)]
pub(super) struct InFlightWindow {
    permits: Semaphore,
    concurrency: usize,
    advance: usize,
    /// How many 429 responses came; a request recorded before one of them waits again.
    generation: AtomicU64,
}

impl InFlightWindow {
    /// A window for `concurrency` requests at a time.
    pub(super) fn new(concurrency: usize, share: QuotaShare) -> Self {
        let concurrency = concurrency.clamp(1, Semaphore::MAX_PERMITS);
        let advance = (share.allowed() / QUOTA_PART).min(MAX_ADVANCE);
        Self {
            permits: Semaphore::new(concurrency),
            concurrency,
            // Of two recorded requests, either may be sent first. One at a time, they are in the order of the rows.
            advance: if concurrency == 1 { 0 } else { advance },
            generation: AtomicU64::new(0),
        }
    }

    /// How many requests may be added to those in flight; none until there are enough for a commit.
    pub(super) fn capacity(&self, in_flight: usize) -> usize {
        let room = (self.concurrency + self.advance).saturating_sub(in_flight);
        if room < (self.advance / COMMIT_PART).max(1) {
            return 0;
        }
        room
    }

    /// Records a 429. Requests that were recorded before it wait again.
    pub(super) fn rate_limited(&self) {
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a number that changes with every 429.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }
}

impl Dispatcher {
    /// Waits for a permit to send a recorded request; it is returned when dropped. `None` if the run ends meanwhile, if
    /// a 429 came since `generation`, or if the slot would time out before the response.
    pub(super) async fn acquire_permit(
        &self,
        generation: u64,
        slot: QuotaSlot,
    ) -> Option<SemaphorePermit<'_>> {
        let free = self.in_flight.permits.acquire();
        let waited = self.shutdown.run_before(ShutdownStage::Closed, free);
        let permit = waited.await.ok()?;
        let now = self.config.clock.now();
        let may_send = self.shutdown.check(ShutdownStage::Closed).is_ok()
            && !self.is_past_deadline(now)
            && self.in_flight.generation() == generation
            && now + self.config.client.timeouts().call <= slot.times_out_at;
        may_send.then_some(permit.expect("the semaphore is never closed"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(rate: &str) -> InFlightWindow {
        let rate = rate.parse().unwrap();
        InFlightWindow::new(8, QuotaShare { rate, reserve: 0 })
    }

    #[test]
    fn requests_are_recorded_in_advance_in_groups() {
        let window = window("1000000/1s");
        assert_eq!(window.capacity(0), 8 + 256);
        assert_eq!(window.capacity(8 + 256 - 31), 0);
        assert_eq!(window.capacity(8 + 256 - 32), 32);
        assert_eq!(window.capacity(1000), 0);
    }

    #[test]
    fn a_small_quota_allows_few_requests_in_advance() {
        assert_eq!(window("600/1h").capacity(0), 8 + 9);
        assert_eq!(window("600/1h").capacity(8 + 8), 1);
        assert_eq!(window("60/3s").capacity(0), 8);
    }

    #[test]
    fn one_request_at_a_time_is_the_only_one_recorded() {
        let rate = "600/1h".parse().unwrap();
        let window = InFlightWindow::new(1, QuotaShare { rate, reserve: 0 });
        assert_eq!((window.capacity(0), window.capacity(1)), (1, 0));
    }
}
