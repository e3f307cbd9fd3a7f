//! How many calls a team may make: a sliding log of the calls in the last window.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::rate::Rate;

/// The calls of one team that still count.
#[derive(Clone, Debug, Default)]
pub(super) struct Quota {
    taken: VecDeque<Timestamp>,
}

impl Quota {
    /// Whether one more call fits into the window that ends now.
    ///
    /// # Errors
    /// Whole seconds until one fits, at least 1.
    pub(super) fn admits(&mut self, rate: Rate, now: Timestamp) -> Result<(), u64> {
        self.forget(rate, now);
        let allowed = usize::try_from(rate.count).unwrap_or(usize::MAX);
        let Some(last_in_the_way) = self.taken.len().checked_sub(allowed) else {
            return Ok(());
        };
        let wait = leaves(self.taken[last_in_the_way], rate).duration_since(now);
        Err(whole_seconds(wait))
    }

    /// The calls that still count, oldest first.
    pub(super) fn counted(&self, rate: Rate, now: Timestamp) -> impl Iterator<Item = Timestamp> {
        let calls = self.taken.iter().copied();
        calls.filter(move |call| leaves(*call, rate) > now)
    }

    /// Notes a call that was admitted.
    pub(super) fn take(&mut self, rate: Rate, now: Timestamp) {
        self.forget(rate, now);
        self.taken.push_back(now);
    }

    fn forget(&mut self, rate: Rate, now: Timestamp) {
        while self
            .taken
            .front()
            .is_some_and(|oldest| leaves(*oldest, rate) <= now)
        {
            self.taken.pop_front();
        }
    }
}

/// When a call made then stops counting.
fn leaves(call: Timestamp, rate: Rate) -> Timestamp {
    let window = SignedDuration::try_from(rate.window).unwrap_or(SignedDuration::MAX);
    call.saturating_add(window)
        .expect("a duration without calendar units always adds")
}

fn whole_seconds(wait: SignedDuration) -> u64 {
    let up = i64::from(wait.subsec_nanos() > 0);
    u64::try_from(wait.as_secs().saturating_add(up))
        .unwrap_or(0)
        .max(1)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn at(milliseconds: i64) -> Timestamp {
        Timestamp::from_millisecond(milliseconds).unwrap()
    }

    fn two_a_minute() -> Rate {
        Rate {
            count: 2,
            window: Duration::from_secs(60),
        }
    }

    #[test]
    fn a_full_window_says_when_its_oldest_call_leaves() {
        let (mut quota, rate) = (Quota::default(), two_a_minute());
        quota.take(rate, at(0));
        quota.take(rate, at(30_000));
        assert_eq!(quota.admits(rate, at(30_500)), Err(30));
        assert_eq!(quota.admits(rate, at(59_999)), Err(1));
        assert_eq!(quota.admits(rate, at(60_000)), Ok(()));
    }

    #[test]
    fn no_window_however_placed_holds_more_than_the_count() {
        let (mut quota, rate) = (Quota::default(), two_a_minute());
        let admitted: Vec<i64> = (0..600)
            .map(|step| step * 997)
            .filter(|now| {
                let fits = quota.admits(rate, at(*now)).is_ok();
                if fits {
                    quota.take(rate, at(*now));
                }
                fits
            })
            .collect();
        for three in admitted.windows(3) {
            assert!(three[2] - three[0] >= 60_000, "{three:?}");
        }
    }
}
