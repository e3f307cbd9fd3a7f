//! `whoami`: prints team, app and connection as the service reports them.

use crate::cli::connection;
use crate::cli::context::Context;
use crate::cli::document::report;
use crate::cli::network::NetworkArgs;
use crate::cli::{CommandError, ExitStatus, clock, token_account};
use crate::model::json_time_of_service;

/// Show the connected team and app, and since when
///
/// Uses one request of the team's quota.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    network: NetworkArgs,
}

const EXAMPLES: &str = "Examples:
  gutterbatch whoami
  gutterbatch whoami --profile acme --json";

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let client = connection::authorized_client(context, &args.network)?;
    let account = token_account::ask(context, &args.network, client)?;
    let profile = &context.common.profile;
    let connected_at = json_time_of_service(&account.connected_at);
    let connected = connected_at.parse().map(clock::dated);
    let connected = connected.as_ref().unwrap_or(&connected_at);
    context.console.print_result(&format!(
        "team       {} ({})\napp        {} ({})\nconnected  {connected}\nservice    {}\nprofile    {profile}",
        account.team_name,
        account.team_id,
        account.app_name.as_deref().unwrap_or_default(),
        account.client_id,
        account.base_url
    ))?;
    // The answer is printed even if the journal belongs to another team.
    let compared = match token_account::bound(context)? {
        Some(bound) => bound.require_same_account(&account),
        None => Ok(()),
    };
    let failure = compared.err().map(CommandError::from);
    let exit = failure
        .as_ref()
        .map_or(ExitStatus::Done, CommandError::exit);
    let report = report! {"whoami", exit;
        profile: profile,
        base_url: account.base_url,
        team: account.team(),
        app: account.app(),
        connected_at: connected_at,
    };
    context.console.json_with(&report, failure.as_ref())?;
    failure.map_or(Ok(exit), Err)
}
