//! Reports panics: as a bug, or as a refusal of the operating system in a library that panics instead of returning an
//! error.
//!
//! tokio panics if the system refuses its event queue or a thread, and so does the standard library for a thread. Only a
//! panic in their code that contains the system's error counts as a refusal; every other panic is a bug.

use std::io::{self, Write as _};
use std::panic::PanicHookInfo;
use std::sync::{Mutex, PoisonError};

use crate::cli::document::{ErrorReport, RunDocument};
use crate::cli::{CommandError, ExitStatus};
use crate::sheet;

/// What the operating system refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusedResource {
    /// A thread.
    Thread,
    /// A system call of tokio's event queue.
    EventQueue,
}

/// The refusal that the main thread panicked with; [`exit`] takes it.
static REFUSED: Mutex<Option<CommandError>> = Mutex::new(None);

/// Reports a panic, unless its catcher does. A refusal in a thread other than the main thread ends the program; the
/// journal is consistent at any time.
pub(super) fn report(panic: &PanicHookInfo<'_>, document: &RunDocument) {
    let thread = std::thread::current();
    if thread.name() == Some(sheet::READER_THREAD) {
        // A damaged workbook, not a bug: the owner of the reader reports it.
        return;
    }
    if sheet::is_refusal(panic) {
        // A full disk, not a bug: the owner of the writer reports it.
        return;
    }
    let place = panic.location();
    let refused = place.and_then(|place| refused(place.file(), panic));
    let Some((resource, source)) = refused else {
        let place = place
            .map(|place| format!(" at {}:{}", place.file(), place.line()))
            .unwrap_or_default();
        let reason = panic.payload_as_str().unwrap_or("no reason given");
        return say(&format!(
            "error: a bug in gutterbatch{place}: {reason}\nhint: the journal has a record of everything that was done; run the same command again to resume"
        ));
    };
    let failure = CommandError::refused(resource, &source);
    if thread.name() == Some("main") {
        *REFUSED.lock().unwrap_or_else(PoisonError::into_inner) = Some(failure);
        return;
    }
    end_with(&failure, document)
}

/// Ends the program: a task that waits for the thread that panicked would wait forever.
#[expect(clippy::exit, reason = "the main thread may wait for this one forever")]
fn end_with(failure: &CommandError, document: &RunDocument) -> ! {
    print(failure, document);
    std::process::exit(i32::from(failure.exit.code()))
}

/// Reports the refusal that the main thread panicked with, if any, and returns the exit code.
pub(super) fn exit(document: &RunDocument) -> ExitStatus {
    let refused = REFUSED
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    let Some(failure) = refused else {
        let bug = CommandError::new(ExitStatus::Bug, "a bug in gutterbatch");
        document.print_failure(&bug, ErrorReport::new(&bug, str::to_owned));
        return bug.exit;
    };
    print(&failure, document);
    failure.exit
}

fn print(failure: &CommandError, document: &RunDocument) {
    say(&failure.lines());
    document.print_failure(failure, ErrorReport::new(failure, str::to_owned));
}

fn say(lines: &str) {
    // A closed standard error has no reader.
    let _ = writeln!(io::stderr(), "{lines}");
}

fn refused(file: &str, panic: &PanicHookInfo<'_>) -> Option<(RefusedResource, io::Error)> {
    let source = sheet::refusal_of(panic.payload())?;
    let reason = panic.payload_as_str()?;
    refused_resource(file, reason).map(|resource| (resource, source))
}

/// What was refused, if `file` belongs to a library that panics for refusals and `reason` contains the system's error.
fn refused_resource(file: &str, reason: &str) -> Option<RefusedResource> {
    let parts: Vec<_> = file.split(['/', '\\']).collect();
    let is_in = |is_library: fn(&str) -> bool| {
        let mut pairs = parts.windows(2);
        pairs.any(|pair| is_library(pair[0]) && pair[1] == "src")
    };
    if is_in(|part| part == "std") {
        return reason
            .starts_with("failed to spawn thread")
            .then_some(RefusedResource::Thread);
    }
    if !is_in(|part| is_version_of("tokio", part) || is_version_of("mio", part)) {
        return None;
    }
    Some(if reason.starts_with("OS can't spawn") {
        RefusedResource::Thread
    } else {
        RefusedResource::EventQueue
    })
}

/// Whether a folder holds a library's source: `tokio-1.54.1`, or `tokio` where dependencies are vendored.
fn is_version_of(library: &str, folder: &str) -> bool {
    folder.strip_prefix(library).is_some_and(|version| {
        version.is_empty()
            || version
                .strip_prefix('-')
                .is_some_and(|number| number.starts_with(|first: char| first.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REGISTRY: &str = "/home/ann/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f";

    /// As a panic hook decides, from the place and the text of a panic.
    fn decided(file: &str, reason: &str) -> Option<(RefusedResource, Option<i32>)> {
        let source = sheet::refusal_of(&reason.to_owned())?;
        let resource = refused_resource(file, reason)?;
        Some((resource, source.raw_os_error()))
    }

    #[test]
    fn a_refusal_of_the_system_inside_a_library_is_told_by_its_place_and_its_error() {
        let debug = r#"Os { code: 5, kind: Uncategorized, message: "Input/output error" }"#;
        let driver = format!("{REGISTRY}/tokio-1.54.1/src/runtime/io/driver.rs");
        for reason in [
            "failed to wake I/O driver",
            "unexpected error when polling the I/O driver",
        ] {
            assert_eq!(
                decided(&driver, &format!("{reason}: {debug}")),
                Some((RefusedResource::EventQueue, Some(5)))
            );
        }
        let pipe = r"C:\work\vendor\tokio\src\runtime\signal\mod.rs";
        let reason = "Bad read on self-pipe: Input/output error (os error 5)";
        assert_eq!(
            decided(pipe, reason),
            Some((RefusedResource::EventQueue, Some(5)))
        );
        let pool = format!("{REGISTRY}/tokio-1.54.1/src/runtime/blocking/pool.rs");
        let reason = "OS can't spawn worker thread: Resource temporarily unavailable (os error 11)";
        assert_eq!(
            decided(&pool, reason),
            Some((RefusedResource::Thread, Some(11)))
        );
        let scoped = "/rustc/59807616e1/library/std/src/thread/scoped.rs";
        let reason = r#"failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }"#;
        assert_eq!(
            decided(scoped, reason),
            Some((RefusedResource::Thread, Some(11)))
        );
    }

    #[test]
    fn every_other_panic_is_a_bug() {
        let refusal = r#"called `Result::unwrap()` on an `Err` value: Os { code: 5, kind: Uncategorized, message: "Input/output error" }"#;
        let tokio = format!("{REGISTRY}/tokio-1.54.1/src/runtime/io/driver.rs");
        for (file, reason) in [
            ("src/export/run.rs", refusal),
            ("/rustc/59807616e1/library/std/src/fs.rs", refusal),
            (
                &format!("{REGISTRY}/tokio-rustls-0.26.6/src/lib.rs"),
                refusal,
            ),
            ("/home/tokio/gutterbatch/src/export/run.rs", refusal),
            (&tokio, "unexpected lifecycle for slot 3: None"),
            (&tokio, "a bug (os error)"),
        ] {
            assert_eq!(decided(file, reason), None, "{file}: {reason}");
        }
    }
}
