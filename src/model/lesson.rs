//! What a 429 teaches while the budget still has room: the service is stricter than documented, or others spend the
//! team's quota.
//!
//! A short `Retry-After` is a service that refills steadily: requests go one by one at that pace, which eases a little
//! every window. A long one is a window that opens again: as many requests as were accepted are the cap of a window.
//! When the pause is over one trial goes beyond the cap, and each success lifts it by twice as much; a refused trial
//! doubles the time to the next one, so that the limit is not run into again and again.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::{Rate, Share};

/// A `Retry-After` shorter than this part of the window is a steady refill.
const STEADY: u32 = 20;

/// After so many windows without a 429 the lesson is old.
const STALE: u32 = 24;

/// The longest pause that is believed and remembered.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// How strict the service proved to be. The journal keeps it for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// Nothing leaves before then.
    not_before: Timestamp,
    /// The next trial.
    tries_at: Timestamp,
    /// From one trial to the next.
    gap: Duration,
    /// When the newest 429 came.
    limited_at: Timestamp,
    /// How many came without a `Retry-After` in a row.
    silent: u32,
    /// How the service seems to count.
    counting: Counting,
}

/// How the service seems to count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Counting {
    /// So many in a window; an accepted trial lifts the cap by `step`.
    Window {
        /// Requests in a window.
        cap: usize,
        /// What the next success adds.
        step: usize,
    },
    /// One after the other; `floor` is the shortest gap. A refusal widens it, since a `Retry-After` of a bucket that is
    /// partly refilled is too short; each window eases it.
    Steady {
        /// Between requests.
        floor: Duration,
        /// When it was last eased, or learned.
        eased_at: Timestamp,
    },
}

/// One 429.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limited {
    /// When its request left.
    pub(super) taken_at: Timestamp,
    /// When it came.
    pub(super) now: Timestamp,
    /// Requests of the window that were accepted.
    pub(super) accepted: usize,
    /// As the service asked.
    pub(super) retry_after: Option<Duration>,
}

impl Lesson {
    /// Learns from a 429, on top of what was learned before.
    pub(super) fn learn(earlier: Option<Self>, limited: Limited, rate: Rate) -> Self {
        let Some(earlier) = earlier else {
            let pause = pause(limited.retry_after, 1, rate);
            return Self {
                not_before: limited.now + pause,
                tries_at: limited.now + pause,
                gap: pause.max(least(rate)),
                limited_at: limited.now,
                silent: limited.retry_after.map_or(1, |_| 0),
                counting: Counting::learn(None, pause, limited, rate),
            };
        };
        if limited.taken_at <= earlier.limited_at {
            // It left before the newest 429 was known: one event, which only extends the pause.
            let until = limited.now + pause(limited.retry_after, earlier.silent.max(1), rate);
            return Self {
                not_before: earlier.not_before.max(until),
                tries_at: earlier.tries_at.max(until),
                counting: earlier.counting.at_most(limited.accepted),
                ..earlier
            };
        }
        let silent = limited.retry_after.map_or(earlier.silent + 1, |_| 0);
        let pause = pause(limited.retry_after, silent, rate);
        let gap = (earlier.gap * 2)
            .clamp(least(rate), LONGEST_PAUSE)
            .max(pause);
        Self {
            not_before: limited.now + pause,
            tries_at: limited.now + gap,
            gap,
            limited_at: limited.now,
            silent,
            counting: Counting::learn(Some(&earlier.counting), pause, limited, rate),
        }
    }

    /// Notes an answer other than 429 to a request that left at `taken_at`; `live` requests are in the window now.
    /// Says whether anything changed.
    pub(super) fn accepted(
        &mut self,
        taken_at: Timestamp,
        now: Timestamp,
        live: usize,
        share: Share,
    ) -> bool {
        let rate = share.rate;
        if taken_at < self.tries_at || self.cap() >= share.allowed() {
            return false;
        }
        self.silent = 0;
        match &mut self.counting {
            Counting::Window { cap, step } => {
                *cap = (*cap).max(live + *step);
                *step *= 2;
            }
            Counting::Steady { floor, eased_at } => {
                if *eased_at + rate.window <= now {
                    *floor = (*floor * 7 / 8).max(least(rate));
                    *eased_at = now;
                }
                self.gap = (self.gap / 2).max(*floor);
                self.tries_at = taken_at + self.gap;
            }
        }
        true
    }

    /// Whether nothing is left to learn from it. A cap that was lifted to the quota is kept for as long as any other:
    /// a service that turns out to be stricter once more is then tried less often than before.
    pub(super) fn is_over(&self, now: Timestamp, rate: Rate) -> bool {
        if now < self.not_before {
            return false;
        }
        let recovered = match &self.counting {
            Counting::Window { .. } => false,
            Counting::Steady { floor, .. } => {
                *floor <= least(rate) && self.limited_at + rate.window <= now
            }
        };
        recovered || self.limited_at + rate.window * STALE <= now
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
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }

    /// Requests in a window that need no trial.
    pub(super) fn cap(&self) -> usize {
        match self.counting {
            Counting::Window { cap, .. } => cap,
            Counting::Steady { .. } => 0,
        }
    }

    /// The next trial.
    pub(super) fn tries_at(&self) -> Timestamp {
        self.tries_at
    }

    /// Whether each request is a trial, so that no slot of ours need free before the next.
    pub(super) fn is_steady(&self) -> bool {
        matches!(self.counting, Counting::Steady { .. })
    }
}

impl Counting {
    /// Requests that were in flight with the first refused one looked accepted until they were refused too.
    fn at_most(self, accepted: usize) -> Self {
        match self {
            Self::Window { cap, step } => Self::Window {
                cap: cap.min(accepted),
                step,
            },
            steady @ Self::Steady { .. } => steady,
        }
    }

    fn learn(earlier: Option<&Self>, pause: Duration, limited: Limited, rate: Rate) -> Self {
        let short = pause < rate.window / STEADY;
        match earlier {
            Some(Self::Steady { floor, .. }) if short => Self::Steady {
                floor: (*floor * 5 / 4).max(pause),
                eased_at: limited.now,
            },
            None if short => Self::Steady {
                floor: pause.max(least(rate)),
                eased_at: limited.now,
            },
            _ => Self::Window {
                cap: limited.accepted,
                step: 1,
            },
        }
    }
}

/// The quota's own pace.
fn least(rate: Rate) -> Duration {
    (rate.window / rate.count).max(Duration::from_millis(1))
}

/// As long as the service asked; where it did not, twice as long each time, a window at most.
fn pause(retry_after: Option<Duration>, silent: u32, rate: Rate) -> Duration {
    retry_after
        .unwrap_or_else(|| (least(rate) * 2_u32.pow(silent.min(16))).min(rate.window))
        .min(LONGEST_PAUSE)
}
