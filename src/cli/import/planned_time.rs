//! When a run sends its requests, as the plan says it.

use jiff::Timestamp;

use crate::cli::clock;
use crate::dispatch::QuotaWait;
use crate::import::ImportSchedule;
use crate::model::group_digits;

/// When a run sends its requests.
pub(super) struct PlannedTime {
    pub(super) schedule: ImportSchedule,
    /// What the run does when the quota is used up.
    pub(super) wait: QuotaWait,
    /// Number of requests that the quota allows now.
    pub(super) available: usize,
}

impl PlannedTime {
    /// How long the requests take, and when they end.
    pub(super) fn text(&self, now: Timestamp) -> String {
        let schedule = &self.schedule;
        let (ends, until) = match self.wait {
            QuotaWait::Until(until) => (until.min(schedule.finishes_at), Some(until)),
            QuotaWait::Wait | QuotaWait::NoWait => (schedule.finishes_at, None),
        };
        let is_early = ends < schedule.finishes_at;
        let tomorrow = until.filter(|until| clock::is_tomorrow(*until, now));
        let said = match tomorrow {
            Some(until) if !is_early => {
                format!("; --until is tomorrow, {}", clock::local(until, now))
            }
            _ => String::new(),
        };
        if schedule.duration.is_zero() {
            return format!("; the quota allows all of them at once{said}");
        }
        if self.wait == QuotaWait::NoWait {
            return match self.available {
                0 => "; the quota allows none of them now".to_owned(),
                available => {
                    let available = group_digits(available as u64);
                    format!("; as many as the quota allows now ({available})")
                }
            };
        }
        let allowed = match tomorrow {
            Some(_) if is_early => "as many as the quota allows until tomorrow,",
            None if is_early => "as many as the quota allows until",
            _ => "the quota allows all of them by",
        };
        format!("; {allowed} {}{said}", clock::local(ends, now))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::tz::TimeZone;

    use super::*;

    #[test]
    fn a_time_that_has_passed_today_is_said_to_be_tomorrow() {
        let day = |day| jiff::civil::date(2026, 11, day).at(13, 30, 0, 0);
        let at =
            |time: jiff::civil::DateTime| time.to_zoned(TimeZone::system()).unwrap().timestamp();
        let text = |until: Timestamp, takes: Duration| {
            let schedule = ImportSchedule {
                requests: 20,
                windows: 3,
                duration: takes,
                finishes_at: at(day(26)) + takes,
            };
            let time = PlannedTime {
                schedule,
                wait: QuotaWait::Until(until),
                available: 12,
            };
            time.text(at(day(26)))
        };
        let tomorrow = at(day(27).with().hour(13).minute(0).build().unwrap());
        let all = text(tomorrow, Duration::ZERO);
        let said = "; the quota allows all of them at once; --until is tomorrow, 2026-11-27 13:00 ";
        assert!(all.starts_with(said), "{all}");
        let some = text(tomorrow, Duration::from_hours(40));
        let said = "; as many as the quota allows until tomorrow, 2026-11-27 13:00 ";
        assert!(some.starts_with(said), "{some}");
        let today = text(at(day(26).with().hour(17).build().unwrap()), Duration::ZERO);
        assert_eq!(today, "; the quota allows all of them at once");
    }
}
