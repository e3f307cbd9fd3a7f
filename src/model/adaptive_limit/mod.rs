//! The request limit learned from 429 responses that came although the budget had room.
//!
//! Every pause is waited out. The limit changes only if the service accepts less than the limit: it is halved, and
//! raised by a fixed step for each window without a 429 (additive increase, multiplicative decrease; Chiu and Jain,
//! "Analysis of the Increase and Decrease Algorithms for Congestion Avoidance in Computer Networks", 1989).

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

/// While every request is refused, a pause lasts at least this part of the time since the first refusal, also if the
/// service asks for no pause at all.
const REFUSED_PART: u32 = 4;

/// The part of the configured limit by which a halved limit is raised per window: after three windows it is back.
const STEP_PART: usize = 6;

/// No limit is lower than this part of the configured one: 429 responses by chance must not stop a run. A service that
/// accepts less answers 429 more often, and each pause is waited out.
const LOWEST_PART: usize = 8;

/// The state learned from 429 responses. The journal stores it for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdaptiveLimit {
    /// The limit of requests per window at the newest episode; `None` if it is the configured limit.
    reduced: Option<usize>,
    /// No request may be sent before this time.
    not_before: Timestamp,
    /// When the newest episode began. 429 responses to requests that were sent before belong to it.
    limited_at: Timestamp,
    /// When the first episode began since which no request was accepted; `None` if one was since the newest.
    refused_since: Option<Timestamp>,
    /// Requests that were accepted since the newest episode, or before it if none was since.
    accepted: usize,
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

impl AdaptiveLimit {
    /// The limit before the first 429 with `accepted` requests in the window.
    pub(super) fn new(accepted: usize, now: Timestamp) -> Self {
        Self {
            reduced: None,
            not_before: now,
            limited_at: now,
            refused_since: None,
            accepted,
        }
    }

    /// Records a 429 response.
    pub(super) fn record_rate_limit(&mut self, refusal: RateLimitResponse, share: QuotaShare) {
        let now = refusal.now;
        let is_in_series = self.refused_since.is_some();
        let refused_since = *self.refused_since.get_or_insert(now);
        let refused_for = now.duration_since(refused_since).unsigned_abs();
        let window = share.rate.window;
        let pause = refusal
            .retry_after
            .unwrap_or((FIRST_PAUSE + refused_for).min(window))
            .max((refused_for / REFUSED_PART).min(window))
            .min(LONGEST_PAUSE);
        if is_in_series && refusal.sent_at <= self.limited_at {
            self.not_before = self.not_before.max(now + pause);
            return;
        }
        let limit = self.limit(now, share);
        // Pauses by chance may follow each other; only those for most of a window count together.
        let is_refused_for_long = refused_for + pause >= window / 2;
        let elapsed = if is_refused_for_long {
            refused_for + pause
        } else {
            pause
        };
        self.reduced = (limit < share.allowed()).then_some(limit);
        if self.accepted > 0 && elapsed > self.expected(limit, share) {
            let lowest = (share.allowed() / LOWEST_PART).max(1);
            self.reduced = Some((limit / 2).max(lowest));
            self.accepted = 0;
        }
        self.limited_at = now;
        self.not_before = now + pause;
    }

    /// The time in which a limit allows as many requests as were accepted.
    fn expected(&self, limit: usize, share: QuotaShare) -> Duration {
        let accepted = u32::try_from(self.accepted).unwrap_or(u32::MAX);
        share.rate.window * accepted / u32::try_from(limit).unwrap_or(u32::MAX)
    }

    /// Records any other response to a request that was sent at `sent_at`.
    pub(super) fn record_accepted(&mut self, sent_at: Timestamp) {
        if sent_at <= self.limited_at {
            return;
        }
        if self.refused_since.take().is_some() {
            self.accepted = 0;
        }
        self.accepted += 1;
    }

    /// Requests per window at `now`. A halved limit is in force for a window of its own.
    pub(super) fn limit(&self, now: Timestamp, share: QuotaShare) -> usize {
        let allowed = share.allowed();
        let Some(reduced) = self.reduced else {
            return allowed;
        };
        let from = self.not_before.max(self.limited_at + share.rate.window);
        let passed = Duration::try_from(now.duration_since(from)).unwrap_or_default();
        let whole_windows = passed.as_nanos() / share.rate.window.as_nanos();
        let windows = usize::try_from(whole_windows).unwrap_or(usize::MAX);
        let step = allowed.div_ceil(STEP_PART);
        reduced
            .saturating_add(windows.saturating_mul(step))
            .min(allowed)
    }

    /// Whether a request waits for the response to the one before, so that a service that accepts one at a time refuses
    /// one, not all that are in flight.
    pub(super) fn is_sequential(&self, now: Timestamp, share: QuotaShare) -> bool {
        self.limit(now, share) < share.allowed()
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
            self.refused_since = self.refused_since.map(|since| since - ahead);
        }
        self
    }

    /// Returns when the pause that the service asked for ends.
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }
}
