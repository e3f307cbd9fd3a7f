//! How many requests are under way at once: those on the wire, and those that are written down meanwhile.
//!
//! A request is durable before its bytes leave, and that waits for the disk. So that the wire does not wait with it,
//! further requests are written down ahead of the wire, and share their commits. Never more are ahead than leave within
//! a moment, by the time that answers take: with a service that takes a tenth of a second a few, after a failure none.
//! And never more than a small part of the quota, since a crash leaves their slots taken.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::{Semaphore, SemaphorePermit};

use crate::model::Share;

/// What is written down ahead leaves within so long.
const AHEAD: Duration = Duration::from_millis(50);

/// As many as share a commit.
const MOST_AHEAD: u64 = 256;

/// So much of what may be ahead is written down at once: what shares a commit shares the pages that it writes.
const PART_AT_ONCE: u64 = 8;

/// The part of the quota that may be ahead.
const PART_OF_QUOTA: u64 = 64;

/// The places on the wire, and the room before it.
#[derive(Debug)]
pub(super) struct Lanes {
    wire: Semaphore,
    concurrency: u64,
    most_ahead: u64,
    /// How long answers take of late, in microseconds; 0 where that is not known, or the last one failed.
    took: AtomicU64,
    /// How often what was ahead had to wait anew.
    turn: AtomicU64,
}

impl Lanes {
    pub(super) fn new(concurrency: usize, share: Share) -> Self {
        let concurrency = concurrency.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            wire: Semaphore::new(concurrency),
            concurrency: concurrency as u64,
            most_ahead: (share.allowed() as u64 / PART_OF_QUOTA).min(MOST_AHEAD),
            took: AtomicU64::new(0),
            turn: AtomicU64::new(0),
        }
    }

    /// How many requests may join those that are under way; none until it is worth a commit.
    pub(super) fn room_beside(&self, under_way: usize) -> usize {
        let ahead = self.ahead();
        let room = (self.concurrency + ahead).saturating_sub(under_way as u64);
        if room < (ahead / PART_AT_ONCE).max(1) {
            return 0;
        }
        usize::try_from(room).unwrap_or(usize::MAX)
    }

    fn ahead(&self) -> u64 {
        let ahead = match self.took.load(Ordering::Relaxed) {
            0 => 0,
            took => self.concurrency * micros(AHEAD) / took,
        };
        ahead.min(self.most_ahead)
    }

    /// Waits for a place on the wire, until it is dropped.
    pub(super) async fn enter(&self) -> SemaphorePermit<'_> {
        self.wire.acquire().await.expect("it is never closed")
    }

    /// A usable answer came after so long.
    pub(super) fn answered(&self, took: Duration) {
        let took = micros(took).max(1);
        let before = self.took.load(Ordering::Relaxed);
        let mean = if before == 0 {
            took
        } else {
            (7 * before + took).div_ceil(8)
        };
        self.took.store(mean, Ordering::Relaxed);
    }

    /// No usable answer came.
    pub(super) fn failed(&self) {
        self.took.store(0, Ordering::Relaxed);
    }

    /// Nothing may leave for a while: what was written down before waits anew.
    pub(super) fn hold(&self) {
        self.failed();
        self.turn.fetch_add(1, Ordering::Relaxed);
    }

    /// Changes whenever everything has to wait.
    pub(super) fn turn(&self) -> u64 {
        self.turn.load(Ordering::Relaxed)
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lanes(rate: &str) -> Lanes {
        let rate = rate.parse().unwrap();
        Lanes::new(8, Share { rate, reserve: 0 })
    }

    fn room_after(lanes: &Lanes, took: Duration) -> usize {
        lanes.failed();
        lanes.answered(took);
        lanes.room_beside(0)
    }

    #[test]
    fn more_are_under_way_the_quicker_answers_come() {
        let lanes = lanes("1000000/1s");
        assert_eq!(lanes.room_beside(0), 8);
        assert_eq!(room_after(&lanes, Duration::from_secs(1)), 8);
        assert_eq!(room_after(&lanes, Duration::from_millis(100)), 12);
        assert_eq!(room_after(&lanes, Duration::from_micros(100)), 8 + 256);
    }

    #[test]
    fn a_failure_leaves_none_ahead() {
        let lanes = lanes("1000000/1s");
        lanes.answered(Duration::from_millis(1));
        lanes.failed();
        assert_eq!(lanes.room_beside(0), 8);
    }

    #[test]
    fn those_that_are_ahead_join_in_groups() {
        let lanes = lanes("1000000/1s");
        assert_eq!(lanes.room_beside(7), 1);
        lanes.answered(Duration::from_micros(100));
        assert_eq!(lanes.room_beside(8 + 256 - 31), 0);
        assert_eq!(lanes.room_beside(8 + 256 - 32), 32);
        assert_eq!(lanes.room_beside(1000), 0);
    }

    #[test]
    fn a_small_quota_leaves_few_ahead() {
        assert_eq!(
            room_after(&lanes("600/1h"), Duration::from_micros(100)),
            8 + 9
        );
        assert_eq!(room_after(&lanes("60/3s"), Duration::from_micros(100)), 8);
    }
}
