//! GET /me: the account of a token. The request counts in the profile's budget.

use std::sync::{Arc, Once};

use rand::RngExt as _;

use crate::api::{ApiClient, BearerToken};
use crate::cli::context::{Context, block_on};
use crate::cli::dispatcher::{config, logged};
use crate::cli::network::NetworkArgs;
use crate::cli::{CliError, CommandError, ErrorKind, clock, waiting};
use crate::dispatch::{DispatchError, DispatchEvent, Dispatcher, DispatcherConfig, StopStage};
use crate::journal::{Journal, JournalAccess};
use crate::model::Account;

/// Requests the account of the client's token. Uses one request, and does not wait for the quota.
///
/// # Errors
/// Any error of the dispatcher: `ExitStatus::NotConnected` for 401, `ExitStatus::Incompatible` for a response that is not
/// the service's, and `ExitStatus::Pending` without a response, also if the quota is used up and nothing was sent.
pub(super) fn ask(
    context: &Context,
    network: &NetworkArgs,
    client: ApiClient,
) -> Result<Account, CommandError> {
    try_ask(context, network, client)?.map_err(|error| {
        let failure = CommandError::from(error);
        if is_out_of_quota(&failure) {
            failure.hinted("run the same command again after that")
        } else {
            failure
        }
    })
}

/// Whether nothing was sent because the quota is used up.
pub(super) fn is_out_of_quota(failure: &CommandError) -> bool {
    let kind = failure.kind();
    matches!(kind, ErrorKind::QuotaUsedUp | ErrorKind::RateLimited)
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
    block_on(async {
        let signals = context.signals();
        let console = context.console.clone();
        let printed = Once::new();
        let dispatcher = Dispatcher::new(DispatcherConfig {
            report: logged(context, move |event| {
                if let DispatchEvent::Waiting { until, .. } = &event {
                    let until = clock::local(*until, clock::now());
                    printed.call_once(|| {
                        console.info_progress(&format!(
                            "the service asked to wait; resuming at {until}"
                        ));
                    });
                }
                if let Some(detail) = waiting::detail(&event) {
                    console.verbose(&detail);
                }
            }),
            ..config(context, network, journal, client)
        });
        let stop = signals.stop();
        // Nothing is created, so a signal does not wait for the response.
        let outcome = tokio::select! {
            outcome = dispatcher.me() => outcome,
            () = stop.reached(StopStage::Draining) => Err(DispatchError::Interrupted),
        };
        match outcome {
            Err(DispatchError::Interrupted) => Err(CliError::Interrupted(signals.exit()).into()),
            outcome => Ok(outcome),
        }
    })
}

/// The account that the profile's journal is bound to; `None` if there is no journal. Creates no journal.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn bound(context: &Context) -> Result<Option<Account>, CommandError> {
    let path = context.journal_path();
    if !path.exists() {
        return Ok(None);
    }
    Ok(Journal::open(&path, &JournalAccess::Shared)?.binding()?)
}

/// Binds the profile's journal to the account, or verifies that it is bound to it.
///
/// # Errors
/// `ExitStatus::Unsafe` if the journal belongs to another account; `ExitStatus::Files` if it cannot be written.
pub(super) fn bind(
    context: &Context,
    account: &Account,
    token: &BearerToken,
) -> Result<(), CommandError> {
    let journal = Journal::open(&context.journal_path(), &JournalAccess::Shared)?;
    let salt = rand::rng().random();
    let account = account.clone();
    block_on(async { Ok(journal.bind(account, token.expose(), salt).await?) })
}
