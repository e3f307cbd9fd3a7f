//! Progress of a run: drawn on a terminal, where a wait counts down; otherwise a dated line when something changes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use jiff::Timestamp;

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::drawn_lines::DrawnLines;
use crate::cli::waiting::{self, Wait};
use crate::dispatch::DispatchEvent;
use crate::model::{group_digits, printable};

/// Time between two lines while more and more items are done.
const CHANGED_INTERVAL: Duration = Duration::from_mins(1);

/// Time between two lines while nothing changes.
const UNCHANGED_INTERVAL: Duration = Duration::from_mins(10);

/// The most columns that the display uses.
const COLUMNS: usize = 58;

/// How often the display is drawn at most.
const DRAWN_PER_SECOND: u8 = 20;

/// What a run is doing.
#[derive(Clone, Debug, Default)]
pub(super) struct ProgressText {
    /// What is happening, or why the run waits.
    pub(super) state: String,
    /// When a wait ends.
    pub(super) until: Option<Timestamp>,
    /// When the run finishes.
    pub(super) finishes: Option<Timestamp>,
    /// What was done so far; may be empty.
    pub(super) counts: String,
}

/// Shows the progress of a run, and what it waits for, until it is dropped.
#[derive(Debug)]
pub(super) struct ProgressLine {
    console: Console,
    display: ProgressDisplay,
    wait: Option<Wait>,
    /// The last number of items done, and what was happening.
    done: u64,
    state: String,
}

#[derive(Debug)]
enum ProgressDisplay {
    Drawn {
        bar: ProgressBar,
        /// Rendered whenever the bar is drawn, so that a countdown moves.
        text: Arc<Mutex<ProgressText>>,
    },
    Plain {
        total: Option<u64>,
        printed_at: Instant,
        printed: u64,
        /// The last wait that was printed, and when.
        printed_wait: Option<(Timestamp, Wait)>,
    },
}

impl ProgressLine {
    /// Starts to show how many items are done, out of `total` if it is known.
    pub(super) fn start(console: &Console, total: Option<u64>) -> Self {
        let display = if console.draws() {
            Self::draw(console, total)
        } else {
            ProgressDisplay::Plain {
                total,
                printed_at: clock::instant(),
                printed: 0,
                printed_wait: None,
            }
        };
        Self {
            console: console.clone(),
            display,
            wait: None,
            done: 0,
            state: String::new(),
        }
    }

    fn draw(console: &Console, total: Option<u64>) -> ProgressDisplay {
        let bar = console.bar().clone();
        let template = match total {
            Some(total) => {
                bar.set_length(total);
                "{spinner} {text}\n  {bar:20} {human_pos} of {human_len}"
            }
            None => "{spinner} {human_pos} {text}",
        };
        let text = Arc::new(Mutex::new(ProgressText::default()));
        let shown = Arc::clone(&text);
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        bar.set_style(style.with_key(
            "text",
            move |_: &ProgressState, output: &mut dyn std::fmt::Write| {
                let text = shown.lock().unwrap_or_else(PoisonError::into_inner);
                // A text that cannot be written is not shown.
                let _ = output.write_str(&text.lines(clock::now()));
            },
        ));
        // After the style, so that nothing is drawn in another one.
        let lines = Box::new(DrawnLines::default());
        bar.set_draw_target(ProgressDrawTarget::term_like_with_hz(
            lines,
            DRAWN_PER_SECOND,
        ));
        bar.reset();
        bar.enable_steady_tick(Duration::from_millis(250));
        ProgressDisplay::Drawn { bar, text }
    }

    /// Updates what the run waits for with an event of the dispatcher; returns whether it waits, or did before.
    pub(super) fn event(&mut self, event: &DispatchEvent) -> bool {
        let before = self.wait;
        self.wait = Wait::after(event, before);
        if let Some(detail) = waiting::detail(event) {
            self.console.verbose(&detail);
        }
        before.is_some() || self.wait.is_some()
    }

    /// The run waits until then, for this reason.
    pub(super) fn pause(&mut self, until: Timestamp, reason: &'static str) {
        self.wait = Some(Wait { until, reason });
    }

    /// Corrects the total.
    pub(super) fn set_total(&mut self, all: u64) {
        match &mut self.display {
            ProgressDisplay::Drawn { bar, .. } => bar.set_length(all),
            ProgressDisplay::Plain { total, .. } => *total = Some(all),
        }
    }

    /// Shows the number of items done, and what is happening.
    pub(super) fn update(&mut self, done: u64, state: &str) {
        self.done = done;
        state.clone_into(&mut self.state);
        self.redraw();
    }

    /// Shows the last items again, with what the run waits for now.
    pub(super) fn redraw(&mut self) {
        let text = ProgressText {
            state: self.state.clone(),
            ..ProgressText::default()
        };
        self.show(self.done, text);
    }

    /// Shows the number of items done, and what the run is doing unless it waits.
    pub(super) fn show(&mut self, done: u64, mut now: ProgressText) {
        if let Some(wait) = self.wait {
            wait.reason.clone_into(&mut now.state);
            now.until = Some(wait.until);
        }
        match &mut self.display {
            ProgressDisplay::Drawn { bar, text } => {
                *text.lock().unwrap_or_else(PoisonError::into_inner) = now;
                // Not while the text is locked: the bar may be drawn here, and reads it.
                bar.set_position(done);
            }
            ProgressDisplay::Plain {
                total,
                printed_at,
                printed,
                printed_wait,
            } => {
                let time = clock::now();
                if let Some(wait) = self.wait
                    && wait.is_news(*printed_wait, time)
                {
                    *printed_wait = Some((time, wait));
                    (*printed_at, *printed) = (clock::instant(), done);
                    if wait.reason == waiting::FOR_MEASUREMENTS {
                        "the next line comes in 10 minutes".clone_into(&mut now.counts);
                    }
                    self.console.info_dated(&now.one_line());
                }
                let instant = clock::instant();
                let interval = if done == *printed {
                    UNCHANGED_INTERVAL
                } else {
                    CHANGED_INTERVAL
                };
                if instant.duration_since(*printed_at) >= interval {
                    (*printed_at, *printed) = (instant, done);
                    let of = total
                        .map(|total| format!(" of {}", group_digits(total)))
                        .unwrap_or_default();
                    let text = format!("{}{of}: {}", group_digits(done), now.one_line());
                    self.console.info_dated(&text);
                }
            }
        }
    }
}

impl ProgressText {
    /// The text in one line.
    pub(super) fn one_line(&self) -> String {
        let now = clock::now();
        let resumes = |until| format!("resuming at {}", clock::local(until, now));
        self.parts(now, resumes).join("; ")
    }

    /// The text in lines of at most [`COLUMNS`], for a terminal.
    fn lines(&self, now: Timestamp) -> String {
        let resumes = |until: Timestamp| {
            let left = until.duration_since(now).as_secs().max(0);
            let until = clock::local(until, now);
            format!("resuming in {}, at {until}", countdown(left))
        };
        let mut lines = self.parts(now, resumes);
        let is_waited = self.until.is_some() || self.finishes.is_some();
        let counts = usize::from(!self.counts.is_empty());
        if let Some(last) = lines.iter_mut().nth_back(counts).filter(|_| is_waited) {
            last.push_str("; Ctrl-C is safe");
        }
        // Two columns for the spinner or the indentation, and one that stays free.
        let room = COLUMNS - 3;
        let lines = lines.iter().map(|line| line.chars().take(room).collect());
        lines.collect::<Vec<String>>().join("\n  ")
    }

    /// What happens, when a wait ends, when the run finishes, and what was done.
    fn parts(&self, now: Timestamp, resumes: impl Fn(Timestamp) -> String) -> Vec<String> {
        let finishes = |at| format!("finishes {}", clock::local(at, now));
        let mut parts = vec![printable(&self.state)];
        parts.extend(self.until.map(resumes));
        parts.extend(self.finishes.map(finishes));
        parts.extend(Some(self.counts.clone()).filter(|counts| !counts.is_empty()));
        parts
    }
}

/// `59:07`, or `1:59:07` above an hour.
fn countdown(seconds: i64) -> String {
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let ProgressDisplay::Drawn { bar, .. } = &self.display {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_countdown_has_hours_only_when_it_needs_them() {
        assert_eq!(countdown(0), "0:00");
        assert_eq!(countdown(67), "1:07");
        assert_eq!(countdown(7_147), "1:59:07");
        assert_eq!(countdown(100_000), "27:46:40");
    }

    #[test]
    fn a_wait_is_drawn_in_short_lines() {
        let now: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let text = ProgressText {
            state: "quota used up".to_owned(),
            until: Some("2026-11-21T10:58:12Z".parse().unwrap()),
            finishes: Some("2026-11-23T02:10:00Z".parse().unwrap()),
            counts: "540 created, 3 existing".to_owned(),
        };
        let shown = text.lines(now);
        assert!(shown.starts_with("quota used up\n  resuming in 58:12, at "));
        assert!(shown.contains("\n  finishes 2026-11-2"));
        assert!(shown.ends_with("; Ctrl-C is safe\n  540 created, 3 existing"));
        assert!(shown.lines().all(|line| line.len() < 60), "{shown}");
        let long = ProgressText {
            state: "x".repeat(100),
            ..text
        };
        assert!(long.lines(now).lines().all(|line| line.len() < 60));
    }
}
