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

use crate::model::lesson::{Leave, Lesson, Limited};
use crate::model::{Openings, Rate};

/// Longest drift and rounding between our clock and the service's that a slot waits out beyond its window.
const LONGEST_MARGIN: Duration = Duration::from_secs(2);

/// How long a trial's answer is waited for before one asks again.
const TRIAL: Duration = Duration::from_secs(5);

/// A slot as the journal keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
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
pub struct Share {
    /// The team's quota.
    pub rate: Rate,
    /// Requests of each window that are left to the team's other programs.
    pub reserve: u32,
}

impl Share {
    /// Requests of each window that are ours; never none, or nothing would ever be sent.
    pub fn allowed(self) -> usize {
        self.rate.count.saturating_sub(self.reserve).max(1) as usize
    }

    /// How long after its end a slot is free: the window, and a little for clocks that drift and round.
    pub fn hold(self) -> Duration {
        let margin = (self.rate.window / 2000).clamp(Duration::from_millis(2), LONGEST_MARGIN);
        self.rate.window + margin
    }
}

/// Whether a request may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Now, within what is known to be allowed.
    Now,
    /// Now, alone: it tries whether a service that proved stricter than its documents allows more again.
    Trial,
    /// Not before then. Ask again; an answer in between may free a slot sooner.
    At(Timestamp),
}

/// The rolling log. Memory: one time a slot of the window.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    /// Ends of settled slots, oldest first.
    settled: VecDeque<Timestamp>,
    /// Slots without an answer yet, with their time-outs.
    open: BTreeMap<i64, Timestamp>,
    /// No open slot ends sooner; none where that is not known.
    open_until: Option<Timestamp>,
    /// The attempt that tries beyond what was learned.
    trial: Option<i64>,
    /// What the service taught by answering 429.
    lesson: Option<Lesson>,
}

impl Budget {
    /// The log as the journal recalls it at `now`. A slot stamped later than that (the clock was set back since)
    /// counts as taken or settled just now: nothing is overrun, and nothing waits longer than one window for it.
    pub fn recall(
        slots: impl IntoIterator<Item = Slot>,
        lesson: Option<Lesson>,
        now: Timestamp,
    ) -> Self {
        let mut budget = Self {
            lesson: lesson.map(|lesson| lesson.recalled(now)),
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
    pub fn admit(&mut self, now: Timestamp, share: Share) -> Admission {
        self.forget(now, share);
        let live = self.live();
        let has_room = live < share.allowed();
        match self.lesson.as_ref().map(|lesson| lesson.leave(now, live)) {
            Some(Leave::Not(until)) => return Admission::At(until),
            Some(Leave::Alone { from, cap }) if has_room => {
                return self.admit_alone(now, from, cap, share);
            }
            Some(Leave::Alone { .. } | Leave::Free) | None => {}
        }
        if has_room {
            return Admission::Now;
        }
        Admission::At(self.frees_at(live - share.allowed(), share))
    }

    fn admit_alone(
        &self,
        now: Timestamp,
        from: Timestamp,
        cap: Option<usize>,
        share: Share,
    ) -> Admission {
        let trial = match self.trial {
            None if from <= now => return Admission::Trial,
            None => from,
            // Its answer decides; whoever waits is woken by it.
            Some(_) => now + TRIAL,
        };
        let over = cap.map(|cap| self.live() - cap);
        let own = over.filter(|over| *over < self.live());
        let own = own.map(|over| self.frees_at(over, share));
        Admission::At(own.map_or(trial, |own| own.min(trial)))
    }

    /// Notes that a request leaves and takes that slot.
    pub fn take(&mut self, slot: Slot, admission: Admission) {
        self.open.insert(slot.attempt, slot.times_out_at);
        if let Some(lesson) = &mut self.lesson {
            lesson.left(slot.taken_at);
        }
        if admission == Admission::Trial {
            self.trial = Some(slot.attempt);
        }
    }

    /// Notes that `attempt` never left this machine: its slot is free at once.
    pub fn release(&mut self, attempt: i64) {
        self.open.remove(&attempt);
        self.trial.take_if(|trial| *trial == attempt);
    }

    /// Notes an answer other than a 429. Says whether the lesson changed.
    pub fn settle(&mut self, slot: Slot, now: Timestamp, share: Share) -> bool {
        self.release(slot.attempt);
        self.insert(now);
        let live = self.live();
        let Some(lesson) = &mut self.lesson else {
            return false;
        };
        let before = lesson.clone();
        lesson.accepted(slot.taken_at, live, share);
        let changed = *lesson != before;
        let over = self
            .lesson
            .take_if(|lesson| lesson.is_over(now, share.rate));
        changed || over.is_some()
    }

    /// Notes a 429: nothing leaves before the service allows it, and the pace adapts. The refused request holds no
    /// slot: whatever the service counts, its pause covers it.
    pub fn limited(
        &mut self,
        slot: Slot,
        now: Timestamp,
        retry_after: Option<Duration>,
        share: Share,
    ) {
        self.release(slot.attempt);
        self.forget(now, share);
        let accepted = self.live();
        let earlier = self.lesson.take();
        let limited = Limited {
            taken_at: slot.taken_at,
            now,
            accepted,
            open: self.open.len(),
            retry_after,
        };
        self.lesson = Some(Lesson::learn(earlier, limited, share.rate));
    }

    /// What the service taught, for the journal.
    pub fn lesson(&self) -> Option<&Lesson> {
        self.lesson.as_ref()
    }

    /// Requests that may leave now without waiting, as far as is known.
    pub fn left(&self, share: Share) -> usize {
        let learned = self.lesson.as_ref().and_then(Lesson::cap);
        let allowed = share.allowed().min(learned.unwrap_or(usize::MAX));
        allowed.saturating_sub(self.live())
    }

    /// When the slots that are ours open; never before `now`.
    pub fn openings(&self, now: Timestamp, share: Share) -> Openings {
        let ends = self.settled.iter().chain(self.open.values());
        let mut taken: Vec<Timestamp> = ends
            .map(|end| *end + share.hold())
            .filter(|free_at| *free_at > now)
            .collect();
        taken.sort_unstable();
        let allowed = share.allowed();
        let free = allowed.saturating_sub(taken.len());
        let taken = taken.split_off(taken.len().saturating_sub(allowed));
        let lesson = self.lesson.as_ref();
        let floor = lesson.map_or(now, |lesson| lesson.not_before().max(now));
        Openings::new(free, floor, taken)
    }

    fn live(&self) -> usize {
        self.settled.len() + self.open.len()
    }

    /// When the slot with the `nth` soonest end is free.
    fn frees_at(&self, nth: usize, share: Share) -> Timestamp {
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
        *end.expect("the caller counted the slots") + share.hold()
    }

    fn forget(&mut self, now: Timestamp, share: Share) {
        let since = now - share.hold();
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
        self.lesson
            .take_if(|lesson| lesson.is_over(now, share.rate));
    }

    /// Keeps the ends in order; answers come nearly so.
    fn insert(&mut self, end: Timestamp) {
        let after = self.settled.iter().rev().take_while(|at| **at > end);
        let index = self.settled.len() - after.count();
        self.settled.insert(index, end);
    }
}

impl Slot {
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
