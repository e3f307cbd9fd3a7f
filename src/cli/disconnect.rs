//! `disconnect`: ends the token at the service, deletes it here, and proves with a 401 that it is not valid any more.

use serde::Serialize;

use crate::api::{ApiClient, BearerToken, OauthError, RevocationClient, StopReason};
use crate::cli::connection::{self, token_of_environment};
use crate::cli::context::Context;
use crate::cli::credentials::AppCredentials;
use crate::cli::failure::words;
use crate::cli::network::NetworkArgs;
use crate::cli::{CommandError, ExitStatus, token_proof};
use crate::connect::Connection;
use crate::dispatch::DispatchError;

/// Revoke the token, delete it here, and prove it with a 401
///
/// Works without the client secret too. Settings and journal stay. Measurements that were requested stay with the team.
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

const IN_THE_SERVICE: &str =
    "disconnect the app in the team's settings in the service; no copy of the token is left here";

const STILL_GIVEN: &str = "disconnect the app in the team's settings in the service, and remove the token from GUTTERBATCH_TOKEN";

#[derive(Serialize)]
struct DisconnectReport<'a> {
    command: &'static str,
    profile: &'a str,
    revoked: bool,
    proved: bool,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is handed its flags to keep"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    let secrets = connection::secrets(context);
    let saved = secrets.load()?;
    let permitted = connection::permitted(context, &args.network)?;
    let revoker = RevocationClient::new(
        permitted.client.base_url().clone(),
        context.service_version()?,
        args.credentials.known(saved.as_ref())?,
        args.network.timeouts(),
    )?;
    let token = permitted.token;
    let is_saved = is_saved(context, &token, saved.as_ref())?;
    let revocation = context.block_on(async { Ok(revoker.revoke(&token).await) })?;
    // Before the proof, which may be interrupted: whatever the service did, no copy of the token is left here.
    let forgotten = if is_saved { secrets.forget() } else { Ok(()) };
    let proved = prove(&args, context, permitted.client, revocation.as_ref().err());
    forgotten?;
    let advice = if is_saved {
        IN_THE_SERVICE
    } else {
        STILL_GIVEN
    };
    proved.map_err(|failure| failure.hinted(advice))?;
    let profile = &context.common.profile;
    context.console.answer(&format!(
        "disconnected: the service no longer accepts the token of profile `{profile}`"
    ))?;
    context.console.json(&DisconnectReport {
        command: "disconnect",
        profile,
        revoked: revocation.is_ok(),
        proved: true,
    })?;
    Ok(ExitStatus::Done)
}

/// A 401 proves that the token is not valid any more, whatever the revocation answered.
fn prove(
    args: &Args,
    context: &Context,
    client: ApiClient,
    refused: Option<&OauthError>,
) -> Result<(), CommandError> {
    let still = match token_proof::try_ask(context, &args.network, client)? {
        Err(DispatchError::Service(StopReason::Unauthorized)) => return Ok(()),
        outcome => outcome,
    };
    let misfit = |sentence: String| CommandError::new(ExitStatus::Misfit, sentence);
    Err(match (refused, still) {
        (Some(error), Ok(_)) => misfit(format!(
            "the service did not revoke the token and still accepts it: {}",
            words(error)
        )),
        (None, Ok(_)) => {
            misfit("the service said that the token is revoked, but still accepts it".to_owned())
        }
        (Some(OauthError::Transport(lost)), Err(DispatchError::Unreachable { .. })) => {
            CommandError::new(
                ExitStatus::Pending,
                format!("the token may not be revoked: {lost}"),
            )
        }
        // There is no proof either way.
        (
            _,
            Err(
                error @ (DispatchError::QuotaUsedUp { .. }
                | DispatchError::RateLimited { .. }
                | DispatchError::Unreachable { .. }
                | DispatchError::Journal(_)),
            ),
        ) => CommandError::from(error).with_secondary("the revocation is not proved"),
        (Some(error), Err(_)) => misfit(format!(
            "the service did not revoke the token: {}",
            words(error)
        )),
        (None, Err(error)) => misfit(format!(
            "the service said that the token is revoked, but a request with it was not refused with 401: {}",
            CommandError::from(error).message()
        )),
    })
}

/// A token of the environment is not ours to forget, unless it is the saved one as well.
fn is_saved(
    context: &Context,
    token: &BearerToken,
    saved: Option<&Connection>,
) -> Result<bool, CommandError> {
    let from_environment = token_of_environment(context)?.is_some();
    Ok(!from_environment || saved.is_some_and(|saved| saved.token.expose() == token.expose()))
}
