//! The account object: the team and the app that a token belongs to.

use serde::Deserialize;

use crate::api::wire::WireError;

/// The team and the app that a token belongs to.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Account {
    /// The team's id.
    pub team_id: String,
    /// The team's name.
    pub team_name: String,
    /// The app's client id.
    pub client_id: String,
    /// The app's name.
    pub app_name: String,
    /// When the team connected the app; RFC 3339, as the service wrote it.
    pub connected_at: String,
}

#[derive(Deserialize)]
struct AccountJson {
    team: TeamJson,
    app: AppJson,
    connected_at: String,
}

/// The team, in the account object and in the token response.
#[derive(Deserialize)]
pub(super) struct TeamJson {
    /// The team's id.
    pub(super) id: String,
    /// The team's name.
    pub(super) name: String,
}

#[derive(Deserialize)]
struct AppJson {
    client_id: String,
    name: String,
}

/// Parses an account object.
///
/// # Errors
/// Returns a [`WireError`] that says what is missing or of the wrong type.
///
/// # Source
/// S2.3.
pub fn account(json: &str) -> Result<Account, WireError> {
    let AccountJson {
        team,
        app,
        connected_at,
    } = serde_json::from_str(json)?;
    if team.id.is_empty() || app.client_id.is_empty() {
        return Err(WireError("the team or the app has no id".to_owned()));
    }
    Ok(Account {
        team_id: team.id,
        team_name: team.name,
        client_id: app.client_id,
        app_name: app.name,
        connected_at,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_reads_and_passes_over_what_it_does_not_know() {
        let json = r#"{"team":{"id":"t1","name":"Eaves & Co","plan":"x"},"app":{"client_id":"c1","name":"CRM"},
            "connected_at":"2026-01-02T03:04:05Z","more":[1]}"#;
        let account = account(json).unwrap();
        assert_eq!(account.team_id, "t1");
        assert_eq!(account.team_name, "Eaves & Co");
        assert_eq!(account.client_id, "c1");
        assert_eq!(account.app_name, "CRM");
        assert_eq!(account.connected_at, "2026-01-02T03:04:05Z");
    }

    #[test]
    fn an_account_without_a_team_is_not_the_services() {
        for json in [
            "",
            "<html>",
            "{}",
            "null",
            r#"{"team":{"id":"","name":""},"app":{"client_id":"c","name":""},"connected_at":""}"#,
            r#"{"team":{"id":7,"name":""},"app":{"client_id":"c","name":""},"connected_at":""}"#,
        ] {
            assert!(account(json).is_err(), "{json}");
        }
    }
}
