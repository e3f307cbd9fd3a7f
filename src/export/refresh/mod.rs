//! Requests measurements again that are not final, those most likely to have changed first, within the quota.
//!
//! Every response is in the journal before it is counted, so a refresh that ends early loses nothing.

mod order;
mod wait;

use std::collections::{HashMap, HashSet};

use futures::StreamExt;
use jiff::Timestamp;

use crate::api::Verdict;
use crate::dispatch::{DispatchError, Dispatcher};
use crate::export::{BilledFigures, Error, PartialReason};
use crate::journal::{JournalSnapshot, MeasurementState};
use crate::model::ResponseMeaning;

use wait::wait_until_final;

pub use order::RefreshPolicy;
pub(super) use order::select_candidates;

/// The summary of a refresh.
#[derive(Debug, Default)]
pub struct RefreshSummary {
    /// The number of measurements with a response.
    pub read: u64,
    /// The number of results that changed.
    pub changed: u64,
    /// The number of measurements without a response.
    pub not_read: u64,
    /// The error that ended the refresh early.
    pub error: Option<DispatchError>,
    /// The external id of the last of those without a response, and why it has none.
    pub reason: Option<String>,
    /// The ids of the measurements without a response.
    unanswered: HashSet<String>,
}

impl RefreshSummary {
    /// Returns why some measurements may be out of date; `None` if there was a response for each.
    pub fn partial(&self) -> Option<PartialReason> {
        let error = self.error.as_ref().map(ToString::to_string);
        let reason = error.or_else(|| self.reason.clone())?;
        (self.not_read > 0).then_some(PartialReason {
            not_asked: self.not_read,
            reason,
            resume_at: match &self.error {
                Some(
                    DispatchError::QuotaUsedUp { until } | DispatchError::RateLimited { until },
                ) => Some(*until),
                _ => None,
            },
        })
    }
}

/// Whether a refresh waits until no measurement can change any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionWait {
    /// Request each measurement once.
    Once,
    /// Request measurements again, at growing intervals, until all are final.
    UntilFinal {
        /// The end of the period of the export: one round after it is the last, because what completes later does not
        /// belong to the export.
        period_end: Option<Timestamp>,
    },
}

/// The progress of a refresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefreshProgress {
    /// The number of responses so far.
    Answered(u64),
    /// The number of measurements that are final.
    Final {
        /// How many are.
        done: u64,
        /// How many there are in all.
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
/// [`Error::Journal`]. An error of the dispatcher ends the refresh and is returned in [`RefreshSummary::error`].
pub(super) async fn refresh(
    dispatcher: &Dispatcher,
    candidates: &[MeasurementState],
    wait: CompletionWait,
    mut progress: impl FnMut(RefreshProgress),
) -> Result<RefreshSummary, Error> {
    // The journal may know the token of the environment, and not the address.
    dispatcher.require_service()?;
    if !dispatcher.is_verified()?
        && let Err(error) = dispatcher.verify_account().await
    {
        return Ok(RefreshSummary {
            not_read: candidates.len() as u64,
            error: Some(error),
            ..RefreshSummary::default()
        });
    }
    match wait {
        CompletionWait::Once => {
            let answered = |done| progress(RefreshProgress::Answered(done));
            request_each(dispatcher, candidates, answered).await
        }
        CompletionWait::UntilFinal { period_end } => {
            wait_until_final(dispatcher, candidates, period_end, progress).await
        }
    }
}

/// Requests each measurement once. `progress` receives the number of responses.
async fn request_each(
    dispatcher: &Dispatcher,
    candidates: &[MeasurementState],
    mut progress: impl FnMut(u64),
) -> Result<RefreshSummary, Error> {
    let known = last_figures(&dispatcher.journal().snapshot()?, candidates)?;
    let mut summary = RefreshSummary::default();
    let responses = futures::stream::iter(candidates)
        .map(|candidate| async move {
            let MeasurementState {
                measurement_id,
                external_id,
                ..
            } = candidate;
            let response = dispatcher.read(measurement_id, external_id).await;
            (candidate, response.map(|response| response.verdict))
        })
        .buffer_unordered(dispatcher.concurrency());
    let mut responses = std::pin::pin!(responses);
    while let Some((candidate, verdict)) = responses.next().await {
        match verdict {
            Ok(Verdict::Means(ResponseMeaning::Read(measurement))) => {
                summary.read += 1;
                let new = measurement.result.as_ref().map(BilledFigures::from);
                let known = known.get(measurement.id.as_str());
                // The figures of an earlier result are known, also after a response without one.
                let known = known.filter(|_| candidate.has_result || new.is_some());
                summary.changed +=
                    u64::from(known.is_some_and(|known| Some(known) != new.as_ref()));
            }
            Ok(Verdict::Exhausted { reason }) => {
                summary.reason = Some(format!("{}: {reason}", candidate.external_id));
                summary.unanswered.insert(candidate.measurement_id.clone());
            }
            Ok(_) => summary.read += 1,
            Err(error) => {
                // The first error closed the dispatcher; for the others it only reports that it is closed.
                if matches!(summary.error, None | Some(DispatchError::Closed)) {
                    summary.error = Some(error);
                }
            }
        }
        progress(summary.read);
    }
    summary.not_read = (candidates.len() as u64).saturating_sub(summary.read);
    Ok(summary)
}

/// Returns the figures of the last results, by measurement id.
fn last_figures<'a>(
    snapshot: &JournalSnapshot,
    candidates: &'a [MeasurementState],
) -> Result<HashMap<&'a str, BilledFigures>, Error> {
    let mut figures = HashMap::new();
    for candidate in candidates {
        let id = candidate.measurement_id.as_str();
        let result = snapshot.last_result(id)?;
        let known = result.and_then(|result| BilledFigures::parse(&result).ok());
        figures.extend(known.map(|known| (id, known)));
    }
    Ok(figures)
}
