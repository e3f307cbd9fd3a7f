//! What a client needs to know in order to use a sandbox.

use std::fmt;

use serde::Serialize;

/// Where the sandbox is and how to speak with it. Serialises with its secrets; its `Debug` hides them.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Announcement {
    /// The one base address, without a slash at its end.
    pub base_url: String,
    /// The version to send in `Service-Version`.
    pub service_version: String,
    /// The app's public name in the OAuth exchange.
    pub client_id: String,
    /// The app's secret.
    pub client_secret: String,
    /// Where the browser may be sent back to.
    pub redirect_uris: Vec<String>,
    /// The token of a ready-made connection to the first team.
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
