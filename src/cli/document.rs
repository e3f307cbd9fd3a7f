//! The JSON document of a run. With `--json` every run prints exactly one.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use crate::cli::failure::ErrorKind;
use crate::cli::{CommandError, ExitStatus};
use crate::model::{printable, printable_lines};

/// Why a run failed: the value of `error`.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ErrorReport {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
}

/// The report of a command with the error that ended it.
#[derive(Debug, Serialize)]
pub(super) struct ReportWithError<'a, T> {
    #[serde(flatten)]
    pub(super) report: &'a T,
    pub(super) error: Option<ErrorReport>,
}

/// A report, key by key in the public order; `command` comes first and `exit_code` last.
#[derive(Debug)]
pub(super) struct CommandReport(Vec<(&'static str, Value)>);

impl CommandReport {
    pub(super) fn new(
        command: &'static str,
        exit: ExitStatus,
        keys: impl IntoIterator<Item = (&'static str, Value)>,
    ) -> Self {
        let command = [("command", command.into())];
        let exit = [("exit_code", exit.code().into())];
        Self(command.into_iter().chain(keys).chain(exit).collect())
    }
}

impl Serialize for CommandReport {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

/// The report of a command: its name, its exit code, and its keys with their values.
macro_rules! report {
    ($command:literal, $exit:expr; $($key:ident: $value:expr),* $(,)?) => {
        $crate::cli::document::CommandReport::new(
            $command,
            $exit,
            [$((stringify!($key), serde_json::json!($value))),*],
        )
    };
}

pub(super) use report;

/// Whether the run prints a document, and whether it has.
#[derive(Clone, Debug)]
pub(super) struct RunDocument {
    /// Whether the command line asks for it.
    pub(super) is_wanted: bool,
    command: Option<String>,
    is_printed: Arc<AtomicBool>,
}

impl ErrorReport {
    /// The error as programs see it; `complete` adds the flags that commands in hints need.
    pub(super) fn new(failure: &CommandError, complete: impl Fn(&str) -> String) -> Self {
        Self {
            kind: failure.kind(),
            message: printable(&failure.message()),
            hint: failure.hint().map(|hint| printable_lines(&complete(hint))),
        }
    }
}

impl RunDocument {
    /// The document that this command line asks for; `commands` are the names of all commands. The command line may be
    /// one that the program does not accept.
    pub(super) fn from_line(line: &[OsString], commands: impl Fn(&str) -> bool) -> Self {
        let flags = line.iter().skip(1).take_while(|word| *word != "--");
        let words: Vec<_> = flags.filter_map(|word| word.to_str()).collect();
        Self {
            is_wanted: words
                .iter()
                .any(|word| *word == "--json" || word.starts_with("--json=")),
            command: words
                .iter()
                .find(|word| commands(word))
                .map(|word| (*word).to_owned()),
            is_printed: Arc::default(),
        }
    }

    /// Remembers that the document was printed.
    pub(super) fn printed(&self) {
        self.is_printed.store(true, Ordering::Relaxed);
    }

    /// Prints the document of a failed run, unless a document was printed or none is wanted.
    pub(super) fn print_failure(&self, failure: &CommandError, error: ErrorReport) {
        if !self.is_wanted || self.is_printed.swap(true, Ordering::Relaxed) {
            return;
        }
        let exit = failure.exit().code();
        let document = json!({"command": self.command, "error": error, "exit_code": exit});
        // If standard output is closed or full, the exit code still tells the failure.
        let _ = write_document(&mut io::stdout().lock(), &document);
    }
}

/// Writes a document and a line break.
///
/// # Errors
/// If it cannot be written, or if the document cannot be produced.
pub(super) fn write_document(
    mut output: &mut dyn Write,
    document: &impl Serialize,
) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut output, document)?;
    output.write_all(b"\n")?;
    output.flush()
}
