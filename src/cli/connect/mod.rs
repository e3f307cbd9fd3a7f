//! `connect`: consent through the browser, or a token obtained elsewhere; then GET /me, and everything is saved.

mod consent;
mod opener;
mod token_from_stdin;

use std::time::Duration;

use serde::Serialize;

use crate::api::{ApiClient, BaseUrl, BearerToken, ServiceVersion};
use crate::cli::context::Context;
use crate::cli::credentials::AppCredentials;
use crate::cli::failure::unsynced_folder;
use crate::cli::network::{NetworkArgs, duration};
use crate::cli::prompt::{self, PromptedSetting};
use crate::cli::token_proof::{self, TokenProof};
use crate::cli::{CommandError, ExitStatus, connection};
use crate::connect::{
    self, Connection, ConnectionDetails, ProvenStorage, SecretStorage, SecretStore,
};
use crate::journal::{Binding, Journal};
use crate::model::{AppIdentity, Team};

/// Connect to the contractor's team through the browser, once
///
/// Saves address, version and client id in the settings, and the token in the keychain or a private file. Asks for what
/// is not given. A new connection ends the earlier connection of the team on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    credentials: AppCredentials,

    /// Print the link instead of opening a browser
    #[arg(long)]
    no_browser: bool,

    /// Port of this machine that the app's redirect URI names [default: any free port]
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    port: u16,

    /// How long to wait for the browser
    #[arg(long, value_name = "DURATION", default_value = "5m", value_parser = duration)]
    timeout: Duration,

    /// Read a token obtained elsewhere from standard input
    #[arg(long, conflicts_with_all = ["no_browser", "port"])]
    token_stdin: bool,

    /// Open this link and do nothing else; used by the program itself
    #[arg(long = opener::FLAG, hide = true, value_name = "LINK")]
    open_link: Option<String>,

    #[command(flatten)]
    network: NetworkArgs,
}

const EXAMPLES: &str = "Examples:
  gutterbatch connect
  gutterbatch connect --base-url https://api.example.com --service-version 2026-01-31 --client-id app_1
  gutterbatch connect --profile acme --no-browser --port 8484 --client-secret-file secret.txt
  gutterbatch connect --token-stdin < token.txt";

/// What `connect --json` answers.
#[derive(Serialize)]
struct ConnectReport<'a> {
    command: &'static str,
    profile: &'a str,
    base_url: &'a str,
    team: Team,
    app: AppIdentity,
    connected_at: &'a str,
    secrets: &'static str,
}

/// What every way of connecting needs.
struct ConnectEnvironment<'a> {
    args: &'a Args,
    context: &'a Context,
    base_url: BaseUrl,
    version: ServiceVersion,
    secrets: SecretStore,
    /// Whose profile it is, where it is somebody's.
    owner: Option<Binding>,
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "every command is handed its flags to keep"
)]
pub(super) fn run(args: Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if let Some(link) = &args.open_link {
        return opener::run(link);
    }
    let base_url = base_url(context)?;
    let version = version(context)?;
    let secrets = connection::secrets(context);
    let owner = owner(context, &secrets)?;
    let ground = ConnectEnvironment {
        args: &args,
        context,
        base_url,
        version,
        secrets,
        owner,
    };
    // Another service is refused before anyone is asked for consent.
    ground.admit(|owner| Binding {
        base_url: ground.base_url.to_string(),
        ..owner
    })?;
    if args.token_stdin {
        token_from_stdin::read_token(&ground)
    } else {
        consent::ask_consent(&ground)
    }
}

impl ConnectEnvironment<'_> {
    /// Refuses what differs from the profile's owner.
    fn admit(&self, change: impl FnOnce(Binding) -> Binding) -> Result<(), CommandError> {
        match &self.owner {
            Some(owner) => Ok(owner.require_same_account(&change(owner.clone()))?),
            None => Ok(()),
        }
    }

    /// Shows that settings, journal and token can be written, before anything is asked of anyone.
    fn prove(&self) -> Result<ProvenStorage<'_>, CommandError> {
        let profile = &self.context.common.profile;
        connect::prove_settings(&self.context.home.config_file(), profile)?;
        Journal::check_writable(&self.context.journal_path())?;
        Ok(self.secrets.prove()?)
    }

    fn client(&self, token: &BearerToken) -> Result<ApiClient, CommandError> {
        let timeouts = self.args.network.timeouts();
        let (base_url, version) = (self.base_url.clone(), self.version.clone());
        Ok(ApiClient::new(base_url, version, token.clone(), timeouts)?)
    }

    fn save_settings(&self, client_id: &str) -> Result<(), CommandError> {
        let base_url = self.base_url.to_string();
        let settings = [
            ("base-url", base_url.as_str()),
            ("service-version", self.version.as_str()),
            ("client-id", client_id),
        ];
        let (file, profile) = (
            self.context.home.config_file(),
            &self.context.common.profile,
        );
        let unsynced = connect::save_settings(&file, profile, &settings).map_err(|error| {
            CommandError::from(error).with_secondary("the token is saved, but the settings are not")
        })?;
        if let Some(unsynced) = unsynced {
            self.context.console.warn(&unsynced_folder(&unsynced));
        }
        Ok(())
    }
}

fn base_url(context: &Context) -> Result<BaseUrl, CommandError> {
    let wanted = PromptedSetting {
        what: "service's address",
        flag: "--base-url URL",
        variable: "GUTTERBATCH_BASE_URL",
    };
    Ok(prompt::text(context, context.common.base_url.as_deref(), wanted)?.parse()?)
}

fn version(context: &Context) -> Result<ServiceVersion, CommandError> {
    let wanted = PromptedSetting {
        what: "service's version",
        flag: "--service-version YYYY-MM-DD",
        variable: "GUTTERBATCH_SERVICE_VERSION",
    };
    Ok(prompt::text(context, context.common.service_version.as_deref(), wanted)?.parse()?)
}

/// Whose profile it is: the journal's binding, else the saved connection.
fn owner(context: &Context, secrets: &SecretStore) -> Result<Option<Binding>, CommandError> {
    if let Some(binding) = token_proof::bound(context)? {
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

/// Saves what GET /me added, and says what stands.
fn finish(
    context: &Context,
    vault: &ProvenStorage<'_>,
    mut connection: Connection,
    proof: TokenProof,
) -> Result<ExitStatus, CommandError> {
    match proof {
        TokenProof::Account(account) => {
            connection.facts.app_name = Some(account.app_name);
            connection.facts.team_name = account.team_name;
            vault.save(&connection)?;
        }
        TokenProof::Later(failure) => context.console.warn(&format!(
            "connected, and to be confirmed by the next command: {}",
            failure.message()
        )),
    }
    if let Some(unsynced) = vault.sync_folder() {
        context.console.warn(&unsynced_folder(&unsynced));
    }
    let spoken_for = connection::token_of_environment(context)?;
    if spoken_for.is_some_and(|token| token.expose() != connection.token.expose()) {
        let variable = connection::TOKEN_VARIABLE;
        context.console.warn(&format!(
            "{variable} is set and speaks in place of the saved token"
        ));
    }
    answer(context, vault.place(), &connection.facts)
}

fn answer(
    context: &Context,
    place: SecretStorage,
    facts: &ConnectionDetails,
) -> Result<ExitStatus, CommandError> {
    let ConnectionDetails {
        base_url,
        client_id,
        app_name,
        team_id,
        team_name,
        connected_at,
    } = facts;
    let profile = &context.common.profile;
    let kept = match place {
        SecretStorage::Keychain => "the keychain",
        SecretStorage::File => "a file that only you can read",
    };
    context.console.answer(&format!(
        "connected to {team_name} ({team_id}) at {base_url}\nprofile `{profile}`; the token is in {kept}"
    ))?;
    context.console.json(&ConnectReport {
        command: "connect",
        profile,
        base_url,
        team: Team {
            id: team_id.clone(),
            name: team_name.clone(),
        },
        app: AppIdentity {
            client_id: client_id.clone(),
            name: app_name.clone(),
        },
        connected_at,
        secrets: place.name(),
    })?;
    Ok(ExitStatus::Done)
}
