//! What a client needs to know in order to use a sandbox.

use serde::Serialize;

/// The address, version and credentials of a running sandbox.
#[expect(missing_debug_implementations, reason = "it holds secrets")]
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
