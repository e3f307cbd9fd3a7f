//! The account object: the team and the app that a token belongs to.

use serde::Deserialize;

use crate::api::wire::WireError;
use crate::model::{Account, Team};

/// The team and the app that a token belongs to, from GET /me.
///
/// # Source
/// S2.3.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct AccountJson {
    team: Team,
    app: AppJson,
    connected_at: String,
}

impl AccountJson {
    /// Returns the account at the service with this base address.
    pub fn at(self, base_url: String) -> Account {
        Account {
            base_url,
            client_id: self.app.client_id,
            app_name: Some(self.app.name),
            team_id: self.team.id,
            team_name: self.team.name,
            connected_at: self.connected_at,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
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
pub fn account(json: &str) -> Result<AccountJson, WireError> {
    let account: AccountJson = serde_json::from_str(json)?;
    if account.team.id.is_empty() || account.app.client_id.is_empty() {
        return Err(WireError("the team or the app has no id".to_owned()));
    }
    Ok(account)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_reads_and_passes_over_what_it_does_not_know() {
        let json = r#"{"team":{"id":"t1","name":"Eaves & Co","plan":"x"},"app":{"client_id":"c1","name":"CRM"},
            "connected_at":"2026-01-02T03:04:05Z","more":[1]}"#;
        let account = account(json).unwrap().at("http://s".to_owned());
        assert_eq!(account.base_url, "http://s");
        assert_eq!(account.team_id, "t1");
        assert_eq!(account.team_name, "Eaves & Co");
        assert_eq!(account.client_id, "c1");
        assert_eq!(account.app_name.as_deref(), Some("CRM"));
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
