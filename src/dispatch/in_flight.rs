//! The number of requests in flight: those being sent, and those recorded in advance.
//!
//! The intent of a request is durable before it is sent, which takes a disk write. So that sending does not wait for
//! the disk, further requests are recorded in advance and share commits. At most as many are recorded in advance as
//! will be sent within 50 ms, estimated from the latency of responses: a few with a service that takes 100 ms, none
//! after a failure. It is also at most a small part of the quota, because a crash leaves their slots taken.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::model::QuotaShare;

/// Requests recorded in advance are sent within this time.
const ADVANCE: Duration = Duration::from_millis(50);

/// Maximum number of requests recorded in advance: as many as one commit of the journal takes.
const MAX_ADVANCE: u64 = 256;

/// This part of the requests recorded in advance is recorded together: requests of one commit share its pages.
const COMMIT_PART: u64 = 8;

/// The part of the quota that may be recorded in advance.
const QUOTA_PART: u64 = 64;

/// The permits to send, and how many requests may be recorded in advance.
#[derive(Debug)]
pub(super) struct InFlightWindow {
    permits: Semaphore,
    concurrency: u64,
    max_advance: u64,
    /// Moving average of the response latency in microseconds; 0 while unknown, and after a failure.
    latency: AtomicU64,
    /// How many 429 responses came; a request recorded before one of them waits again.
    generation: AtomicU64,
}

impl InFlightWindow {
    /// A window for `concurrency` requests at a time.
    pub(super) fn new(concurrency: usize, share: QuotaShare) -> Self {
        let concurrency = concurrency.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            permits: Semaphore::new(concurrency),
            concurrency: concurrency as u64,
            max_advance: (share.allowed() as u64 / QUOTA_PART).min(MAX_ADVANCE),
            latency: AtomicU64::new(0),
            generation: AtomicU64::new(0),
        }
    }

    /// How many requests may be added to those in flight; none until there are enough for a commit.
    pub(super) fn capacity(&self, in_flight: usize) -> usize {
        let advance = self.advance();
        let room = (self.concurrency + advance).saturating_sub(in_flight as u64);
        if room < (advance / COMMIT_PART).max(1) {
            return 0;
        }
        usize::try_from(room).unwrap_or(usize::MAX)
    }

    fn advance(&self) -> u64 {
        let advance = match self.latency.load(Ordering::Relaxed) {
            0 => 0,
            latency => self.concurrency * micros(ADVANCE) / latency,
        };
        advance.min(self.max_advance)
    }

    /// Waits for a permit to send, which is returned when dropped.
    pub(super) async fn acquire(&self) -> SemaphorePermit<'_> {
        let permit = self.permits.acquire().await;
        permit.expect("the semaphore is never closed")
    }

    /// Records a usable response and its latency.
    pub(super) fn succeeded(&self, latency: Duration) {
        let latency = micros(latency).max(1);
        let before = self.latency.load(Ordering::Relaxed);
        let mean = if before == 0 {
            latency
        } else {
            (7 * before + latency).div_ceil(8)
        };
        self.latency.store(mean, Ordering::Relaxed);
    }

    /// Records a failed request.
    pub(super) fn failed(&self) {
        self.latency.store(0, Ordering::Relaxed);
    }

    /// Records a 429. Requests that were recorded before it wait again.
    pub(super) fn rate_limited(&self) {
        self.failed();
        self.generation.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns a number that changes with every 429.
    pub(super) fn generation(&self) -> u64 {
        self.generation.load(Ordering::Relaxed)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(rate: &str) -> InFlightWindow {
        let rate = rate.parse().unwrap();
        InFlightWindow::new(8, QuotaShare { rate, reserve: 0 })
    }

    fn room_after(window: &InFlightWindow, latency: Duration) -> usize {
        window.failed();
        window.succeeded(latency);
        window.capacity(0)
    }

    #[test]
    fn faster_responses_allow_more_requests_in_flight() {
        let window = window("1000000/1s");
        assert_eq!(window.capacity(0), 8);
        assert_eq!(room_after(&window, Duration::from_secs(1)), 8);
        assert_eq!(room_after(&window, Duration::from_millis(100)), 12);
        assert_eq!(room_after(&window, Duration::from_micros(100)), 8 + 256);
    }

    #[test]
    fn after_a_failure_none_is_recorded_in_advance() {
        let window = window("1000000/1s");
        window.succeeded(Duration::from_millis(1));
        window.failed();
        assert_eq!(window.capacity(0), 8);
    }

    #[test]
    fn requests_are_recorded_in_advance_in_groups() {
        let window = window("1000000/1s");
        assert_eq!(window.capacity(7), 1);
        window.succeeded(Duration::from_micros(100));
        assert_eq!(window.capacity(8 + 256 - 31), 0);
        assert_eq!(window.capacity(8 + 256 - 32), 32);
        assert_eq!(window.capacity(1000), 0);
    }

    #[test]
    fn a_small_quota_allows_few_requests_in_advance() {
        assert_eq!(
            room_after(&window("600/1h"), Duration::from_micros(100)),
            8 + 9
        );
        assert_eq!(room_after(&window("60/3s"), Duration::from_micros(100)), 8);
    }
}
