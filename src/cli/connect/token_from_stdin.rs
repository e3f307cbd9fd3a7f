//! Connecting with a token from standard input.

use crate::cli::connect::{ConnectEnvironment, finish};
use crate::cli::{CommandError, ExitStatus, prompt, token_account};
use crate::connect::Connection;

/// Reads the token, and stores it once GET /me has named its team.
pub(super) fn read_token(environment: &ConnectEnvironment<'_>) -> Result<ExitStatus, CommandError> {
    let storage = environment.check_storage()?;
    let token = prompt::token(environment.context)?;
    let client_secret = environment.args.credentials.secret()?;
    let client = environment.client(&token)?;
    let account = token_account::ask(environment.context, &environment.args.network, client)?;
    environment.require_owner(|_| account.clone())?;
    let connection = Connection {
        details: account.clone(),
        token,
        client_secret,
    };
    storage.save(&connection)?;
    environment.save_settings(&connection.details.client_id)?;
    token_account::bind(environment.context, &account, &connection.token)?;
    finish(environment.context, &storage, connection, Some(account))
}
