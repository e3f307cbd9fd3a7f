//! How far a run is: a bar on a terminal, elsewhere a plain line about every ten seconds.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::clock;
use crate::cli::console::Console;
use crate::model::printable;

/// How often a plain line is due.
const PLAIN_EVERY: Duration = Duration::from_secs(10);

/// A run's progress; gone when dropped.
#[derive(Debug)]
pub(super) struct ProgressLine(ProgressDisplay);

#[derive(Debug)]
enum ProgressDisplay {
    Drawn(ProgressBar),
    Plain {
        console: Console,
        total: Option<u64>,
        last: Instant,
    },
}

impl ProgressLine {
    /// Starts to show how many are done, of so many where that is known.
    pub(super) fn start(console: &Console, total: Option<u64>) -> Self {
        if !console.draws() {
            return Self(ProgressDisplay::Plain {
                console: console.clone(),
                total,
                last: clock::instant(),
            });
        }
        let bar = console.bar().clone();
        bar.set_draw_target(ProgressDrawTarget::stderr());
        bar.reset();
        // The words have a line of their own, cut at the window's edge: one that wraps would leave its half behind, and
        // so would the echo of Ctrl-C after a line as wide as the window.
        let style = match total {
            Some(total) => {
                bar.set_length(total);
                "{wide_msg}\n{bar:30} {pos}/{len}"
            }
            None => "{spinner} {pos} {wide_msg}",
        };
        bar.set_style(ProgressStyle::with_template(style).expect("the template is well-formed"));
        bar.enable_steady_tick(Duration::from_millis(250));
        Self(ProgressDisplay::Drawn(bar))
    }

    /// Whether a bar shows how it stands; elsewhere news must be said.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self.0, ProgressDisplay::Drawn(_))
    }

    /// Says how many are done and what else a person would want to know, in a fragment.
    pub(super) fn update(&mut self, done: u64, message: &str) {
        match &mut self.0 {
            ProgressDisplay::Drawn(bar) => {
                bar.set_position(done);
                bar.set_message(printable(message));
            }
            ProgressDisplay::Plain {
                console,
                total,
                last,
            } => {
                let now = clock::instant();
                if now.duration_since(*last) >= PLAIN_EVERY {
                    *last = now;
                    let of = total
                        .map(|total| format!(" of {total}"))
                        .unwrap_or_default();
                    console.say(&format!("{done}{of}: {message}"));
                }
            }
        }
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        if let ProgressDisplay::Drawn(bar) = &self.0 {
            bar.disable_steady_tick();
            bar.finish_and_clear();
        }
    }
}
