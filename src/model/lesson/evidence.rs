//! Whether most requests are refused, or some are: what tells a service that refills steadily from one that refuses now
//! and then.
//!
//! Behind a bucket that is empty nearly all of a burst is refused, however often it is tried; a service that stumbles
//! over three in ten still accepts seven. Each refusal weighs so much, each acceptance takes so much away, never below
//! nothing: a sum that grows only while more than three in eight are refused. See Page, "Continuous Inspection Schemes",
//! Biometrika 41 (1954).

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A refusal's weight.
const REFUSED: u32 = 5;

/// An acceptance's.
const ACCEPTED: u32 = 3;

/// Where three in ten are refused by chance alone, the sum comes so far once in thousands of requests.
const SOLID: u32 = 75;

/// Refusals held against acceptances.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Evidence {
    weight: u32,
    /// When the sum last left nothing.
    since: Timestamp,
    /// Requests that left since and were accepted.
    accepted: u32,
    /// When the last of those left.
    until: Timestamp,
}

impl Evidence {
    pub(super) fn none(now: Timestamp) -> Self {
        Self {
            weight: 0,
            since: now,
            accepted: 0,
            until: now,
        }
    }

    pub(super) fn is_none(&self) -> bool {
        self.weight == 0
    }

    pub(super) fn refused(&mut self, now: Timestamp) {
        if self.is_none() {
            *self = Self::none(now);
        }
        self.weight += REFUSED;
    }

    pub(super) fn accepted(&mut self, taken_at: Timestamp) {
        self.weight = self.weight.saturating_sub(ACCEPTED);
        if taken_at > self.since {
            self.accepted += 1;
            self.until = self.until.max(taken_at);
        }
    }

    /// From one accepted request to the next, where that is the service's own pace. Each doubt takes twice the evidence.
    pub(super) fn pace(&self, doubts: u32) -> Option<Duration> {
        let is_solid = self.weight >= SOLID << doubts.min(16);
        let long = self.until.duration_since(self.since).unsigned_abs();
        is_solid.then(|| long.checked_div(self.accepted)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Timestamp = Timestamp::constant(1_800_000_000, 0);

    /// The pace after rounds of six seconds, each with so many accepted and refused.
    fn pace_after(rounds: u64, accepted: u32, refused: u32) -> Option<Duration> {
        let mut evidence = Evidence::none(START);
        let mut pace = None;
        for round in 0..rounds {
            let now = START + Duration::from_secs(6 * round);
            (0..accepted).for_each(|_| evidence.accepted(now));
            (0..refused).for_each(|_| evidence.refused(now));
            pace = pace.or_else(|| evidence.pace(0));
        }
        pace
    }

    #[test]
    fn an_empty_bucket_shows_its_pace() {
        assert_eq!(pace_after(4, 1, 7), Some(Duration::from_secs(6)));
    }

    #[test]
    fn a_service_that_refuses_a_third_has_no_pace() {
        assert_eq!(pace_after(10_000, 16, 8), None);
    }

    #[test]
    fn where_nothing_is_accepted_there_is_no_pace() {
        assert_eq!(pace_after(100, 0, 8), None);
    }

    #[test]
    fn doubt_takes_twice_the_evidence() {
        let mut evidence = Evidence::none(START);
        let later = START + Duration::from_secs(6);
        (0..20).for_each(|_| evidence.refused(START));
        evidence.accepted(later);
        evidence.refused(later);
        assert!(evidence.pace(0).is_some());
        assert_eq!(evidence.pace(1), None);
        (0..20).for_each(|_| evidence.refused(later));
        assert!(evidence.pace(1).is_some());
    }
}
