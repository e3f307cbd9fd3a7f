//! Every way a connection can fail to be made, kept or ended, as facts.

use std::path::PathBuf;
use std::time::Duration;

use crate::api::{ClientSetupError, OauthError};
use crate::connect::ConnectionDetails;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of ours cannot be read or written.
    #[error("cannot {doing} {path}")]
    File {
        /// A verb.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Others can read the file with the token.
    #[error("{path} can be read by others")]
    Exposed {
        /// The file.
        path: PathBuf,
    },
    /// The file with the token is not what was written.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where or what; never its content.
        reason: String,
    },
    /// The keychain must be used and does not answer.
    #[error("the keychain cannot be used: {reason}")]
    Keychain {
        /// What it said.
        reason: String,
    },
    /// The keychain answers, and has no entry where the token was put.
    #[error("the keychain no longer holds the token of this profile")]
    Vanished,
    /// The settings file cannot take settings.
    #[error("{path}: {reason}")]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The HTTP library cannot start.
    #[error(transparent)]
    Setup(#[from] ClientSetupError),
    /// The system gives no random bytes.
    #[error("the system gives no random bytes: {0}")]
    Random(String),
    /// The port for the browser's answer is not to be had.
    #[error("cannot listen on port {port} of this machine")]
    Port {
        /// 0 for any.
        port: u16,
        /// What the system said.
        #[source]
        source: std::io::Error,
    },
    /// Nobody answered in time.
    #[error("nobody answered the consent page in time")]
    TimedOut(Duration),
    /// The user stopped the wait.
    #[error("interrupted")]
    Interrupted,
    /// The person at the consent page said no.
    #[error("the consent was denied")]
    Denied,
    /// The browser brought another error back.
    #[error("the consent page answered {error}")]
    Unauthorized {
        /// For instance `invalid_request`.
        error: String,
        /// For people, where there is one.
        description: Option<String>,
    },
    /// The browser's answer has the state, and neither one code nor one error.
    #[error("the browser's answer carries no code")]
    Codeless,
    /// The token endpoint gave no token.
    #[error("the code was not exchanged for a token")]
    Exchange(#[source] OauthError),
    /// The team is not the one that this profile belongs to. Nothing was stored.
    #[error("{} is not {}", .found.team_name, .expected)]
    OtherTeam {
        /// Whose profile it is.
        expected: String,
        /// Who consented.
        found: Box<ConnectionDetails>,
        /// Whether the fresh token was ended.
        token: DiscardedToken,
    },
    /// A fresh token could not be stored, against all proof.
    #[error("the fresh token cannot be stored")]
    Unstored {
        /// Why not.
        #[source]
        source: Box<Error>,
        /// Whether the fresh token was ended.
        token: DiscardedToken,
    },
}

/// What became of a fresh token that is not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscardedToken {
    /// The service ended it.
    Revoked,
    /// The service did not end it.
    Alive(OauthError),
}
