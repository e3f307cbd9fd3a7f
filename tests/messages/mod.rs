//! What a person reads when a command fails: sentence, hint and exit code of every error, as they are shown.
//!
//! A file a room; a new way to fail gets a line here, and its reviewer reads what its user will read.

mod connection;
mod dispatch;
mod journal;
mod results;
mod sandbox;
mod table;

use gutterbatch::cli::CommandError;

/// What each error shows, one below the other: the exit code, then the lines.
fn shown<E: Into<CommandError>>(errors: impl IntoIterator<Item = E>) -> String {
    let one = |error: E| {
        let failure: CommandError = error.into();
        let failure = failure.of_command(&["check".to_owned(), "leads.xlsx".to_owned()]);
        format!("{}: {}", failure.exit.code(), failure.lines())
    };
    errors.into_iter().map(one).collect::<Vec<_>>().join("\n")
}

/// The system's own word for what it refused.
fn refused(kind: std::io::ErrorKind) -> std::io::Error {
    std::io::Error::from(kind)
}
