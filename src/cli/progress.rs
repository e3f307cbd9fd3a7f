//! Progress of a run: a bar on a terminal, otherwise a line about every ten seconds.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::cli::clock;
use crate::cli::console::Console;
use crate::model::printable;

/// Time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

/// Shows the progress of a run until it is dropped.
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
    /// Starts to show how many items are done, out of `total` if it is known.
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
        // The message has its own line, which is cut at the width of the terminal. Parts of a wrapped line would remain
        // on the screen, and so would the echo of Ctrl-C behind a line of full width.
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

    /// Whether a bar is drawn; otherwise messages must be printed.
    pub(super) fn is_drawn(&self) -> bool {
        matches!(self.0, ProgressDisplay::Drawn(_))
    }

    /// Shows the number of items done, and a message.
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
                if now.duration_since(*last) >= LINE_INTERVAL {
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
