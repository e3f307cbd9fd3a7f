//! What a 429 teaches while the budget still has room: the service is stricter than documented, or others spend the
//! team's quota.
//!
//! The lesson is a cap: as many requests in a window as were accepted when the service refused. Beyond the cap, single
//! trials find out whether more is allowed again. A short `Retry-After` is a service that refills steadily: trials go
//! at that pace. A long one is a window that opens again: after one accepted trial the cap doubles its steps. A
//! refused trial doubles the time to the next one, so that the limit is not run into again and again.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::Rate;

/// A `Retry-After` shorter than this part of the window is a steady refill.
const STEADY: u32 = 20;

/// After so many windows without a 429 the lesson is old.
const STALE: u32 = 24;

/// The longest pause that is believed and remembered.
const LONGEST_PAUSE: Duration = Duration::from_secs(24 * 3600);

/// How strict the service proved to be. The journal keeps it for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// Requests in a window that were accepted.
    cap: usize,
    /// Nothing leaves before then.
    not_before: Timestamp,
    /// The next trial beyond the cap.
    tries_at: Timestamp,
    /// From one trial to the next.
    gap: Duration,
    /// The shortest gap between trials.
    floor: Duration,
    /// How far one accepted trial lifts the cap; none where trials go at a steady pace.
    step: Option<usize>,
    /// When the newest 429 came.
    limited_at: Timestamp,
    /// How many came without a `Retry-After` in a row.
    silent: u32,
}

impl Lesson {
    /// Learns from a 429 at `now` to a request that left at `taken_at`, after `accepted` requests in the window.
    pub fn learn(
        earlier: Option<Self>,
        taken_at: Timestamp,
        now: Timestamp,
        accepted: usize,
        retry_after: Option<Duration>,
        rate: Rate,
    ) -> Self {
        let least = (rate.window / rate.count).max(Duration::from_millis(1));
        let silent = match (&earlier, retry_after) {
            (_, Some(_)) => 0,
            (Some(earlier), None) if taken_at <= earlier.limited_at => earlier.silent,
            (earlier, None) => earlier.as_ref().map_or(0, |earlier| earlier.silent) + 1,
        };
        let pause = retry_after
            .unwrap_or_else(|| (least * 2_u32.pow(silent.min(16))).min(rate.window))
            .min(LONGEST_PAUSE);
        let until = now + pause;
        if let Some(earlier) = &earlier
            && taken_at <= earlier.limited_at
        {
            // It left before the newest 429 was known: one event, which only extends the pause.
            return Self {
                not_before: earlier.not_before.max(until),
                tries_at: earlier.tries_at.max(until),
                silent,
                ..earlier.clone()
            };
        }
        let gap = earlier.map_or(pause, |earlier| (earlier.gap * 2).max(pause));
        let gap = gap.clamp(least, LONGEST_PAUSE.max(rate.window));
        let steady = gap < rate.window / STEADY;
        Self {
            cap: accepted,
            not_before: until,
            tries_at: if silent > 0 || gap == pause.max(least) {
                until
            } else {
                now + gap
            },
            gap,
            floor: pause.max(least),
            step: (!steady).then_some(1),
            limited_at: now,
            silent,
        }
    }

    /// Notes an answer other than 429 to a request that left at `taken_at`; `live` requests are in the window now.
    /// Says whether anything changed.
    pub(super) fn accepted(&mut self, taken_at: Timestamp, now: Timestamp, live: usize) -> bool {
        if taken_at < self.tries_at {
            return false;
        }
        self.silent = 0;
        match self.step {
            Some(step) => {
                self.cap = self.cap.max(live + step);
                self.step = Some(step * 2);
            }
            None => {
                self.cap = self.cap.max(live);
                self.gap = (self.gap / 2).max(self.floor);
                self.tries_at = now + self.gap;
            }
        }
        true
    }

    /// The lesson as a later process reads it; a clock that was set back since makes no pause longer.
    pub(super) fn recalled(self, now: Timestamp) -> Self {
        if self.limited_at <= now {
            return self;
        }
        let ahead = self.limited_at.duration_since(now);
        Self {
            not_before: self.not_before - ahead,
            tries_at: self.tries_at - ahead,
            limited_at: now,
            ..self
        }
    }

    /// Nothing leaves before then.
    pub fn not_before(&self) -> Option<Timestamp> {
        Some(self.not_before)
    }

    /// Requests in a window that were accepted.
    pub fn cap(&self) -> usize {
        self.cap
    }

    pub(super) fn tries_at(&self) -> Timestamp {
        self.tries_at
    }

    pub(super) fn is_stale(&self, now: Timestamp, rate: Rate) -> bool {
        self.not_before <= now && self.limited_at + rate.window * STALE <= now
    }
}
