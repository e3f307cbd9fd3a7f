//! A wait of a run: for the quota, for the service, or between two rounds of requests.

use jiff::{SignedDuration, Timestamp};

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::progress::{ProgressLine, ProgressText};
use crate::dispatch::DispatchEvent;
use crate::journal::WaitReason;

/// A shorter wait is not printed, in seconds.
const SHORT: i64 = 10;

/// Whether a run is waiting, and what was printed about it.
#[derive(Debug)]
pub(super) struct WaitState {
    console: Console,
    is_drawn: bool,
    wait: Option<(Timestamp, &'static str)>,
    /// The last wait that was printed.
    printed: Option<PrintedWait>,
    /// Number of requests sent since then.
    sent: u64,
}

/// A wait that was printed.
#[derive(Clone, Copy, Debug)]
struct PrintedWait {
    at: Timestamp,
    until: Timestamp,
    reason: &'static str,
}

impl PrintedWait {
    /// Whether a wait is to be printed too, before which `sent` requests were sent. A quota that allows one request after
    /// the other makes many waits, and so do the rounds of requests for measurements; these are printed seldom.
    fn differs(self, until: Timestamp, reason: &str, sent: u64, now: Timestamp) -> bool {
        let is_next = match sent {
            0 => until.duration_since(self.until) >= SignedDuration::from_secs(MOVED),
            1 => false,
            _ => reason != FOR_MEASUREMENTS,
        };
        is_next || reason != self.reason || now.duration_since(self.at) >= REPEATED
    }
}

/// A wait that ends this much later than announced is printed again, in seconds.
const MOVED: i64 = 60;

/// Time after which a wait is printed in any case.
const REPEATED: SignedDuration = SignedDuration::from_mins(10);

/// The reason for the pause between two rounds of requests for measurements.
pub(super) const FOR_MEASUREMENTS: &str = "waiting for measurements";

impl WaitState {
    /// The initial state of a run that `progress` shows.
    pub(super) fn none(console: &Console, progress: &ProgressLine) -> Self {
        Self {
            console: console.clone(),
            is_drawn: progress.is_drawn(),
            wait: None,
            printed: None,
            sent: 0,
        }
    }

    /// Updates the state with an event of the dispatcher.
    pub(super) fn event(&mut self, event: &DispatchEvent) {
        match event {
            DispatchEvent::Sent { .. } => {
                self.wait = None;
                self.sent += 1;
            }
            DispatchEvent::Waiting { until, because } => {
                self.wait = Some((*until, reason(*because)));
            }
            DispatchEvent::Completed(_)
            | DispatchEvent::Retrying { .. }
            | DispatchEvent::RateLimited { .. } => {}
        }
        if let Some(detail) = detail(event) {
            self.console.detail(&detail);
        }
    }

    /// Whether the run waits.
    pub(super) fn is_waiting(&self) -> bool {
        self.wait.is_some()
    }

    /// The run waits until then, and says why.
    pub(super) fn pause(&mut self, until: Timestamp, reason: &'static str) {
        self.wait = Some((until, reason));
    }

    /// Completes what the run is doing with its wait. If no progress is drawn, prints each long wait once.
    pub(super) fn complete(&mut self, text: ProgressText) -> ProgressText {
        let Some((until, reason)) = self.wait else {
            return text;
        };
        let text = ProgressText {
            state: reason.to_owned(),
            until: Some(until),
            ..text
        };
        let now = clock::now();
        let is_long = until.duration_since(now).as_secs() >= SHORT;
        let is_news = self
            .printed
            .is_none_or(|printed| printed.differs(until, reason, self.sent, now));
        if is_long && is_news && !self.is_drawn {
            self.sent = 0;
            self.printed = Some(PrintedWait {
                at: now,
                until,
                reason,
            });
            self.console.say_dated(&text.one_line());
        }
        text
    }
}

/// What `-v` prints about an event.
pub(super) fn detail(event: &DispatchEvent) -> Option<String> {
    match event {
        DispatchEvent::Retrying { after, reason } => Some(format!(
            "retrying in {:.1} s: {reason}",
            after.as_secs_f64()
        )),
        DispatchEvent::RateLimited { .. } => {
            Some("the service reports that its quota is used up (429)".to_owned())
        }
        // The log prints requests.
        DispatchEvent::Sent { .. }
        | DispatchEvent::Waiting { .. }
        | DispatchEvent::Completed(_) => None,
    }
}

fn reason(because: WaitReason) -> &'static str {
    match because {
        WaitReason::QuotaUsedUp => "quota used up",
        WaitReason::RateLimited => "the service asked to wait",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_wait_is_printed_and_the_same_one_is_not() {
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        let printed = PrintedWait {
            at: at(0),
            until: at(1),
            reason: "quota used up",
        };
        let differs = |until, reason, sent, now| printed.differs(at(until), reason, sent, at(now));
        assert!(!differs(1, "quota used up", 0, 0), "the same wait");
        assert!(differs(2, "quota used up", 0, 0), "it takes longer");
        assert!(differs(2, "quota used up", 10, 1), "the next window");
        assert!(!differs(2, "quota used up", 1, 1), "the next slot");
        assert!(
            differs(12, "quota used up", 1, 10),
            "a slot after ten minutes"
        );
        assert!(
            differs(1, "the service asked to wait", 1, 0),
            "another reason"
        );
        let round = PrintedWait {
            reason: FOR_MEASUREMENTS,
            ..printed
        };
        assert!(
            !round.differs(at(3), FOR_MEASUREMENTS, 5, at(2)),
            "the next round"
        );
    }
}
