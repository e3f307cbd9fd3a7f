//! What a 429 teaches while the budget still has room: the service is stricter than documented, or others spend the
//! team's quota, or it was out of the blue.
//!
//! Whatever it was, its pause is kept. More is learned from solid evidence alone, and doubted as readily:
//! - A short pause is waited out, and all goes on as before. Only where most of what follows is refused too, the service
//!   refills [`Steady`], and requests go one after the other at the pace that was seen.
//! - A silence of half a window and more is a window that was full: what it had accepted is the [`Cap`] of the next.
//! - Where nothing at all was accepted from one 429 to the next, one request alone tries whether the silence is over, and
//!   tries ever less often.
//!
//! A lesson that the service goes on to contradict is dropped, and the next one takes twice the evidence.

mod cap;
mod evidence;
mod silence;
mod steady;

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::model::{Rate, Share};

use cap::Cap;
use evidence::Evidence;
use silence::Silence;
use steady::Steady;

/// A silence of this part of the window, or longer, is a full window's.
const LONG: u32 = 2;

/// After so many windows without a 429 the lesson is old, and no trial waits longer.
const STALE: u32 = 24;

/// How strict the service proved to be. The journal keeps it for later runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lesson {
    /// Nothing leaves before then.
    not_before: Timestamp,
    /// When the newest 429 came, but for those that were on their way together.
    limited_at: Timestamp,
    /// Requests that left after the last silence and were accepted.
    accepted: usize,
    /// From one 429 to the next nothing was accepted.
    silence: Option<Silence>,
    /// How many were refused, held against how many were accepted.
    evidence: Evidence,
    /// How often a lesson was contradicted.
    doubts: u32,
    /// Full windows that went by without a lesson, for doubt.
    overlooked: u32,
    /// How the service seems to count.
    counting: Counting,
}

/// How the service seems to count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Counting {
    /// As documented.
    Documented,
    /// Fewer in a window.
    Window(Cap),
    /// One after the other.
    Steady(Steady),
}

/// What a lesson lets leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leave {
    /// As much as the budget has room for.
    Free,
    /// Nothing before then.
    Not(Timestamp),
    /// One alone, from then on; others when a slot beyond `cap` frees, where a cap was learned.
    Alone {
        /// When.
        from: Timestamp,
        /// Requests in a window that need no trial.
        cap: Option<usize>,
    },
}

/// One 429.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limited {
    /// When its request left.
    pub(super) taken_at: Timestamp,
    /// When it came.
    pub(super) now: Timestamp,
    /// Requests of the window that were accepted, and those that have no answer yet.
    pub(super) accepted: usize,
    /// Those that have no answer yet.
    pub(super) open: usize,
    /// As the service asked.
    pub(super) retry_after: Option<Duration>,
}

impl Lesson {
    /// Learns from a 429, on top of what was learned before.
    pub(super) fn learn(earlier: Option<Self>, limited: Limited, rate: Rate) -> Self {
        match earlier {
            Some(earlier) if limited.taken_at <= earlier.limited_at => {
                earlier.together_with(limited, rate)
            }
            Some(earlier) => earlier.refused(limited, rate),
            None => Self::blank(limited).refused(limited, rate),
        }
    }

    fn blank(limited: Limited) -> Self {
        Self {
            not_before: limited.now,
            limited_at: limited.now,
            accepted: limited.accepted,
            silence: None,
            evidence: Evidence::none(limited.now),
            doubts: 0,
            overlooked: 0,
            counting: Counting::Documented,
        }
    }

    /// A 429 whose request left before the newest one was known: one event, which only extends the pause.
    fn together_with(mut self, limited: Limited, rate: Rate) -> Self {
        let silence = self.silence.unwrap_or(Silence::from(limited.now));
        let until = limited.now + silence.pause(limited.now, limited.retry_after, rate);
        self.not_before = self.not_before.max(until);
        self.evidence.refused(limited.now);
        if let Counting::Window(cap) = &mut self.counting {
            cap.lower();
        }
        self
    }

    fn refused(mut self, limited: Limited, rate: Rate) -> Self {
        let earlier = self.silence.take();
        let silence = earlier.map_or(Silence::from(limited.now), Silence::again);
        let pause = silence.pause(limited.now, limited.retry_after, rate);
        self.silence = Some(silence);
        // A window that opened with the end of the last pause holds no more than left since.
        let held = limited.accepted.min(self.accepted + limited.open);
        self.limited_at = limited.now;
        let not_before = std::mem::replace(&mut self.not_before, limited.now + pause);
        match earlier.filter(|silence| silence.is_repeated()) {
            None => {
                self.evidence.refused(limited.now);
                self.after(pause, limited, held, rate);
            }
            // One silence teaches once, as soon as it is long; and a service that is away refills nothing.
            Some(earlier) => {
                self.evidence = Evidence::none(limited.now);
                if earlier.length_until(not_before) < rate.window / LONG {
                    let silent = silence.length_until(self.not_before);
                    self.after(silent, limited, held, rate);
                }
            }
        }
        self
    }

    /// Learns from a silence of that length; `held` is what the window held that was full.
    fn after(&mut self, silent: Duration, limited: Limited, held: usize, rate: Rate) {
        if silent < rate.window / LONG {
            self.short_pause(limited, rate);
        } else if held > 0 {
            // A window that was full without us was filled by others.
            self.full_window(limited, held, rate);
        }
    }

    fn full_window(&mut self, limited: Limited, held: usize, rate: Rate) {
        let not_before = self.not_before;
        if let Counting::Window(cap) = &mut self.counting {
            let learned = cap.refused(limited, held, not_before, rate);
            return self.believe(learned);
        }
        self.overlooked += 1;
        if self.overlooked >= 1 << self.doubts.min(16) {
            self.overlooked = 0;
            self.counting = Counting::Window(Cap::learned(held, not_before, rate));
        }
    }

    fn short_pause(&mut self, limited: Limited, rate: Rate) {
        let learned = match &mut self.counting {
            Counting::Window(cap) if cap.is_reached(limited.accepted) => {
                cap.refused(limited, limited.accepted, self.not_before, rate)
            }
            Counting::Window(cap) => cap.paused_below(),
            Counting::Steady(steady) => steady.refused(self.not_before),
            Counting::Documented => {
                if let Some(gap) = self.evidence.pace(self.doubts) {
                    self.counting = Counting::Steady(Steady::learned(gap, self.not_before));
                }
                Ok(())
            }
        };
        self.believe(learned);
    }

    fn believe(&mut self, learned: Result<(), Contradicted>) {
        if learned.is_err() {
            self.counting = Counting::Documented;
            self.doubts += 1;
            self.overlooked = 0;
            self.evidence = Evidence::none(self.limited_at);
        }
    }

    /// Notes that a request leaves.
    pub(super) fn left(&mut self, now: Timestamp) {
        if let Counting::Steady(steady) = &mut self.counting {
            steady.left(now);
        }
    }

    /// Notes an answer other than 429 to a request that left at `taken_at`; `live` requests are in the window now.
    pub(super) fn accepted(&mut self, taken_at: Timestamp, live: usize, share: Share) {
        self.evidence.accepted(taken_at);
        if self
            .silence
            .is_some_and(|silence| silence.is_broken(taken_at))
        {
            self.silence = None;
            self.accepted = 0;
        }
        self.accepted += usize::from(taken_at > self.limited_at);
        match &mut self.counting {
            Counting::Documented => {}
            Counting::Window(cap) => cap.accepted(taken_at, live, share),
            Counting::Steady(steady) => {
                if steady.accepted().is_err() {
                    self.counting = Counting::Documented;
                }
            }
        }
    }

    /// What may leave at `now`.
    pub(super) fn leave(&self, now: Timestamp, live: usize) -> Leave {
        if now < self.not_before {
            return Leave::Not(self.not_before);
        }
        if self.silence.is_some_and(Silence::is_repeated) {
            return Leave::Alone {
                from: self.not_before,
                cap: None,
            };
        }
        match &self.counting {
            Counting::Documented => Leave::Free,
            Counting::Window(cap) => cap.leave(live),
            Counting::Steady(steady) => steady.leave(now),
        }
    }

    /// Whether nothing is left to learn from it. A cap that was lifted to the quota is kept for as long as any other:
    /// a service that turns out to be stricter once more is then tried less often than before.
    pub(super) fn is_over(&self, now: Timestamp, rate: Rate) -> bool {
        let is_clear = self.counting == Counting::Documented
            && self.silence.is_none()
            && self.doubts + self.overlooked == 0
            && self.evidence.is_none();
        self.not_before <= now && (is_clear || self.limited_at + rate.window * STALE <= now)
    }

    /// The lesson as a later process reads it; a clock that was set back since makes no pause longer.
    pub(super) fn recalled(mut self, now: Timestamp) -> Self {
        let ahead = self.limited_at.duration_since(now);
        if ahead.is_positive() {
            self.move_by(-ahead);
        }
        self
    }

    /// Brings its times to a clock that was set ahead by so much.
    pub fn move_by(&mut self, ahead: SignedDuration) {
        self.not_before += ahead;
        self.limited_at += ahead;
        self.silence = self.silence.map(|silence| silence.moved(ahead));
        self.evidence = Evidence::none(self.limited_at);
        match &mut self.counting {
            Counting::Documented => {}
            Counting::Window(cap) => cap.moved(ahead),
            Counting::Steady(steady) => steady.moved(ahead),
        }
    }

    /// Nothing leaves before then.
    pub fn not_before(&self) -> Timestamp {
        self.not_before
    }

    /// Requests in a window that need no trial, where that was learned.
    pub(super) fn cap(&self) -> Option<usize> {
        match &self.counting {
            Counting::Documented => None,
            Counting::Window(cap) => Some(cap.requests()),
            Counting::Steady(_) => Some(0),
        }
    }
}

/// The service contradicts the lesson.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contradicted;

/// The longest gap from one trial to the next.
fn longest_gap(rate: Rate) -> Duration {
    rate.window * STALE
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::constant(1_800_000_000, 0);
    const SHARE: Share = Share {
        rate: Rate::DOCUMENTED,
        reserve: 0,
    };

    /// A 429 that comes at once, after so many were accepted, and asks for so many seconds.
    fn limited(now: Timestamp, accepted: usize, seconds: u64) -> Limited {
        Limited {
            taken_at: now,
            now,
            accepted,
            open: 0,
            retry_after: Some(Duration::from_secs(seconds)),
        }
    }

    fn learn(earlier: Option<Lesson>, limited: Limited) -> Lesson {
        Lesson::learn(earlier, limited, Rate::DOCUMENTED)
    }

    /// Refused again whenever the pause is over, for so long.
    fn silent_for(long: Duration, accepted: usize) -> Lesson {
        let mut lesson = learn(None, limited(START, accepted, 1));
        while lesson.not_before < START + long {
            let next = lesson.not_before;
            lesson = learn(Some(lesson), limited(next, accepted, 1));
        }
        lesson
    }

    #[test]
    fn the_longest_pause_of_a_burst_counts() {
        let mut together = limited(START, 5, 30);
        let lesson = learn(None, limited(START, 5, 10));
        together.now = START + Duration::from_secs(1);
        let lesson = learn(Some(lesson), together);
        assert_eq!(lesson.not_before(), START + Duration::from_secs(31));
        together.retry_after = Some(Duration::ZERO);
        let lesson = learn(Some(lesson), together);
        assert_eq!(lesson.not_before(), START + Duration::from_secs(31));
    }

    #[test]
    fn a_long_silence_is_a_full_window_whatever_pauses_it_asks_for() {
        assert_eq!(silent_for(Duration::from_secs(60), 50).cap(), None);
        assert_eq!(silent_for(Duration::from_secs(3_000), 50).cap(), Some(50));
        assert_eq!(silent_for(Duration::from_secs(3_000), 0).cap(), None);
    }

    #[test]
    fn one_silence_teaches_once() {
        let mut lesson = silent_for(Duration::from_secs(2 * 3_600), 50);
        let now = lesson.not_before();
        lesson.accepted(now, 51, SHARE);
        // The first trial is free: none was refused since the cap was learned.
        assert!(matches!(lesson.leave(now, 60), Leave::Alone { from, .. } if from <= now));
    }

    #[test]
    fn a_lesson_that_was_contradicted_takes_twice_the_evidence() {
        let full = |lesson, hours: u64| {
            let now = START + Duration::from_secs(hours * 3_600);
            let mut lesson: Lesson = learn(lesson, limited(now, 100, 3_000));
            lesson.accepted(now + Duration::from_secs(3_001), 1, SHARE);
            (0..99).for_each(|_| lesson.accepted(now + Duration::from_secs(3_002), 1, SHARE));
            lesson
        };
        let mut lesson = full(None, 0);
        assert!(lesson.cap().is_some());
        lesson.believe(Err(Contradicted));
        let lesson = full(Some(lesson), 1);
        assert_eq!(lesson.cap(), None);
        assert!(full(Some(lesson), 2).cap().is_some());
    }

    #[test]
    fn a_lesson_is_moved_as_a_whole() {
        let lesson = silent_for(Duration::from_secs(3_000), 50);
        let mut moved = lesson.clone();
        moved.move_by(SignedDuration::from_hours(-5));
        let now = lesson.not_before();
        let hours = Duration::from_secs(5 * 3_600);
        assert_eq!(moved.not_before(), now - hours);
        assert_eq!(moved.leave(now - hours, 0), moved.leave(now, 0));
        assert!(!moved.is_over(now - hours, Rate::DOCUMENTED));
    }
}
