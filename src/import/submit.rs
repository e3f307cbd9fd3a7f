//! Submits the rows of a plan: the questions to the user, and a bounded number of requests in flight.

use std::collections::BTreeMap;
use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use crate::api::Verdict;
use crate::dispatch::{DispatchError, DispatchResult, Dispatcher, StopSignal, StopStage};
use crate::import::field_edit::edits;
use crate::import::options::RefusalCounter;
use crate::import::other_teams::reject_ids_of_other_teams;
use crate::import::plan::service_conflict;
use crate::import::planned_request::{PlannedRequest, row_requests};
use crate::import::record_run::RunRecorder;
use crate::import::{
    Confirmation, ImportConnection, ImportContext, ImportError, ImportQuestion, RowOutcomes,
    RowResult, RowWarning, SubmissionPlan, UnansweredRequest,
};
use crate::model::{
    CreationStatus, FieldError, HouseDecision, Measurement, Outcome, Request, ResponseMeaning,
    Status, WarningKind,
};
use crate::sheet;

/// Maximum time that requests in flight may take after the user stopped the run.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(30);

/// Number of addresses that are shown with the first question, and by a run that sends nothing.
pub const HOUSES_SHOWN: usize = 3;

/// Submits the rows of a plan, which is not empty: asks the user, verifies the account, submits the canary and then the
/// other rows. The outcome of each row is in the plan's rows, also after an error.
///
/// # Errors
/// The first [`ImportError`] that ended the submission.
pub(super) async fn submit_plan(
    context: &ImportContext<'_>,
    recorder: &mut RunRecorder<'_>,
    plan: &mut SubmissionPlan,
    connection: &mut ImportConnection<'_>,
) -> Result<(), ImportError> {
    let ImportConnection {
        dispatcher,
        confirm,
        on_row_result,
    } = connection;
    let (journal, dispatcher) = (context.journal, &*dispatcher);
    let source = recorder.source();
    // The user is asked before the run waits for the quota. Only the service can name the team of a new journal, whose
    // quota is unused.
    let bound = journal.binding()?;
    let is_verified = bound.is_none();
    let team = match bound {
        Some(bound) => bound,
        None => dispatcher.verify_account().await?,
    };
    reject_ids_of_other_teams(context, &team, plan)?;
    if plan.send.is_empty() {
        return Ok(());
    }
    let (rows, send, unanswered) = (&mut plan.rows, &plan.send, &plan.unanswered);
    let mut rest = row_requests(context, source, send, unanswered)?;
    let shown: Vec<_> = rest.by_ref().take(HOUSES_SHOWN).collect();
    let first = shown.iter().flatten().map(|sent| sent.request.clone());
    let (team, first) = (&team, &first.collect::<Vec<Request>>());
    if confirm(ImportQuestion::Begin { team, first }) == Confirmation::No {
        return Err(ImportError::Declined);
    }
    // The verification may wait for the quota, while `status` says that this import runs.
    let total = send.len() as u64;
    journal.store_run_limits(dispatcher.run_limits()).await?;
    recorder.record_start(rows, total).await?;
    if !is_verified {
        dispatcher.verify_account().await?;
    }
    // Stored before the first row is sent: a run that is killed afterwards is repeated, perhaps without its flags.
    // Earlier requests that are sent again say nothing about the flags, and conflicts that they are probably wrong.
    let sends_rows = send.iter().any(|index| !unanswered.contains_key(index));
    if sends_rows && rows.conflict_cause().is_none() {
        journal
            .remember_flags(&recorder.remembered_reading())
            .await?;
    }
    let requests = shown.into_iter().chain(rest);
    let mut submission = Submission {
        context,
        dispatcher,
        on_row_result: on_row_result.as_mut(),
        rows,
        unanswered,
        refusals: RefusalCounter::new(context.options.max_refused, total),
    };
    match context.options.canary.filter(|canary| *canary < total) {
        Some(canary) => submission.submit_after(canary, requests, confirm).await,
        None => submission.submit(requests).await,
    }
}

/// Rows on their way to the service, and the outcomes of those that were answered.
struct Submission<'a> {
    context: &'a ImportContext<'a>,
    dispatcher: &'a Dispatcher,
    on_row_result: &'a mut dyn FnMut(RowResult<'_>),
    rows: &'a mut RowOutcomes,
    /// Earlier requests that are sent in place of rows.
    unanswered: &'a BTreeMap<usize, UnansweredRequest>,
    refusals: RefusalCounter,
}

impl Submission<'_> {
    /// Submits the canary, and the other requests if the user wants it.
    async fn submit_after(
        &mut self,
        canary: u64,
        mut requests: impl Iterator<Item = Result<PlannedRequest, sheet::Error>>,
        confirm: &mut dyn FnMut(ImportQuestion<'_>) -> Confirmation,
    ) -> Result<(), ImportError> {
        let count = usize::try_from(canary).unwrap_or(usize::MAX);
        self.submit(requests.by_ref().take(count)).await?;
        match confirm(ImportQuestion::Continue { rows: canary }) {
            Confirmation::Yes => self.submit(requests).await,
            Confirmation::No => Err(ImportError::CanaryDeclined { rows: canary }),
            Confirmation::CannotAsk => Err(ImportError::CanaryUnconfirmed { rows: canary }),
        }
    }

    /// Submits `requests` until there are no more, the user stops the run, or an error ends it.
    async fn submit(
        &mut self,
        mut requests: impl Iterator<Item = Result<PlannedRequest, sheet::Error>>,
    ) -> Result<(), ImportError> {
        let dispatcher = self.dispatcher;
        let mut in_flight = FuturesUnordered::new();
        let mut ending = None;
        let mut is_sending = true;
        let deadline = drained(dispatcher.stop());
        tokio::pin!(deadline);
        loop {
            for _ in 0..dispatcher.in_flight_capacity(in_flight.len()) {
                if !is_sending {
                    break;
                }
                match requests.next() {
                    Some(Ok(sent)) => in_flight.push(async move {
                        let PlannedRequest {
                            request,
                            source,
                            row,
                            ..
                        } = &sent;
                        let answered = dispatcher.create(request, *source, *row).await;
                        (sent, answered)
                    }),
                    Some(Err(error)) => {
                        keep_first(&mut ending, error.into());
                        is_sending = false;
                        dispatcher.close();
                    }
                    None => is_sending = false,
                }
            }
            let next = tokio::select! {
                next = in_flight.next() => next,
                () = &mut deadline => {
                    keep_first(&mut ending, DispatchError::Interrupted.into());
                    break;
                }
            };
            let Some((sent, answered)) = next else {
                break;
            };
            let counted = match answered {
                Ok(result) => self.apply_result(sent.index, &sent.request, result),
                Err(error) => Err(error.into()),
            };
            if let Err(error) = counted {
                is_sending = false;
                if let ImportError::Refused { .. } = error {
                    // Rows that wait for the quota are not sent either.
                    dispatcher.close();
                }
                keep_first(&mut ending, error);
            }
        }
        ending.map_or(Ok(()), |ending| self.end(ending))
    }

    /// Returns the error with which the submission ends.
    fn end(&self, ending: ImportError) -> Result<(), ImportError> {
        match ending {
            // Every row has its outcome, so there is nothing to stop.
            ImportError::Refused { .. } if self.rows.outcomes().count(Outcome::Pending) == 0 => {
                Ok(())
            }
            ImportError::Refused { rows, .. } => Err(ImportError::Refused {
                rows,
                more: self.refusals.all() - rows,
            }),
            ending => Err(ending),
        }
    }

    /// Notes the outcome of a row whose response is recorded, and reports it.
    ///
    /// # Errors
    /// [`ImportError::Refused`] if too many rows were refused.
    fn apply_result(
        &mut self,
        index: usize,
        request: &Request,
        result: DispatchResult,
    ) -> Result<(), ImportError> {
        for warning in result.warnings {
            if warning.kind == WarningKind::SameLocation {
                self.rows.mark_same_location(index);
            }
            self.rows.warn(RowWarning {
                index,
                field: None,
                message: warning.message,
            });
        }
        let counted = match self.unanswered.get(&index) {
            Some(earlier) => {
                self.apply_earlier_response(index, earlier, &result.verdict);
                Ok(())
            }
            None => self.apply_verdict(index, request, &result.verdict),
        };
        let measurement = match &result.verdict {
            Verdict::Means(
                ResponseMeaning::Accepted { measurement, .. }
                | ResponseMeaning::Conflict(measurement, _),
            ) => Some(measurement.as_ref()),
            _ => None,
        };
        (self.on_row_result)(RowResult {
            row: self.context.checked.rows[index].number,
            outcome: self.rows.outcome(index),
            measurement,
            rows: self.rows,
        });
        counted
    }

    /// Notes the answer to an earlier request that was sent in place of a row.
    fn apply_earlier_response(
        &mut self,
        index: usize,
        earlier: &UnansweredRequest,
        verdict: &Verdict,
    ) {
        match verdict {
            Verdict::Means(ResponseMeaning::Accepted { .. }) if earlier.source.is_none() => {
                self.rows
                    .mark_corrected(index, earlier.request.external_id.clone());
            }
            // It remains the same house as another.
            Verdict::Means(ResponseMeaning::Conflict(..)) if earlier.source.is_none() => {}
            Verdict::Means(ResponseMeaning::Accepted { measurement, .. }) => {
                let answered = self
                    .rows
                    .resolve_same_house(index, Some(measurement.status));
                match (earlier.decision, answered) {
                    // The next run decides about the row: the earlier request has no house any more.
                    (_, Some(answered)) if answered.is_canceled() => {
                        self.rows.resolve_same_house(index, None);
                    }
                    (Some(HouseDecision::Skip), Some(answered)) => {
                        self.rows.mark_skipped(index, answered);
                    }
                    _ => {}
                }
            }
            // The row itself is sent by the next run, or the earlier request once more.
            _ => drop(self.rows.resolve_same_house(index, None)),
        }
    }

    fn reject_conflict(&mut self, index: usize, request: &Request, message: &FieldError) {
        let (messages, input) = (vec![message.by_field()], self.context.input);
        let reason = service_conflict(messages, input, &request.external_id);
        self.rows.reject(index, Outcome::Conflict, reason);
    }

    /// Notes that the service had the row's id, with its version of the request if that differs from the row.
    fn apply_existing(
        &mut self,
        index: usize,
        request: &Request,
        measurement: &Measurement,
        original: Option<&Request>,
    ) {
        let is_other_house =
            original.is_some_and(|original| request.is_stored_as_other_house(original));
        if measurement.status == Status::Canceled || is_other_house {
            self.rows.mark_house_free(index);
        }
        match original.map(|original| edits(original, request)) {
            Some(None) => {
                let message = measurement.conflict_message(Some(request));
                self.reject_conflict(index, request, &message);
            }
            edited => {
                self.rows.set_outcome(index, Outcome::Existing);
                let edits = edited.flatten().into_iter();
                edits.for_each(|edits| self.rows.mark_edited(index, edits));
            }
        }
    }

    fn apply_verdict(
        &mut self,
        index: usize,
        request: &Request,
        verdict: &Verdict,
    ) -> Result<(), ImportError> {
        match verdict {
            Verdict::Means(ResponseMeaning::Accepted {
                creation: CreationStatus::Created,
                ..
            }) => {
                self.refusals.accepted();
                self.rows.set_outcome(index, Outcome::Created);
            }
            Verdict::Means(ResponseMeaning::Accepted {
                creation: CreationStatus::Existing,
                measurement,
                original,
                ..
            }) => {
                self.refusals.accepted();
                self.apply_existing(index, request, measurement, original.as_deref());
            }
            Verdict::Means(ResponseMeaning::Conflict(_, message)) => {
                self.refusals.accepted();
                self.reject_conflict(index, request, message);
            }
            Verdict::Means(ResponseMeaning::Refused(errors)) => {
                let messages: Vec<_> = errors.iter().map(FieldError::by_field).collect();
                self.rows.reject(index, Outcome::Refused, messages.into());
                if let Some(rows) = self.refusals.refused() {
                    return Err(ImportError::Refused { rows, more: 0 });
                }
            }
            // The result of the row is not known: it stays pending.
            Verdict::Exhausted { reason } => self.rows.warn(RowWarning {
                index,
                field: None,
                message: format!("pending: no usable response: {reason}"),
            }),
            Verdict::Account(_)
            | Verdict::Means(
                ResponseMeaning::Read(_)
                | ResponseMeaning::NotFound { .. }
                | ResponseMeaning::RateLimited { .. },
            )
            | Verdict::Retry { .. }
            | Verdict::Fatal(_) => {}
        }
        Ok(())
    }
}

/// Completes when the time for requests in flight is over after the user stopped the run, or the user stopped it again.
async fn drained(stop: &StopSignal) {
    stop.reached(StopStage::Draining).await;
    tokio::select! {
        () = stop.reached(StopStage::Now) => {}
        () = tokio::time::sleep(DRAIN_TIMEOUT) => {}
    }
}

/// Keeps the first error; [`DispatchError::Closed`] only follows from another.
fn keep_first(ending: &mut Option<ImportError>, next: ImportError) {
    match ending {
        None | Some(ImportError::Dispatch(DispatchError::Closed)) => *ending = Some(next),
        Some(_) => {}
    }
}
