//! What a 429 teaches while the budget still has room: the service is stricter than documented, or others spend the
//! team's quota.
//!
//! A short `Retry-After` that is soon followed by another is a service that refills steadily: requests go one by one at
//! that pace, which eases a little every window. One that comes out of the blue is only waited out. Any other is a
//! window that opens again: as many requests as were accepted are its cap.
//! When the pause is over one trial goes beyond the cap, and each success lifts it by twice as much; a refused trial
//! doubles the time to the next one, so that the limit is not run into again and again.

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::{Rate, Share};

/// A `Retry-After` shorter than this part of the window is a steady refill.
const STEADY: u32 = 20;

/// After a short pause, a service that refills steadily accepts as many more as it refills, and so many that were late.
const LATE: usize = 3;

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
    /// Requests of the window that were accepted by then.
    #[serde(default)]
    accepted: usize,
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

/// How fast the service went on after a 429 with a short pause, up to the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pace {
    /// The pauses are long, or the two have nothing to do with each other.
    Unknown,
    /// No more than it refilled.
    Steady,
    /// More than that: the 429 came out of the blue.
    Faster,
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
            let silent = limited.retry_after.map_or(1, |_| 0);
            return Self::afresh(limited, silent, rate);
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
        let pace = earlier.pace_since(pause, limited, rate);
        if pace == Pace::Faster {
            return Self::afresh(limited, silent, rate);
        }
        let gap = (earlier.gap * 2)
            .clamp(least(rate), LONGEST_PAUSE)
            .max(pause);
        Self {
            not_before: limited.now + pause,
            tries_at: limited.now + gap,
            gap,
            limited_at: limited.now,
            accepted: limited.accepted,
            silent,
            counting: earlier.counting.learned(pace, pause, limited, rate),
        }
    }

    /// A window that opens again after the pause.
    fn afresh(limited: Limited, silent: u32, rate: Rate) -> Self {
        let pause = pause(limited.retry_after, silent, rate);
        Self {
            not_before: limited.now + pause,
            tries_at: limited.now + pause,
            gap: pause.max(least(rate)),
            limited_at: limited.now,
            accepted: limited.accepted,
            silent,
            counting: Counting::window(limited),
        }
    }

    /// What the service has accepted since the last 429, held against what the quota refills.
    fn pace_since(&self, pause: Duration, limited: Limited, rate: Rate) -> Pace {
        let since = limited.now.duration_since(self.limited_at).unsigned_abs();
        if !is_short(pause, rate) {
            return Pace::Unknown;
        }
        if matches!(self.counting, Counting::Steady { .. }) {
            return Pace::Steady;
        }
        // Where nothing was accepted in between, a pause shorter than the quota's own pace says nothing of what refills.
        let is_repeated = limited.accepted <= self.accepted && pause < least(rate);
        if !is_short(since, rate) || is_repeated {
            return Pace::Unknown;
        }
        let more = limited.accepted.saturating_sub(self.accepted + LATE);
        let refilling = least(rate).saturating_mul(u32::try_from(more).unwrap_or(u32::MAX));
        if refilling <= since {
            Pace::Steady
        } else {
            Pace::Faster
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

    /// From one trial to the next.
    pub(super) fn gap(&self) -> Duration {
        self.gap
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

    /// How the service counts, now that it answered 429 once more.
    fn learned(&self, pace: Pace, pause: Duration, limited: Limited, rate: Rate) -> Self {
        if pace != Pace::Steady {
            return Self::window(limited);
        }
        let floor = match self {
            Self::Steady { floor, .. } => *floor * 5 / 4,
            Self::Window { .. } => least(rate),
        };
        Self::Steady {
            floor: floor.max(pause),
            eased_at: limited.now,
        }
    }

    /// As many in a window as were accepted.
    fn window(limited: Limited) -> Self {
        Self::Window {
            cap: limited.accepted,
            step: 1,
        }
    }
}

/// The quota's own pace.
fn least(rate: Rate) -> Duration {
    (rate.window / rate.count).max(Duration::from_millis(1))
}

fn is_short(pause: Duration, rate: Rate) -> bool {
    pause < rate.window / STEADY
}

/// As long as the service asked; where it did not, twice as long each time, a window at most.
fn pause(retry_after: Option<Duration>, silent: u32, rate: Rate) -> Duration {
    retry_after
        .unwrap_or_else(|| (least(rate) * 2_u32.pow(silent.min(16))).min(rate.window))
        .min(LONGEST_PAUSE)
}
