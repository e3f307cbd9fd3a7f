//! Ends the program after a panic, in the panic hook: the release build does not unwind, so nothing runs after it.
//!
//! Not every panic is a bug. Damaged workbooks make the library that reads them panic. `rust_xlsxwriter` panics if a
//! temporary file cannot be written, tokio if the system refuses its event queue or a thread, and the standard library if
//! it refuses a thread. Only a panic in their code that contains the system's error counts as such; every other panic is
//! a bug. The journal is consistent at any time.

use std::io::{self, Write as _};
use std::panic::PanicHookInfo;
use std::path::{Path, PathBuf};

use crate::cli::document::{ErrorReport, RunDocument};
use crate::cli::{CommandError, ExitStatus};
use crate::sheet;

/// What the operating system refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RefusedResource {
    /// A thread.
    Thread,
    /// A system call of tokio's event queue.
    EventQueue,
    /// Room for temporary files of a workbook, in this folder.
    TemporaryFile(PathBuf),
}

/// Reports a panic and ends the program.
#[expect(
    clippy::exit,
    reason = "nothing that is still running may go on after a panic"
)]
pub(super) fn end(panic: &PanicHookInfo<'_>, document: &RunDocument) -> ! {
    let folder = sheet::remove_temporary_files().unwrap_or_default();
    let failure = failure_of(panic, &folder);
    // A closed standard error has no reader.
    let _ = writeln!(io::stderr(), "{}", failure.lines());
    document.print_failure(&failure, ErrorReport::new(&failure, str::to_owned));
    std::process::exit(i32::from(failure.exit.code()))
}

/// The failure that a panic is; `folder` is the one that a workbook is written to.
fn failure_of(panic: &PanicHookInfo<'_>, folder: &Path) -> CommandError {
    if std::thread::current().name() == Some(sheet::READER_THREAD) {
        return CommandError::from(sheet::damaged_by_panic());
    }
    let place = panic.location();
    let reason = panic.payload_as_str().unwrap_or("no reason given");
    if let Some(place) = place
        && let Some(resource) = refused_resource(place.file(), reason, folder)
        && let Some(source) = system_error(reason)
    {
        return CommandError::refused(&resource, &source);
    }
    let place = place
        .map(|place| format!(" at {}:{}", place.file(), place.line()))
        .unwrap_or_default();
    CommandError::new(
        ExitStatus::Bug,
        format!("a bug in gutterbatch{place}: {reason}"),
    )
    .hinted("the journal has a record of everything that was done; run the same command again to resume")
}

/// The system's error that a panic names, as `Debug` (`Os { code: 28, …`) or `Display` (`… (os error 28)`) writes it.
fn system_error(reason: &str) -> Option<io::Error> {
    let (code, _) = match reason.split_once("Os { code: ") {
        Some((_, rest)) => rest.split_once(',')?,
        None => reason.split_once("(os error ")?.1.split_once(')')?,
    };
    code.parse().ok().map(io::Error::from_raw_os_error)
}

/// What was refused, if `file` belongs to a library that panics for refusals and `reason` contains the system's error.
fn refused_resource(file: &str, reason: &str, folder: &Path) -> Option<RefusedResource> {
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
    if is_in(|part| is_version_of("rust_xlsxwriter", part)) {
        return Some(RefusedResource::TemporaryFile(folder.to_owned()));
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
        let source = system_error(reason)?;
        let resource = refused_resource(file, reason, Path::new("/home/ann"))?;
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
        let writer = format!("{REGISTRY}/rust_xlsxwriter-0.102.0/src/xmlwriter.rs");
        let reason = r#"Couldn't write to xml file: Os { code: 28, kind: StorageFull, message: "No space left" }"#;
        assert_eq!(
            decided(&writer, reason),
            Some((RefusedResource::TemporaryFile("/home/ann".into()), Some(28)))
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
