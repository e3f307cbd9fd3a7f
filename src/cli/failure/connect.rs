//! Messages for a connection that could not be made, stored or read.

use crate::api::OauthError;
use crate::cli::failure::io_reason;
use crate::cli::shell::quoted;
use crate::cli::{CommandError, ErrorKind};
use crate::connect::{DiscardedToken, Error, HAS_KEYCHAIN};

const START_AGAIN: &str = "no token was saved; start again with `gutterbatch connect`";

const MAY_HAVE_ENDED: &str = "no token was saved, but the team's earlier token may have ended; start again with `gutterbatch connect`";

const COMPARE: &str = "no token was saved; compare client id, secret and redirect URI with the service's developer dashboard, and start again with `gutterbatch connect`";

const NO_TOKEN: &str = "the service did not exchange the code for a token";

const OTHER_ADDRESS: &str =
    "no token was saved; check the service's address, and give the right one with --base-url URL";

impl From<Error> for CommandError {
    fn from(error: Error) -> Self {
        let sentence = error.to_string();
        match error {
            Error::File { doing, path, source } => Self::file(doing, &path, source),
            Error::Exposed(path) => Self::new(ErrorKind::File, format!("{sentence}, so it is not used")).hinted(format!(
                "chmod 600 {}; if others may have read it, `gutterbatch connect` replaces the token",
                quoted(&path.to_string_lossy())
            )),
            Error::Damaged { .. } => {
                Self::new(ErrorKind::File, sentence).hinted("connect again with `gutterbatch connect`, which replaces it")
            }
            Error::Keychain { .. } if !HAS_KEYCHAIN => Self::new(ErrorKind::File, sentence)
                .hinted("keep secrets in a private file: gutterbatch connect --secrets file"),
            Error::Keychain { .. } => Self::new(ErrorKind::File, sentence).hinted(
                "unlock it and run the same command again; or keep secrets in a private file: gutterbatch connect --secrets file",
            ),
            Error::Vanished => Self::new(ErrorKind::NotConnected, sentence)
                .hinted("connect again with `gutterbatch connect`"),
            Error::Config { .. } => Self::new(ErrorKind::Settings, sentence).hinted("correct the file, or move it aside"),
            Error::Random(_) => Self::new(ErrorKind::File, sentence)
                .hinted("run the same command again; if that does not help, restart the computer"),
            Error::Port { source, .. } => Self::new(ErrorKind::Usage, format!("{sentence}: {}", io_reason(&source)))
                .hinted("give another port that is registered for the app with --port N, or leave it out for any free one"),
            Error::TimedOut(_) => Self::new(ErrorKind::NotConnected, sentence)
                .hinted("if the browser showed an error, compare the client id and the redirect URI with the developer dashboard; otherwise start again with more time: gutterbatch connect --timeout 15m"),
            Error::Interrupted => Self::new(ErrorKind::Interrupted, sentence).hinted(START_AGAIN),
            Error::Denied | Error::Codeless | Error::OtherState => Self::new(ErrorKind::NotConnected, sentence).hinted(START_AGAIN),
            Error::Unauthorized { .. } => Self::new(ErrorKind::NotConnected, sentence).hinted(COMPARE),
            Error::Exchange(error) => exchange(&error),
            Error::OtherTeam { token, .. } => Self::new(ErrorKind::OtherAccount, sentence).hinted(format!(
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

/// The failure of an exchange. After the code was sent, only the service knows whether it was used.
fn exchange(error: &OauthError) -> CommandError {
    use ErrorKind::{
        NotConnected, NotImplemented, RateLimited, Redirected as ToOtherAddress,
        UnexpectedResponse, Unreachable, Version,
    };
    use OauthError::{NotOauth, Redirected, Refused, Service, Transport};
    let (kind, sentence, hint) = match error {
        Transport(_) => (
            Unreachable,
            "no response to the exchange of the code",
            MAY_HAVE_ENDED,
        ),
        Refused { error, .. } if error == "invalid_grant" => (
            NotConnected,
            "the service refused the code: a code works once, within ten minutes",
            START_AGAIN,
        ),
        Refused { error, .. } if error == "invalid_client" => (
            NotConnected,
            "the service does not know this client id and secret",
            COMPARE,
        ),
        Refused { .. } => (NotConnected, NO_TOKEN, START_AGAIN),
        Service { status: 429, .. } | NotOauth { status: 429, .. } => {
            (RateLimited, NO_TOKEN, START_AGAIN)
        }
        Service { code, .. } if code.ends_with("_version") => (
            Version,
            "the service does not serve this version",
            "no token was saved; give a version that it serves with --service-version YYYY-MM-DD",
        ),
        Service { status: 501, .. } | NotOauth { status: 501, .. } => (
            NotImplemented,
            "the service does not offer the exchange of codes yet",
            "no token was saved; try again when the service offers it",
        ),
        Redirected { .. } => (
            ToOtherAddress,
            "the code and the secret are not sent to another address",
            OTHER_ADDRESS,
        ),
        Service { status: 500.., .. } | NotOauth { status: 500.., .. } => (
            Unreachable,
            "the service failed while exchanging the code",
            MAY_HAVE_ENDED,
        ),
        Service { status: ..300, .. } | NotOauth { status: ..300, .. } => (
            Unreachable,
            "the response to the exchange of the code is not the documented one",
            MAY_HAVE_ENDED,
        ),
        Service { .. } | NotOauth { .. } => (
            UnexpectedResponse,
            "the response to the exchange of the code is not the documented one",
            OTHER_ADDRESS,
        ),
    };
    CommandError::new(kind, format!("{sentence}: {error}")).hinted(hint)
}

/// What happened to a new token that was not stored.
fn discarded(token: &DiscardedToken) -> String {
    match token {
        DiscardedToken::Revoked => {
            "the new token was revoked; the consent had already ended that team's earlier token"
                .to_owned()
        }
        DiscardedToken::Alive(error) => format!(
            "the new token could not be revoked ({error}): disconnect the app in that team's settings in the service"
        ),
    }
}
