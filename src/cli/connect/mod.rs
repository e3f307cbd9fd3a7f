//! `connect`: obtains a token through the browser or from standard input, confirms it with GET /me, and saves it.

mod consent;
mod opener;
mod token_from_stdin;

use std::time::Duration;

use crate::api::{ApiClient, BaseUrl, BearerToken, ServiceVersion};
use crate::cli::common_args::{
    BASE_URL, CommonArgs, ConnectionSetting, SERVICE_VERSION, TOKEN_VARIABLE,
};
use crate::cli::context::Context;
use crate::cli::credentials::AppCredentials;
use crate::cli::document::report;
use crate::cli::network::{NetworkArgs, duration};
use crate::cli::output_style::can_ask;
use crate::cli::prompt;
use crate::cli::settings::SettingOrigin;
use crate::cli::{CliError, CommandError, ExitStatus, connection, profiles, shell, token_account};
use crate::connect::{self, CheckedStorage, Connection, SecretStorage, SecretStore};
use crate::journal::Journal;
use crate::model::{Account, json_time_of_service};

/// Connect to the contractor's team through the browser, once
///
/// Saves address, version, client id and a given --rate in the settings, and the token in the keychain or a private file.
/// Asks for values that are not set. A new connection ends the earlier connection of the team on every machine.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    #[command(flatten)]
    credentials: AppCredentials,

    /// Print the link instead of opening a browser
    #[arg(long)]
    no_browser: bool,

    /// Port of this machine in the app's registered redirect URI [default: any free port]
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
  gutterbatch connect --profile acme --no-browser --port 8484
  gutterbatch connect --token-stdin < token.txt";

/// The values that both ways of connecting need.
struct ConnectEnvironment<'a> {
    args: &'a Args,
    context: &'a Context,
    base_url: BaseUrl,
    version: ServiceVersion,
    secrets: SecretStore,
    /// The account that the profile belongs to, if any.
    owner: Option<Account>,
}

pub(super) fn run(args: &Args, context: &Context) -> Result<ExitStatus, CommandError> {
    if let Some(link) = &args.open_link {
        return opener::run(link);
    }
    let secrets = connection::secrets(context);
    let owner = owner(context, &secrets)?;
    if !args.token_stdin {
        consent::announce(context, &secrets)?;
    }
    if !can_ask() {
        require_given(args, context, &secrets)?;
    }
    let base_url = base_url(context)?;
    let version = version(context)?;
    let environment = ConnectEnvironment {
        args,
        context,
        base_url,
        version,
        secrets,
        owner,
    };
    // Another service is refused before the user is asked for consent.
    environment.require_owner(|owner| Account {
        base_url: environment.base_url.to_string(),
        ..owner
    })?;
    if args.token_stdin {
        token_from_stdin::read_token(&environment)
    } else {
        consent::ask_consent(environment)
    }
}

impl ConnectEnvironment<'_> {
    /// Fails for an account other than the profile's owner.
    fn require_owner(&self, change: impl FnOnce(Account) -> Account) -> Result<(), CommandError> {
        match &self.owner {
            Some(owner) => Ok(owner.require_same_account(&change(owner.clone()))?),
            None => Ok(()),
        }
    }

    /// Verifies that settings, journal and token can be written.
    fn check_storage<'s>(
        &self,
        secrets: &'s SecretStore,
    ) -> Result<CheckedStorage<'s>, CommandError> {
        let profile = &self.context.common.profile;
        connect::check_settings_writable(&self.context.home.config_file(), profile)?;
        Journal::check_writable(&self.context.journal_path())?;
        Ok(secrets.check_writable()?)
    }

    fn client(&self, token: &BearerToken) -> Result<ApiClient, CommandError> {
        let timeouts = self.args.network.timeouts();
        let (base_url, version) = (self.base_url.clone(), self.version.clone());
        Ok(ApiClient::new(base_url, version, token.clone(), timeouts)?)
    }

    fn save_settings(&self, client_id: &str) -> Result<(), CommandError> {
        let base_url = self.base_url.to_string();
        let mut settings = vec![
            ("base-url", base_url.as_str()),
            ("service-version", self.version.as_str()),
            ("client-id", client_id),
        ];
        // The quota is the team's, so every later command needs it too.
        let given = self.context.settings.iter();
        let mut given = given.filter(|setting| setting.origin == SettingOrigin::Flag);
        let rate = given.find(|setting| setting.key == "rate");
        settings.extend(rate.map(|setting| (setting.key, setting.value.as_str())));
        let file = self.context.home.config_file();
        let profile = &self.context.common.profile;
        connect::save_settings(&file, profile, &settings).map_err(|error| {
            CommandError::from(error).within("the token is saved, but the settings are not")
        })
    }
}

/// Fails with the names of all values that the user would be asked for.
fn require_given(
    args: &Args,
    context: &Context,
    secrets: &SecretStore,
) -> Result<(), CommandError> {
    let is_given =
        |value: &Option<String>| value.as_ref().is_some_and(|one| !one.trim().is_empty());
    let CommonArgs {
        base_url,
        service_version,
        ..
    } = &context.common;
    // What is given must be right before anything else is asked for.
    if is_given(base_url) {
        self::base_url(context)?;
    }
    if is_given(service_version) {
        version(context)?;
    }
    let settings = [(base_url, BASE_URL), (service_version, SERVICE_VERSION)];
    let missing = settings.into_iter().filter(|(value, _)| !is_given(value));
    let mut missing: Vec<ConnectionSetting> = missing.map(|(_, setting)| setting).collect();
    if !args.token_stdin {
        let address = base_url.as_deref().unwrap_or_default().parse::<BaseUrl>();
        let is_of_address = |saved: &Connection| address.is_ok_and(|address| saved.is_to(&address));
        let saved = secrets.load().ok().flatten().filter(is_of_address);
        missing.extend(args.credentials.missing(saved.as_ref()));
    }
    if missing.is_empty() {
        return Ok(());
    }
    Err(CliError::NotGiven(missing).into())
}

fn base_url(context: &Context) -> Result<BaseUrl, CommandError> {
    prompt::parsed(context, context.common.base_url.as_deref(), BASE_URL)
        .map_err(|failure| context.of_setting("base-url", failure))
}

fn version(context: &Context) -> Result<ServiceVersion, CommandError> {
    let given = context.common.service_version.as_deref();
    prompt::parsed(context, given, SERVICE_VERSION)
        .map_err(|failure| context.of_setting("service-version", failure))
}

/// The account that the profile belongs to: that of the journal, otherwise that of the saved connection.
fn owner(context: &Context, secrets: &SecretStore) -> Result<Option<Account>, CommandError> {
    if let Some(binding) = token_account::bound(context)? {
        return Ok(Some(binding));
    }
    // A damaged file will be replaced, so it names no owner.
    let saved = secrets.details().ok().flatten();
    Ok(saved.map(|(account, _)| account))
}

/// Saves what GET /me added, and prints the connection.
fn finish(
    context: &Context,
    storage: &CheckedStorage<'_>,
    mut connection: Connection,
    account: Option<Account>,
) -> Result<ExitStatus, CommandError> {
    if let Some(account) = account {
        connection.details.app_name = account.app_name;
        connection.details.team_name = account.team_name;
        storage.save(&connection)?;
    }
    let from_environment = connection::token_of_environment()?;
    if from_environment.is_some_and(|token| token.expose() != connection.token.expose()) {
        let variable = TOKEN_VARIABLE;
        context.console.warn(&format!(
            "{variable} is set, so commands use its token instead of the saved one"
        ));
    }
    answer(context, storage.place(), &connection.details)?;
    warn_of_profiles_of_the_team(context, &connection.details);
    context
        .console
        .without_saved(&[
            "--base-url",
            "--service-version",
            "--secrets",
            "--client-id",
        ])
        .next("check a spreadsheet of homeowners: gutterbatch check leads.xlsx");
    Ok(ExitStatus::Done)
}

/// Warns of other profiles with the same app and team: the new connection ended theirs.
fn warn_of_profiles_of_the_team(context: &Context, details: &Account) {
    for profile in profiles::known(context) {
        let store = connection::secrets_of(context, &profile);
        let is_same = store
            .details()
            .ok()
            .flatten()
            .is_some_and(|(other, _)| other.require_same_account(details).is_ok());
        if profile == context.common.profile || !is_same {
            continue;
        }
        let command = shell::command(["connect", "--profile", &profile]);
        context.console.warn(&format!(
            "profile `{profile}` on this computer was connected to this team too, and its token no longer works; use one profile for a team, because each has a journal of its own, or connect the other one again: {command}"
        ));
    }
}

fn answer(context: &Context, place: SecretStorage, details: &Account) -> Result<(), CommandError> {
    let profile = &context.common.profile;
    let place_name = match place {
        SecretStorage::Keychain => "the keychain",
        SecretStorage::File => "a file that only you can read",
    };
    context.console.print_result(&format!(
        "connected to {} ({}) at {}\nprofile `{profile}`; the token is in {place_name}",
        details.team_name, details.team_id, details.base_url
    ))?;
    context.console.json(&report! {"connect", ExitStatus::Done;
        profile: profile,
        base_url: details.base_url,
        team: details.team(),
        app: details.app(),
        connected_at: json_time_of_service(&details.connected_at),
        secrets: place.name(),
    })
}
