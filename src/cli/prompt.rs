//! What `connect` needs and nobody gave: asked for on a terminal, refused with the way to give it anywhere else.

use std::io::{BufRead, Read, Write};
use std::path::Path;

use crate::api::{BearerToken, ClientSecret};
use crate::cli::context::Context;
use crate::cli::hidden_input::{self, LONGEST};
use crate::cli::{CommandError, ExitStatus};

/// Holds the app's secret for the whole process.
pub(super) const SECRET_VARIABLE: &str = "GUTTERBATCH_CLIENT_SECRET";

/// A setting that can be asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct PromptedSetting {
    /// As people call it.
    pub(super) what: &'static str,
    /// The flag that gives it, with its value's name.
    pub(super) flag: &'static str,
    /// The variable that gives it.
    pub(super) variable: &'static str,
}

/// The value as given, or as a person types it.
///
/// # Errors
/// [`ExitStatus::Usage`] where it is not given and nobody can be asked.
pub(super) fn text(
    context: &Context,
    given: Option<&str>,
    wanted: PromptedSetting,
) -> Result<String, CommandError> {
    if let Some(given) = given.map(str::trim).filter(|given| !given.is_empty()) {
        return Ok(given.to_owned());
    }
    if !context.console.can_ask() {
        return Err(missing(wanted));
    }
    let mut stderr = std::io::stderr().lock();
    let mut line = String::new();
    let asked = write!(stderr, "{}: ", wanted.what).and_then(|()| stderr.flush());
    let read = asked.and_then(|()| std::io::stdin().lock().take(LONGEST).read_line(&mut line));
    let typed = line.trim();
    if read.is_err() || typed.is_empty() {
        return Err(missing(wanted));
    }
    Ok(typed.to_owned())
}

/// The app's secret: from a file, from the environment, or as it was saved before; none where nobody gave one.
///
/// # Errors
/// [`ExitStatus::Files`] where the file cannot be read, [`ExitStatus::Usage`] where it holds none.
pub(super) fn given_secret(
    file: Option<&Path>,
    saved: Option<ClientSecret>,
) -> Result<Option<ClientSecret>, CommandError> {
    if let Some(file) = file {
        let text = read_short(std::fs::File::open(file))
            .map_err(|error| CommandError::file("read the client secret from", file, &error))?;
        return ClientSecret::new(&text).map(Some).ok_or_else(|| {
            CommandError::new(
                ExitStatus::Usage,
                format!("{} holds no client secret", file.display()),
            )
        });
    }
    let environment = std::env::var(SECRET_VARIABLE).ok();
    Ok(environment.as_deref().and_then(ClientSecret::new).or(saved))
}

/// The app's secret as given, or as a person types it without showing it.
///
/// # Errors
/// As [`given_secret`] and [`hidden_input::ask`], and [`ExitStatus::Usage`] where it is not given and nobody can be asked.
pub(super) fn secret(
    context: &Context,
    file: Option<&Path>,
    saved: Option<ClientSecret>,
) -> Result<ClientSecret, CommandError> {
    let wanted = PromptedSetting {
        what: "client secret",
        flag: "--client-secret-file PATH",
        variable: SECRET_VARIABLE,
    };
    if let Some(secret) = given_secret(file, saved)? {
        return Ok(secret);
    }
    if !context.console.can_ask() {
        return Err(missing(wanted));
    }
    let typed = hidden_input::ask(context, "client secret (not shown): ")?;
    ClientSecret::new(&typed).ok_or_else(|| missing(wanted))
}

/// A token from standard input; typed without showing it where that is a terminal.
///
/// # Errors
/// [`ExitStatus::Usage`] where there is none, and as [`hidden_input::ask`].
pub(super) fn token(context: &Context) -> Result<BearerToken, CommandError> {
    let text = if context.console.can_ask() {
        hidden_input::ask(context, "token (not shown): ")?
    } else {
        // What cannot be read is as good as nothing.
        read_short(Ok(std::io::stdin())).unwrap_or_default()
    };
    BearerToken::new(&text).ok_or_else(|| {
        CommandError::new(ExitStatus::Usage, "standard input holds no token")
            .hinted("a token is one word of plain characters: gutterbatch connect --token-stdin < token.txt")
    })
}

fn read_short(source: std::io::Result<impl Read>) -> std::io::Result<String> {
    let mut text = String::new();
    source?.take(LONGEST).read_to_string(&mut text)?;
    Ok(text)
}

fn missing(wanted: PromptedSetting) -> CommandError {
    let PromptedSetting {
        what,
        flag,
        variable,
    } = wanted;
    CommandError::new(ExitStatus::Usage, format!("the {what} is not given"))
        .hinted(format!("give it with {flag} or {variable}"))
}
