//! Reports panics: as a bug, or as a refusal of the operating system in a library that panics instead of returning an
//! error.
//!
//! tokio panics if the system refuses its event queue or a thread, and so does the standard library for a thread. The
//! panic then contains the system's error.

use std::io::{self, Write as _};
use std::panic::PanicHookInfo;

use crate::cli::document::{ErrorReport, RunDocument};
use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus};
use crate::sheet;

const AGAIN: &str =
    "the journal has a record of everything that was done; run the same command again to resume";

/// Reports a panic, unless its catcher does. A refusal ends the program: a task that waits for the thread that panicked
/// would wait forever. The journal is consistent at any time.
pub(super) fn report(panic: &PanicHookInfo<'_>, document: &RunDocument) {
    // A damaged workbook, not a bug: the owner of the reader reports it.
    let is_reader = std::thread::current().name() == Some(sheet::READER_THREAD);
    // Nor is a full disk: the owner of the writer reports it.
    if is_reader || sheet::is_refusal(panic) {
        return;
    }
    if let Some(source) = sheet::refusal_of(panic.payload()) {
        end_with(&refused(&source), document);
    }
    let place = panic.location();
    let place = place
        .map(|place| format!(" at {}:{}", place.file(), place.line()))
        .unwrap_or_default();
    let reason = panic.payload_as_str().unwrap_or("no reason given");
    say(&format!(
        "error: a bug in gutterbatch{place}: {reason}\nhint: {AGAIN}"
    ));
}

/// The exit code after a panic that was reported, with the document of the run.
pub(super) fn exit(document: &RunDocument) -> ExitStatus {
    let bug = CommandError::new(ExitStatus::Bug, "a bug in gutterbatch");
    document.print_failure(&bug, ErrorReport::new(&bug, str::to_owned));
    bug.exit
}

fn refused(source: &io::Error) -> CommandError {
    let reason = io_reason(source);
    CommandError::new(
        ExitStatus::Files,
        format!("the operating system refused a call that the program needs: {reason}"),
    )
    .hinted(format!(
        "close other programs or raise the limit of processes (ulimit -u); {AGAIN}"
    ))
}

#[expect(clippy::exit, reason = "the main thread may wait for this one forever")]
fn end_with(failure: &CommandError, document: &RunDocument) -> ! {
    say(&failure.lines());
    document.print_failure(failure, ErrorReport::new(failure, str::to_owned));
    std::process::exit(i32::from(failure.exit.code()))
}

fn say(lines: &str) {
    // A closed standard error has no reader.
    let _ = writeln!(io::stderr(), "{lines}");
}
