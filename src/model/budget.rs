//! How many requests the quota still allows: a rolling log of slots, pure, with the clock passed in.
//!
//! Every request takes a slot before it leaves. The service can have counted it at any instant up to its answer, so a
//! slot is free again one window after its *answer* arrived, or after its time-out if none did. Then no interval as
//! long as the window ever holds more than the quota, whatever the service counts: a sliding window, fixed windows of
//! any phase, or a bucket of the same size and refill, since `count * ceil(d / window)` requests in an interval `d`
//! never exceed the bucket's `count + count * d / window`.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use jiff::Timestamp;

use crate::model::adaptive_limit::RateLimitResponse;
use crate::model::{AdaptiveLimit, Rate, SlotOpenings};

/// Longest drift and rounding between our clock and the service's that a slot waits out beyond its window.
const LONGEST_MARGIN: Duration = Duration::from_secs(2);

/// How long to wait before asking again whether the request in flight was answered.
const ANSWER: Duration = Duration::from_secs(5);

/// A slot as the journal keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaSlot {
    /// The attempt that took it.
    pub attempt: i64,
    /// When, before the bytes left.
    pub taken_at: Timestamp,
    /// When its answer is given up.
    pub times_out_at: Timestamp,
    /// When its answer came, or its failure was known.
    pub settled_at: Option<Timestamp>,
}

/// How much of the quota is ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaShare {
    /// The team's quota.
    pub rate: Rate,
    /// Requests of each window that are left to the team's other programs.
    pub reserve: u32,
}

impl QuotaShare {
    /// Requests of each window that are ours; never none, or nothing would ever be sent.
    pub fn allowed(self) -> usize {
        self.rate.count.saturating_sub(self.reserve).max(1) as usize
    }

    /// How long after its end a slot is free: the window, and a little for clocks that drift and round.
    pub fn reserve_until(self) -> Duration {
        let margin = (self.rate.window / 2000).clamp(Duration::from_millis(2), LONGEST_MARGIN);
        self.rate.window + margin
    }
}

/// Whether a request may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Now.
    Now,
    /// The window is full. Ask again then; an answer in between may free a slot sooner.
    At(Timestamp),
    /// 429 responses delay it until then. Ask again then, or after the next answer.
    Limited(Timestamp),
}

/// The rolling log. Memory: one time a slot of the window.
#[derive(Clone, Debug, Default)]
pub struct QuotaBudget {
    /// Ends of settled slots, oldest first.
    settled: VecDeque<Timestamp>,
    /// Slots without an answer yet, with their time-outs.
    open: BTreeMap<i64, Timestamp>,
    /// No open slot ends sooner; none where that is not known.
    open_until: Option<Timestamp>,
    /// What 429 responses say.
    adaptive_limit: Option<AdaptiveLimit>,
}

impl QuotaBudget {
    /// The log as the journal recalls it at `now`. A slot stamped later than that (the clock was set back since)
    /// counts as taken or settled just now: nothing is overrun, and nothing waits longer than one window for it.
    pub fn recall(
        slots: impl IntoIterator<Item = QuotaSlot>,
        adaptive_limit: Option<AdaptiveLimit>,
        now: Timestamp,
    ) -> Self {
        let mut budget = Self {
            adaptive_limit: adaptive_limit.map(|limit| limit.not_after(now)),
            ..Self::default()
        };
        for slot in slots {
            let slot = slot.not_after(now);
            match slot.settled_at {
                Some(end) => budget.insert(end),
                None => {
                    budget.open.insert(slot.attempt, slot.times_out_at);
                }
            }
        }
        budget
    }

    /// Whether a request may leave at `now`.
    pub fn admit(&mut self, now: Timestamp, share: QuotaShare) -> Admission {
        self.forget(now, share);
        let mut allowed = share.allowed();
        if let Some(limit) = &self.adaptive_limit {
            let next_at = limit.next_at();
            if now < next_at {
                return Admission::Limited(next_at);
            }
            if limit.is_one_by_one(now, share) && self.open.values().any(|end| now < *end) {
                return Admission::Limited(now + ANSWER);
            }
            allowed = limit.limit(now, share);
        }
        let live = self.live();
        if live < allowed {
            return Admission::Now;
        }
        Admission::At(self.frees_at(live - allowed, share))
    }

    /// Notes that a request leaves and takes that slot.
    pub fn take(&mut self, slot: QuotaSlot, share: QuotaShare) {
        self.open.insert(slot.attempt, slot.times_out_at);
        if let Some(limit) = &mut self.adaptive_limit {
            limit.sent(slot.taken_at, share);
        }
    }

    /// Notes that `attempt` never left this machine: its slot is free at once.
    pub fn release(&mut self, attempt: i64) {
        self.open.remove(&attempt);
    }

    /// Notes an answer other than a 429. Says whether the adaptive limit changed.
    pub fn record_answer(&mut self, slot: QuotaSlot, now: Timestamp, share: QuotaShare) -> bool {
        self.release(slot.attempt);
        self.insert(now);
        let before = self.adaptive_limit.clone();
        if let Some(limit) = &mut self.adaptive_limit {
            limit.accepted(slot.taken_at);
        }
        self.drop_limit(now, share);
        before != self.adaptive_limit
    }

    /// Notes a 429: nothing leaves before the service allows it, and the limit adapts. The refused request holds no
    /// slot: whatever the service counts, its pause covers it.
    pub fn limited(
        &mut self,
        slot: QuotaSlot,
        now: Timestamp,
        retry_after: Option<Duration>,
        share: QuotaShare,
    ) {
        self.release(slot.attempt);
        self.forget(now, share);
        let accepted = self.settled.len();
        let refusal = RateLimitResponse {
            sent_at: slot.taken_at,
            now,
            retry_after,
            accepted,
        };
        self.adaptive_limit
            .get_or_insert_with(|| AdaptiveLimit::new(accepted, now))
            .refused(refusal, share);
    }

    /// What 429 responses say, for the journal.
    pub fn adaptive_limit(&self) -> Option<&AdaptiveLimit> {
        self.adaptive_limit.as_ref()
    }

    /// Requests that may leave now without waiting, as far as is known.
    pub fn left(&self, now: Timestamp, share: QuotaShare) -> usize {
        let limit = self.adaptive_limit.as_ref();
        let allowed = limit.map_or(share.allowed(), |limit| limit.limit(now, share));
        allowed.saturating_sub(self.live())
    }

    /// When the slots that are ours open; never before `now`.
    pub fn openings(&self, now: Timestamp, share: QuotaShare) -> SlotOpenings {
        let ends = self.settled.iter().chain(self.open.values());
        let mut taken: Vec<Timestamp> = ends
            .map(|end| *end + share.reserve_until())
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

    fn live(&self) -> usize {
        self.settled.len() + self.open.len()
    }

    /// When the slot with the `nth` soonest end is free.
    fn frees_at(&self, nth: usize, share: QuotaShare) -> Timestamp {
        let mut open: Vec<Timestamp> = self.open.values().copied().collect();
        open.sort_unstable();
        let (mut settled, mut open) = (self.settled.iter().peekable(), open.iter().peekable());
        let mut end = None;
        for _ in 0..=nth {
            end = match (settled.peek(), open.peek()) {
                (Some(one), Some(other)) if one <= other => settled.next(),
                (_, Some(_)) => open.next(),
                (_, None) => settled.next(),
            };
        }
        *end.expect("the caller counted the slots") + share.reserve_until()
    }

    fn forget(&mut self, now: Timestamp, share: QuotaShare) {
        let since = now - share.reserve_until();
        while self.settled.front().is_some_and(|end| *end <= since) {
            self.settled.pop_front();
        }
        // They are many, and looked at again only once one of them can have ended: those that are yet to come end
        // later than now.
        if self.open_until.is_none_or(|until| until <= since) {
            self.open.retain(|_, end| *end > since);
            let soonest = self.open.values().min().copied();
            self.open_until = Some(soonest.map_or(now, |end| end.min(now)));
        }
        self.drop_limit(now, share);
    }

    fn drop_limit(&mut self, now: Timestamp, share: QuotaShare) {
        self.adaptive_limit
            .take_if(|limit| limit.is_over(now, share));
    }

    /// Keeps the ends in order; answers come nearly so.
    fn insert(&mut self, end: Timestamp) {
        let after = self.settled.iter().rev().take_while(|at| **at > end);
        let index = self.settled.len() - after.count();
        self.settled.insert(index, end);
    }
}

impl QuotaSlot {
    fn not_after(self, now: Timestamp) -> Self {
        if self.taken_at <= now {
            let settled_at = self.settled_at.map(|end| end.min(now));
            return Self { settled_at, ..self };
        }
        let patience = self.times_out_at.duration_since(self.taken_at);
        Self {
            taken_at: now,
            times_out_at: now + patience,
            settled_at: self.settled_at.map(|_| now),
            ..self
        }
    }
}
