//! The request limit learned from 429 responses that came although the budget had room.
//!
//! Every pause is waited out. The limit changes only if the service accepts less than the limit: it is halved, and
//! raised by a fixed step for each window without a 429 (additive increase, multiplicative decrease; Chiu and Jain,
//! "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks", 1989). A service
//! that accepts the limit, but only few requests at once, gets requests that are spaced evenly.

#[cfg(test)]
mod cases;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::model::QuotaShare;

/// The first pause if the response has no `Retry-After`; it doubles with each refusal in a row.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause; longer ones are shortened to it.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// While every request is refused, a pause lasts at least this part of the time since the first refusal.
const REFUSED_PART: u32 = 4;

/// The part of the configured limit by which a halved limit is raised per window: after three windows it is back.
const STEP_PART: usize = 6;

/// No limit is lower than this part of the configured one: 429 responses by chance must not stop a run. A service that
/// accepts less answers 429 more often, and each pause is waited out.
const LOWEST_PART: usize = 8;

/// At first, requests are spaced until this many have been accepted. A limit that is refused more often is too high.
const SPACED: usize = 16;

/// Factor of that number if requests have to be spaced again.
const SPACED_FACTOR: usize = 3;

/// The state learned from 429 responses. The journal stores it for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdaptiveLimit {
    /// The limit of requests per window at the newest episode; `None` if it is the configured limit.
    reduced: Option<usize>,
    /// No request may be sent before this time.
    not_before: Timestamp,
    /// When the newest episode began. 429 responses to requests that were sent before belong to it.
    limited_at: Timestamp,
    /// When the first episode began since which no request was accepted.
    refused_since: Timestamp,
    /// Number of those episodes.
    refusals: u32,
    /// Requests that were accepted since the newest episode, or before it if none was since.
    accepted: usize,
    /// Number of requests that are still to be spaced.
    spaced: usize,
    /// Number of requests that were to be spaced the last time.
    last_spaced: usize,
    /// When the next spaced request may be sent.
    next_at: Timestamp,
}

/// A 429 response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RateLimitResponse {
    /// When its request was sent.
    pub(super) sent_at: Timestamp,
    /// When the response came.
    pub(super) now: Timestamp,
    /// The pause that the service asks for.
    pub(super) retry_after: Option<Duration>,
    /// Requests of the window that were accepted.
    pub(super) accepted: usize,
}

/// The reaction to an episode.
enum Reaction {
    Wait,
    Space,
    Halve,
}

impl AdaptiveLimit {
    /// The limit before the first 429 with `accepted` requests in the window.
    pub(super) fn new(accepted: usize, now: Timestamp) -> Self {
        Self {
            reduced: None,
            not_before: now,
            limited_at: now,
            refused_since: now,
            refusals: 0,
            accepted,
            spaced: 0,
            last_spaced: 0,
            next_at: now,
        }
    }

    /// Records a 429 response.
    pub(super) fn record_rate_limit(&mut self, refusal: RateLimitResponse, share: QuotaShare) {
        let now = refusal.now;
        if self.refusals > 0 && refusal.sent_at <= self.limited_at {
            let pause = self.pause(refusal, share);
            self.not_before = self.not_before.max(now + pause);
            return;
        }
        let limit = self.limit(now, share);
        let elapsed = self.begin_episode(refusal, share);
        let reaction = self.reaction(refusal.accepted, limit, elapsed, share);
        self.reduced = (limit < share.allowed()).then_some(limit);
        self.limited_at = now;
        match reaction {
            Reaction::Wait => return,
            Reaction::Space => {
                self.last_spaced = (self.last_spaced * SPACED_FACTOR).max(SPACED);
                self.spaced = self.last_spaced;
                // Two intervals after the last request, so that latency may vary by one.
                self.not_before += interval(limit, share);
            }
            Reaction::Halve => self.reduced = Some(self.halved(limit, elapsed, share)),
        }
        self.accepted = 0;
    }

    /// Sets the pause. Returns the time in which the service accepted `self.accepted` requests, as far as it would have
    /// refused more.
    fn begin_episode(&mut self, refusal: RateLimitResponse, share: QuotaShare) -> Duration {
        let since = |from: Timestamp| refusal.now.duration_since(from).unsigned_abs();
        let mut elapsed = Duration::ZERO;
        if self.refusals == 0 {
            let last_pause = self.not_before.duration_since(self.limited_at);
            elapsed = since(self.limited_at).min(last_pause.unsigned_abs() * 2);
            self.refused_since = refusal.now;
        }
        self.refusals = self.refusals.saturating_add(1);
        let pause = self.pause(refusal, share);
        let refused_for = since(self.refused_since) + pause;
        if refused_for >= share.rate.window / 2 {
            elapsed = refused_for;
        }
        self.not_before = refusal.now + pause;
        elapsed.max(pause)
    }

    fn pause(&self, refusal: RateLimitResponse, share: QuotaShare) -> Duration {
        let doublings = self.refusals.saturating_sub(1).min(16);
        let own = FIRST_PAUSE * 2_u32.pow(doublings);
        let refused_for = refusal
            .now
            .duration_since(self.refused_since)
            .unsigned_abs();
        refusal
            .retry_after
            .unwrap_or(own.min(share.rate.window))
            .max((refused_for / REFUSED_PART).min(share.rate.window))
            .min(LONGEST_PAUSE)
    }

    fn reaction(
        &self,
        in_window: usize,
        limit: usize,
        elapsed: Duration,
        share: QuotaShare,
    ) -> Reaction {
        let is_raised = self.reduced.is_some_and(|reduced| in_window >= reduced);
        if self.spaced > 0 {
            let is_too_fast = is_raised || self.accepted < SPACED;
            return if is_too_fast {
                Reaction::Halve
            } else {
                Reaction::Wait
            };
        }
        let is_short = elapsed < share.rate.window / 4;
        let was_slower = self.last_spaced > 0 || self.reduced.is_some();
        if is_short && was_slower && (1..=self.last_spaced + SPACED).contains(&self.accepted) {
            return Reaction::Space;
        }
        if is_raised {
            return Reaction::Halve;
        }
        if self.accepted == 0 || elapsed < self.expected(limit, share) {
            return Reaction::Wait;
        }
        if is_short && !self.is_far_below(limit, elapsed, share) {
            return Reaction::Space;
        }
        Reaction::Halve
    }

    /// Half of the limit; if the service accepted far fewer requests than even that, half of it again.
    fn halved(&self, limit: usize, elapsed: Duration, share: QuotaShare) -> usize {
        let lowest = (share.allowed() / LOWEST_PART).max(1);
        let mut halved = limit / 2;
        while halved > lowest && self.is_far_below(halved, elapsed, share) {
            halved /= 2;
        }
        halved.max(lowest)
    }

    /// Whether the service accepted less than three quarters of a limit.
    fn is_far_below(&self, limit: usize, elapsed: Duration, share: QuotaShare) -> bool {
        self.accepted > 0 && elapsed * 3 >= self.expected(limit, share) * 4
    }

    /// The time in which a limit allows as many requests as were accepted.
    fn expected(&self, limit: usize, share: QuotaShare) -> Duration {
        interval(limit, share) * u32::try_from(self.accepted).unwrap_or(u32::MAX)
    }

    /// Records any other response to a request that was sent at `sent_at`.
    pub(super) fn record_accepted(&mut self, sent_at: Timestamp) {
        if sent_at <= self.limited_at {
            return;
        }
        if self.refusals > 0 {
            self.refusals = 0;
            self.accepted = 0;
        }
        self.accepted += 1;
        self.spaced = self.spaced.saturating_sub(1);
    }

    /// Records that a request is sent.
    pub(super) fn record_sent(&mut self, now: Timestamp, share: QuotaShare) {
        let interval = interval(self.limit(now, share), share);
        // A little more, since latency varies.
        self.next_at = now + interval + interval / 16;
    }

    /// Requests per window at `now`. A halved limit is in force for a window of its own.
    pub(super) fn limit(&self, now: Timestamp, share: QuotaShare) -> usize {
        let allowed = share.allowed();
        let Some(reduced) = self.reduced else {
            return allowed;
        };
        let since = self.not_before.max(self.limited_at + share.rate.window);
        let since = Duration::try_from(now.duration_since(since)).unwrap_or_default();
        let windows = since.as_nanos() / share.rate.window.as_nanos();
        let windows = usize::try_from(windows).unwrap_or(usize::MAX);
        let step = allowed.div_ceil(STEP_PART);
        reduced
            .saturating_add(windows.saturating_mul(step))
            .min(allowed)
    }

    /// No request may be sent before this time.
    pub(super) fn next_at(&self) -> Timestamp {
        match self.spaced {
            0 => self.not_before,
            _ => self.not_before.max(self.next_at),
        }
    }

    /// Whether a request waits for the response to the one before.
    pub(super) fn is_sequential(&self, now: Timestamp, share: QuotaShare) -> bool {
        self.refusals > 1 || self.limit(now, share) < share.allowed()
    }

    /// Whether the configured limit was in force for a window without a 429.
    pub(super) fn is_expired(&self, now: Timestamp, share: QuotaShare) -> bool {
        let window_ago = now - share.rate.window;
        self.not_before <= window_ago && self.limit(window_ago, share) >= share.allowed()
    }

    /// Returns the state for a later process. An episode that began after `now`, because the clock was set back, counts
    /// as begun at `now`.
    #[must_use]
    pub fn clamp_to(mut self, now: Timestamp) -> Self {
        let ahead = self.limited_at.duration_since(now);
        if ahead.is_positive() {
            self.not_before -= ahead;
            self.limited_at -= ahead;
            self.refused_since -= ahead;
            self.next_at -= ahead;
        }
        self
    }

    /// Returns when the pause that the service asked for ends.
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }
}

/// The time from one request to the next if they are spread evenly over the window.
fn interval(limit: usize, share: QuotaShare) -> Duration {
    share.rate.window / u32::try_from(limit).unwrap_or(u32::MAX)
}
