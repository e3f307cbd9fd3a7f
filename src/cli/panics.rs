//! Ends the program after a panic, in the panic hook: the release build does not unwind, so nothing runs after it.
//!
//! Not every panic is a bug. Damaged workbooks make the library that reads them panic. `rust_xlsxwriter` panics if a
//! temporary file cannot be written, tokio if the system refuses its event queue or a thread, and the standard library if
//! it refuses a thread. Such a panic contains the system's error. The journal is consistent at any time.

use std::io::{self, Write as _};
use std::panic::PanicHookInfo;
use std::path::Path;

use crate::cli::document::{ErrorReport, RunDocument};
use crate::cli::{CliError, CommandError};
use crate::sheet;

/// Reports a panic and ends the program.
#[expect(
    clippy::exit,
    reason = "nothing that is still running may go on after a panic"
)]
pub(super) fn end(panic: &PanicHookInfo<'_>, document: &RunDocument) -> ! {
    let folder = sheet::remove_temporary_files().unwrap_or_default();
    let failure = if std::thread::current().name() == Some(sheet::READER_THREAD) {
        CommandError::from(sheet::damaged_by_panic())
    } else {
        let place = panic.location().map(ToString::to_string);
        let reason = panic.payload_as_str().unwrap_or("no reason given");
        failure_of(&place.unwrap_or_default(), reason, &folder)
    };
    // A closed standard error has no reader.
    let _ = writeln!(io::stderr(), "{}", failure.lines());
    document.print_failure(&failure, ErrorReport::new(&failure, str::to_owned));
    std::process::exit(i32::from(failure.exit().code()))
}

/// The failure that a panic is; `folder` is the one that a workbook is written to.
fn failure_of(place: &str, reason: &str, folder: &Path) -> CommandError {
    let Some(source) = system_error(reason) else {
        let (place, reason) = (place.to_owned(), reason.to_owned());
        return CliError::Bug { place, reason }.into();
    };
    if place.contains("rust_xlsxwriter") {
        return CommandError::file("write a temporary file in", folder, source);
    }
    let what = "a call that the program needs";
    CliError::System { what, source }.into()
}

/// The system's error that a panic names, as `Debug` (`Os { code: 28, …`) or `Display` (`… (os error 28)`) writes it.
fn system_error(reason: &str) -> Option<io::Error> {
    let (code, _) = match reason.split_once("Os { code: ") {
        Some((_, rest)) => rest.split_once(',')?,
        None => reason.split_once("(os error ")?.1.split_once(')')?,
    };
    code.parse().ok().map(io::Error::from_raw_os_error)
}

// The codes of the errors are those of Unix.
#[cfg(all(test, unix))]
mod tests {
    use crate::cli::ExitStatus;

    use super::*;

    #[test]
    fn a_panic_that_contains_the_systems_error_is_a_refusal_and_any_other_a_bug() {
        let full = r#"Couldn't write to xml file: Os { code: 28, kind: StorageFull, message: "No space left" }"#;
        let pipe = "Bad read on self-pipe: Input/output error (os error 5)";
        let thread = r#"failed to spawn thread: Os { code: 11, kind: WouldBlock, message: "Resource temporarily unavailable" }"#;
        for (place, reason, exit, start) in [
            (
                "rust_xlsxwriter-0.102.0/src/xmlwriter.rs:3:4",
                full,
                ExitStatus::Files,
                "cannot write a temporary file in /home/ann: the disk is full",
            ),
            (
                "tokio-1.54.1/src/runtime/signal/mod.rs:1:2",
                pipe,
                ExitStatus::Files,
                "the operating system refused a call that the program needs: Input/output error",
            ),
            (
                "library/std/src/thread/scoped.rs:1:2",
                thread,
                ExitStatus::Files,
                "the operating system refused a call that the program needs: Resource temporarily",
            ),
            (
                "tokio-1.54.1/src/runtime/io/driver.rs:1:2",
                "unexpected lifecycle for slot 3: None",
                ExitStatus::Bug,
                "a bug in gutterbatch at tokio-1.54.1/src/runtime/io/driver.rs:1:2: unexpected",
            ),
            (
                "src/export/run.rs:1:2",
                "a bug (os error)",
                ExitStatus::Bug,
                "a bug in gutterbatch at src/export/run.rs:1:2: a bug (os error)",
            ),
        ] {
            let failure = failure_of(place, reason, Path::new("/home/ann"));
            assert_eq!(failure.exit(), exit, "{reason}");
            let message = failure.message();
            assert!(message.starts_with(start), "{message}");
        }
    }
}
