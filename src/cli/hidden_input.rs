//! Reads a secret from the terminal without showing it.
//!
//! Echo is switched off before the question is printed, so that text pasted early is not shown either. It is restored
//! however the question ends: with an answer, with Ctrl-C or with a signal.

use crate::cli::context::Context;
use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus};
use crate::dispatch::StopStage;

/// The maximum size of a secret in bytes; a longer file or stream was named by mistake.
pub(super) const LONGEST: u64 = 16 * 1024;

/// Asks on the terminal, and returns the line that was typed; empty if the terminal was closed instead.
///
/// # Errors
/// [`ExitStatus::Interrupted`] or [`ExitStatus::Terminated`] if a signal ended the question; [`ExitStatus::Files`] if there is no
/// terminal that keeps quiet.
pub(super) fn ask(context: &Context, question: &'static str) -> Result<String, CommandError> {
    context.block_on(async {
        let signals = context.signals();
        let stop = signals.stop();
        let terminal = EcholessTerminal::disable_echo().map_err(|error| no_hidden_input(&error))?;
        let mut side = terminal.side().map_err(|error| no_hidden_input(&error))?;
        // After a signal the thread keeps waiting; it does not change the terminal.
        let typing = tokio::task::spawn_blocking(move || side.question(question));
        tokio::select! {
            typed = typing => Ok(typed.expect("asking does not panic").unwrap_or_default()),
            () = stop.reached(StopStage::Draining) => {
                terminal.end_line();
                Err(CommandError::new(signals.exit(), "interrupted"))
            }
        }
    })
}

fn no_hidden_input(error: &std::io::Error) -> CommandError {
    let message = format!(
        "the terminal cannot hide what is typed: {}",
        io_reason(error)
    );
    CommandError::new(ExitStatus::Files, message)
        .hinted("use a file, a pipe or the environment instead")
}

#[cfg(unix)]
use by_line::EcholessTerminal;

#[cfg(unix)]
mod by_line {
    use std::fs::File;
    use std::io::{BufRead, BufReader, Read, Result, Write};

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The terminal with echo switched off until this value is dropped. Line editing and Ctrl-C still work.
    pub(super) struct EcholessTerminal {
        file: File,
        before: Termios,
    }

    impl EcholessTerminal {
        pub(super) fn disable_echo() -> Result<Self> {
            let file = File::options().read(true).write(true).open("/dev/tty")?;
            let before = tcgetattr(&file)?;
            let mut quiet = before.clone();
            quiet.local_modes -= LocalModes::ECHO;
            // The newline is echoed, so that later output starts on its own line.
            quiet.local_modes |= LocalModes::ECHONL;
            tcsetattr(&file, OptionalActions::Now, &quiet)?;
            Ok(Self { file, before })
        }

        /// A handle for asking the question in another thread.
        pub(super) fn side(&self) -> Result<Side> {
            self.file.try_clone().map(Side)
        }

        pub(super) fn end_line(&self) {
            // The terminal may be closed.
            let _ = (&self.file).write_all(b"\n");
        }
    }

    impl Drop for EcholessTerminal {
        fn drop(&mut self) {
            // The terminal may be closed.
            let _ = tcsetattr(&self.file, OptionalActions::Now, &self.before);
        }
    }

    pub(super) struct Side(File);

    impl Side {
        pub(super) fn question(&mut self, question: &str) -> Result<String> {
            self.0.write_all(question.as_bytes())?;
            let mut line = String::new();
            BufReader::new(&self.0)
                .take(super::LONGEST)
                .read_line(&mut line)?;
            Ok(line)
        }
    }
}

#[cfg(not(unix))]
use by_console::EcholessTerminal;

#[cfg(not(unix))]
mod by_console {
    use std::io::Result;

    /// The console; the library switches echo off.
    pub(super) struct EcholessTerminal;

    impl EcholessTerminal {
        #[expect(clippy::unnecessary_wraps, reason = "a terminal may refuse elsewhere")]
        pub(super) fn disable_echo() -> Result<Self> {
            Ok(Self)
        }

        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "the other systems need it"
        )]
        pub(super) fn side(&self) -> Result<Side> {
            Ok(Side)
        }

        #[expect(clippy::unused_self, reason = "the other systems need it")]
        pub(super) fn end_line(&self) {}
    }

    pub(super) struct Side;

    impl Side {
        #[expect(clippy::unused_self, reason = "the other systems need it")]
        pub(super) fn question(&mut self, question: &str) -> Result<String> {
            rpassword::prompt_password(question)
        }
    }
}
