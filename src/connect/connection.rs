//! A connection: its account, its secrets, and where the secrets are stored.

use serde::{Deserialize, Serialize};

use crate::api::{BaseUrl, BearerToken, ClientSecret};
use crate::model::{Account, named_enum};

/// A connection with its secrets.
#[derive(Clone, Debug)]
pub struct Connection {
    /// The account.
    pub details: Account,
    /// The bearer token.
    pub token: BearerToken,
    /// The app's secret; `None` for a token from standard input without one.
    pub client_secret: Option<ClientSecret>,
}

impl Connection {
    /// Whether it is a connection to this service. Its secrets are sent to no other.
    pub fn is_to(&self, base_url: &BaseUrl) -> bool {
        self.details.base_url == base_url.to_string()
    }
}

named_enum! {
    /// Where secrets are stored.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum SecretStorage {
        /// The operating system's keychain.
        Keychain = "keychain",
        /// A file that only its owner can read.
        File = "file",
    }
}

/// Where the user wants secrets to be stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoragePreference {
    /// In the keychain if it can be used, otherwise in a file.
    Auto,
    /// Only there.
    Only(SecretStorage),
}
