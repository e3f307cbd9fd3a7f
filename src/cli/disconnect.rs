//! `disconnect`: revokes the token, deletes the saved copy, and verifies with a 401 that the token is no longer valid.

use crate::api::{ApiClient, BearerToken, FatalResponse, OauthClient, OauthError};
use crate::cli::common_args::TOKEN_VARIABLE;
use crate::cli::connection::{self, token_of_environment};
use crate::cli::context::{Context, block_on};
use crate::cli::credentials::AppCredentials;
use crate::cli::document::report;
use crate::cli::network::NetworkArgs;
use crate::cli::{CliError, CommandError, ExitStatus, token_account};
use crate::connect::Connection;
use crate::dispatch::DispatchError;

/// Revoke the token, delete the saved copy, and verify that the token is no longer valid
///
/// Also works without the client secret. Settings and journal stay, and so do the measurements that were requested.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    credentials: AppCredentials,

    #[command(flatten)]
    network: NetworkArgs,
}

const EXAMPLES: &str = "Examples:
  gutterbatch disconnect
  gutterbatch disconnect --profile acme";

const DISCONNECT_IN_SERVICE: &str =
    "disconnect the app in the team's settings in the service; no copy of the token is left here";

const REMOVE_FROM_ENVIRONMENT: &str = "disconnect the app in the team's settings in the service, and remove the token from GUTTERBATCH_TOKEN";

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let secrets = connection::secrets(context);
    let client = connection::authorized_client(context, &args.network)?;
    // With a token of the environment, the service may be another one than that of the saved connection.
    let saved = secrets.load()?;
    let saved = saved.filter(|saved| saved.is_to(client.base_url()));
    let oauth = OauthClient::new(
        client.base_url().clone(),
        context.service_version()?,
        args.network.timeouts(),
    )?
    .observed_by(context.request_log.observer());
    let credentials = args.credentials.known(saved.as_ref())?;
    let is_saved = is_saved(client.token(), saved.as_ref())?;
    let revocation = block_on(async { Ok(oauth.revoke(&credentials, client.token()).await) })?;
    // Before the verification, which may be interrupted: no copy of the token stays on this computer in any case.
    let forgotten = if is_saved { secrets.forget() } else { Ok(()) };
    let verified = verify_revoked(args, context, client, revocation.as_ref().err());
    forgotten?;
    let advice = if is_saved {
        DISCONNECT_IN_SERVICE
    } else {
        REMOVE_FROM_ENVIRONMENT
    };
    verified.map_err(|failure| failure.hinted(advice))?;
    let profile = &context.common.profile;
    let token_place = if is_saved {
        format!("profile `{profile}`")
    } else {
        TOKEN_VARIABLE.to_owned()
    };
    context.console.print_result(&format!(
        "disconnected: the service no longer accepts the token of {token_place}"
    ))?;
    context
        .console
        .json(&report! {"disconnect", ExitStatus::Done;
            profile: profile,
            revoked: revocation.is_ok(),
            proved: true,
        })?;
    Ok(ExitStatus::Done)
}

/// Verifies with GET /me that the service responds with 401, regardless of the response to the revocation.
fn verify_revoked(
    args: &Args,
    context: &Context,
    client: ApiClient,
    refused: Option<&OauthError>,
) -> Result<(), CommandError> {
    let answered = match token_account::try_ask(context, &args.network, client)? {
        Err(DispatchError::Service(FatalResponse::Unauthorized)) => return Ok(()),
        outcome => outcome,
    };
    let found = match answered {
        Ok(_) => "the service still accepts it".to_owned(),
        Err(DispatchError::Service(stop)) => format!(
            "a request with it was not refused with 401: {}",
            CommandError::from(stop).message()
        ),
        // Whether the token is valid is unknown.
        Err(error) => {
            return Err(CommandError::from(error).within("the revocation is not confirmed"));
        }
    };
    let refused = refused.map(ToString::to_string);
    Err(CliError::NotRevoked { found, refused }.into())
}

/// Whether the token is the saved one, which is deleted; a token of the environment may also be the saved one.
fn is_saved(token: &BearerToken, saved: Option<&Connection>) -> Result<bool, CommandError> {
    let from_environment = token_of_environment()?.is_some();
    Ok(!from_environment || saved.is_some_and(|saved| saved.token.expose() == token.expose()))
}
