//! A wait for the quota, as text: printed once if no progress bar shows it.

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::progress::ProgressLine;
use crate::dispatch::DispatchEvent;
use crate::journal::WaitReason;

/// Whether a run is waiting, and what was printed about it.
#[derive(Debug)]
pub(super) struct WaitState {
    console: Console,
    is_drawn: bool,
    wait: Option<(Timestamp, WaitReason)>,
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
                self.wait = Some((*until, *because));
                self.say(*until, *because);
            }
            DispatchEvent::Retrying { .. } | DispatchEvent::RateLimited { .. } => {}
        }
        if let Some(detail) = detail(event) {
            self.console.detail(&detail);
        }
    }

    /// The wait as a fragment; none if the run is not waiting.
    pub(super) fn words(&self) -> Option<String> {
        self.wait
            .map(|(until, because)| words(until, because, clock::now()))
    }

    fn say(&mut self, until: Timestamp, because: WaitReason) {
        let now = clock::now();
        let long = until.duration_since(now).as_secs() >= 10 && !self.is_drawn;
        let is_news = self
            .printed
            .is_none_or(|printed| until.duration_since(printed).as_secs() >= 60);
        if long && is_news {
            self.printed = Some(until);
            self.console.say(&words(until, because, now));
        }
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
        DispatchEvent::Sent { .. } | DispatchEvent::Waiting { .. } => None,
    }
}

fn words(until: Timestamp, because: WaitReason, now: Timestamp) -> String {
    let until = clock::local(until, now);
    match because {
        WaitReason::QuotaUsedUp => format!("quota used up; resuming {until}"),
        WaitReason::RateLimited => format!("the service asked to wait; resuming {until}"),
    }
}
