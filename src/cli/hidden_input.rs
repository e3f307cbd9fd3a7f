//! A secret that is typed and not shown.
//!
//! The terminal stops to echo before the question is asked, so that not even a paste that is quicker than we are shows,
//! and it echoes again however the question ends: with an answer, with Ctrl-C, or told to end from elsewhere.

use crate::cli::context::Context;
use crate::cli::failure::io_reason;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, ExitStatus};
use crate::dispatch::StopStage;

/// Bytes. No secret is longer, and a file or stream that is was named by mistake.
pub(super) const LONGEST: u64 = 16 * 1024;

/// Asks on the terminal, and returns the line that was typed; empty where the terminal was closed instead.
///
/// # Errors
/// [`ExitStatus::Interrupted`] or [`ExitStatus::Terminated`] where a signal ended the question; [`ExitStatus::Files`] where there is no
/// terminal that keeps quiet.
pub(super) fn ask(context: &Context, question: &'static str) -> Result<String, CommandError> {
    context.block_on(async {
        let signals = SignalListener::listen()?;
        let stop = signals.stop();
        let terminal = EcholessTerminal::disable_echo().map_err(|error| restore_echo(&error))?;
        let mut side = terminal.side().map_err(|error| restore_echo(&error))?;
        // The thread is left behind where a signal comes first; it changes nothing of the terminal.
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

fn restore_echo(error: &std::io::Error) -> CommandError {
    let message = format!(
        "the terminal cannot hide what is typed: {}",
        io_reason(error)
    );
    CommandError::new(ExitStatus::Files, message)
        .hinted("give it by a file, a pipe or the environment instead")
}

#[cfg(unix)]
use by_line::EcholessTerminal;

#[cfg(unix)]
mod by_line {
    use std::fs::File;
    use std::io::{BufRead, BufReader, Read, Result, Write};

    use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

    /// The terminal, as long as it does not echo. Lines are still edited there, and Ctrl-C is still a signal.
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
            // The line's end shows, so that what comes next does not stand behind the question.
            quiet.local_modes |= LocalModes::ECHONL;
            tcsetattr(&file, OptionalActions::Now, &quiet)?;
            Ok(Self { file, before })
        }

        /// The end that the question is asked through.
        pub(super) fn side(&self) -> Result<Side> {
            self.file.try_clone().map(Side)
        }

        pub(super) fn end_line(&self) {
            // A terminal that is gone shows nothing.
            let _ = (&self.file).write_all(b"\n");
        }
    }

    impl Drop for EcholessTerminal {
        fn drop(&mut self) {
            // A terminal that is gone needs no order.
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

    /// The console, which the library asks on.
    pub(super) struct EcholessTerminal;

    impl EcholessTerminal {
        #[expect(clippy::unnecessary_wraps, reason = "a terminal may refuse elsewhere")]
        pub(super) fn disable_echo() -> Result<Self> {
            Ok(Self)
        }

        #[expect(
            clippy::unused_self,
            clippy::unnecessary_wraps,
            reason = "as elsewhere"
        )]
        pub(super) fn side(&self) -> Result<Side> {
            Ok(Side)
        }

        #[expect(clippy::unused_self, reason = "as elsewhere")]
        pub(super) fn end_line(&self) {}
    }

    pub(super) struct Side;

    impl Side {
        #[expect(clippy::unused_self, reason = "as elsewhere")]
        pub(super) fn question(&mut self, question: &str) -> Result<String> {
            rpassword::prompt_password(question)
        }
    }
}
