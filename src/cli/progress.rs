//! Progress of a run: drawn on a terminal, where a wait counts down; otherwise a dated line when something changes.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use jiff::{SignedDuration, Timestamp};

use crate::cli::clock;
use crate::cli::console::Console;
use crate::cli::drawn_lines::DrawnLines;
use crate::cli::waiting::{self, RunWait, Wait};
use crate::dispatch::DispatchEvent;
use crate::model::{group_digits, printable};

/// Time between two lines while more and more items are done.
const CHANGED_INTERVAL: SignedDuration = SignedDuration::from_mins(1);

/// Time between two lines while nothing changes.
const UNCHANGED_INTERVAL: SignedDuration = SignedDuration::from_mins(10);

/// What a user who waits wants to know.
const STOPPING: &str = "Ctrl-C is safe";

/// The most columns that the display uses.
const COLUMNS: usize = 58;

/// How often the display is drawn at most.
const DRAWN_PER_SECOND: u8 = 20;

/// What a run is doing.
#[derive(Clone, Debug, Default)]
struct ProgressText {
    /// What is happening, or why the run waits.
    state: String,
    /// What the run waits for.
    wait: Option<Wait>,
    /// Whether the service does not respond.
    lacks_response: bool,
    /// What finishes, and when: the run, or a part of it.
    finishes: Option<(&'static str, Timestamp)>,
    /// What was done so far; may be empty.
    counts: String,
}

/// Shows the progress of a run, and what it waits for, until it is dropped.
#[derive(Debug)]
pub(super) struct ProgressLine {
    console: Console,
    display: ProgressDisplay,
    /// The last number of items done, and what was happening.
    done: u64,
    text: ProgressText,
}

#[derive(Debug)]
enum ProgressDisplay {
    Drawn {
        bar: ProgressBar,
        /// Rendered whenever the bar is drawn, so that a countdown moves.
        text: Arc<Mutex<ProgressText>>,
    },
    Plain(PlainProgress),
}

/// What was printed where nothing is drawn.
#[derive(Debug)]
struct PlainProgress {
    total: Option<u64>,
    printed_at: Timestamp,
    printed: u64,
    /// The last wait that was printed, and when.
    printed_wait: Option<(Timestamp, Wait)>,
}

impl ProgressLine {
    /// Starts to show how many items are done, out of `total` if it is known.
    pub(super) fn start(console: &Console, total: Option<u64>) -> Self {
        let display = match total {
            Some(total) if console.draws() => {
                console.bar().set_length(total);
                Self::draw(
                    console,
                    "{spinner} {text}\n  {bar:20} {human_pos} of {human_len}",
                )
            }
            None if console.draws() => Self::draw(console, "{spinner} {human_pos} {text}"),
            total => ProgressDisplay::Plain(PlainProgress {
                total,
                printed_at: clock::now(),
                printed: 0,
                printed_wait: None,
            }),
        };
        Self::new(console, display)
    }

    /// Draws a wait that is not one of requests; nothing where nothing is drawn.
    pub(super) fn start_wait(console: &Console, wait: Wait) -> Option<Self> {
        if !console.draws() {
            return None;
        }
        let mut line = Self::new(console, Self::draw(console, "{spinner} {text}"));
        line.text.wait = Some(wait);
        line.redraw();
        Some(line)
    }

    fn new(console: &Console, display: ProgressDisplay) -> Self {
        Self {
            console: console.clone(),
            display,
            done: 0,
            text: ProgressText::default(),
        }
    }

    fn draw(console: &Console, template: &str) -> ProgressDisplay {
        let bar = console.bar().clone();
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
        let text = &mut self.text;
        let (before, lacked_response) = (text.wait, text.lacks_response);
        text.wait = Wait::after(event, before);
        if let DispatchEvent::Completed(request) = event {
            text.lacks_response = request.status.is_none();
        }
        if let Some(detail) = waiting::detail(event) {
            self.console.verbose(&detail);
        }
        before.is_some() || text.wait.is_some() || text.lacks_response != lacked_response
    }

    /// Whether the run waits, which is printed once with the counts of that time.
    pub(super) fn prints_wait(&self) -> bool {
        matches!(self.display, ProgressDisplay::Plain(_)) && self.text.wait.is_some()
    }

    /// Whether an update may be seen at that time; lines are printed seldom.
    pub(super) fn is_shown(&self, now: Timestamp) -> bool {
        match &self.display {
            ProgressDisplay::Drawn { .. } => true,
            ProgressDisplay::Plain(plain) => {
                self.text.wait.is_some() || plain.is_due(CHANGED_INTERVAL, now)
            }
        }
    }

    /// The run waits until then.
    pub(super) fn pause(&mut self, until: Timestamp, reason: RunWait) {
        self.text.wait = Some(Wait { until, reason });
    }

    /// Corrects the total.
    pub(super) fn set_total(&mut self, all: u64) {
        match &mut self.display {
            ProgressDisplay::Drawn { bar, .. } => bar.set_length(all),
            ProgressDisplay::Plain(plain) => plain.total = Some(all),
        }
    }

    /// Sets what finishes, and when, for [`ProgressLine::redraw`].
    pub(super) fn set_finish(&mut self, finishes: Option<(&'static str, Timestamp)>) {
        self.text.finishes = finishes;
    }

    /// Shows the number of items done, and what is happening.
    pub(super) fn update(&mut self, done: u64, state: &str) {
        self.done = done;
        state.clone_into(&mut self.text.state);
        self.redraw();
    }

    /// Shows the number of items done, what the run is doing unless it waits, and what was done.
    pub(super) fn update_counts(&mut self, done: u64, state: &str, counts: String) {
        self.text.counts = counts;
        self.update(done, state);
    }

    /// Shows the last items again, with what the run waits for now.
    pub(super) fn redraw(&mut self) {
        let (done, mut now) = (self.done, self.text.clone());
        if let Some(wait) = now.wait {
            wait.reason.words().clone_into(&mut now.state);
        } else if now.lacks_response {
            "no response from the service; trying again".clone_into(&mut now.state);
            now.finishes = None;
        }
        match &mut self.display {
            ProgressDisplay::Drawn { bar, text } => {
                *text.lock().unwrap_or_else(PoisonError::into_inner) = now;
                // Not while the text is locked: the bar may be drawn here, and reads it.
                bar.set_position(done);
            }
            ProgressDisplay::Plain(plain) => {
                if let Some(line) = plain.next_line(done, now, clock::now()) {
                    self.console.info_dated(&line);
                }
            }
        }
    }
}

impl PlainProgress {
    /// Whether so much time has passed since the last line.
    fn is_due(&self, interval: SignedDuration, now: Timestamp) -> bool {
        now.duration_since(self.printed_at) >= interval
    }

    /// The line to print at that time, if any.
    fn next_line(&mut self, done: u64, mut now: ProgressText, time: Timestamp) -> Option<String> {
        let total = self.total.map(group_digits);
        let of = total.map(|total| format!(" of {total}"));
        let count = format!("{}{}", group_digits(done), of.unwrap_or_default());
        if let Some(wait) = now.wait {
            if wait.is_news(self.printed_wait, time) {
                self.printed_wait = Some((time, wait));
                (self.printed_at, self.printed) = (time, done);
                if wait.reason == RunWait::Measurements {
                    now.counts = format!("{count} final; the next line comes in 10 minutes");
                } else if now.counts.is_empty() {
                    now.counts = count;
                }
                return Some(now.one_line(time));
            }
            if wait.until.duration_since(time).as_secs() < 1 {
                // The run is about to go on, perhaps in the same second.
                return None;
            }
        }
        let interval = if done == self.printed {
            UNCHANGED_INTERVAL
        } else {
            CHANGED_INTERVAL
        };
        if !self.is_due(interval, time) {
            return None;
        }
        (self.printed_at, self.printed) = (time, done);
        Some(format!("{count}: {}", now.one_line(time)))
    }
}

impl ProgressText {
    /// The text in one line.
    fn one_line(&self, now: Timestamp) -> String {
        let at = |wait: Wait| format!("{} at {}", wait.then(), clock::local(wait.until, now));
        self.parts(now, at).join("; ")
    }

    /// The text in lines of at most [`COLUMNS`], for a terminal.
    fn lines(&self, now: Timestamp) -> String {
        let at = |wait: Wait| {
            let left = wait.until.duration_since(now).as_secs().max(0);
            let until = clock::local(wait.until, now);
            format!("{} in {}, at {until}", wait.then(), countdown(left))
        };
        // Two columns for the spinner or the indentation, and one that stays free.
        let room = COLUMNS - 3;
        let mut lines = self.parts(now, at);
        let is_waited = self.wait.is_some() || self.finishes.is_some() || self.lacks_response;
        if is_waited {
            let last = lines.len() - usize::from(!self.counts.is_empty());
            let is_long = lines[last - 1].len() + "; ".len() + STOPPING.len() > room;
            if is_long {
                lines.insert(last, STOPPING.to_owned());
            } else {
                lines[last - 1].push_str("; ");
                lines[last - 1].push_str(STOPPING);
            }
        }
        let lines = lines.iter().map(|line| line.chars().take(room).collect());
        lines.collect::<Vec<String>>().join("\n  ")
    }

    /// What happens, when a wait ends, when the run finishes, and what was done.
    fn parts(&self, now: Timestamp, at: impl Fn(Wait) -> String) -> Vec<String> {
        let finishes = |(text, at)| format!("{text} {}", clock::local(at, now));
        let mut parts = vec![printable(&self.state)];
        parts.extend(self.wait.map(at));
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
            wait: Some(Wait {
                until: "2026-11-21T10:58:12Z".parse().unwrap(),
                reason: RunWait::Quota,
            }),
            lacks_response: false,
            finishes: Some(("finishes", "2026-11-23T02:10:00Z".parse().unwrap())),
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
        let tomorrow = ProgressText {
            state: "quota used up".to_owned(),
            wait: Some(Wait {
                until: "2026-11-22T20:58:12Z".parse().unwrap(),
                reason: RunWait::Quota,
            }),
            ..ProgressText::default()
        };
        let shown = tomorrow.lines(now);
        assert!(shown.ends_with("\n  Ctrl-C is safe"), "{shown}");
    }

    #[test]
    fn a_wait_that_is_over_prints_no_line() {
        let started: Timestamp = "2026-11-21T10:00:00Z".parse().unwrap();
        let at = |minutes| started + SignedDuration::from_mins(minutes);
        let mut plain = PlainProgress {
            total: Some(3),
            printed_at: started,
            printed: 0,
            printed_wait: None,
        };
        let waits = ProgressText {
            wait: Some(Wait {
                until: at(15),
                reason: RunWait::Quota,
            }),
            ..ProgressText::default()
        };
        let mut line = |minutes| plain.next_line(1, waits.clone(), at(minutes));
        assert!(line(0).is_some_and(|line| line.ends_with("; 1 of 3")));
        assert!(line(10).is_some(), "a wait is printed again");
        assert_eq!(line(15), None);
        assert_eq!(line(26), None);
        let now = at(26) - SignedDuration::from_millis(900);
        let wait = Wait {
            until: at(26),
            reason: RunWait::Quota,
        };
        let waits = ProgressText {
            wait: Some(wait),
            ..ProgressText::default()
        };
        assert_eq!(plain.next_line(2, waits, now), None);
    }
}
