//! The quota of a team: a sliding window of its calls.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};

use crate::sandbox::rate::Rate;

/// The calls of one team that still count.
#[derive(Clone, Debug, Default)]
pub(super) struct Quota {
    calls: VecDeque<Timestamp>,
}

impl Quota {
    /// Counts one more call, if it fits into the window that ends now.
    ///
    /// # Errors
    /// Whole seconds until one fits, at least 1.
    pub(super) fn admit(&mut self, rate: Rate, now: Timestamp) -> Result<(), u64> {
        let expired = |call: &Timestamp| expiry(*call, rate) <= now;
        while self.calls.front().is_some_and(expired) {
            self.calls.pop_front();
        }
        let allowed = usize::try_from(rate.count).unwrap_or(usize::MAX);
        if let Some(blocking) = self.calls.len().checked_sub(allowed) {
            let wait = expiry(self.calls[blocking], rate).duration_since(now);
            return Err(whole_seconds(wait));
        }
        self.calls.push_back(now);
        Ok(())
    }
}

/// When a call stops counting.
fn expiry(call: Timestamp, rate: Rate) -> Timestamp {
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
        for call in [0, 30_000] {
            assert_eq!(quota.admit(rate, at(call)), Ok(()));
        }
        assert_eq!(quota.admit(rate, at(30_500)), Err(30));
        assert_eq!(quota.admit(rate, at(59_999)), Err(1));
        assert_eq!(quota.admit(rate, at(60_000)), Ok(()));
    }

    #[test]
    fn no_window_however_placed_holds_more_than_the_count() {
        let (mut quota, rate) = (Quota::default(), two_a_minute());
        let admitted: Vec<i64> = (0..600)
            .map(|step| step * 997)
            .filter(|now| quota.admit(rate, at(*now)).is_ok())
            .collect();
        for three in admitted.windows(3) {
            assert!(three[2] - three[0] >= 60_000, "{three:?}");
        }
    }
}
