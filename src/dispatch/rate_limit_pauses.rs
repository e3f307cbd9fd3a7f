//! Pauses that the service asks for. Every command waits for a short one, even with `--no-wait`.

use jiff::{SignedDuration, Timestamp};

use crate::journal::WaitReason;

/// The longest pause that every command waits for.
const MAX_SHORT_PAUSE: SignedDuration = SignedDuration::from_mins(1);

/// The 429 responses of a run.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RateLimitPauses {
    /// When the last one came.
    latest: Option<Timestamp>,
    /// When the first of the current series came; any other response ends the series.
    series_since: Option<Timestamp>,
}

impl RateLimitPauses {
    /// Records a 429.
    pub(super) fn record_rate_limit(&mut self, now: Timestamp) {
        self.latest = Some(now);
        self.series_since.get_or_insert(now);
    }

    /// Records any other response, which ends the series.
    pub(super) fn record_other_response(&mut self) {
        self.series_since = None;
    }

    /// Whether a wait until `until` is short. The pauses of one series count together.
    pub(super) fn is_short(self, until: Timestamp, because: WaitReason, now: Timestamp) -> bool {
        let is_soon =
            |end: Timestamp, start: Timestamp| end.duration_since(start) <= MAX_SHORT_PAUSE;
        if let Some(since) = self.series_since {
            return is_soon(until, since);
        }
        // Waits soon after a 429 belong to it, for instance those for the halved limit.
        let is_pause = because == WaitReason::RateLimited
            || self.latest.is_some_and(|latest| is_soon(now, latest));
        is_pause && is_soon(until, now)
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
        let pauses = RateLimitPauses::default();
        assert!(pauses.is_short(at(60), WaitReason::RateLimited, at(0)));
        assert!(!pauses.is_short(at(61), WaitReason::RateLimited, at(0)));
    }

    #[test]
    fn a_used_up_quota_is_no_pause() {
        let mut pauses = RateLimitPauses::default();
        assert!(!pauses.is_short(at(1), WaitReason::QuotaUsedUp, at(0)));
        pauses.record_rate_limit(at(0));
        pauses.record_other_response();
        assert!(pauses.is_short(at(31), WaitReason::QuotaUsedUp, at(30)));
        assert!(!pauses.is_short(at(71), WaitReason::QuotaUsedUp, at(70)));
    }

    #[test]
    fn the_pauses_of_one_series_count_together() {
        let mut pauses = RateLimitPauses::default();
        pauses.record_rate_limit(at(0));
        pauses.record_rate_limit(at(40));
        assert!(pauses.is_short(at(60), WaitReason::RateLimited, at(40)));
        assert!(!pauses.is_short(at(61), WaitReason::RateLimited, at(40)));
        pauses.record_other_response();
        assert!(pauses.is_short(at(100), WaitReason::RateLimited, at(40)));
    }
}
