//! Pauses that the service asks for: a short one is waited out by every command, whatever the user said of waiting for
//! the quota.

use jiff::{SignedDuration, Timestamp};

use crate::journal::Because;

/// The longest pause that every command waits out.
const SHORT: SignedDuration = SignedDuration::from_mins(1);

/// The answers of 429 that a run met.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Pauses {
    /// When the newest came.
    latest: Option<Timestamp>,
    /// When the first came of those after which nothing else was answered.
    unbroken_since: Option<Timestamp>,
}

impl Pauses {
    /// Notes a 429.
    pub(super) fn limited(&mut self, now: Timestamp) {
        self.latest = Some(now);
        self.unbroken_since.get_or_insert(now);
    }

    /// Notes any other answer.
    pub(super) fn answered(&mut self) {
        self.unbroken_since = None;
    }

    /// Whether a wait until then is short. A service that answers nothing but 429 is waited for no longer in sum.
    pub(super) fn is_short(self, until: Timestamp, because: Because, now: Timestamp) -> bool {
        let is_soon = |end: Timestamp, start: Timestamp| end.duration_since(start) <= SHORT;
        if let Some(since) = self.unbroken_since {
            return is_soon(until, since);
        }
        // What follows from a 429 of this run is its pause too, for instance requests that may only leave one by one.
        let asked =
            because == Because::Limited || self.latest.is_some_and(|latest| is_soon(now, latest));
        asked && is_soon(until, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_800_000_000 + seconds).unwrap()
    }

    #[test]
    fn a_pause_of_a_minute_is_short_and_a_longer_one_is_not() {
        let pauses = Pauses::default();
        assert!(pauses.is_short(at(60), Because::Limited, at(0)));
        assert!(!pauses.is_short(at(61), Because::Limited, at(0)));
    }

    #[test]
    fn a_spent_budget_is_no_pause() {
        let mut pauses = Pauses::default();
        assert!(!pauses.is_short(at(1), Because::Spent, at(0)));
        pauses.limited(at(0));
        pauses.answered();
        assert!(pauses.is_short(at(31), Because::Spent, at(30)));
        assert!(!pauses.is_short(at(71), Because::Spent, at(70)));
    }

    #[test]
    fn pauses_that_follow_each_other_count_as_one() {
        let mut pauses = Pauses::default();
        pauses.limited(at(0));
        pauses.limited(at(40));
        assert!(pauses.is_short(at(60), Because::Limited, at(40)));
        assert!(!pauses.is_short(at(61), Because::Limited, at(40)));
        pauses.answered();
        assert!(pauses.is_short(at(100), Because::Limited, at(40)));
    }
}
