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
        if schedule.duration.is_zero() {
            return "; the quota allows all of them at once".to_owned();
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
        let ends = match self.wait {
            QuotaWait::Until(until) => until.min(schedule.finishes_at),
            QuotaWait::Wait | QuotaWait::NoWait => schedule.finishes_at,
        };
        let allowed = if ends < schedule.finishes_at {
            "as many as the quota allows until"
        } else {
            "the quota allows all of them by"
        };
        format!("; {allowed} {}", clock::local(ends, now))
    }
}
