//! Values that `connect` needs: taken from flags and the environment, otherwise asked for on a terminal.

use std::io::{BufRead, Read, Write};
use std::path::Path;
use std::str::FromStr;

use crate::api::{BearerToken, ClientSecret};
use crate::cli::common_args::{CLIENT_SECRET, ConnectionSetting, SECRET_VARIABLE};
use crate::cli::context::Context;
use crate::cli::hidden_input::{self, MAX_SECRET_BYTES};
use crate::cli::output_style::can_ask;
use crate::cli::wrap::wrapped;
use crate::cli::{CliError, CommandError};

/// The value as given, or as the user types it. An invalid value that was typed is asked for again.
///
/// # Errors
/// As [`text`], and the error of a given value that is invalid.
pub(super) fn parsed<T: FromStr>(
    context: &Context,
    given: Option<&str>,
    wanted: ConnectionSetting,
) -> Result<T, CommandError>
where
    CommandError: From<T::Err>,
{
    loop {
        match text(context, given, wanted)?.parse() {
            Ok(value) => return Ok(value),
            Err(error) if is_given(given) => return Err(CommandError::from(error)),
            Err(error) => {
                let failure = CommandError::from(error);
                let hint = failure.hint().unwrap_or_default();
                context
                    .console
                    .warn(&format!("{}; {hint}", failure.message()));
            }
        }
    }
}

fn is_given(given: Option<&str>) -> bool {
    given.is_some_and(|given| !given.trim().is_empty())
}

/// The text as given, or as the user types it; an empty answer is asked for again.
///
/// # Errors
/// `ExitStatus::Usage` if it is not given and the user cannot be asked.
pub(super) fn text(
    context: &Context,
    given: Option<&str>,
    wanted: ConnectionSetting,
) -> Result<String, CommandError> {
    if let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) {
        return Ok(given.to_owned());
    }
    if !can_ask() {
        return Err(CliError::NotGiven(vec![wanted]).into());
    }
    loop {
        let mut line = String::new();
        let read = context.asking(|| {
            // Standard error is not locked while the user types, so that a signal can be reported.
            let mut stderr = std::io::stderr();
            let question = format!("{} ({}):", wanted.what, wanted.explanation);
            write!(stderr, "{} ", wrapped(&question, &stderr))?;
            stderr.flush()?;
            std::io::stdin()
                .lock()
                .take(MAX_SECRET_BYTES)
                .read_line(&mut line)
        });
        match (read, line.trim()) {
            (Err(_) | Ok(0), _) => {
                // The error starts on a line of its own.
                let _ = writeln!(std::io::stderr());
                return Err(CliError::NotGiven(vec![wanted]).into());
            }
            (Ok(_), "") => {}
            (Ok(_), typed) => return Ok(typed.to_owned()),
        }
    }
}

/// The app's secret from a file, from the environment, or as saved before, in this order; `None` if there is none.
///
/// # Errors
/// `ExitStatus::Files` if the file cannot be read, `ExitStatus::Usage` if it contains no secret.
pub(super) fn given_secret(
    file: Option<&Path>,
    saved: Option<ClientSecret>,
) -> Result<Option<ClientSecret>, CommandError> {
    if let Some(file) = file {
        let text = read_short(std::fs::File::open(file))
            .map_err(|error| CommandError::file("read the client secret from", file, error))?;
        let secret = ClientSecret::new(&text).map(Some);
        return secret.ok_or_else(|| CliError::NoSecret(file.to_owned()).into());
    }
    let environment = std::env::var(SECRET_VARIABLE).ok();
    Ok(environment.as_deref().and_then(ClientSecret::new).or(saved))
}

/// The app's secret as given, or as the user types it without it being shown.
///
/// # Errors
/// As [`given_secret`] and [`hidden_input::ask`], and `ExitStatus::Usage` if it is not given and the user cannot be
/// asked.
pub(super) fn secret(
    context: &Context,
    file: Option<&Path>,
    saved: Option<ClientSecret>,
) -> Result<ClientSecret, CommandError> {
    if let Some(secret) = given_secret(file, saved)? {
        return Ok(secret);
    }
    let missing = || CliError::NotGiven(vec![CLIENT_SECRET]).into();
    if !can_ask() {
        return Err(missing());
    }
    loop {
        let typed = hidden_input::ask(
            context,
            "client secret (beside the client id in the dashboard; not shown):",
        )?;
        match ClientSecret::new(&typed) {
            Some(secret) => return Ok(secret),
            // The terminal was closed.
            None if typed.is_empty() => return Err(missing()),
            None => {}
        }
    }
}

/// A token from standard input; if that is a terminal, the typed token is not shown.
///
/// # Errors
/// `ExitStatus::Usage` if there is none, and as [`hidden_input::ask`].
pub(super) fn token(context: &Context) -> Result<BearerToken, CommandError> {
    let text = if can_ask() {
        hidden_input::ask(context, "token (not shown):")?
    } else {
        // Input that cannot be read counts as empty.
        read_short(Ok(std::io::stdin())).unwrap_or_default()
    };
    BearerToken::new(&text).ok_or_else(|| CliError::InvalidToken("standard input").into())
}

fn read_short(source: std::io::Result<impl Read>) -> std::io::Result<String> {
    let mut text = String::new();
    source?.take(MAX_SECRET_BYTES).read_to_string(&mut text)?;
    Ok(text)
}
