//! Who is connected: a contractor's team, and the app that speaks for it.

use serde::Serialize;

/// A contractor's team.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Team {
    /// Its id.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// An app that is registered with the service.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AppIdentity {
    /// Its client id.
    pub client_id: String,
    /// Its name, where it is known.
    pub name: Option<String>,
}
