//! The requests that the quota still allows: a rolling log of slots. The clock is an argument.
//!
//! Every request takes a slot before it is sent. The service may count it at any time until its response, so a slot is
//! free again one window after the *response* arrived, or after the timeout if none did. Then no interval as long as
//! the window contains more requests than the quota, however the service counts: with a sliding window, with fixed
//! windows of any phase, or with a token bucket of the same size and refill rate, since `count * ceil(d / window)`
//! requests in an interval `d` never exceed the bucket's `count + count * d / window`.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use crate::model::adaptive_limit::RateLimitResponse;
use crate::model::{AdaptiveLimit, QuotaShare, SlotOpenings};

/// While requests are sent one at a time, the time after which the caller checks again for a response.
const RESPONSE_POLL: Duration = Duration::from_secs(5);

/// A slot as the journal stores it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaSlot {
    /// The id of the attempt that took it.
    pub attempt: i64,
    /// When it was taken, before the request was sent.
    pub taken_at: Timestamp,
    /// When the request times out.
    pub times_out_at: Timestamp,
    /// When the response came or the failure was known; `None` before.
    pub ended_at: Option<Timestamp>,
}

/// Whether a request may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// It may be sent now.
    Granted,
    /// The window is full until this time, unless a response frees a slot earlier.
    WindowFull(Timestamp),
    /// 429 responses delay it until this time. Check again then, or after the next response.
    RateLimited(Timestamp),
}

/// The rolling log of slots. It stores one timestamp per slot of the window.
#[derive(Clone, Debug, Default)]
pub struct QuotaBudget {
    /// Ends of slots with a response, in ascending order.
    ended: VecDeque<Timestamp>,
    /// Slots without a response yet, by attempt, with their timeouts.
    open: BTreeMap<i64, Timestamp>,
    /// Those of them that this process took. They end with the response alone: the machine may be suspended while they
    /// are on their way, longer than the timeout.
    in_flight: BTreeSet<i64>,
    /// The limit learned from 429 responses.
    adaptive_limit: Option<AdaptiveLimit>,
}

impl QuotaBudget {
    /// Builds the log from the journal's slots at `now`. A slot with a later time, because the clock was set back,
    /// counts as taken or ended at `now`: the quota is never exceeded, and no request waits longer than one window for
    /// it.
    pub fn from_slots(
        slots: impl IntoIterator<Item = QuotaSlot>,
        adaptive_limit: Option<AdaptiveLimit>,
        now: Timestamp,
    ) -> Self {
        let mut budget = Self {
            adaptive_limit: adaptive_limit.map(|limit| limit.clamp_to(now)),
            ..Self::default()
        };
        for slot in slots {
            let slot = slot.clamp_to(now);
            match slot.ended_at {
                Some(end) => budget.insert_end(end),
                None => {
                    budget.open.insert(slot.attempt, slot.times_out_at);
                }
            }
        }
        budget
    }

    /// Returns whether a request may be sent at `now`.
    pub fn admit(&mut self, now: Timestamp, share: QuotaShare) -> Admission {
        self.remove_expired(now, share);
        let mut allowed = share.allowed();
        if let Some(limit) = &self.adaptive_limit {
            if now < limit.not_before() {
                return Admission::RateLimited(limit.not_before());
            }
            if limit.is_sequential(now, share) && self.open.values().any(|end| now < *end) {
                return Admission::RateLimited(now + RESPONSE_POLL);
            }
            allowed = limit.limit(now, share);
        }
        let live = self.slots_in_use();
        if live < allowed {
            return Admission::Granted;
        }
        Admission::WindowFull(self.slot_free_at(live - allowed, share))
    }

    /// Records that a request takes a slot and is sent.
    pub fn take_slot(&mut self, slot: QuotaSlot) {
        self.in_flight.insert(slot.attempt);
        self.open.insert(slot.attempt, slot.times_out_at);
    }

    /// Records that `attempt` was not sent; its slot is free at once.
    pub fn release_slot(&mut self, attempt: i64) {
        self.open.remove(&attempt);
        self.in_flight.remove(&attempt);
    }

    /// Records a response other than 429. Returns whether the adaptive limit changed.
    pub fn record_response(&mut self, slot: QuotaSlot, now: Timestamp, share: QuotaShare) -> bool {
        self.release_slot(slot.attempt);
        self.insert_end(now);
        let before = self.adaptive_limit.clone();
        if let Some(limit) = &mut self.adaptive_limit {
            limit.record_accepted(slot.taken_at);
        }
        self.remove_expired_limit(now, share);
        before != self.adaptive_limit
    }

    /// Records a 429: no request is sent before the service allows it, and the limit adapts. The refused request takes
    /// no slot, because the pause covers it, however the service counts; without a pause it takes one.
    pub fn record_rate_limit(
        &mut self,
        slot: QuotaSlot,
        now: Timestamp,
        retry_after: Option<Duration>,
        share: QuotaShare,
    ) {
        self.release_slot(slot.attempt);
        self.remove_expired(now, share);
        let accepted = self.ended.len();
        let refusal = RateLimitResponse {
            sent_at: slot.taken_at,
            now,
            retry_after,
            accepted,
        };
        self.adaptive_limit
            .get_or_insert_with(|| AdaptiveLimit::new(accepted, now))
            .record_rate_limit(refusal, share);
        if retry_after.is_some_and(|pause| pause.is_zero()) {
            self.insert_end(now);
        }
    }

    /// Returns the limit learned from 429 responses, for the journal to store.
    pub fn adaptive_limit(&self) -> Option<&AdaptiveLimit> {
        self.adaptive_limit.as_ref()
    }

    /// Returns the number of requests that may be sent at `now` without waiting.
    pub fn available(&self, now: Timestamp, share: QuotaShare) -> usize {
        let limit = self.adaptive_limit.as_ref();
        let allowed = limit.map_or(share.allowed(), |limit| limit.limit(now, share));
        allowed.saturating_sub(self.slots_in_use())
    }

    /// Returns when this program's slots become available; never before `now`.
    pub fn openings(&self, now: Timestamp, share: QuotaShare) -> SlotOpenings {
        let ends = self.ended.iter().chain(self.open.values());
        let mut taken: Vec<Timestamp> = ends
            .map(|end| *end + share.slot_lifetime())
            .filter(|free_at| *free_at > now)
            .collect();
        taken.sort_unstable();
        let allowed = share.allowed();
        let free = allowed.saturating_sub(taken.len());
        let taken = taken.split_off(taken.len().saturating_sub(allowed));
        let limit = self.adaptive_limit.as_ref();
        let floor = limit.map_or(now, |limit| limit.not_before().max(now));
        SlotOpenings::new(free, floor, taken)
    }

    fn slots_in_use(&self) -> usize {
        self.ended.len() + self.open.len()
    }

    /// When the slot with the `nth` earliest end becomes available.
    fn slot_free_at(&self, nth: usize, share: QuotaShare) -> Timestamp {
        let ends = self.ended.iter().chain(self.open.values());
        let mut ends: Vec<Timestamp> = ends.copied().collect();
        let (_, end, _) = ends.select_nth_unstable(nth);
        *end + share.slot_lifetime()
    }

    fn remove_expired(&mut self, now: Timestamp, share: QuotaShare) {
        let since = now - share.slot_lifetime();
        while self.ended.front().is_some_and(|end| *end <= since) {
            self.ended.pop_front();
        }
        self.open.retain(|attempt, end| {
            if *end < now && self.in_flight.contains(attempt) {
                *end = now;
            }
            *end > since
        });
        self.remove_expired_limit(now, share);
    }

    fn remove_expired_limit(&mut self, now: Timestamp, share: QuotaShare) {
        self.adaptive_limit
            .take_if(|limit| limit.is_expired(now, share));
    }

    /// Inserts in ascending order; responses arrive almost in order.
    fn insert_end(&mut self, end: Timestamp) {
        let after = self.ended.iter().rev().take_while(|at| **at > end);
        let index = self.ended.len() - after.count();
        self.ended.insert(index, end);
    }
}

impl QuotaSlot {
    fn clamp_to(self, now: Timestamp) -> Self {
        let ahead = self.taken_at.duration_since(now).max(SignedDuration::ZERO);
        Self {
            taken_at: self.taken_at - ahead,
            times_out_at: self.times_out_at - ahead,
            ended_at: self.ended_at.map(|end| end.min(now)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Rate;

    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);
    const SHARE: QuotaShare = QuotaShare {
        rate: Rate {
            count: 3,
            window: Duration::from_secs(10),
        },
        reserve: 0,
    };

    fn at(seconds: u64) -> Timestamp {
        NOW + Duration::from_secs(seconds)
    }

    /// When the slot of a response that takes `seconds` is free again.
    fn free_at(seconds: u64) -> Timestamp {
        at(seconds) + SHARE.slot_lifetime()
    }

    fn open(attempt: i64, taken: u64) -> QuotaSlot {
        QuotaSlot {
            attempt,
            taken_at: at(taken),
            times_out_at: at(taken + 60),
            ended_at: None,
        }
    }

    fn ended(attempt: i64, end: u64) -> QuotaSlot {
        QuotaSlot {
            ended_at: Some(at(end)),
            ..open(attempt, 0)
        }
    }

    fn budget(slots: &[QuotaSlot], now: u64) -> QuotaBudget {
        QuotaBudget::from_slots(slots.iter().copied(), None, at(now))
    }

    #[test]
    fn a_full_window_waits_for_its_earliest_end() {
        let slots = [ended(1, 5), ended(2, 3), open(3, 0)];
        let mut full = budget(&slots, 6);
        assert_eq!(full.admit(at(6), SHARE), Admission::WindowFull(free_at(3)));
        let mut slots = slots;
        slots[2].times_out_at = at(2);
        let mut full = budget(&slots, 6);
        assert_eq!(full.admit(at(6), SHARE), Admission::WindowFull(free_at(2)));
        let reserved = QuotaShare {
            reserve: 1,
            ..SHARE
        };
        assert_eq!(
            full.admit(at(6), reserved),
            Admission::WindowFull(free_at(3))
        );
        let reserved = QuotaShare {
            reserve: 2,
            ..SHARE
        };
        assert_eq!(
            full.admit(at(6), reserved),
            Admission::WindowFull(free_at(5))
        );
    }

    #[test]
    fn a_slot_is_free_one_lifetime_after_its_end_or_timeout() {
        let mut full = budget(&[ended(1, 3), ended(2, 20), open(3, 0)], 20);
        let before = |end| free_at(end) - Duration::from_millis(1);
        assert_eq!(full.available(before(3), SHARE), 0);
        assert_eq!(full.admit(free_at(3), SHARE), Admission::Granted);
        assert_eq!(full.available(free_at(3), SHARE), 1);
        assert_eq!(full.admit(before(60), SHARE), Admission::Granted);
        assert_eq!(full.available(before(60), SHARE), 2);
        assert_eq!(full.admit(free_at(60), SHARE), Admission::Granted);
        assert_eq!(full.available(free_at(60), SHARE), 3);
    }

    #[test]
    fn responses_may_arrive_in_any_order() {
        let mut full = budget(&[open(1, 0), open(2, 0), open(3, 0)], 0);
        for (attempt, end) in [(1, 4), (2, 2), (3, 3)] {
            assert!(!full.record_response(open(attempt, 0), at(end), SHARE));
        }
        assert_eq!(full.admit(at(4), SHARE), Admission::WindowFull(free_at(2)));
    }

    #[test]
    fn openings_are_the_ends_of_the_taken_slots() {
        let openings = budget(&[ended(1, 3), open(2, 0)], 4).openings(at(4), SHARE);
        let expected = SlotOpenings::new(1, at(4), [free_at(3), free_at(60)]);
        assert_eq!(openings, expected);
        let later = budget(&[ended(1, 3), open(2, 0)], 4).openings(free_at(3), SHARE);
        let expected = SlotOpenings::new(2, free_at(3), [free_at(60)]);
        assert_eq!(later, expected);
    }

    #[test]
    fn a_slot_with_a_later_time_counts_as_taken_or_ended_now() {
        let single = QuotaShare {
            reserve: 2,
            ..SHARE
        };
        let wait = |slot| budget(&[slot], 0).admit(NOW, single);
        let ended_later = QuotaSlot {
            ended_at: Some(at(105)),
            ..open(1, 100)
        };
        assert_eq!(wait(open(1, 100)), Admission::WindowFull(free_at(60)));
        assert_eq!(wait(ended_later), Admission::WindowFull(free_at(0)));
        assert_eq!(wait(ended(1, 105)), Admission::WindowFull(free_at(0)));
    }

    #[test]
    fn a_429_that_asks_for_no_pause_keeps_its_slot() {
        for (pause, free) in [(0, 2), (1, 3)] {
            let mut budget = budget(&[], 0);
            let pause = Some(Duration::from_secs(pause));
            budget.record_rate_limit(open(1, 0), at(1), pause, SHARE);
            assert_eq!(budget.available(at(2), SHARE), free);
        }
    }

    #[test]
    fn under_a_halved_limit_a_request_waits_for_the_response_to_the_one_before() {
        let mut budget = budget(&[ended(1, 0)], 0);
        let refused = open(2, 1);
        let pause = Some(SHARE.rate.window);
        budget.record_rate_limit(refused, at(1), pause, SHARE);
        let resumed = budget.adaptive_limit().unwrap().not_before();
        assert_eq!(budget.admit(at(6), SHARE), Admission::RateLimited(resumed));
        let resumed = free_at(1);
        assert_eq!(budget.admit(resumed, SHARE), Admission::Granted);
        let next = QuotaSlot {
            taken_at: resumed,
            times_out_at: resumed + Duration::from_secs(60),
            ..open(3, 0)
        };
        budget.take_slot(next);
        let poll = Admission::RateLimited(resumed + RESPONSE_POLL);
        assert_eq!(budget.admit(resumed, SHARE), poll);
        let answered = resumed + Duration::from_secs(1);
        assert!(budget.record_response(next, answered, SHARE));
    }
}
