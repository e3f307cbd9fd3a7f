//! Connecting with a token that was obtained elsewhere.

use crate::cli::connect::{Ground, finish};
use crate::cli::proof::{self, Proof};
use crate::cli::{Exit, Failure, prompt};
use crate::connect::{Connection, Facts};

/// Takes the token from standard input. It must show whose it is before it is stored.
pub(super) fn take_token(ground: &Ground<'_>) -> Result<Exit, Failure> {
    let vault = ground.prove()?;
    let token = prompt::token(ground.context)?;
    let client_secret = ground.args.credentials.secret()?;
    let client = ground.client(&token)?;
    let account = match proof::ask(ground.context, &ground.args.network, client)? {
        Proof::Account(account) => account,
        Proof::Later(failure) => return Err(failure),
    };
    ground.admit(|_| proof::binding(&ground.base_url, &account))?;
    let connection = Connection {
        facts: Facts {
            base_url: ground.base_url.to_string(),
            client_id: account.client_id.clone(),
            app_name: Some(account.app_name.clone()),
            team_id: account.team_id.clone(),
            team_name: account.team_name.clone(),
            connected_at: account.connected_at.clone(),
        },
        token,
        client_secret,
    };
    vault.save(&connection)?;
    ground.save_settings(&connection.facts.client_id)?;
    proof::bind(
        ground.context,
        &ground.base_url,
        &account,
        &connection.token,
    )?;
    finish(ground.context, &vault, connection, Proof::Account(account))
}
