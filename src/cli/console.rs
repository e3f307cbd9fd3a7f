//! Writes data to standard output and everything else to standard error, and holds the progress bar.
//!
//! Control characters in text from files and from the service are removed here. What is delayed is written only if the
//! run does not end with 0:
//!
//! | method | stream | with `-q` | with `--json` |
//! |---|---|---|---|
//! | `print_result` | standard output | delayed | nothing |
//! | `print` | standard output | written | nothing |
//! | `write_stdout` | standard output | written | written |
//! | `json`, `json_with` | standard output | written | written; nothing without it |
//! | `info`, `next` | standard error | nothing | written |
//! | `note`, `warn`, `hint` | standard error | delayed | written |
//! | `write_wrapped`, `print_always` | standard error | written | written |

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressDrawTarget};
use serde::Serialize;

use crate::cli::clock;
use crate::cli::document::{ErrorReport, ReportWithError, RunDocument, write_document};
use crate::cli::hidden_input;
use crate::cli::output_style::{OutputLevel, OutputStyle, stderr_has_cursor};
use crate::cli::stdout_data::stdout_data;
use crate::cli::wrap::wrapped;
use crate::cli::{CliError, CommandError, shell};
use crate::model::{printable, printable_lines};

/// The output of a command.
#[derive(Clone, Debug)]
pub(super) struct Console {
    style: OutputStyle,
    bar: ProgressBar,
    document: RunDocument,
    /// With `-q`: what is printed only if the run does not end with 0.
    delayed: Option<Arc<Mutex<Vec<DelayedText>>>>,
    /// Flags that the user gave and that commands in hints must repeat, with their values.
    given: Arc<[(String, String)]>,
    /// Whether a failure was printed.
    has_failed: Arc<AtomicBool>,
}

/// What `-q` delays, and where it is written.
#[derive(Clone, Debug)]
enum DelayedText {
    /// To standard output.
    Stdout(String),
    /// To standard error.
    Stderr(String),
}

impl Console {
    /// Creates a console with this style.
    pub(super) fn new(style: OutputStyle, document: RunDocument) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        Self {
            style,
            bar,
            document,
            delayed: (style.level == OutputLevel::Quiet).then(Arc::default),
            given: Arc::default(),
            has_failed: Arc::default(),
        }
    }

    /// The same console; commands in its hints no longer get these flags, because their values were saved.
    pub(super) fn without_saved(&self, saved: &[&str]) -> Self {
        let given = self.given.iter();
        let given = given.filter(|(flag, _)| !saved.contains(&flag.as_str()));
        self.clone().hinting_with(given.cloned().collect())
    }

    /// The same console; commands in its hints get these flags.
    pub(super) fn hinting_with(self, given: Vec<(String, String)>) -> Self {
        Self {
            given: given.into(),
            ..self
        }
    }

    /// Whether standard output carries a JSON document.
    pub(super) fn prints_json(&self) -> bool {
        self.style.prints_json
    }

    /// Writes the answer to standard output; nothing with `--json`. With `-q` it is delayed.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written; a closed pipe is not an error.
    pub(super) fn print_result(&self, text: &str) -> Result<(), CommandError> {
        if self.prints_json() {
            return Ok(());
        }
        let text = wrapped(&printable_lines(text), &std::io::stdout()) + "\n";
        match &self.delayed {
            Some(delayed) => {
                locked(delayed).push(DelayedText::Stdout(text));
                Ok(())
            }
            None => self.write_stdout(text.as_bytes()),
        }
    }

    /// Writes a text that was asked for to standard output unchanged, also with `-q`; nothing with `--json`.
    ///
    /// # Errors
    /// As [`Console::write_stdout`].
    pub(super) fn print(&self, text: &str) -> Result<(), CommandError> {
        if self.prints_json() {
            return Ok(());
        }
        self.write_stdout(text.as_bytes())
    }

    /// Writes bytes to standard output, also with `--json`; unchanged, unless it is a terminal.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written; a closed pipe is not an error.
    pub(super) fn write_stdout(&self, bytes: &[u8]) -> Result<(), CommandError> {
        self.write(|stdout| stdout.write_all(bytes))
    }

    /// As [`Console::write_stdout`], for bytes that somebody must receive.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written, also for a closed pipe.
    pub(super) fn write_stdout_or_fail(&self, bytes: &[u8]) -> Result<(), CommandError> {
        let mut stdout = std::io::stdout();
        if stdout.is_terminal() {
            return self.write_stdout(bytes);
        }
        let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
        written.map_err(|error| CliError::Stdout(error).into())
    }

    /// Writes the JSON document of a run without an error to standard output; nothing without `--json`.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written.
    pub(super) fn json(&self, report: &impl Serialize) -> Result<(), CommandError> {
        self.json_with(report, None)
    }

    /// As [`Console::json`], for a document that somebody must receive.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written, also for a closed pipe.
    pub(super) fn json_or_fail(&self, report: &impl Serialize) -> Result<(), CommandError> {
        if !self.prints_json() {
            return Ok(());
        }
        let mut document = Vec::new();
        let error = None;
        let written = write_document(&mut document, &ReportWithError { report, error });
        written.map_err(CliError::Stdout)?;
        self.document.printed();
        self.write_stdout_or_fail(&document)
    }

    /// Writes the JSON document of a run, with the error that ended it, to standard output; nothing without `--json`.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written.
    pub(super) fn json_with(
        &self,
        report: &impl Serialize,
        failure: Option<&CommandError>,
    ) -> Result<(), CommandError> {
        if !self.prints_json() {
            return Ok(());
        }
        let error = failure.map(|failure| self.error(failure));
        let document = ReportWithError { report, error };
        self.document.printed();
        self.write(|stdout| write_document(stdout, &document))
    }

    fn error(&self, failure: &CommandError) -> ErrorReport {
        ErrorReport::new(failure, |hint| {
            shell::with_connection_flags(hint, &self.given)
        })
    }

    /// Writes a line to standard error; nothing with `-q`.
    pub(super) fn info(&self, text: &str) {
        if self.style.level >= OutputLevel::Normal {
            self.write_wrapped(text);
        }
    }

    /// Writes a line with the date and the time in front to standard error; nothing with `-q`.
    pub(super) fn info_dated(&self, text: &str) {
        self.info(&format!("{}: {text}", clock::dated(clock::now())));
    }

    /// Writes what a run is about to do or waits for: dated, unless its progress is drawn. Nothing with `-q`.
    pub(super) fn info_progress(&self, text: &str) {
        if self.draws() {
            self.info(text);
        } else {
            self.info_dated(text);
        }
    }

    /// Writes lines to standard error. With `-q` they are delayed.
    pub(super) fn note(&self, text: &str) {
        let text = shell::with_connection_flags(&printable_lines(text), &self.given);
        self.write_or_delay(wrapped(&text, &std::io::stderr()));
    }

    /// Writes a line to standard error, also with `-q`, without a label and unwrapped, so that it can be copied.
    pub(super) fn print_always(&self, text: &str) {
        self.write_stderr(&printable(text));
    }

    /// Writes a line to standard error with `-v`.
    pub(super) fn verbose(&self, text: &str) {
        if self.is_verbose() {
            self.write_wrapped(text);
        }
    }

    /// Whether `-v` was given.
    pub(super) fn is_verbose(&self) -> bool {
        self.style.level >= OutputLevel::Verbose
    }

    /// Writes a warning. With `-q` it is delayed.
    pub(super) fn warn(&self, text: &str) {
        self.labelled("warning:", "1;33", text);
    }

    /// Writes advice after a summary. With `-q` it is delayed.
    pub(super) fn hint(&self, text: &str) {
        self.labelled("hint:", "1;36", text);
    }

    /// A command of this program with these arguments and the flags that the user gave, quoted for the shell.
    pub(super) fn command<W: AsRef<str>>(&self, words: impl IntoIterator<Item = W>) -> String {
        shell::with_connection_flags(&shell::command(words), &self.given)
    }

    /// Writes what to do after a success; nothing with `-q`.
    pub(super) fn next(&self, text: &str) {
        if self.style.level >= OutputLevel::Normal {
            self.labelled("next:", "1;36", text);
        }
    }

    fn labelled(&self, label: &str, color: &str, text: &str) {
        let text = shell::with_connection_flags(&printable(text), &self.given);
        let line = wrapped(&format!("{label} {text}"), &std::io::stderr());
        self.write_or_delay(line.replacen(label, &self.style.painted(label, color), 1));
    }

    fn write_or_delay(&self, text: String) {
        match &self.delayed {
            Some(delayed) => locked(delayed).push(DelayedText::Stderr(text)),
            None => self.write_stderr(&text),
        }
    }

    /// Whether `-q` delays what is printed.
    pub(super) fn is_quiet(&self) -> bool {
        self.delayed.is_some()
    }

    /// Says this instead of what `-q` delayed.
    pub(super) fn shorten(&self, text: &str) {
        if let Some(delayed) = &self.delayed {
            locked(delayed).clear();
            self.note(text);
        }
    }

    /// Writes what `-q` delayed: the run did not end with 0.
    ///
    /// # Errors
    /// `ExitStatus::Files` if standard output cannot be written.
    pub(super) fn print_delayed(&self) -> Result<(), CommandError> {
        let delayed = self.delayed.as_deref();
        let texts = delayed.map(|delayed| std::mem::take(&mut *locked(delayed)));
        for text in texts.unwrap_or_default() {
            match text {
                DelayedText::Stdout(text) => self.write_stdout(text.as_bytes())?,
                DelayedText::Stderr(text) => self.write_stderr(&text),
            }
        }
        Ok(())
    }

    /// Writes a line to standard error, also with `-q`.
    pub(super) fn write_wrapped(&self, text: &str) {
        let text = shell::with_connection_flags(&printable(text), &self.given);
        self.write_stderr(&wrapped(&text, &std::io::stderr()));
    }

    /// Writes a failure with its hint, and the JSON document if none was printed; nothing if a failure was written
    /// before.
    pub(super) fn failure(&self, failure: &CommandError) {
        self.failure_after(failure, |text| self.write_stderr(text));
    }

    /// As [`Console::failure`], while the user is asked a question.
    pub(super) fn failure_in_question(&self, failure: &CommandError) {
        // The question hides the bar until it is answered. A closed standard error has no reader.
        self.failure_after(failure, |text| {
            let _ = writeln!(std::io::stderr(), "\n{text}");
        });
    }

    fn failure_after(&self, failure: &CommandError, write: impl FnOnce(&str)) {
        self.document.print_failure(failure, self.error(failure));
        if self.has_failed.swap(true, Ordering::Relaxed) {
            return;
        }
        let lines = shell::with_connection_flags(&failure.lines(), &self.given);
        let error = self.style.painted("error:", "1;31");
        let hint = format!("\n{}", self.style.painted("hint:", "1;36"));
        let painted = wrapped(&lines, &std::io::stderr())
            .replacen("error:", &error, 1)
            .replacen("\nhint:", &hint, 1);
        write(&painted);
    }

    /// Asks a yes-or-no question until the answer is one of them; an empty line, or none, is no. What was typed before
    /// is no answer.
    pub(super) fn ask(&self, question: &str) -> bool {
        self.bar.suspend(|| {
            hidden_input::discard_typed();
            // Standard error is not locked while the user types, so that a signal can be reported.
            let question = format!("{} [y/N]", printable(question));
            let question = wrapped(&question, &std::io::stderr());
            loop {
                let mut line = String::new();
                let asked = write!(std::io::stderr(), "{question} ")
                    .and_then(|()| std::io::stderr().flush())
                    .and_then(|()| std::io::stdin().read_line(&mut line));
                match (asked, line.trim().to_ascii_lowercase().as_str()) {
                    (Err(_), _) | (Ok(_), "" | "n" | "no") => return false,
                    (Ok(_), "y" | "yes") => return true,
                    (Ok(_), _) => {}
                }
            }
        })
    }

    /// Whether a bar is drawn: on a terminal whose cursor can be moved, unless it is switched off.
    pub(super) fn draws(&self) -> bool {
        self.style.level >= OutputLevel::Normal && !self.style.without_bars && stderr_has_cursor()
    }

    /// The progress bar, which is hidden while a line is written.
    pub(super) fn bar(&self) -> &ProgressBar {
        &self.bar
    }

    fn write_stderr(&self, text: &str) {
        // A closed standard error has no reader.
        self.bar.suspend(|| {
            let _ = writeln!(std::io::stderr().lock(), "{text}");
        });
    }

    fn write(
        &self,
        answer: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
    ) -> Result<(), CommandError> {
        let written = self.bar.suspend(|| {
            let mut stdout = stdout_data();
            answer(&mut stdout).and_then(|()| stdout.flush())
        });
        Ok(written.map_err(CliError::Stdout)?)
    }
}

fn locked(delayed: &Mutex<Vec<DelayedText>>) -> MutexGuard<'_, Vec<DelayedText>> {
    delayed.lock().unwrap_or_else(PoisonError::into_inner)
}
