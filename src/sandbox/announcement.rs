//! What a client needs to know in order to use a sandbox.

use std::fmt;

use serde::Serialize;

/// The address, version and credentials of a running sandbox. Serialization includes the secrets, `Debug` hides them.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Announcement {
    /// The base address, without a trailing slash.
    pub base_url: String,
    /// The version to send in `Service-Version`.
    pub service_version: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's client secret.
    pub client_secret: String,
    /// The redirect URIs that are registered.
    pub redirect_uris: Vec<String>,
    /// A valid token of the first team.
    pub token: String,
}

impl fmt::Debug for Announcement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Announcement")
            .field("base_url", &self.base_url)
            .field("service_version", &self.service_version)
            .field("client_id", &self.client_id)
            .field("client_secret", &"****")
            .field("redirect_uris", &self.redirect_uris)
            .field("token", &"****")
            .finish()
    }
}
