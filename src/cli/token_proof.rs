//! GET /me: the account of a token. The request counts in the profile's budget.

use std::sync::{Arc, Once};

use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::api::wire::Account;
use crate::api::{ApiClient, BaseUrl, BearerToken, Verdict};
use crate::cli::context::Context;
use crate::cli::dispatcher::{DispatcherOptions, dispatcher};
use crate::cli::network::NetworkArgs;
use crate::cli::{CommandError, ExitStatus, clock, waiting};
use crate::dispatch::{DispatchError, DispatchEvent, QuotaWait, StopStage};
use crate::journal::{Binding, Journal, JournalAccess};
use crate::model::printable;

/// The result of GET /me.
#[derive(Debug)]
pub(super) enum TokenProof {
    /// The account of the token.
    Account(Account),
    /// The quota is used up, so nothing was sent.
    Later(CommandError),
}

/// Requests the account of the client's token. Uses one request, and does not wait for the quota.
///
/// # Errors
/// Any error of the dispatcher: [`ExitStatus::NotConnected`] for 401, [`ExitStatus::Incompatible`] for a response that is not
/// the service's, and [`ExitStatus::Pending`] without a response.
pub(super) fn ask(
    context: &Context,
    network: &NetworkArgs,
    client: ApiClient,
) -> Result<TokenProof, CommandError> {
    match try_ask(context, network, client)? {
        Ok(account) => Ok(TokenProof::Account(account)),
        Err(error @ (DispatchError::QuotaUsedUp { .. } | DispatchError::RateLimited { .. })) => {
            Ok(TokenProof::Later(
                CommandError::from(error).hinted("run the same command again after that"),
            ))
        }
        Err(error) => Err(error.into()),
    }
}

/// As [`ask`], with the dispatcher's error unchanged.
///
/// # Errors
/// If the journal cannot be opened.
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
        let signals = context.signals();
        let console = context.console.clone();
        let printed = Once::new();
        let options = DispatcherOptions {
            journal,
            client,
            quota_wait: QuotaWait::NoWait,
            stop: signals.stop(),
            log: context.request_log.clone(),
            report: Box::new(move |event| {
                if let DispatchEvent::Waiting { until, .. } = &event {
                    let until = clock::local(*until, clock::now());
                    printed.call_once(|| {
                        console.say_progress(&format!(
                            "the service asked to wait; resuming at {until}"
                        ));
                    });
                }
                if let Some(detail) = waiting::detail(&event) {
                    console.detail(&detail);
                }
            }),
        };
        let dispatcher = dispatcher(network, options);
        let stop = signals.stop();
        // Nothing is created, so a signal does not wait for the response.
        let outcome = tokio::select! {
            outcome = dispatcher.me() => outcome,
            () = stop.reached(StopStage::Draining) => Err(DispatchError::Interrupted),
        };
        let outcome = match outcome {
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
                "GET /me ended with an unexpected verdict",
            )),
        }
    })
}

/// The binding of a journal to this account.
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

/// The account that the profile's journal is bound to; none if there is no journal. Creates no journal.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn bound(context: &Context) -> Result<Option<Binding>, CommandError> {
    let path = context.journal_path();
    if !path.exists() {
        return Ok(None);
    }
    Ok(Journal::open(&path, &JournalAccess::Shared)?.binding()?)
}

/// Binds the profile's journal to the account, or verifies that it is bound to it.
///
/// # Errors
/// [`ExitStatus::Unsafe`] if the journal belongs to another account; [`ExitStatus::Files`] if it cannot be written.
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
                "the operating system returned no random bytes: {}",
                printable(&error.to_string())
            ),
        )
    })?;
    let binding = binding(base_url, account);
    context.block_on(async { Ok(journal.bind(binding, token.expose(), salt).await?) })
}
