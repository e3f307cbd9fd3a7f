//! A wait for the quota, in words: said once where no bar shows it.

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::progress::ProgressLine;
use crate::dispatch::DispatchEvent;
use crate::journal::WaitReason;

/// Whether a run waits at this moment, and what was said of it.
#[derive(Debug)]
pub(super) struct WaitState {
    console: Console,
    is_drawn: bool,
    wait: Option<(Timestamp, WaitReason)>,
    /// The last wait that was said in words.
    said: Option<Timestamp>,
}

impl WaitState {
    /// No wait yet, in a run that `progress` shows.
    pub(super) fn none(console: &Console, progress: &ProgressLine) -> Self {
        Self {
            console: console.clone(),
            is_drawn: progress.is_drawn(),
            wait: None,
            said: None,
        }
    }

    /// Something happened on the line.
    pub(super) fn event(&mut self, event: &DispatchEvent) {
        match event {
            DispatchEvent::Sent { .. } => self.wait = None,
            DispatchEvent::Waiting { until, because } => {
                self.wait = Some((*until, *because));
                self.say(*until, *because);
            }
            DispatchEvent::Retrying { after, reason } => {
                let after = after.as_secs_f64();
                self.console
                    .detail(&format!("again in {after:.1} s: {reason}"));
            }
            DispatchEvent::RateLimited { .. } => {
                self.console
                    .detail("the service reports that its quota is used up (429)");
            }
        }
    }

    /// The wait as a fragment; none where nothing waits.
    pub(super) fn words(&self) -> Option<String> {
        self.wait
            .map(|(until, because)| words(until, because, clock::now()))
    }

    fn say(&mut self, until: Timestamp, because: WaitReason) {
        let now = clock::now();
        let long = until.duration_since(now).as_secs() >= 10 && !self.is_drawn;
        let is_news = self
            .said
            .is_none_or(|said| until.duration_since(said).as_secs() >= 60);
        if long && is_news {
            self.said = Some(until);
            self.console.say(&words(until, because, now));
        }
    }
}

fn words(until: Timestamp, because: WaitReason, now: Timestamp) -> String {
    let until = clock::local(until, now);
    match because {
        WaitReason::QuotaUsedUp => format!("quota used up; resuming {until}"),
        WaitReason::RateLimited => format!("the service asked to wait; resuming {until}"),
    }
}
