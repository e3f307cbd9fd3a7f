//! Connecting with a token that was obtained elsewhere.

use crate::cli::connect::{ConnectEnvironment, finish};
use crate::cli::token_proof::{self, TokenProof};
use crate::cli::{CommandError, ExitStatus, prompt};
use crate::connect::{Connection, ConnectionDetails};

/// Takes the token from standard input. It must show whose it is before it is stored.
pub(super) fn read_token(ground: &ConnectEnvironment<'_>) -> Result<ExitStatus, CommandError> {
    let vault = ground.prove()?;
    let token = prompt::token(ground.context)?;
    let client_secret = ground.args.credentials.secret()?;
    let client = ground.client(&token)?;
    let account = match token_proof::ask(ground.context, &ground.args.network, client)? {
        TokenProof::Account(account) => account,
        TokenProof::Later(failure) => return Err(failure),
    };
    ground.admit(|_| token_proof::binding(&ground.base_url, &account))?;
    let connection = Connection {
        facts: ConnectionDetails {
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
    token_proof::bind(
        ground.context,
        &ground.base_url,
        &account,
        &connection.token,
    )?;
    finish(
        ground.context,
        &vault,
        connection,
        TokenProof::Account(account),
    )
}
