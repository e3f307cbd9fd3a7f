//! GET /me: whose token it is, counted by the profile's budget like every other request.

use std::sync::{Arc, Once};

use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::api::wire::Account;
use crate::api::{ApiClient, BaseUrl, BearerToken, Verdict};
use crate::cli::context::Context;
use crate::cli::dispatcher::{DispatcherOptions, dispatcher};
use crate::cli::network::NetworkArgs;
use crate::cli::signals::SignalListener;
use crate::cli::{CommandError, ExitStatus, clock};
use crate::dispatch::{DispatchError, DispatchEvent, QuotaWait};
use crate::journal::{Binding, Journal, JournalAccess};
use crate::model::printable;

/// What came of asking.
#[derive(Debug)]
pub(super) enum TokenProof {
    /// The service said whose token it is.
    Account(Account),
    /// The quota is spent, so nothing was asked.
    Later(CommandError),
}

/// Asks the service whose token the client holds. Spends one request, and waits for no quota.
///
/// # Errors
/// Any error of the dispatcher: [`ExitStatus::NotConnected`] for 401, [`ExitStatus::Misfit`] for what is not the service, and
/// [`ExitStatus::Pending`] where it does not answer.
pub(super) fn ask(
    context: &Context,
    network: &NetworkArgs,
    client: ApiClient,
) -> Result<TokenProof, CommandError> {
    match try_ask(context, network, client)? {
        Ok(account) => Ok(TokenProof::Account(account)),
        Err(error @ (DispatchError::QuotaUsedUp { .. } | DispatchError::RateLimited { .. })) => Ok(
            TokenProof::Later(CommandError::from(error).hinted("then the same command again")),
        ),
        Err(error) => Err(error.into()),
    }
}

/// As [`ask`], with the dispatcher's error unchanged.
///
/// # Errors
/// Where the journal cannot be opened.
pub(super) fn try_ask(
    context: &Context,
    network: &NetworkArgs,
    client: ApiClient,
) -> Result<Result<Account, DispatchError>, CommandError> {
    let journal = Arc::new(Journal::open(
        &context.journal_path(),
        &JournalAccess::Shared,
    )?);
    context.block_on(async {
        let signals = SignalListener::listen()?;
        let console = context.console.clone();
        let said = Once::new();
        let wish = DispatcherOptions {
            journal,
            client,
            quota_wait: QuotaWait::NoWait,
            stop: signals.stop(),
            report: Box::new(move |event| {
                if let DispatchEvent::Waiting { until, .. } = &event {
                    let until = clock::local(*until, clock::now());
                    said.call_once(|| {
                        console.say(&format!("the service asked to wait; resuming at {until}"));
                    });
                }
                console.detail(&format!("{event:?}"));
            }),
        };
        let outcome = match dispatcher(network, wish).me().await {
            Ok(outcome) => outcome,
            Err(DispatchError::Interrupted) => {
                return Err(CommandError::new(signals.exit(), "interrupted"));
            }
            Err(error) => return Ok(Err(error)),
        };
        match outcome.verdict {
            Verdict::Account(account) => Ok(Ok(account)),
            Verdict::Exhausted { reason } => {
                Ok(Err(DispatchError::Unreachable { rows: 1, reason }))
            }
            _ => Err(CommandError::new(
                ExitStatus::Bug,
                "GET /me came to an end that it cannot have",
            )),
        }
    })
}

/// The binding that an account proves.
pub(super) fn binding(base_url: &BaseUrl, account: &Account) -> Binding {
    Binding {
        base_url: base_url.to_string(),
        client_id: account.client_id.clone(),
        app_name: account.app_name.clone(),
        team_id: account.team_id.clone(),
        team_name: account.team_name.clone(),
        connected_at: account.connected_at.clone(),
    }
}

/// Whose journal the profile's is; none where there is no journal, and none is made.
///
/// # Errors
/// Where the journal cannot be read.
pub(super) fn bound(context: &Context) -> Result<Option<Binding>, CommandError> {
    let path = context.journal_path();
    if !path.exists() {
        return Ok(None);
    }
    Ok(Journal::open(&path, &JournalAccess::Shared)?.binding()?)
}

/// Binds the profile's journal to the account, or makes sure that it is.
///
/// # Errors
/// [`ExitStatus::Unsafe`] where the journal belongs to another; [`ExitStatus::Files`] where it cannot be written.
pub(super) fn bind(
    context: &Context,
    base_url: &BaseUrl,
    account: &Account,
    token: &BearerToken,
) -> Result<(), CommandError> {
    let journal = Journal::open(&context.journal_path(), &JournalAccess::Shared)?;
    let mut salt = [0; 16];
    SysRng.try_fill_bytes(&mut salt).map_err(|error| {
        CommandError::new(
            ExitStatus::Files,
            format!(
                "the system gives no random bytes: {}",
                printable(&error.to_string())
            ),
        )
    })?;
    let binding = binding(base_url, account);
    context.block_on(async { Ok(journal.bind(binding, token.expose(), salt).await?) })
}
