//! The start of a runtime, where the system may have no file descriptor left for it.

use std::io;

use tokio::runtime::{Builder, Runtime};

use crate::cli::failure::io_reason;
use crate::cli::{CommandError, ExitStatus};

/// Pairs of descriptors that a runtime and its signals take at most.
#[cfg(unix)]
const PAIRS: usize = 5;

/// Builds the runtime with everything enabled.
///
/// # Errors
/// What the system said. tokio panics where the system refuses the sockets for its signals, so as many descriptors as it
/// takes are opened and closed first.
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
