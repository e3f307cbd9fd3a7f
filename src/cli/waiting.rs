//! A wait of a run: for the quota, for the service, or between two rounds of requests.

use jiff::{SignedDuration, Timestamp};

use crate::dispatch::DispatchEvent;
use crate::journal::WaitReason;
use crate::model::QuotaShare;

/// A shorter wait is not printed, nor one that ends about when the printed one does; in seconds.
const SHORT: i64 = 10;

/// Time after which a wait is printed again in any case.
const REPEATED: SignedDuration = SignedDuration::from_mins(10);

/// What a run waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RunWait {
    /// Slots of the quota.
    Quota,
    /// The time that the service asked to wait for.
    Service,
    /// The next round of requests for measurements.
    Measurements,
    /// That the user agrees in the browser; the run fails otherwise.
    Consent,
    /// That another run ends; the run fails otherwise.
    OtherRun,
}

impl RunWait {
    /// Why the run waits.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Quota => "quota used up",
            Self::Service => "the service asked to wait",
            Self::Measurements => "waiting for measurements",
            Self::Consent => "waiting for your consent",
            Self::OtherRun => "waiting for another run to end",
        }
    }
}

/// A wait, and its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wait {
    pub(super) until: Timestamp,
    pub(super) reason: RunWait,
}

impl Wait {
    /// What the run does when the time is over.
    pub(super) fn then(self) -> &'static str {
        match self.reason {
            RunWait::Quota | RunWait::Service => "resuming",
            RunWait::Measurements => "asking again",
            RunWait::Consent | RunWait::OtherRun => "giving up",
        }
    }

    /// What the run waits for after an event of the dispatcher.
    pub(super) fn after(event: &DispatchEvent, before: Option<Self>) -> Option<Self> {
        match event {
            DispatchEvent::Sent { .. } => None,
            DispatchEvent::Waiting { until, because } => Some(Self {
                until: *until,
                reason: reason(*because),
            }),
            DispatchEvent::Completed(_)
            | DispatchEvent::Retrying { .. }
            | DispatchEvent::RateLimited => before,
        }
    }

    /// Whether the wait is printed after one that was printed at that time. The rounds of requests for measurements are
    /// many, and are printed seldom.
    pub(super) fn is_news(self, printed: Option<(Timestamp, Self)>, now: Timestamp) -> bool {
        let is_later = |time: Timestamp| self.until.duration_since(time).as_secs() >= SHORT;
        let differs = |(at, printed): (Timestamp, Self)| {
            self.reason != printed.reason
                || now.duration_since(at) >= REPEATED
                || self.reason != RunWait::Measurements && is_later(printed.until)
        };
        is_later(now) && printed.is_none_or(differs)
    }
}

/// What `-v` prints about an event.
pub(super) fn detail(event: &DispatchEvent) -> Option<String> {
    match event {
        DispatchEvent::Retrying { after, reason } => Some(format!(
            "retrying in {:.1} s: {reason}",
            after.as_secs_f64()
        )),
        DispatchEvent::RateLimited => {
            Some("the service reports that its quota is used up (429)".to_owned())
        }
        // The log prints requests.
        DispatchEvent::Sent { .. }
        | DispatchEvent::Waiting { .. }
        | DispatchEvent::Completed(_) => None,
    }
}

fn reason(because: WaitReason) -> RunWait {
    match because {
        WaitReason::QuotaUsedUp => RunWait::Quota,
        WaitReason::RateLimited => RunWait::Service,
    }
}

/// When `requests` are sent, if the next is sent at `next` and the slots of each window become available together.
pub(super) fn end_of_windows(requests: u64, next: Timestamp, share: QuotaShare) -> Timestamp {
    let windows = requests.saturating_sub(1) / share.allowed() as u64;
    let waits = u32::try_from(windows).unwrap_or(u32::MAX);
    let long = share.rate.window.saturating_mul(waits);
    next.checked_add(long).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_wait_is_printed_and_the_same_one_is_not() {
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        let wait = |until, reason| Wait {
            until: at(until),
            reason,
        };
        let (quota, asked) = (RunWait::Quota, RunWait::Service);
        let is_news = |new: Wait, printed: Wait, now| new.is_news(Some((at(0), printed)), at(now));
        assert!(!wait(0, quota).is_news(None, at(0)), "a short wait");
        assert!(wait(1, quota).is_news(None, at(0)));
        let (printed, round) = (wait(1, quota), wait(1, RunWait::Measurements));
        assert!(!is_news(wait(1, quota), printed, 0), "the same wait");
        assert!(is_news(wait(2, quota), printed, 0), "it takes longer");
        assert!(is_news(wait(2, quota), printed, 1), "the next window");
        assert!(is_news(wait(1, asked), printed, 0), "another reason");
        assert!(
            !is_news(wait(3, RunWait::Measurements), round, 2),
            "the next round"
        );
        assert!(
            is_news(wait(12, RunWait::Measurements), round, 10),
            "a round after ten minutes"
        );
    }
}
