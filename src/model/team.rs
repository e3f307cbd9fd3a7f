//! The identity behind a connection: a contractor's team and an app.

use serde::Serialize;

/// A contractor's team.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Team {
    /// The service's id of the team.
    pub id: String,
    /// The team's name.
    pub name: String,
}

/// An app that is registered with the service.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppIdentity {
    /// The app's client id.
    pub client_id: String,
    /// The app's name, if known.
    pub name: Option<String>,
}
