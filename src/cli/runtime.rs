//! Starts a runtime, with an error instead of a panic if no file descriptor is free.

use std::io;

use tokio::runtime::{Builder, Runtime};

use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus};

/// The maximum number of descriptor pairs that a runtime and its signals need.
#[cfg(unix)]
const PAIRS: usize = 5;

/// Builds the runtime with everything enabled.
///
/// # Errors
/// The error of the operating system. tokio panics if the system refuses the sockets for its signals, so as many
/// descriptors as it needs are opened and closed first.
pub(super) fn build(builder: &mut Builder) -> io::Result<Runtime> {
    #[cfg(unix)]
    {
        let pairs: io::Result<Vec<_>> = (0..PAIRS)
            .map(|_| std::os::unix::net::UnixStream::pair())
            .collect();
        drop(pairs?);
    }
    builder.enable_all().build()
}

/// Builds the runtime of a command.
///
/// # Errors
/// [`ExitStatus::Files`] if [`build`] fails.
pub(super) fn start(builder: &mut Builder) -> Result<Runtime, CommandError> {
    build(builder).map_err(|error| {
        CommandError::new(
            ExitStatus::Files,
            format!("cannot start: {}", io_reason(&error)),
        )
    })
}
