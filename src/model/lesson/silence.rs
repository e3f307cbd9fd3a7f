//! 429 after 429 with nothing accepted in between.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::model::Rate;

/// The first pause where the service names none; it doubles with each.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// A silence is tried again after this part of its length, where the service asks for less: then it is never waited out
/// for much longer than it lasts, and never tried often.
const PART: u32 = 4;

/// The longest pause that is believed and remembered.
const LONGEST_PAUSE: Duration = Duration::from_hours(24);

/// 429 after 429 with nothing accepted in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Silence {
    /// When the first came.
    since: Timestamp,
    /// How many came; those that were on their way together are one.
    refusals: u32,
}

impl Silence {
    /// The first 429.
    pub(super) fn from(now: Timestamp) -> Self {
        Self {
            since: now,
            refusals: 1,
        }
    }

    /// One more.
    pub(super) fn again(self) -> Self {
        Self {
            refusals: self.refusals.saturating_add(1),
            ..self
        }
    }

    /// Whether what was tried since the first was refused too.
    pub(super) fn is_repeated(self) -> bool {
        self.refusals > 1
    }

    /// Whether the success of a request that left then ends it.
    pub(super) fn is_broken(self, taken_at: Timestamp) -> bool {
        taken_at > self.since
    }

    /// How long nothing leaves after a 429 at `now`: as long as the service asks, and a part of the silence so far.
    pub(super) fn pause(
        self,
        now: Timestamp,
        retry_after: Option<Duration>,
        rate: Rate,
    ) -> Duration {
        let doublings = self.refusals.saturating_sub(1).min(16);
        let own = (FIRST_PAUSE * 2_u32.pow(doublings)).min(rate.window);
        let part = (self.length_until(now) / PART).min(rate.window);
        retry_after.unwrap_or(own).max(part).min(LONGEST_PAUSE)
    }

    pub(super) fn length_until(self, end: Timestamp) -> Duration {
        Duration::try_from(end.duration_since(self.since)).unwrap_or_default()
    }

    pub(super) fn moved(self, by: SignedDuration) -> Self {
        Self {
            since: self.since + by,
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

    /// The pauses of so many refusals in a row, in seconds.
    fn pauses(retry_after: Option<u64>, count: usize) -> Vec<f64> {
        let mut now = START;
        let mut silence = Silence::from(now);
        let pauses = std::iter::from_fn(|| {
            let retry_after = retry_after.map(Duration::from_secs);
            let pause = silence.pause(now, retry_after, Rate::DOCUMENTED);
            now += pause;
            silence = silence.again();
            Some(pause.as_secs_f64())
        });
        pauses.take(count).collect()
    }

    #[test]
    fn a_few_refusals_in_a_row_are_waited_out_as_the_service_asks() {
        assert_eq!(pauses(Some(1), 5), [1.0; 5]);
        assert_eq!(pauses(Some(37), 5), [37.0; 5]);
    }

    #[test]
    fn a_long_silence_is_tried_ever_less_often_and_found_over_soon() {
        let pauses = pauses(Some(1), 40);
        assert!(pauses.iter().sum::<f64>() > 3600.0, "{pauses:?}");
        let mut silent = 4.0;
        for pause in &pauses[4..] {
            assert!(*pause <= silent / 4.0 + 1e-6, "{pauses:?}");
            silent += pause;
        }
    }

    #[test]
    fn without_a_word_of_the_service_pauses_grow_up_to_a_window() {
        let pauses = pauses(None, 14);
        assert_eq!(pauses[..4], [1.0, 2.0, 4.0, 8.0]);
        assert_eq!(pauses[12..], [3600.0, 3600.0]);
    }
}
