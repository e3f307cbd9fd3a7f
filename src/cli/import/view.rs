//! What a person sees while rows are submitted.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::progress::Progress;
use crate::import::{RowSettled, Schedule};
use crate::journal::{Because, Window};
use crate::model::{Outcome, Outcomes, counted};
use crate::pace::Event;

/// Shared by the line, which tells of waits, and the stream of rows, which tells of outcomes.
#[derive(Clone, Debug)]
pub(super) struct View(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    console: Console,
    progress: Progress,
    window: Window,
    ends_at: Timestamp,
    sent: usize,
    done: u64,
    outcomes: Outcomes,
    waiting: Option<(Timestamp, Because)>,
    /// The last wait that was said in words.
    said: Option<Timestamp>,
    /// Rows of the canary still to be shown.
    canary: u64,
}

impl View {
    /// Begins to show a run of `total` rows.
    pub(super) fn new(console: &Console, total: u64, window: Window, schedule: &Schedule) -> Self {
        Self(Arc::new(Mutex::new(State {
            console: console.clone(),
            progress: Progress::start(console, Some(total)),
            window,
            ends_at: schedule.finishes_at,
            sent: 0,
            done: 0,
            outcomes: Outcomes::default(),
            waiting: None,
            said: None,
            canary: 0,
        })))
    }

    /// Shows the first rows one by one.
    pub(super) fn show_canary(&self, rows: u64) {
        self.state().canary = rows;
    }

    /// Something happened on the line.
    pub(super) fn event(&self, event: &Event) {
        let mut state = self.state();
        match event {
            Event::Sent => {
                state.sent += 1;
                state.waiting = None;
            }
            Event::Waiting { until, because } => {
                state.waiting = Some((*until, *because));
                state.say_wait(*until, *because);
            }
            Event::Retrying { after, reason } => {
                let after = after.as_secs_f64();
                state
                    .console
                    .detail(&format!("again in {after:.1} s: {reason}"));
            }
            Event::Limited { .. } => {
                state
                    .console
                    .detail("the service says that its quota is spent (429)");
            }
        }
        state.draw();
    }

    /// A row came to its end.
    pub(super) fn settled(&self, settled: &RowSettled<'_>) {
        let mut state = self.state();
        if settled.outcome != Outcome::Pending {
            state.done += 1;
        }
        state.outcomes = settled.rows.outcomes();
        state.show(settled);
        state.draw();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // What is shown matters less than the run: a panic elsewhere leaves numbers, and those are whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn show(&mut self, settled: &RowSettled<'_>) {
        if self.canary == 0 {
            return;
        }
        self.canary -= 1;
        let Some(measurement) = settled.measurement else {
            self.console
                .say(&format!("row {}: {}", settled.row, settled.outcome.name()));
            return;
        };
        let address = &measurement.address;
        let place = address.formatted.clone().unwrap_or_else(|| {
            format!(
                "{}, {}, {} {}",
                address.line1, address.city, address.region, address.postal_code
            )
        });
        let link = measurement.request.url.as_deref().unwrap_or_default();
        self.console.say(&format!(
            "row {}: {}: {place} {link}",
            settled.row,
            settled.outcome.name()
        ));
    }

    /// Says a long wait once, where no bar shows it.
    fn say_wait(&mut self, until: Timestamp, because: Because) {
        let now = clock::now();
        let long = until.duration_since(now).as_secs() >= 10;
        let is_news = self
            .said
            .is_none_or(|said| until.duration_since(said).as_secs() >= 60);
        if long && is_news {
            self.said = Some(until);
            let text = wait(until, because, now);
            self.console.say(&text);
        }
    }

    fn draw(&mut self) {
        let mut text = String::new();
        for outcome in [
            Outcome::Created,
            Outcome::Existing,
            Outcome::Refused,
            Outcome::Conflict,
        ] {
            let rows = self.outcomes.of(outcome);
            if rows > 0 {
                let _ = write!(text, "{rows} {}, ", outcome.name());
            }
        }
        let now = clock::now();
        if let Some((until, because)) = self.waiting {
            text.push_str(&wait(until, because, now));
        } else {
            let open = self.window.openings.open_at(now);
            let left = open.saturating_sub(self.sent) as u64;
            let _ = write!(
                text,
                "{} left in this window, ends {}",
                counted(left, "request"),
                clock::local(self.ends_at, now)
            );
        }
        self.progress.update(self.done, &text);
    }
}

fn wait(until: Timestamp, because: Because, now: Timestamp) -> String {
    let until = clock::local(until, now);
    match because {
        Because::Spent => format!("the quota is spent; goes on at {until}"),
        Because::Limited => format!("the service asked to wait; goes on at {until}"),
    }
}
