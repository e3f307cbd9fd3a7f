//! Why a connection could not be made, stored, read or ended.

use std::path::PathBuf;
use std::time::Duration;

use crate::api::OauthError;
use crate::model::Account;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A file of the program cannot be read or written.
    #[error("cannot {doing} {path}", path = .path.display())]
    File {
        /// A verb, such as `read`.
        doing: &'static str,
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// Others can read the file with the token.
    #[error("{0} can be read by others")]
    Exposed(PathBuf),
    /// The file with the token is damaged.
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it; never its content.
        reason: String,
    },
    /// The keychain must be used, but cannot be.
    #[error("the keychain cannot be used: {reason}")]
    Keychain {
        /// The error of the keychain.
        reason: String,
    },
    /// The keychain has no entry for the token that was stored.
    #[error("the keychain no longer holds the token of this profile")]
    Vanished,
    /// Settings cannot be written into the settings file.
    #[error("{path}: {reason}")]
    Config {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The operating system returned no random bytes.
    #[error("the operating system returned no random bytes: {0}")]
    Random(String),
    /// The port for the browser's answer cannot be used.
    #[error("cannot listen on port {port} of this machine")]
    Port {
        /// The port; 0 means any free port.
        port: u16,
        /// The error of the operating system.
        #[source]
        source: std::io::Error,
    },
    /// The consent page was not answered in time.
    #[error("nobody answered the consent page within {}", shown(*.0))]
    TimedOut(Duration),
    /// Only answers with another state, or none, arrived in time: an earlier page's, or another program's.
    #[error("the browser's answer does not have the state that was sent, so it was not used")]
    OtherState,
    /// The user stopped the wait.
    #[error("interrupted")]
    Interrupted,
    /// The user denied consent.
    #[error("the consent was denied on the service's page")]
    Denied,
    /// The consent page answered with another error.
    #[error("the consent page answered {error}{}", .description.as_ref().map_or_else(String::new, |text| format!(": {text}")))]
    Unauthorized {
        /// For instance `invalid_request`.
        error: String,
        /// A description for people, if any.
        description: Option<String>,
    },
    /// The answer has the right state, but not exactly one code or one error.
    #[error("the browser's answer contains no code")]
    Codeless,
    /// The token endpoint gave no token.
    #[error("the service did not exchange the code for a token")]
    Exchange(#[source] OauthError),
    /// The team is not the team of this profile. Nothing was stored.
    #[error("this profile belongs to {expected}, but {} ({}) consented; nothing was saved", .found.team_name, .found.team_id)]
    OtherTeam {
        /// The team of the profile.
        expected: String,
        /// The team that consented.
        found: Box<Account>,
        /// Whether the new token was revoked.
        token: DiscardedToken,
    },
    /// A new token could not be stored, although the storage was verified before.
    #[error("the new token cannot be stored")]
    Unstored {
        /// Why it could not be stored.
        #[source]
        source: Box<Error>,
        /// Whether the new token was revoked.
        token: DiscardedToken,
    },
}

impl Error {
    /// Whether the service does not know the client id with this secret.
    pub fn is_of_unknown_app(&self) -> bool {
        let Self::Exchange(OauthError::Refused { error, .. }) = self else {
            return false;
        };
        error == "invalid_client"
    }
}

/// What happened to a new token that was not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiscardedToken {
    /// The service revoked it.
    Revoked,
    /// The service did not revoke it.
    Alive(OauthError),
}

/// For instance `5m`.
fn shown(duration: Duration) -> String {
    let duration = jiff::SignedDuration::try_from(duration).unwrap_or(jiff::SignedDuration::MAX);
    format!("{duration:#}")
}
