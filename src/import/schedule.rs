//! How many requests and how much time a run needs under the quota.

use std::time::Duration;

use jiff::Timestamp;

use crate::model::{QuotaShare, SlotOpenings};

/// The requests and the time that a run needs, if nothing else uses the quota meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImportSchedule {
    /// Number of requests, including GET /me.
    pub requests: u64,
    /// Number of quota windows in which requests are sent; the last may be used in part.
    pub windows: u64,
    /// Time until the last request is sent.
    pub duration: Duration,
    /// When the last request is sent.
    pub finishes_at: Timestamp,
}

/// Number of requests of a run that submits `rows`: one for each row and one GET /me, or none without rows.
pub fn requests_for(rows: u64) -> u64 {
    match rows {
        0 => 0,
        rows => rows + 1,
    }
}

/// Schedules a run of `requests` for slots of the window that become free at `openings`, soonest first.
pub fn schedule(
    requests: u64,
    openings: &SlotOpenings,
    share: QuotaShare,
    now: Timestamp,
) -> ImportSchedule {
    let slots = openings.count() as u64;
    let slot_of = |last: u64| Some((last / slots, usize::try_from(last % slots).ok()?));
    let last = requests.checked_sub(1).filter(|_| slots > 0);
    let last = last.and_then(slot_of);
    let Some((whole, opens_at)) = last.and_then(|(whole, slot)| Some((whole, openings.nth(slot)?)))
    else {
        return ImportSchedule {
            requests,
            windows: 0,
            duration: Duration::ZERO,
            finishes_at: now,
        };
    };
    let waits = u32::try_from(whole).map_or(Duration::MAX, |whole| {
        share.rate.window.saturating_mul(whole)
    });
    let opens_in = Duration::try_from(opens_at.duration_since(now)).unwrap_or_default();
    let duration = opens_in.saturating_add(waits);
    ImportSchedule {
        requests,
        windows: whole + 1,
        duration,
        finishes_at: now.checked_add(duration).unwrap_or(Timestamp::MAX),
    }
}

impl ImportSchedule {
    /// The schedule of a run that sends at most `max_rps` requests in a second.
    #[must_use]
    pub fn spaced(self, max_rps: f64, now: Timestamp) -> Self {
        #[expect(clippy::cast_precision_loss, reason = "requests are far below 2^53")]
        let seconds = self.requests.saturating_sub(1) as f64 / max_rps;
        let spaced = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        let duration = self.duration.max(spaced);
        Self {
            duration,
            finishes_at: now.checked_add(duration).unwrap_or(Timestamp::MAX),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Rate;

    const NOW: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn share(reserve: u32) -> QuotaShare {
        QuotaShare {
            rate: Rate::DOCUMENTED,
            reserve,
        }
    }

    fn fresh(requests: u64, reserve: u32) -> ImportSchedule {
        let share = share(reserve);
        let openings = SlotOpenings::new(share.allowed(), NOW, []);
        schedule(requests, &openings, share, NOW)
    }

    #[test]
    fn a_window_more_begins_with_its_first_request() {
        let hours = |requests| fresh(requests, 0).duration.as_secs() / 3600;
        assert_eq!(
            (hours(600), hours(601), hours(1200), hours(1201)),
            (0, 1, 1, 2)
        );
        assert_eq!(fresh(1201, 0).windows, 3);
        assert_eq!(fresh(601, 300).windows, 3);
    }

    #[test]
    fn one_window_needs_no_wait_and_ten_thousand_rows_need_sixteen_hours() {
        let needs = |requests| {
            let schedule = fresh(requests, 0);
            (schedule.windows, schedule.duration)
        };
        assert_eq!(needs(600), (1, Duration::ZERO));
        assert_eq!(needs(10_000), (17, Duration::from_secs(16 * 3600)));
    }

    #[test]
    fn a_reserve_makes_windows_smaller() {
        assert_eq!(fresh(600, 300).windows, 2);
        assert_eq!(fresh(0, 600).windows, 0);
    }

    #[test]
    fn nothing_to_send_takes_no_time_and_no_request() {
        assert_eq!(requests_for(0), 0);
        assert_eq!(fresh(requests_for(0), 0).windows, 0);
        assert_eq!(fresh(requests_for(0), 0).finishes_at, NOW);
    }

    #[test]
    fn a_limit_per_second_spaces_the_requests_of_a_window() {
        let openings = SlotOpenings::new(600, NOW, []);
        let ends = |requests, rps| {
            let schedule = schedule(requests, &openings, share(0), NOW);
            schedule.spaced(rps, NOW).duration
        };
        assert_eq!(ends(41, 1.0), Duration::from_secs(40));
        assert_eq!(ends(41, 4.0), Duration::from_secs(10));
        assert_eq!(ends(601, 1.0), Duration::from_hours(1));
        assert_eq!(ends(41, 1e-300), Duration::MAX);
    }

    #[test]
    fn slots_that_were_free_before_now_cost_no_time() {
        let openings = SlotOpenings::new(600, NOW, []);
        let now = NOW + Duration::from_secs(2);
        assert_eq!(schedule(9, &openings, share(0), now).finishes_at, now);
    }

    #[test]
    fn slots_that_are_taken_open_later() {
        let later = NOW + Duration::from_secs(1800);
        let openings = SlotOpenings::new(100, NOW, [later; 500]);
        let ends = |requests| {
            schedule(requests, &openings, share(0), NOW)
                .duration
                .as_secs()
        };
        assert_eq!(
            (ends(100), ends(101), ends(600), ends(601)),
            (0, 1800, 1800, 3600)
        );
    }
}
