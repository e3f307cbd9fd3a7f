//! The identity behind a connection: a contractor's team and an app.

use serde::{Deserialize, Serialize};

/// A contractor's team.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// The account that a token belongs to: one service, app and team.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The service's base address.
    pub base_url: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's name; none before GET /me reported it.
    pub app_name: Option<String>,
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team_name: String,
    /// When the team connected the app; RFC 3339, as the service wrote it.
    pub connected_at: String,
}

impl Account {
    /// Returns the team.
    pub fn team(&self) -> Team {
        Team {
            id: self.team_id.clone(),
            name: self.team_name.clone(),
        }
    }

    /// Returns the app.
    pub fn app(&self) -> AppIdentity {
        AppIdentity {
            client_id: self.client_id.clone(),
            name: self.app_name.clone(),
        }
    }
}
