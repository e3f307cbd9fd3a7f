//! Messages for a connection that could not be made, stored or read.

use crate::api::OauthError;
use crate::cli::failure::io_reason;
use crate::cli::shell::quoted;
use crate::cli::{CommandError, ErrorKind};
use crate::connect::{DiscardedToken, Error};

const START_AGAIN: &str = "no token was saved; start again with `gutterbatch connect`";

const MAY_HAVE_ENDED: &str = "no token was saved, but the team's earlier token may have ended; start again with `gutterbatch connect`";

const OTHER_ADDRESS: &str =
    "no token was saved; check the service's address, and give the right one with --base-url URL";

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::File { doing, path, source } => Self::file(doing, &path, source),
            Error::Exposed { path } => Self::new(ErrorKind::File, format!("{sentence}, so it is not used")).hinted(format!(
                "chmod 600 {}; if others may have seen it, `gutterbatch connect` makes a new token and ends this one",
                quoted(&path.to_string_lossy())
            )),
            Error::Damaged { .. } => {
                Self::new(ErrorKind::File, sentence).hinted("connect again with `gutterbatch connect`, which replaces it")
            }
            Error::Keychain { .. } => Self::new(ErrorKind::File, sentence).hinted(
                "unlock it and run the same command again; or keep secrets in a private file: gutterbatch connect --secrets file",
            ),
            Error::Vanished => Self::new(ErrorKind::NotConnected, sentence)
                .hinted("connect again with `gutterbatch connect`"),
            Error::Config { .. } => Self::new(ErrorKind::Settings, sentence).hinted("correct the file, or move it aside"),
            Error::Setup(error) => error.into(),
            Error::Random(_) => Self::new(ErrorKind::File, sentence)
                .hinted("run the same command again; if that does not help, restart the computer"),
            Error::Port { port, source } => port_taken(port, &source),
            Error::TimedOut(after) => Self::new(
                ErrorKind::NotConnected,
                format!("nobody answered the consent page within {}", shown(after)),
            )
            .hinted("start again with more time: gutterbatch connect --timeout 15m"),
            Error::Interrupted => Self::new(ErrorKind::Interrupted, sentence).hinted(START_AGAIN),
            Error::Denied => Self::new(ErrorKind::NotConnected, "the consent was denied on the service's page").hinted(START_AGAIN),
            Error::Unauthorized { .. } => Self::new(ErrorKind::NotConnected, with_description(&error)).hinted(
                "no token was saved; compare client id and redirect URI with the service's developer dashboard, and start again with `gutterbatch connect`",
            ),
            Error::Codeless => Self::new(ErrorKind::NotConnected, sentence).hinted(START_AGAIN),
            Error::Exchange(error) => exchange(&error),
            Error::OtherTeam { expected, found, token } => Self::new(
                ErrorKind::OtherAccount,
                format!(
                    "this profile belongs to {expected}, but {} ({}) consented; nothing was saved",
                    found.team_name, found.team_id
                ),
            )
            .hinted(format!(
                "{}\nconnect each team under a profile of its own: gutterbatch connect --profile NAME",
                discarded(&token)
            )),
            Error::Unstored { source, token } => {
                let cause = Self::from(*source);
                Self::new(cause.kind, format!("{sentence}: {}", cause.message())).hinted(discarded(&token))
            }
        }
    }
}

fn port_taken(port: u16, source: &std::io::Error) -> CommandError {
    CommandError::new(
        ErrorKind::Usage,
        format!(
            "cannot listen on port {port} of this machine: {}",
            io_reason(source)
        ),
    )
    .hinted("give another port that is registered for the app with --port N, or leave it out for any free one")
}

fn with_description(error: &Error) -> String {
    match error {
        Error::Unauthorized {
            error,
            description: Some(description),
        } => format!("the consent page answered {error}: {description}"),
        error => error.to_string(),
    }
}

/// The failure of an exchange. After the code was sent, only the service knows whether it was used.
fn exchange(error: &OauthError) -> CommandError {
    use ErrorKind::{NotConnected, UnexpectedResponse};
    let said = words(error);
    let (kind, sentence, hint) = match error {
        OauthError::Transport(_) => (
            NotConnected,
            format!("no response to the code arrived: {said}"),
            MAY_HAVE_ENDED,
        ),
        OauthError::Refused { error, .. } if error == "invalid_grant" => (
            NotConnected,
            format!("the service refused the code, which works once and for ten minutes: {said}"),
            START_AGAIN,
        ),
        OauthError::Refused { error, .. } if error == "invalid_client" => (
            NotConnected,
            format!("the service does not know this client id and secret: {said}"),
            "no token was saved; compare both with the service's developer dashboard, and start again with `gutterbatch connect`",
        ),
        OauthError::Refused { .. } => (
            NotConnected,
            format!("the service gave no token for the code: {said}"),
            START_AGAIN,
        ),
        OauthError::Service { code, .. } if code.ends_with("_version") => (
            UnexpectedResponse,
            format!("the service does not serve this version: {said}"),
            "no token was saved; give a version that it serves with --service-version YYYY-MM-DD",
        ),
        OauthError::Service { status: 501, .. } | OauthError::NotOauth { status: 501, .. } => (
            UnexpectedResponse,
            "the service does not offer the exchange of codes yet (501)".to_owned(),
            "no token was saved; try again when the service offers it",
        ),
        OauthError::Service { status: 429, .. } | OauthError::NotOauth { status: 429, .. } => (
            NotConnected,
            format!("the service accepts no more requests for now: {said}"),
            "no token was saved; wait a few minutes, then start again with `gutterbatch connect`",
        ),
        OauthError::Redirected { .. } => (
            UnexpectedResponse,
            format!("{said}; the code and the secret are not sent there"),
            OTHER_ADDRESS,
        ),
        OauthError::Service { status, .. } | OauthError::NotOauth { status, .. }
            if *status >= 500 =>
        {
            let sentence = format!("the service failed while exchanging the code: {said}");
            (NotConnected, sentence, MAY_HAVE_ENDED)
        }
        OauthError::Service { status, .. } | OauthError::NotOauth { status, .. } => (
            NotConnected,
            format!("the response to the code is not the documented one: {said}"),
            if *status < 300 {
                "no token was saved, but the team's earlier token may have ended; check the service's address, and give the right one with --base-url URL"
            } else {
                OTHER_ADDRESS
            },
        ),
    };
    CommandError::new(kind, sentence).hinted(hint)
}

/// The error of an OAuth endpoint in a few words.
pub(in crate::cli) fn words(error: &OauthError) -> String {
    match error {
        OauthError::Transport(failure) => failure.to_string(),
        OauthError::Refused {
            error,
            description: Some(description),
        } => format!("{error}, {description}"),
        OauthError::Refused {
            error,
            description: None,
        } => error.clone(),
        OauthError::Service { status, code } => format!("{status} {code}"),
        OauthError::Redirected { .. } => error.to_string(),
        OauthError::NotOauth { status, reason } => format!("status {status}, {reason}"),
    }
}

/// What happened to a new token that was not stored.
fn discarded(token: &DiscardedToken) -> String {
    match token {
        DiscardedToken::Revoked => {
            "the new token was revoked; that team's earlier token had already ended with the consent".to_owned()
        }
        DiscardedToken::Alive(error) => format!(
            "the new token could not be revoked ({}): disconnect the app in that team's settings in the service",
            words(error)
        ),
    }
}

/// For instance `5m`.
fn shown(duration: std::time::Duration) -> String {
    let duration = jiff::SignedDuration::try_from(duration).unwrap_or(jiff::SignedDuration::MAX);
    format!("{duration:#}")
}
