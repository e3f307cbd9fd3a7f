//! Sequences of responses with the expected limits and pauses.

use super::*;
use crate::model::Rate;

const START: Timestamp = Timestamp::constant(1_800_000_000, 0);
const HOUR: Duration = Duration::from_secs(3600);
const SHARE: QuotaShare = QuotaShare {
    rate: Rate::DOCUMENTED,
    reserve: 0,
};

fn refusal(now: Timestamp, retry_after: Option<u64>, accepted: usize) -> RateLimitResponse {
    RateLimitResponse {
        sent_at: now,
        now,
        retry_after: retry_after.map(Duration::from_secs),
        accepted,
    }
}

/// The limit after a 429 that asks for so many seconds, with so many accepted requests in the window.
fn limited(accepted: usize, seconds: u64) -> AdaptiveLimit {
    let mut limit = AdaptiveLimit::new(accepted, START);
    limit.record_rate_limit(refusal(START, Some(seconds), accepted), SHARE);
    limit
}

/// Refused again at the end of each pause; the pauses in seconds.
fn refuse(limit: &mut AdaptiveLimit, retry_after: Option<u64>, count: usize) -> Vec<f64> {
    let pauses = (0..count).map(|_| {
        let now = limit.not_before;
        limit.record_rate_limit(refusal(now, retry_after, limit.accepted), SHARE);
        (limit.not_before.duration_since(now)).as_secs_f64()
    });
    pauses.collect()
}

fn pauses(retry_after: Option<u64>, count: usize) -> Vec<f64> {
    refuse(&mut AdaptiveLimit::new(0, START), retry_after, count)
}

/// The limit after 429 responses alone for so many seconds.
fn refused_for(seconds: u64, accepted: usize) -> AdaptiveLimit {
    let mut limit = limited(accepted, 1);
    while limit.not_before < START + Duration::from_secs(seconds) {
        refuse(&mut limit, Some(1), 1);
    }
    limit
}

#[test]
fn a_halved_limit_is_raised_step_by_step_after_a_window() {
    let limit = limited(400, 3_000);
    let at = |windows: u32| limit.limit(START + HOUR * windows, SHARE);
    assert_eq!(
        [0, 1, 2, 3, 4, 5, 9].map(at),
        [300, 300, 400, 500, 600, 600, 600]
    );
    assert!(!limit.is_expired(START + HOUR * 4, SHARE));
    assert!(limit.is_expired(START + HOUR * 5, SHARE));
}

#[test]
fn requests_in_flight_together_halve_the_limit_once() {
    let mut limit = limited(400, 3_000);
    for number in 1..8 {
        let mut together = refusal(START, Some(3_000), 400);
        together.now = START + Duration::from_millis(100 * number);
        limit.record_rate_limit(together, SHARE);
    }
    assert_eq!(limit.limit(START, SHARE), 300);
}

#[test]
fn a_429_at_a_raised_limit_halves_it_and_the_floor_is_an_eighth() {
    let mut limit = limited(400, 3_000);
    let mut now = START;
    for expected in [200, 150, 125] {
        now = now.max(limit.not_before) + HOUR * 2;
        (0..200).for_each(|_| limit.record_accepted(now));
        limit.record_rate_limit(refusal(now, Some(3_000), 200), SHARE);
        assert_eq!(limit.limit(now, SHARE), expected);
    }
    for _ in 0..20 {
        now += HOUR / 2;
        limit.record_accepted(now);
        limit.record_rate_limit(refusal(now, Some(3_000), 200), SHARE);
    }
    assert_eq!(limit.limit(now, SHARE), 600 / LOWEST_PART);
}

#[test]
fn the_longest_pause_of_a_burst_counts() {
    let mut limit = limited(5, 10);
    let mut together = refusal(START, Some(30), 5);
    together.now = START + Duration::from_secs(1);
    limit.record_rate_limit(together, SHARE);
    assert_eq!(limit.not_before(), START + Duration::from_secs(31));
    together.retry_after = Some(Duration::ZERO);
    limit.record_rate_limit(together, SHARE);
    assert_eq!(limit.not_before(), START + Duration::from_secs(31));
}

#[test]
fn a_few_refusals_in_a_row_are_waited_out_as_the_service_asks() {
    assert_eq!(pauses(Some(1), 5), [1.0; 5]);
    assert_eq!(pauses(Some(37), 5), [37.0; 5]);
}

#[test]
fn while_all_is_refused_pauses_grow_with_the_time_that_has_passed() {
    let pauses = pauses(Some(1), 40);
    assert!(pauses.iter().sum::<f64>() > 3600.0, "{pauses:?}");
    let mut passed = 4.0;
    for pause in &pauses[4..] {
        assert!(*pause <= passed / 4.0 + 1e-6, "{pauses:?}");
        passed += pause;
    }
}

#[test]
fn without_a_retry_after_pauses_grow_up_to_a_window() {
    let pauses = pauses(None, 14);
    assert_eq!(pauses[..4], [1.0, 2.0, 4.0, 8.0]);
    assert_eq!(pauses[12..], [3600.0, 3600.0]);
}

#[test]
fn refusals_for_most_of_a_window_halve_the_limit_whatever_pauses_they_ask_for() {
    let at_end = |limit: AdaptiveLimit| limit.limit(limit.not_before, SHARE);
    assert_eq!(at_end(refused_for(60, 50)), 600);
    assert!(at_end(refused_for(3_000, 50)) < 600);
    assert_eq!(at_end(refused_for(3_000, 0)), 600);
}

#[test]
fn a_series_of_refusals_halves_the_limit_once() {
    let reduced = refused_for(3_000, 400).reduced;
    assert_eq!(reduced, Some(300));
    assert_eq!(refused_for(4_000, 400).reduced, reduced);
}

#[test]
fn a_clock_that_was_set_back_makes_no_pause_longer() {
    let limit = limited(400, 3_000);
    let back = START - Duration::from_secs(5 * 3600);
    let recalled = limit.clamp_to(back);
    assert_eq!(recalled.not_before(), back + Duration::from_secs(3_000));
    assert_eq!(recalled.limit(back, SHARE), 300);
    let times = [recalled.limited_at, recalled.refused_since.unwrap()];
    assert_eq!(times, [back; 2]);
}
