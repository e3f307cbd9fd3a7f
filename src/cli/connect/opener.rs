//! Opens the browser from a separate process. A browser passes its environment to every program that it starts, and this
//! program's environment may contain the token or the app's secret.

use std::io;
use std::process::{Command, Stdio};

use crate::cli::common_args::{SECRET_VARIABLE, TOKEN_VARIABLE};
use crate::cli::{CliError, CommandError, ExitStatus};

/// The hidden flag that makes this program open a link and do nothing else.
pub(super) const FLAG: &str = "open-link";

/// Opens the link in the user's browser, from a process without secrets.
///
/// # Errors
/// If no browser could be opened.
pub(super) fn open(link: &str) -> io::Result<()> {
    let status = Command::new(std::env::current_exe()?)
        .args(["connect", &format!("--{FLAG}"), link])
        .env_remove(TOKEN_VARIABLE)
        .env_remove(SECRET_VARIABLE)
        // The exit status is enough.
        .stderr(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// Opens the link; runs in the separate process.
///
/// # Errors
/// [`ExitStatus::Files`] if no browser could be opened.
pub(super) fn run(link: &str) -> Result<ExitStatus, CommandError> {
    match webbrowser::open(link) {
        Ok(()) => Ok(ExitStatus::Done),
        Err(source) => Err(CliError::System {
            what: "to open a browser",
            source,
        }
        .into()),
    }
}
