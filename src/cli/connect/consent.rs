//! The usual way to connect: a person consents in the browser.

use crate::api::OauthApp;
use crate::cli::connect::{Args, ConnectEnvironment, finish, opener};
use crate::cli::context::Context;
use crate::cli::signals::SignalListener;
use crate::cli::token_proof::{self, TokenProof};
use crate::cli::{CommandError, ExitStatus};
use crate::connect::{self, Connection, ConnectionRequest, ExpectedTeam, ProvenStorage};
use crate::dispatch::StopStage;
use crate::journal::Binding;

/// Asks for consent, saves the token, and lets GET /me confirm it.
pub(super) fn ask_consent(ground: &ConnectEnvironment<'_>) -> Result<ExitStatus, CommandError> {
    // What is saved and cannot be read is asked for anew.
    let saved = ground.secrets.load().ok().flatten();
    let app = ground.args.credentials.app(ground.context, saved)?;
    ground.admit(|owner| Binding {
        client_id: app.client_id.clone(),
        ..owner
    })?;
    let vault = ground.prove()?;
    ground.context.console.say(
        "a new connection ends the team's earlier one everywhere: other programs and machines that use it stop working",
    );
    let connection = consented(ground, app, vault)?;
    ground.save_settings(&connection.facts.client_id)?;
    let proof = confirm(ground, &connection).map_err(unconfirmed)?;
    finish(ground.context, &vault, connection, proof)
}

/// What stands is worth keeping: asking for another consent would end it.
fn unconfirmed(failure: CommandError) -> CommandError {
    let failure = match failure.exit {
        ExitStatus::Pending => {
            failure.hinted("`gutterbatch whoami` confirms it, once the service answers")
        }
        _ => failure,
    };
    failure.with_secondary("the connection is saved, but was not confirmed")
}

fn consented(
    ground: &ConnectEnvironment<'_>,
    app: OauthApp,
    vault: ProvenStorage<'_>,
) -> Result<Connection, CommandError> {
    let ConnectEnvironment { args, context, .. } = ground;
    let plan = ConnectionRequest {
        base_url: ground.base_url.clone(),
        version: ground.version.clone(),
        app,
        port: args.port,
        patience: args.timeout,
        timeouts: args.network.timeouts(),
        expected: ground.owner.as_ref().map(|owner| ExpectedTeam {
            team_id: owner.team_id.clone(),
            team_name: owner.team_name.clone(),
        }),
    };
    context.block_on(async {
        let signals = SignalListener::listen()?;
        let stop = signals.stop();
        let interrupted = stop.reached(StopStage::Draining);
        let invite = |link: &str| print_authorization_link(args, context, link);
        match connect::run(plan, vault, invite, interrupted).await {
            Err(connect::Error::Interrupted) => {
                Err(CommandError::new(signals.exit(), "interrupted"))
            }
            outcome => Ok(outcome?),
        }
    })
}

/// Brings the link before the person who may consent.
fn print_authorization_link(args: &Args, context: &Context, link: &str) {
    if args.no_browser {
        context.console.show(link);
    } else if opener::open(link).is_ok() {
        context
            .console
            .say("waiting for the consent page in your browser; if none opened, open this link:");
        context.console.say(link);
    } else {
        context
            .console
            .say("no browser could be opened; open this link:");
        context.console.show(link);
    }
}

/// GET /me with the fresh token; what it says must agree with what the token endpoint said.
fn confirm(
    ground: &ConnectEnvironment<'_>,
    connection: &Connection,
) -> Result<TokenProof, CommandError> {
    let client = ground.client(&connection.token)?;
    let proof = token_proof::ask(ground.context, &ground.args.network, client)?;
    if let TokenProof::Account(account) = &proof {
        let facts = &connection.facts;
        if account.team_id != facts.team_id || account.client_id != facts.client_id {
            let message = "GET /me speaks of another team or app than the token's answer";
            return Err(CommandError::new(ExitStatus::Misfit, message)
                .hinted("is this the service's address?"));
        }
        token_proof::bind(ground.context, &ground.base_url, account, &connection.token)?;
    }
    Ok(proof)
}
