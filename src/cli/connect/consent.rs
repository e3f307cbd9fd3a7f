//! Connecting with the user's consent in the browser.

use crate::api::{OauthApp, OauthClient};
use crate::cli::connect::{Args, ConnectEnvironment, finish, opener};
use crate::cli::context::{Context, block_on};
use crate::cli::output_style::can_ask;
use crate::cli::progress::ProgressLine;
use crate::cli::waiting::{RunWait, Wait};
use crate::cli::{
    CliError, CommandError, ErrorKind, ExitStatus, clock, hidden_input, prompt, shell,
    token_account,
};
use crate::connect::{self, CheckedStorage, Connection, ConnectionRequest, SecretStore};
use crate::dispatch::StopStage;
use crate::model::Account;

/// What a consent does to the team's other connections.
const EARLIER_ENDS: &str = "a new connection ends the team's earlier one everywhere: other programs and machines that use it stop working";

/// Says what a new connection ends, before the first question, and asks whether to replace the profile's own.
///
/// # Errors
/// [`ExitStatus::Pending`] if the user answers no.
pub(super) fn announce(context: &Context, secrets: &SecretStore) -> Result<(), CommandError> {
    let console = &context.console;
    if !can_ask() {
        return Ok(());
    }
    console.info(EARLIER_ENDS);
    let Some((saved, _)) = secrets.details().ok().flatten() else {
        return Ok(());
    };
    let question = format!(
        "profile `{}` has a saved connection to {} ({}); connect it again?",
        context.common.profile, saved.team_name, saved.team_id
    );
    if context.asking(|| console.ask(&question)) {
        return Ok(());
    }
    Err(CliError::ConnectDeclined.into())
}

/// Asks for consent, saves the token, and confirms it with GET /me.
pub(super) fn ask_consent(
    mut environment: ConnectEnvironment<'_>,
) -> Result<ExitStatus, CommandError> {
    let ConnectEnvironment { args, context, .. } = environment;
    // A saved connection that cannot be read is replaced.
    let saved = environment.secrets.load().ok().flatten();
    let saved = saved.filter(|saved| saved.is_to(&environment.base_url));
    let credentials = &args.credentials;
    let client_id = credentials.client_id(context, saved.as_ref())?;
    environment.require_owner(|owner| Account {
        client_id: client_id.clone(),
        ..owner
    })?;
    let secrets = environment.secrets.clone();
    let storage = environment.check_storage(&secrets)?;
    let app = credentials.app(context, client_id, saved)?;
    if !can_ask() {
        context.console.info(EARLIER_ENDS);
    }
    let connection = connected(&environment, app, storage)?;
    let account = confirmed(&mut environment, &connection)?;
    finish(context, &storage, connection, account)
}

/// The connection that the user consents to. A secret that the service refuses is asked for again.
fn connected(
    environment: &ConnectEnvironment<'_>,
    mut app: OauthApp,
    storage: CheckedStorage<'_>,
) -> Result<Connection, CommandError> {
    let ConnectEnvironment { args, context, .. } = environment;
    let is_secret_given = args.credentials.is_secret_given();
    loop {
        let repeatable = |failure| with_typed_values(environment, &app.client_id, failure);
        match consented(environment, app.clone(), storage).map_err(repeatable)? {
            Err(error) if error.is_of_unknown_app() && can_ask() && !is_secret_given => {
                context.console.warn(&CommandError::from(error).message());
                hidden_input::discard_typed();
                app.client_secret = prompt::secret(context, None, None)?;
            }
            outcome => return outcome.map_err(|error| repeatable(error.into())),
        }
    }
}

/// The account of the connection, as [`confirm`] returns it. A version that the service refuses is asked for again.
fn confirmed(
    environment: &mut ConnectEnvironment<'_>,
    connection: &Connection,
) -> Result<Option<Account>, CommandError> {
    let context = environment.context;
    loop {
        environment.save_settings(&connection.details.client_id)?;
        match confirm(environment, connection) {
            Err(failure)
                if failure.kind() == ErrorKind::Version
                    && can_ask()
                    && context.common.service_version.is_none() =>
            {
                context.console.warn(&failure.message());
                hidden_input::discard_typed();
                environment.version = super::version(context)?;
            }
            outcome => return outcome.map_err(unconfirmed),
        }
    }
}

/// The failure, with the values that were typed in the commands of its hint, so that they are not asked for again.
fn with_typed_values(
    environment: &ConnectEnvironment<'_>,
    client_id: &str,
    failure: CommandError,
) -> CommandError {
    let values = [
        ("base-url", environment.base_url.to_string()),
        ("service-version", environment.version.as_str().to_owned()),
        ("client-id", client_id.to_owned()),
    ];
    let settings = &environment.context.settings;
    let is_typed = |key: &str| !settings.iter().any(|setting| setting.key == key);
    let typed = values.into_iter().filter(|(key, _)| is_typed(key));
    let typed: Vec<_> = typed
        .map(|(key, value)| (format!("--{key}"), value))
        .collect();
    let Some(hint) = failure.hint() else {
        return failure;
    };
    let hint = shell::with_connection_flags(hint, &typed);
    failure.hinted(hint)
}

/// The failure of GET /me after the connection was saved. The connection stays: a new consent would end it.
fn unconfirmed(failure: CommandError) -> CommandError {
    let failure = match failure.exit() {
        ExitStatus::Pending => {
            failure.hinted("confirm it once the service responds: gutterbatch whoami")
        }
        ExitStatus::NotConnected => failure.hinted(
            "a newer connection of the team may have ended it; connect again with `gutterbatch connect`",
        ),
        _ => failure,
    };
    failure.within("the connection is saved, but was not confirmed")
}

/// The result of a consent, and the failure of what is before and beside it.
fn consented(
    environment: &ConnectEnvironment<'_>,
    app: OauthApp,
    storage: CheckedStorage<'_>,
) -> Result<Result<Connection, connect::Error>, CommandError> {
    let ConnectEnvironment { args, context, .. } = environment;
    let (base_url, version) = (environment.base_url.clone(), environment.version.clone());
    let oauth = OauthClient::new(base_url, version, args.network.timeouts())?;
    let request = ConnectionRequest {
        oauth: oauth.observed_by(context.request_log.observer()),
        app,
        port: args.port,
        timeout: args.timeout,
        owner: environment.owner.clone(),
    };
    block_on(async {
        let signals = context.signals();
        let stop = signals.stop();
        let interrupted = stop.reached(StopStage::Draining);
        let mut shown = None;
        let invite = |link: &str| {
            print_authorization_link(args, context, link);
            let wait = Wait {
                until: clock::now() + args.timeout,
                reason: RunWait::Consent,
            };
            shown = ProgressLine::start_wait(&context.console, wait);
        };
        match connect::run(request, storage, invite, interrupted).await {
            Err(connect::Error::Interrupted) => {
                Err(CommandError::from(CliError::Interrupted(signals.exit()))
                    .hinted("no token was saved; start again with `gutterbatch connect`"))
            }
            outcome => Ok(outcome),
        }
    })
}

/// Opens the link in the browser, or prints it.
fn print_authorization_link(args: &Args, context: &Context, link: &str) {
    if args.no_browser {
        context
            .console
            .info("waiting for your consent; open this link in a browser:");
        context.console.print_always(link);
    } else if opener::open(link).is_ok() {
        context
            .console
            .info("waiting for the consent page in your browser; if none opened, open this link:");
        context.console.info(link);
    } else {
        context
            .console
            .info("no browser could be opened; open this link:");
        context.console.print_always(link);
    }
}

/// Calls GET /me with the new token; its team and app must be those of the token response. None, with a warning, if the
/// quota is used up.
fn confirm(
    environment: &ConnectEnvironment<'_>,
    connection: &Connection,
) -> Result<Option<Account>, CommandError> {
    let client = environment.client(&connection.token)?;
    let ConnectEnvironment { args, context, .. } = environment;
    let account = match token_account::ask(context, &args.network, client) {
        Err(failure) if token_account::is_out_of_quota(&failure) => {
            context.console.warn(&format!(
                "connected; the next command will confirm it: {}",
                failure.message()
            ));
            return Ok(None);
        }
        account => account?,
    };
    let details = &connection.details;
    if account.team_id != details.team_id || account.client_id != details.client_id {
        return Err(CliError::AccountsDiffer.into());
    }
    token_account::bind(context, &account, &connection.token)?;
    Ok(Some(account))
}
