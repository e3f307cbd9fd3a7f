//! The browser, opened by a process of its own: a browser hands its environment on to everything that it starts, and
//! ours may hold the token or the app's secret.

use std::io;
use std::process::{Command, Stdio};

use crate::cli::connection::TOKEN_VARIABLE;
use crate::cli::prompt::SECRET_VARIABLE;
use crate::cli::{CommandError, ExitStatus};

/// The flag by which this program tells itself to open a link and do nothing else.
pub(super) const FLAG: &str = "open-link";

/// Opens the link in the user's browser, by a process that has no secret.
///
/// # Errors
/// Where none could be opened.
pub(super) fn open(link: &str) -> io::Result<()> {
    let status = Command::new(std::env::current_exe()?)
        .args(["connect", &format!("--{FLAG}"), link])
        .env_remove(TOKEN_VARIABLE)
        .env_remove(SECRET_VARIABLE)
        // Whether it went well is all there is to say.
        .stderr(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// What that process does.
///
/// # Errors
/// [`ExitStatus::Files`] where no browser could be opened.
pub(super) fn run(link: &str) -> Result<ExitStatus, CommandError> {
    match webbrowser::open(link) {
        Ok(()) => Ok(ExitStatus::Done),
        Err(error) => Err(CommandError::new(
            ExitStatus::Files,
            format!("cannot open a browser: {error}"),
        )),
    }
}
