//! A wait of a run: for the quota, for the service, or between two rounds of requests.

use jiff::Timestamp;

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
    /// The end of the last wait that was printed.
    printed: Option<Timestamp>,
}

impl WaitState {
    /// The initial state of a run that `progress` shows.
    pub(super) fn none(console: &Console, progress: &ProgressLine) -> Self {
        Self {
            console: console.clone(),
            is_drawn: progress.is_drawn(),
            wait: None,
            printed: None,
        }
    }

    /// Updates the state with an event of the dispatcher.
    pub(super) fn event(&mut self, event: &DispatchEvent) {
        match event {
            DispatchEvent::Sent { .. } => self.wait = None,
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

    /// The run waits until then, and says why.
    pub(super) fn pause(&mut self, until: Timestamp, reason: &'static str) {
        self.wait = Some((until, reason));
    }

    /// Completes what the run is doing with its wait. If no progress is drawn, prints a long wait once.
    pub(super) fn complete(&mut self, text: ProgressText) -> ProgressText {
        let Some((until, reason)) = self.wait else {
            return text;
        };
        let text = ProgressText {
            state: reason.to_owned(),
            until: Some(until),
            ..text
        };
        let is_long = until.duration_since(clock::now()).as_secs() >= SHORT;
        let is_news = self
            .printed
            .is_none_or(|printed| until.duration_since(printed).as_secs() >= 60);
        if is_long && is_news && !self.is_drawn {
            self.printed = Some(until);
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
