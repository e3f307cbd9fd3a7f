//! The speed that the program promises, each as a ratio within one run: ours against the bare library.
//!
//! `cargo bench` prints a line a promise. Absolute times hang on the machine; the ratios survive a change of machine.

#![expect(
    clippy::print_stdout,
    reason = "the table is what a benchmark is run for"
)]

mod program;
mod reading;

use std::time::{Duration, Instant};

fn main() {
    println!(
        "{:<44} {:>9} {:>9} {:>7} {:>8}",
        "what", "ours", "bare", "ratio", "at most"
    );
    reading::check_of_csv();
    reading::check_of_workbook();
    program::import();
    program::finished();
    program::quota();
    program::start_up();
}

/// Prints one promise.
fn show(what: &str, ours: Duration, bare: Duration, at_most: f64) {
    let ratio = ours.as_secs_f64() / bare.as_secs_f64();
    println!(
        "{what:<44} {:>8.3}s {:>8.3}s {ratio:>7.2} {at_most:>8.2}",
        ours.as_secs_f64(),
        bare.as_secs_f64()
    );
}

/// The fastest of three runs of each, taken in turn so that both meet the same machine.
fn in_turn(mut ours: impl FnMut(), mut bare: impl FnMut()) -> (Duration, Duration) {
    let mut best = (Duration::MAX, Duration::MAX);
    for _ in 0..3 {
        best.0 = best.0.min(timed(&mut ours));
        best.1 = best.1.min(timed(&mut bare));
    }
    best
}

#[expect(
    clippy::disallowed_methods,
    reason = "a benchmark is where the clock is read"
)]
fn timed(work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}
