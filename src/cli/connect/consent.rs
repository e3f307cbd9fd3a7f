//! The usual way to connect: a person consents in the browser.

use crate::api::{App, Client};
use crate::cli::connect::{Args, Service, finish, proved, save_settings};
use crate::cli::context::Context;
use crate::cli::prompt::{self, Wanted};
use crate::cli::proof::{self, Proof};
use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure};
use crate::connect::{self, Connecting, Connection, Expected, Secrets};
use crate::journal::Binding;
use crate::pace::Stopping;

/// Asks for consent, saves the token, and lets GET /me confirm it.
pub(super) fn with_consent(
    args: &Args,
    context: &Context,
    service: &Service,
    secrets: &Secrets,
    owner: Option<&Binding>,
) -> Result<Exit, Failure> {
    let app = app(args, context, secrets)?;
    if let Some(owner) = owner {
        owner.admit(&Binding {
            client_id: app.client_id.clone(),
            ..owner.clone()
        })?;
    }
    let vault = proved(context, secrets)?;
    context.console.say(
        "a new connection ends the team's earlier one everywhere: other programs and machines that use it stop working",
    );
    let plan = Connecting {
        base_url: service.base_url.clone(),
        version: service.version.clone(),
        app,
        port: args.port,
        patience: args.timeout,
        timeouts: args.network.timeouts(),
        expected: owner.map(|owner| Expected {
            team_id: owner.team_id.clone(),
            team_name: owner.team_name.clone(),
        }),
    };
    let connection = context.block_on(async {
        let stop = Signals::listen()?;
        let interrupted = stop.stop();
        let outcome = connect::run(
            plan,
            vault,
            |link| invite(args, context, link),
            interrupted.reached(Stopping::Draining),
        );
        match outcome.await {
            Err(connect::Error::Interrupted) => Err(Failure::new(stop.exit(), "interrupted")),
            outcome => Ok(outcome?),
        }
    })?;
    save_settings(context, service, &connection.facts.client_id)?;
    let proof = prove(args, context, service, &connection)
        .map_err(|failure| failure.in_spite_of("the connection is saved, but was not confirmed"))?;
    finish(context, &vault, connection, proof)
}

fn app(args: &Args, context: &Context, secrets: &Secrets) -> Result<App, Failure> {
    let client_id = prompt::text(
        context,
        args.client_id.as_deref(),
        Wanted {
            what: "client id",
            flag: "--client-id ID",
            variable: "GUTTERBATCH_CLIENT_ID",
        },
    )?;
    // A saved secret serves again where it is the same app's; one that cannot be read is asked for anew.
    let saved = secrets.load().ok().flatten();
    let saved = saved.filter(|saved| saved.facts.client_id == client_id);
    let client_secret = prompt::secret(
        context,
        args.client_secret_file.as_deref(),
        saved.and_then(|saved| saved.client_secret),
    )?;
    Ok(App {
        client_id,
        client_secret,
    })
}

/// Brings the link before the person who may consent.
fn invite(args: &Args, context: &Context, link: &str) {
    if args.no_browser {
        context.console.show(link);
    } else if webbrowser::open(link).is_ok() {
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
fn prove(
    args: &Args,
    context: &Context,
    service: &Service,
    connection: &Connection,
) -> Result<Proof, Failure> {
    let client = Client::new(
        service.base_url.clone(),
        service.version.clone(),
        connection.token.clone(),
        args.network.timeouts(),
    )?;
    let proof = proof::ask(context, &args.network, client)?;
    if let Proof::Account(account) = &proof {
        let facts = &connection.facts;
        if account.team_id != facts.team_id || account.client_id != facts.client_id {
            let message = "GET /me speaks of another team or app than the token's answer";
            return Err(
                Failure::new(Exit::Misfit, message).hinted("is this the service's address?")
            );
        }
        proof::bind(context, &service.base_url, account, &connection.token)?;
    }
    Ok(proof)
}
