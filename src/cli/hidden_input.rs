//! Reads a secret from the terminal without showing it.
//!
//! Echo is switched off before the question is printed, so that text pasted early is not shown either. It is restored
//! however the question ends: with an answer, with Ctrl-C or with a signal.

#[cfg(unix)]
use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read, Write},
};

#[cfg(unix)]
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};

use crate::cli::context::Context;
#[cfg(unix)]
use crate::cli::context::block_on;
#[cfg(unix)]
use crate::cli::wrap::wrapped;
use crate::cli::{CliError, CommandError};
#[cfg(unix)]
use crate::dispatch::StopStage;

/// The maximum size of a secret in bytes; a longer file or stream was named by mistake.
pub(super) const MAX_SECRET_BYTES: u64 = 16 * 1024;

/// Asks on the terminal, and returns the line that was typed; empty if the terminal was closed instead.
///
/// # Errors
/// `ExitStatus::Interrupted` or `ExitStatus::Terminated` if a signal ended the question; `ExitStatus::Files` if there
/// is no terminal that keeps quiet.
#[cfg(unix)]
pub(super) fn ask(context: &Context, question: &'static str) -> Result<String, CommandError> {
    block_on(async {
        let signals = context.signals();
        let stop = signals.stop();
        let terminal = EcholessTerminal::disable_echo().map_err(CliError::NoHiddenInput)?;
        let side = terminal.file.try_clone();
        let side = side.map_err(CliError::NoHiddenInput)?;
        // After a signal the thread keeps waiting; it does not change the terminal.
        let typing = tokio::task::spawn_blocking(move || typed(side, question));
        tokio::select! {
            typed = typing => Ok(typed.expect("asking does not panic").unwrap_or_default()),
            () = stop.reached(StopStage::Draining) => {
                // The terminal may be closed.
                let _ = (&terminal.file).write_all(b"\n");
                Err(CliError::Interrupted(signals.exit()).into())
            }
        }
    })
}

#[cfg(not(unix))]
pub(super) fn ask(context: &Context, question: &'static str) -> Result<String, CommandError> {
    context
        .asking(|| rpassword::prompt_password(format!("{question} ")))
        .map_err(|error| CliError::NoHiddenInput(error).into())
}

/// Discards what was typed at the terminal while the program did not ask, so that it is not the answer of the next
/// question.
pub(super) fn discard_typed() {
    #[cfg(unix)]
    if let Ok(terminal) = File::open("/dev/tty") {
        // What cannot be discarded is an answer that is asked for again.
        let _ = tcflush(&terminal, QueueSelector::IFlush);
    }
}

/// The terminal with echo switched off until this value is dropped. Line editing and Ctrl-C still work.
#[cfg(unix)]
struct EcholessTerminal {
    file: File,
    before: Termios,
}

#[cfg(unix)]
impl EcholessTerminal {
    fn disable_echo() -> io::Result<Self> {
        let file = File::options().read(true).write(true).open("/dev/tty")?;
        let before = tcgetattr(&file)?;
        let mut quiet = before.clone();
        quiet.local_modes -= LocalModes::ECHO;
        // The newline is echoed, so that later output starts on its own line.
        quiet.local_modes |= LocalModes::ECHONL;
        tcsetattr(&file, OptionalActions::Now, &quiet)?;
        Ok(Self { file, before })
    }
}

#[cfg(unix)]
impl Drop for EcholessTerminal {
    fn drop(&mut self) {
        // The terminal may be closed.
        let _ = tcsetattr(&self.file, OptionalActions::Now, &self.before);
    }
}

#[cfg(unix)]
fn typed(mut terminal: File, question: &str) -> io::Result<String> {
    write!(terminal, "{} ", wrapped(question, &terminal.try_clone()?))?;
    let mut line = String::new();
    BufReader::new(terminal)
        .take(MAX_SECRET_BYTES)
        .read_line(&mut line)?;
    Ok(line)
}
