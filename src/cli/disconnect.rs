//! `disconnect`: ends the token at the service, proves it with a 401, and only then forgets it.

use serde::Serialize;

use crate::api::{Client, Oauth, OauthError, Stop, Token};
use crate::cli::connection::{self, token_of_environment};
use crate::cli::context::Context;
use crate::cli::credentials::Credentials;
use crate::cli::failure::words;
use crate::cli::network::Network;
use crate::cli::{Exit, Failure, proof};
use crate::connect::Connection;
use crate::pace::Halt;

/// Revoke the token, prove it with a 401, and forget it
///
/// Settings and journal stay. Measurements that were requested stay with the team.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    credentials: Credentials,

    #[command(flatten)]
    network: Network,
}

const EXAMPLES: &str = "Examples:
  gutterbatch disconnect
  gutterbatch disconnect --profile acme";

const IN_THE_SERVICE: &str = "disconnect the app in the team's settings in the service; then `gutterbatch disconnect` again proves it and forgets the token";

const ONCE_MORE: &str = "the token is kept; run `gutterbatch disconnect` again";

#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    profile: &'a str,
    revoked: bool,
    proved: bool,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is handed its flags to keep"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let secrets = connection::secrets(context);
    let saved = secrets.load()?;
    let permitted = connection::permitted(context, &args.network)?;
    let oauth = Oauth::new(
        permitted.client.base_url().clone(),
        context.service_version()?,
        args.credentials.app(context, saved.clone())?,
        args.network.timeouts(),
    )?;
    let token = permitted.token;
    let revoked = context.block_on(async { Ok(oauth.revoke(&token).await) })?;
    prove(&args, context, permitted.client, revoked.as_ref().err())?;
    if is_saved(context, &token, saved.as_ref())? {
        secrets.forget()?;
    }
    let profile = &context.common.profile;
    context.console.answer(&format!(
        "disconnected: the service no longer accepts the token of profile `{profile}`"
    ))?;
    context.console.json(&Document {
        command: "disconnect",
        profile,
        revoked: revoked.is_ok(),
        proved: true,
    })?;
    Ok(Exit::Done)
}

/// A 401 proves that the token is dead, whatever the revocation answered. With anything else the token is kept.
fn prove(
    args: &Args,
    context: &Context,
    client: Client,
    refused: Option<&OauthError>,
) -> Result<(), Failure> {
    let still = match proof::try_ask(context, &args.network, client)? {
        Err(Halt::Stop(Stop::Unauthorized)) => return Ok(()),
        outcome => outcome,
    };
    let misfit = |sentence: String| Failure::new(Exit::Misfit, sentence).hinted(IN_THE_SERVICE);
    Err(match (refused, still) {
        (Some(OauthError::Failure(lost)), Err(Halt::Unreachable { .. })) => Failure::new(
            Exit::Pending,
            format!("the token may not be revoked: {lost}"),
        )
        .hinted(ONCE_MORE),
        // There is no proof either way.
        (_, Err(halt @ (Halt::Spent { .. } | Halt::Limited { .. } | Halt::Journal(_)))) => {
            Failure::from(halt)
                .in_spite_of("the revocation is not proved yet")
                .hinted(ONCE_MORE)
        }
        (Some(OauthError::Failure(lost)), _) => {
            misfit(format!("the service did not revoke the token: {lost}")).hinted(ONCE_MORE)
        }
        (Some(error), _) => misfit(format!(
            "the service did not revoke the token: {}",
            words(error)
        )),
        (None, Ok(_)) => {
            misfit("the service said that the token is revoked, but still accepts it".to_owned())
        }
        (None, Err(halt)) => misfit(format!(
            "the service said that the token is revoked, but the proof is no 401: {}",
            Failure::from(halt).message()
        ))
        .hinted(ONCE_MORE),
    })
}

/// A token of the environment is not ours to forget, unless it is the saved one as well.
fn is_saved(context: &Context, token: &Token, saved: Option<&Connection>) -> Result<bool, Failure> {
    let from_environment = token_of_environment(context)?.is_some();
    Ok(!from_environment || saved.is_some_and(|saved| saved.token.expose() == token.expose()))
}
