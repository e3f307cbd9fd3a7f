//! Connecting with a token from standard input.

use crate::cli::connect::{ConnectEnvironment, finish};
use crate::cli::{CommandError, ErrorKind, ExitStatus, prompt, token_account};
use crate::connect::Connection;

/// Reads the token, and stores it once GET /me has named its team.
pub(super) fn read_token(environment: &ConnectEnvironment<'_>) -> Result<ExitStatus, CommandError> {
    let storage = environment.check_storage(&environment.secrets)?;
    let token = prompt::token(environment.context)?;
    let client_secret = environment.args.credentials.secret()?;
    let client = environment.client(&token)?;
    let account = token_account::ask(environment.context, &environment.args.network, client);
    let account = account.map_err(|failure| match failure.kind() {
        ErrorKind::TokenRejected => failure.hinted(
            "a team has one valid connection, and a newer one may have ended that of this token: give the newest token, or connect in the browser with `gutterbatch connect`",
        ),
        _ => failure,
    })?;
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
