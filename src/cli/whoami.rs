//! `whoami`: team, app and connection, as the service has them.

use serde::Serialize;

use crate::cli::connection::{self, Permitted};
use crate::cli::context::Context;
use crate::cli::network::Network;
use crate::cli::proof::{self, Proof};
use crate::cli::{Exit, Failure};
use crate::model::{App, Team};

/// Ask the service who is connected: team, app, since when
///
/// Spends one request of the team's quota.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    network: Network,
}

const EXAMPLES: &str = "Examples:
  gutterbatch whoami
  gutterbatch whoami --profile acme --json";

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    profile: &'a str,
    base_url: String,
    team: Team,
    app: App,
    connected_at: &'a str,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is handed its flags to keep"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let Permitted { client, .. } = connection::permitted(context, &args.network)?;
    let base_url = client.base_url().clone();
    let account = match proof::ask(context, &args.network, client)? {
        Proof::Account(account) => account,
        Proof::Later(failure) => return Err(failure),
    };
    let profile = &context.common.profile;
    context.console.answer(&format!(
        "team       {} ({})\napp        {} ({})\nconnected  {}\nservice    {base_url}\nprofile    {profile}",
        account.team_name, account.team_id, account.app_name, account.client_id, account.connected_at
    ))?;
    context.console.json(&Document {
        command: "whoami",
        profile,
        base_url: base_url.to_string(),
        team: Team {
            id: account.team_id.clone(),
            name: account.team_name.clone(),
        },
        app: App {
            client_id: account.client_id.clone(),
            name: Some(account.app_name.clone()),
        },
        connected_at: &account.connected_at,
    })?;
    // The answer is worth showing even where the journal is another team's.
    if let Some(bound) = proof::bound(context)? {
        bound.admit(&proof::binding(&base_url, &account))?;
    }
    Ok(Exit::Done)
}
