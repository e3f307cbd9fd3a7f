//! A connection: whose it is, the secrets that speak for it, and the two places where those can be.

use serde::{Deserialize, Serialize};

use crate::api::{BearerToken, ClientSecret};

/// What is known of a connection that is no secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionDetails {
    /// The service's base address.
    pub base_url: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's name; none until GET /me said it.
    pub app_name: Option<String>,
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team_name: String,
    /// RFC 3339, as the service wrote it.
    pub connected_at: String,
}

/// A connection with its secrets.
#[derive(Clone, Debug)]
pub struct Connection {
    /// What is no secret.
    pub facts: ConnectionDetails,
    /// The bearer token.
    pub token: BearerToken,
    /// The app's secret; none for a token that was obtained elsewhere.
    pub client_secret: Option<ClientSecret>,
}

/// Where secrets are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretStorage {
    /// The operating system's keychain.
    Keychain,
    /// A file that its owner alone can read.
    File,
}

impl SecretStorage {
    /// The public name, as flags and JSON spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keychain => "keychain",
            Self::File => "file",
        }
    }
}

/// Where the user wants secrets to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoragePreference {
    /// In the keychain where one answers, else in a file.
    Auto,
    /// Nowhere else.
    Only(SecretStorage),
}
