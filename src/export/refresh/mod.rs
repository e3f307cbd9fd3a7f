//! Asks again about what is not final, those likeliest to have changed first, within the budget.
//!
//! Every answer is durable before it is counted, so a refresh that is cut short keeps what it learned.

mod order;
mod wait;

use std::collections::HashMap;

use futures::StreamExt;
use jiff::Timestamp;

use crate::api::{BearerToken, Verdict};
use crate::dispatch::{DispatchError, Dispatcher};
use crate::export::typed::typed;
use crate::export::{BilledFigures, Error, PartialReason};
use crate::journal::JournalSnapshot;

use wait::wait_complete;

pub(super) use order::wanted;
pub use order::{RefreshCandidate, RefreshPolicy, RefreshPriority};
pub use wait::RoundPauses;

/// What a refresh learned.
#[derive(Debug, Default)]
pub struct RefreshOutcome {
    /// Measurements that were asked for again and answered.
    pub asked: u64,
    /// Results that are no longer what they were.
    pub changed: u64,
    /// Measurements whose answer did not come.
    pub not_asked: u64,
    /// What cut it short.
    pub error: Option<DispatchError>,
    /// What the last of those without an answer met.
    pub reason: Option<String>,
}

impl RefreshOutcome {
    /// Why the knowledge is partial; none where everything wanted was answered.
    pub fn partial(&self) -> Option<PartialReason> {
        let error = self.error.as_ref().map(ToString::to_string);
        let reason = error.or_else(|| self.reason.clone())?;
        (self.not_asked > 0).then_some(PartialReason {
            not_asked: self.not_asked,
            reason,
        })
    }
}

/// What requests are sent through.
#[derive(Clone, Copy, Debug)]
pub struct RefreshConnection<'a> {
    /// Sends the requests and records the responses.
    pub dispatcher: &'a Dispatcher,
    /// The token of the dispatcher's client. Its account is compared with the journal's before the first request.
    pub token: &'a BearerToken,
    /// Maximum number of concurrent requests.
    pub concurrency: usize,
}

/// Whether a refresh waits until no measurement can change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionWait {
    /// Request each measurement once.
    Once,
    /// Request measurements again, at growing intervals, until all are final.
    UntilFinal,
}

/// How far a refresh is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshProgress {
    /// So many measurements were answered.
    Answered(u64),
    /// So many measurements are final.
    Final {
        /// How many.
        done: u64,
        /// Of how many.
        total: u64,
    },
    /// They are requested again at this time.
    Pausing {
        /// When.
        until: Timestamp,
    },
}

/// Requests measurements again, as often as `wait` says.
///
/// # Errors
/// Those of the journal. An error of the dispatcher ends the refresh and is returned in [`RefreshOutcome::error`].
pub(super) async fn refresh(
    connection: RefreshConnection<'_>,
    wanted: &[RefreshCandidate],
    wait: CompletionWait,
    mut progress: impl FnMut(RefreshProgress),
) -> Result<RefreshOutcome, Error> {
    let RefreshConnection {
        dispatcher, token, ..
    } = connection;
    if !dispatcher.journal().has_verified_token(token.expose())?
        && let Err(error) = dispatcher.verify_account(token).await
    {
        return Ok(RefreshOutcome {
            not_asked: wanted.len() as u64,
            error: Some(error),
            ..RefreshOutcome::default()
        });
    }
    match wait {
        CompletionWait::Once => {
            let answered = |done| progress(RefreshProgress::Answered(done));
            Ok(ask(dispatcher, wanted, connection.concurrency, answered).await)
        }
        CompletionWait::UntilFinal => {
            wait_complete(connection, wanted, RoundPauses::USUAL, progress).await
        }
    }
}

/// Every measurement of the journal, as far as asking needs to know it.
///
/// # Errors
/// Those of the journal.
pub(super) fn refresh_candidates(
    snapshot: &JournalSnapshot,
) -> Result<Vec<RefreshCandidate>, Error> {
    let mut candidates = Vec::new();
    snapshot.for_each_measurement(|kept| -> Result<(), Error> {
        candidates.push(RefreshCandidate::of(&typed(kept)?));
        Ok(())
    })?;
    Ok(candidates)
}

/// Asks for each once, so many at a time. `tell` hears how many are done.
async fn ask(
    dispatcher: &Dispatcher,
    wanted: &[RefreshCandidate],
    concurrency: usize,
    mut tell: impl FnMut(u64),
) -> RefreshOutcome {
    let mut refreshed = RefreshOutcome::default();
    let before: HashMap<&str, Option<BilledFigures>> = wanted
        .iter()
        .map(|one| (one.measurement_id.as_str(), one.figures))
        .collect();
    let answers = futures::stream::iter(wanted)
        .map(|one| dispatcher.read(&one.measurement_id, &one.external_id))
        .buffer_unordered(concurrency.max(1));
    let mut answers = std::pin::pin!(answers);
    while let Some(answer) = answers.next().await {
        match answer.map(|outcome| outcome.verdict) {
            Ok(Verdict::Read(measurement)) => {
                refreshed.asked += 1;
                let known = before.get(measurement.id.as_str()).copied().flatten();
                if known.is_some() && known != measurement.result.as_ref().map(BilledFigures::of) {
                    refreshed.changed += 1;
                }
            }
            Ok(Verdict::Exhausted { reason }) => refreshed.reason = Some(reason),
            Ok(_) => refreshed.asked += 1,
            Err(error) => {
                // The one that ended the others says why; the others only say that the dispatcher is closed.
                let told = matches!(refreshed.error, None | Some(DispatchError::Closed));
                if told {
                    refreshed.error = Some(error);
                }
            }
        }
        tell(refreshed.asked);
    }
    refreshed.not_asked = (wanted.len() as u64).saturating_sub(refreshed.asked);
    refreshed
}
