//! A connection that is not made, or cannot be stored or read.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::time::Duration;

use gutterbatch::api::{ClientSetupError, OauthError, TransportError};
use gutterbatch::connect::{DiscardedToken, Error};
use gutterbatch::model::Account;

use crate::messages::refused;

pub(super) fn rows() -> Vec<String> {
    [settings(), connections(), exchanges()].concat()
}

fn settings() -> Vec<String> {
    sentences! {ClientSetupError, |error| error;
        ClientSetupError::InvalidBaseUrl(_) => [ClientSetupError::InvalidBaseUrl("gutters".to_owned())],
        ClientSetupError::BaseUrlParts(_) => [ClientSetupError::BaseUrlParts("https://api.example.com".to_owned())],
        ClientSetupError::UnsafeBaseUrl(_) => [
            ClientSetupError::UnsafeBaseUrl("http://api.example.com".to_owned())
        ],
        ClientSetupError::InvalidVersion(_) => [ClientSetupError::InvalidVersion("soon".to_owned())],
        ClientSetupError::InvalidProxy(_) => [ClientSetupError::InvalidProxy("HTTPS_PROXY")],
        ClientSetupError::HttpLibrary(_) => [
            ClientSetupError::HttpLibrary("no certificate in ca.pem".to_owned())
        ],
    }
}

fn connections() -> Vec<String> {
    let path = || PathBuf::from("default.json");
    let file = || Error::File {
        doing: "write",
        path: path(),
        source: refused(ErrorKind::StorageFull),
    };
    let found = Account {
        base_url: "https://api.example.com".to_owned(),
        client_id: "app_1".to_owned(),
        app_name: None,
        team_id: "t2".to_owned(),
        team_name: "Gables".to_owned(),
        connected_at: "2026-11-20T15:00:00Z".to_owned(),
    };
    sentences! {Error, |error| error;
        Error::File { .. } => [
            file(),
            Error::File { doing: "read", path: path(), source: refused(ErrorKind::PermissionDenied) },
        ],
        Error::Exposed(_) => [Error::Exposed(path())],
        Error::Damaged { .. } => [
            Error::Damaged { path: path(), reason: "line 3: a quote is missing".to_owned() }
        ],
        Error::Keychain { .. } => [Error::Keychain { reason: "it is locked".to_owned() }],
        Error::Vanished => [Error::Vanished],
        Error::Config { .. } => [Error::Config {
            path: PathBuf::from("config.toml"),
            reason: "line 2: not `key = value`".to_owned(),
        }],
        Error::Random(_) => [Error::Random("the system call is not there".to_owned())],
        Error::Port { .. } => [
            Error::Port { port: 8484, source: refused(ErrorKind::AddrInUse) },
            Error::Port { port: 84, source: refused(ErrorKind::PermissionDenied) },
        ],
        Error::TimedOut(_) => [Error::TimedOut(Duration::from_secs(300))],
        Error::OtherState => [Error::OtherState],
        Error::Interrupted => [Error::Interrupted],
        Error::Denied => [Error::Denied],
        Error::Unauthorized { .. } => [
            Error::Unauthorized {
                error: "invalid_request".to_owned(),
                description: Some("the redirect URI is not registered".to_owned()),
            },
            Error::Unauthorized { error: "server_error".to_owned(), description: None },
        ],
        Error::Codeless => [Error::Codeless],
        Error::Exchange(_) => [Error::Exchange(OauthError::Transport(TransportError::TimedOut))],
        Error::OtherTeam { .. } => [Error::OtherTeam {
            expected: "Eaves (t1)".to_owned(),
            found: Box::new(found.clone()),
            token: DiscardedToken::Revoked,
        }],
        Error::Unstored { .. } => [
            Error::Unstored { source: Box::new(file()), token: DiscardedToken::Revoked },
            Error::Unstored {
                source: Box::new(file()),
                token: DiscardedToken::Alive(OauthError::Transport(TransportError::TimedOut)),
            },
        ],
    }
}

fn exchanges() -> Vec<String> {
    let refused = |error: &str, description: Option<&str>| OauthError::Refused {
        error: error.to_owned(),
        description: description.map(str::to_owned),
    };
    let service = |status: u16, code: &str| OauthError::Service {
        status,
        code: code.to_owned(),
    };
    let foreign = |status: u16, reason: &str| OauthError::NotOauth {
        status,
        reason: reason.to_owned(),
    };
    let located = |place: Option<&str>| OauthError::Redirected {
        location: place.map(str::to_owned),
    };
    sentences! {OauthError, Error::Exchange;
        OauthError::Transport(_) => [OauthError::Transport(TransportError::TimedOut)],
        OauthError::Refused { .. } => [
            refused("invalid_grant", Some("the code was used before")),
            refused("invalid_client", None),
            refused("unsupported_grant_type", None),
        ],
        OauthError::Service { .. } => [
            service(400, "unsupported_version"),
            service(501, "not_implemented"),
            service(422, "validation_failed"),
            service(429, "rate_limited"),
        ],
        OauthError::Redirected { .. } => [located(Some("https://elsewhere.example")), located(None)],
        OauthError::NotOauth { .. } => [
            foreign(200, "it is not JSON"),
            foreign(404, "its body has no OAuth error"),
            foreign(502, "its body has no OAuth error"),
        ],
    }
}
