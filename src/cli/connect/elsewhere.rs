//! Connecting with a token that was obtained elsewhere.

use crate::api::Client;
use crate::cli::connect::{Args, Service, finish, proved, save_settings};
use crate::cli::context::Context;
use crate::cli::proof::{self, Proof};
use crate::cli::{Exit, Failure, prompt};
use crate::connect::{Connection, Facts, Secrets};
use crate::journal::Binding;

/// The token must show whose it is before it is stored.
pub(super) fn with_token(
    args: &Args,
    context: &Context,
    service: &Service,
    secrets: &Secrets,
    owner: Option<&Binding>,
) -> Result<Exit, Failure> {
    let vault = proved(context, secrets)?;
    let token = prompt::token(context)?;
    let client_secret = prompt::given_secret(args.client_secret_file.as_deref(), None)?;
    let client = Client::new(
        service.base_url.clone(),
        service.version.clone(),
        token.clone(),
        args.network.timeouts(),
    )?;
    let account = match proof::ask(context, &args.network, client)? {
        Proof::Account(account) => account,
        Proof::Later(failure) => return Err(failure),
    };
    let facts = Facts {
        base_url: service.base_url.to_string(),
        client_id: account.client_id.clone(),
        app_name: Some(account.app_name.clone()),
        team_id: account.team_id.clone(),
        team_name: account.team_name.clone(),
        connected_at: account.connected_at.clone(),
    };
    if let Some(owner) = owner {
        owner.admit(&proof::binding(&service.base_url, &account))?;
    }
    let connection = Connection {
        facts,
        token,
        client_secret,
    };
    vault.save(&connection)?;
    save_settings(context, service, &connection.facts.client_id)?;
    proof::bind(context, &service.base_url, &account, &connection.token)?;
    finish(context, &vault, connection, Proof::Account(account))
}
