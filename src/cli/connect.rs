//! `connect`: consent through the browser, or a token obtained elsewhere; then GET /me, and everything is saved.

use std::path::PathBuf;
use std::time::Duration;

use serde::Serialize;

use crate::api::{App, BaseUrl, Client, ServiceVersion};
use crate::cli::context::Context;
use crate::cli::network::{Network, duration};
use crate::cli::prompt::{self, Wanted};
use crate::cli::proof::{self, Proof};
use crate::cli::signals::Signals;
use crate::cli::{Exit, Failure, connection};
use crate::connect::{self, Connecting, Connection, Expected, Facts, Place, Secrets, Vault};
use crate::journal::Binding;
use crate::pace::Stopping;

/// Connect to the contractor's team: consent in the browser, once
///
/// Saves address, version and client id in the settings, and the token in the keychain or a private file. What is not
/// given is asked for. A new connection ends the team's earlier one, everywhere.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The app's client id, from the service's developer dashboard
    #[arg(long, env = "GUTTERBATCH_CLIENT_ID", value_name = "ID")]
    client_id: Option<String>,

    /// Read the app's client secret from this file; else from GUTTERBATCH_CLIENT_SECRET, or a hidden prompt
    #[arg(long, value_name = "PATH")]
    client_secret_file: Option<PathBuf>,

    /// Print the link instead of opening a browser
    #[arg(long)]
    no_browser: bool,

    /// Port of this machine for the browser's answer, where the app's redirect URI names one; else any free port
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// How long to wait for the answer
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = duration)]
    timeout: Duration,

    /// Take a token obtained elsewhere from standard input
    #[arg(long, conflicts_with_all = ["no_browser", "port"])]
    token_stdin: bool,

    #[command(flatten)]
    network: Network,
}

const EXAMPLES: &str = "Examples:
  gutterbatch connect
  gutterbatch connect --base-url https://api.example.com --service-version 2026-01-31 --client-id app_1
  gutterbatch connect --profile acme --no-browser --port 8484 --client-secret-file secret.txt
  gutterbatch connect --token-stdin < token.txt";

/// What `connect --json` answers.
#[derive(Serialize)]
struct Document<'a> {
    command: &'static str,
    profile: &'a str,
    base_url: &'a str,
    team: proof::Team<'a>,
    app: proof::App<'a>,
    connected_at: &'a str,
    secrets: &'static str,
}

/// Settings that every way of connecting needs.
struct Service {
    base_url: BaseUrl,
    version: ServiceVersion,
}

pub(super) fn run(args: Args, context: &Context) -> Result<Exit, Failure> {
    let service = service(context)?;
    let secrets = connection::secrets(context);
    let owner = owner(context, &secrets)?;
    if let Some(owner) = &owner {
        // Another service is refused before anyone is asked for consent.
        let base_url = service.base_url.to_string();
        owner.admit(&Binding {
            base_url,
            ..owner.clone()
        })?;
    }
    if args.token_stdin {
        return with_token(&args, context, &service, &secrets, owner.as_ref());
    }
    with_consent(&args, context, service, &secrets, owner.as_ref())
}

fn with_consent(
    args: &Args,
    context: &Context,
    service: Service,
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
    let vault = secrets.prove()?;
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
    save_settings(context, &service, &connection.facts.client_id)?;
    let proof = prove(args, context, &service, &connection)
        .map_err(|failure| failure.in_spite_of("the connection is saved, but was not confirmed"))?;
    finish(context, &vault, connection, proof)
}

/// A token obtained elsewhere must show whose it is before it is stored.
fn with_token(
    args: &Args,
    context: &Context,
    service: &Service,
    secrets: &Secrets,
    owner: Option<&Binding>,
) -> Result<Exit, Failure> {
    let vault = secrets.prove()?;
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

fn service(context: &Context) -> Result<Service, Failure> {
    let base_url = prompt::text(
        context,
        context.common.base_url.as_deref(),
        Wanted {
            what: "service's address",
            flag: "--base-url URL",
            variable: "GUTTERBATCH_BASE_URL",
        },
    )?;
    let version = prompt::text(
        context,
        context.common.service_version.as_deref(),
        Wanted {
            what: "service's version",
            flag: "--service-version YYYY-MM-DD",
            variable: "GUTTERBATCH_SERVICE_VERSION",
        },
    )?;
    Ok(Service {
        base_url: base_url.parse()?,
        version: version.parse()?,
    })
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

/// Whose profile it is: the journal's binding, else the saved connection.
fn owner(context: &Context, secrets: &Secrets) -> Result<Option<Binding>, Failure> {
    if let Some(binding) = proof::bound(context)? {
        return Ok(Some(binding));
    }
    // A damaged file is about to be replaced, and binds nobody.
    let saved = secrets.facts().ok().flatten();
    Ok(saved.map(|(facts, _)| Binding {
        base_url: facts.base_url,
        client_id: facts.client_id,
        app_name: facts.app_name.unwrap_or_default(),
        team_id: facts.team_id,
        team_name: facts.team_name,
        connected_at: facts.connected_at,
    }))
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

fn save_settings(context: &Context, service: &Service, client_id: &str) -> Result<(), Failure> {
    let settings = [
        ("base-url", service.base_url.to_string()),
        ("service-version", service.version.as_str().to_owned()),
        ("client-id", client_id.to_owned()),
    ];
    let settings = settings
        .each_ref()
        .map(|(key, value)| (*key, value.as_str()));
    connect::save_settings(
        &context.home.config_file(),
        &context.common.profile,
        &settings,
    )?;
    Ok(())
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

fn finish(
    context: &Context,
    vault: &Vault<'_>,
    mut connection: Connection,
    proof: Proof,
) -> Result<Exit, Failure> {
    match proof {
        Proof::Account(account) => {
            connection.facts.app_name = Some(account.app_name);
            connection.facts.team_name = account.team_name;
            vault.save(&connection)?;
        }
        Proof::Later(failure) => context.console.warn(&format!(
            "connected, and to be confirmed by the next command: {}",
            failure.message()
        )),
    }
    if connection::token_of_environment()?
        .is_some_and(|token| token.expose() != connection.token.expose())
    {
        context.console.warn(&format!(
            "{} is set and speaks in place of the saved token",
            connection::TOKEN_VARIABLE
        ));
    }
    let Facts {
        base_url,
        client_id,
        app_name,
        team_id,
        team_name,
        connected_at,
    } = &connection.facts;
    let profile = &context.common.profile;
    let kept = match vault.place() {
        Place::Keychain => "the keychain",
        Place::File => "a file that only you can read",
    };
    context.console.answer(&format!(
        "connected to {team_name} ({team_id}) at {base_url}\nprofile `{profile}`; the token is in {kept}"
    ))?;
    context.console.json(&Document {
        command: "connect",
        profile,
        base_url,
        team: proof::Team {
            id: team_id,
            name: team_name,
        },
        app: proof::App {
            client_id,
            name: app_name.as_deref(),
        },
        connected_at,
        secrets: vault.place().name(),
    })?;
    Ok(Exit::Done)
}
