//! Retries: how often, after which delay, and how `Retry-After` changes it.
//!
//! The whole delay is random ("full jitter"), so that requests that failed together are not repeated together. See
//! "Exponential Backoff And Jitter" in the AWS architecture blog.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::fmt::rfc2822;
use jiff::tz::TimeZone;
use rand::{Rng, RngExt as _};

use crate::api::{Attempt, HttpResponse, Verdict};
use crate::model::is_of_digits;

/// Maximum number of attempts of a call.
pub const MAX_ATTEMPTS: u32 = 6;

/// Maximum delay after the first attempt; it doubles with each attempt.
const FIRST_DELAY: Duration = Duration::from_millis(500);

/// Upper limit of the delay, unless the service asks for a longer one.
const MAX_DELAY: Duration = Duration::from_secs(30);

/// A longer delay is a pause of the whole service, whatever the status of the response: no single call waits for it.
pub(super) const MAX_DELAY_OF_CALL: Duration = Duration::from_hours(2);

/// A longer `Retry-After` is shortened to one year, which can be added to any clock.
const MAX_RETRY_AFTER: Duration = Duration::from_hours(8760);

/// Returns [`Verdict::Retry`] with a delay of at least `not_before`, or [`Verdict::Exhausted`] after the last attempt.
pub(super) fn retry(
    attempt: Attempt,
    not_before: Option<Duration>,
    reason: String,
    rng: &mut impl Rng,
) -> Verdict {
    if attempt.number >= MAX_ATTEMPTS {
        return Verdict::Exhausted { reason };
    }
    let jitter = longest_delay(attempt.number).mul_f64(rng.random_range(0.0..=1.0));
    Verdict::Retry {
        after: jitter.max(not_before.unwrap_or_default()),
        reason,
    }
}

/// The longest delay after an attempt; the first one has the number 1.
fn longest_delay(attempt: u32) -> Duration {
    let doublings = attempt.saturating_sub(1);
    let doubled = FIRST_DELAY.saturating_mul(2_u32.saturating_pow(doublings));
    doubled.min(MAX_DELAY)
}

/// Returns the delay that the response asks for, counted from `now`; `None` if it has no valid `Retry-After`.
///
/// A date is compared with the response's own `Date` if it has one, because the local clock may be wrong.
///
/// # Source
/// S7; RFC 9110 section 10.2.3.
pub(super) fn retry_after(response: &HttpResponse, now: Timestamp) -> Option<Duration> {
    let written = response.retry_after.as_deref()?.trim();
    let seconds = || {
        let is_number = is_of_digits(written);
        is_number.then(|| written.parse().unwrap_or(u64::MAX))
    };
    let until_date = || {
        let date = http_date(written)?;
        let clock = response.date.as_deref().and_then(http_date).unwrap_or(now);
        // A date in the past means no delay.
        Some(Duration::try_from(date.duration_since(clock)).unwrap_or_default())
    };
    let wait = seconds().map(Duration::from_secs).or_else(until_date)?;
    Some(wait.min(MAX_RETRY_AFTER))
}

/// Parses a date in any of the three formats that a recipient must accept (RFC 9110, section 5.6.7), or as in a mail,
/// since some servers write `+0000` instead of `GMT`.
fn http_date(text: &str) -> Option<Timestamp> {
    const FORMS: [&str; 3] = [
        "%a, %d %b %Y %H:%M:%S GMT",
        "%A, %d-%b-%y %H:%M:%S GMT",
        "%a %b %e %H:%M:%S %Y",
    ];
    let text = text.trim();
    let mut dates = FORMS.iter().map(|form| DateTime::strptime(form, text));
    let Some(date) = dates.find_map(Result::ok) else {
        return rfc2822::parse(text).ok().map(|date| date.timestamp());
    };
    // A timestamp cannot represent the last day of the year 9999.
    Some(TimeZone::UTC.to_timestamp(date).unwrap_or(Timestamp::MAX))
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand::rngs::StdRng;

    use super::*;

    const NOW: &str = "2026-11-21T06:00:00Z";
    const IN_A_MINUTE: &str = "Sat, 21 Nov 2026 06:01:00 GMT";

    fn answer(retry_after: &str, date: Option<&str>) -> HttpResponse {
        HttpResponse {
            status: 429,
            retry_after: Some(retry_after.to_owned()),
            date: date.map(str::to_owned),
            location: None,
            body: Vec::new(),
        }
    }

    fn wait(retry_after_text: &str, date: Option<&str>) -> Option<u64> {
        let answer = answer(retry_after_text, date);
        retry_after(&answer, NOW.parse().unwrap()).map(|wait| wait.as_secs())
    }

    #[test]
    fn the_delays_of_a_call_are_at_most_the_16_seconds_of_readme() {
        let delays = (1..MAX_ATTEMPTS).map(longest_delay);
        let all: Duration = delays.sum();
        let readme = include_str!("../../README.md");
        assert!(all <= Duration::from_secs(16), "{all:?}");
        assert!(readme.contains("growing pauses of at most 16 seconds in all"));
    }

    #[test]
    fn seconds_are_seconds() {
        assert_eq!(wait("0", None), Some(0));
        assert_eq!(wait(" 37 ", None), Some(37));
        assert_eq!(wait("3600", None), Some(3600));
    }

    #[test]
    fn a_date_is_measured_against_the_answers_own_clock() {
        let half_a_minute_before = Some("Sat, 21 Nov 2026 06:00:30 GMT");
        assert_eq!(wait(IN_A_MINUTE, half_a_minute_before), Some(30));
        assert_eq!(wait(IN_A_MINUTE, None), Some(60));
        assert_eq!(wait(IN_A_MINUTE, Some("not a date")), Some(60));
        assert_eq!(wait("Saturday, 21-Nov-26 06:01:00 GMT", None), Some(60));
        assert_eq!(wait("Sat Nov 21 06:01:00 2026", None), Some(60));
        assert_eq!(wait("Sat, 21 Nov 2026 06:01:00 +0000", None), Some(60));
        assert_eq!(wait("Sat, 21 Nov 2026 08:01:00 +0200", None), Some(60));
    }

    #[test]
    fn a_date_that_is_past_asks_for_no_wait() {
        assert_eq!(wait("Sat, 21 Nov 2020 06:01:00 GMT", None), Some(0));
    }

    #[test]
    fn nonsense_is_as_good_as_nothing() {
        for text in ["", "1.5", "-3", "+3", "soon", "1e3", "0x10"] {
            assert_eq!(wait(text, None), None, "{text}");
        }
    }

    #[test]
    fn an_absurd_wait_is_a_year_at_most() {
        for text in [
            "9999999999999999999",
            "99999999999999999999",
            "Fri, 31 Dec 9999 23:59:59 GMT",
        ] {
            assert_eq!(wait(text, None), Some(MAX_RETRY_AFTER.as_secs()), "{text}");
        }
    }

    #[test]
    fn delays_are_drawn_whole_from_a_range_that_doubles_up_to_its_cap() {
        let mut rng = StdRng::seed_from_u64(7);
        for (number, longest) in [(1, 500), (2, 1000), (3, 2000), (5, 8000)] {
            let attempt = Attempt {
                number,
                ended_at: NOW.parse().unwrap(),
            };
            let delays: Vec<u128> = (0..500)
                .map(|_| match retry(attempt, None, String::new(), &mut rng) {
                    Verdict::Retry { after, .. } => after.as_millis(),
                    other => panic!("{other:?}"),
                })
                .collect();
            assert!(delays.iter().all(|delay| *delay <= longest), "{number}");
            assert!(delays.iter().any(|delay| *delay < longest / 10), "{number}");
            assert!(
                delays.iter().any(|delay| *delay > longest * 9 / 10),
                "{number}"
            );
        }
    }

    #[test]
    fn an_attempt_number_that_cannot_be_does_not_overflow() {
        let mut rng = StdRng::seed_from_u64(7);
        for number in [0, u32::MAX] {
            let ended_at = NOW.parse().unwrap();
            retry(Attempt { number, ended_at }, None, String::new(), &mut rng);
        }
    }
}
