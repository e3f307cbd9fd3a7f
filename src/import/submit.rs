//! The one bounded stream of rows to the service: so many at once, each recorded before it leaves.

use std::time::Duration;

use futures::StreamExt;
use futures::stream::FuturesUnordered;

use crate::api::{CreationStatus, FieldError, Verdict};
use crate::dispatch::{DispatchError, DispatchOutcome, Dispatcher, StopSignal, StopStage};
use crate::import::options::RefusalCounter;
use crate::import::plan::new_id_advice;
use crate::import::{
    CheckedFile, FieldEdit, ImportError, ImportInput, RowOutcomes, RowRejectionReason,
};
use crate::journal::SourceId;
use crate::model::{
    Field, Measurement, Outcome, Request, RowNumber, SubmittedVersion, WarningKind,
};
use crate::sheet;

/// How long requests on the wire may take to settle once the user stops the run.
const DRAIN: Duration = Duration::from_secs(30);

/// A row that came to its end, for whoever draws.
#[derive(Debug)]
pub struct RowSettled<'a> {
    /// Its number.
    pub row: RowNumber,
    /// What became of it.
    pub outcome: Outcome,
    /// The service's measurement, where it has one.
    pub measurement: Option<&'a Measurement>,
    /// What became of all rows so far.
    pub rows: &'a RowOutcomes,
}

/// What a stream works with.
pub(super) struct SubmissionStream<'a> {
    pub(super) dispatcher: &'a Dispatcher,
    pub(super) input: &'a ImportInput,
    pub(super) checked: &'a CheckedFile,
    pub(super) source: SourceId,
    pub(super) told: &'a mut dyn FnMut(RowSettled<'_>),
}

/// Submits `requests` until they end, the user stops the run, or something ends it.
pub(super) async fn submit(
    submission: &mut SubmissionStream<'_>,
    requests: &mut dyn Iterator<Item = Result<(usize, Request), sheet::Error>>,
    rows: &mut RowOutcomes,
    refusals: &mut RefusalCounter,
) -> Result<(), ImportError> {
    let (dispatcher, checked, source) =
        (submission.dispatcher, submission.checked, submission.source);
    let input = submission.input;
    let mut in_flight = FuturesUnordered::new();
    let mut ending = None;
    let mut taking = true;
    let deadline = drained(dispatcher.stop());
    tokio::pin!(deadline);
    loop {
        for _ in 0..dispatcher.in_flight_capacity(in_flight.len()) {
            if !taking {
                break;
            }
            match requests.next() {
                Some(Ok((index, request))) => {
                    let row = checked.rows[index].number;
                    in_flight.push(async move {
                        let settled = dispatcher.create(&request, source, row).await;
                        (index, request, settled)
                    });
                }
                Some(Err(error)) => {
                    ending.get_or_insert(ImportError::Table(error));
                    taking = false;
                    dispatcher.close();
                }
                None => taking = false,
            }
        }
        let next = tokio::select! {
            next = in_flight.next() => next,
            () = &mut deadline => {
                keep_first(&mut ending, ImportError::Dispatch(DispatchError::Interrupted));
                break;
            }
        };
        let Some((index, request, settled)) = next else {
            break;
        };
        if let Err(end) = settled.map_err(ImportError::Dispatch).and_then(|settled| {
            let settled = record(input, rows, refusals, (index, &request), settled);
            tell(submission.told, checked, rows, index, &settled.0);
            settled.1
        }) {
            taking = false;
            if let ImportError::Refused { .. } = end {
                // Rows that wait for the quota meanwhile are not to be sent after all.
                dispatcher.close();
            }
            keep_first(&mut ending, end);
        }
    }
    match ending {
        // Nothing was left to be stopped: every row has its outcome.
        Some(ImportError::Refused { .. }) if rows.outcomes().count(Outcome::Pending) == 0 => Ok(()),
        Some(ending) => Err(ending),
        None => Ok(()),
    }
}

/// Ready when rows in flight have had their time after the user stopped the run, or should end at once.
async fn drained(stop: &StopSignal) {
    stop.reached(StopStage::Draining).await;
    tokio::select! {
        () = stop.reached(StopStage::Now) => {}
        () = tokio::time::sleep(DRAIN) => {}
    }
}

/// The first real reason counts; that the dispatcher was closed follows from it.
fn keep_first(ending: &mut Option<ImportError>, next: ImportError) {
    match ending {
        None | Some(ImportError::Dispatch(DispatchError::Closed)) => *ending = Some(next),
        Some(_) => {}
    }
}

/// Counts what was durably recorded.
fn record(
    input: &ImportInput,
    rows: &mut RowOutcomes,
    refusals: &mut RefusalCounter,
    (index, request): (usize, &Request),
    outcome: DispatchOutcome,
) -> (Verdict, Result<(), ImportError>) {
    for warning in outcome.warnings {
        if warning.kind == WarningKind::SameRoof {
            rows.place_at_another(index);
        }
        rows.warn(index, warning.message);
    }
    let mut ended = Ok(());
    match &outcome.verdict {
        Verdict::Accepted(CreationStatus::Created, _) => {
            refusals.accepted();
            rows.settle(index, Outcome::Created);
        }
        Verdict::Accepted(CreationStatus::Existing, measurement) => {
            refusals.accepted();
            rows.settle(index, Outcome::Existing);
            if let Some(original) = SubmittedVersion::from_response(request, measurement) {
                rows.change(
                    index,
                    original.fields.into_iter().map(FieldEdit::named).collect(),
                );
            }
        }
        Verdict::Conflict(measurement) => {
            refusals.accepted();
            let messages = vec![
                (Some(Field::Id), measurement.conflict_message()),
                new_id_advice(input, &request.external_id),
            ];
            let rejection = RowRejectionReason::of(Some(request), messages);
            rows.reject(index, Outcome::Conflict, rejection);
        }
        Verdict::Refused(errors) => {
            let messages = errors.iter().map(message).collect();
            let rejection = RowRejectionReason::of(Some(request), messages);
            rows.reject(index, Outcome::Refused, rejection);
            if let Some(rows) = refusals.refused() {
                ended = Err(ImportError::Refused { rows });
            }
        }
        // Nothing is known of the row: it stays pending.
        Verdict::Exhausted { .. }
        | Verdict::Account(_)
        | Verdict::Read(_)
        | Verdict::NotFound
        | Verdict::RateLimited { .. }
        | Verdict::Retry { .. }
        | Verdict::Stop(_) => {}
    }
    (outcome.verdict, ended)
}

fn tell(
    told: &mut dyn FnMut(RowSettled<'_>),
    checked: &CheckedFile,
    rows: &RowOutcomes,
    index: usize,
    verdict: &Verdict,
) {
    let measurement = match verdict {
        Verdict::Accepted(_, measurement) | Verdict::Conflict(measurement) => {
            Some(measurement.as_ref())
        }
        _ => None,
    };
    told(RowSettled {
        row: checked.rows[index].number,
        outcome: rows.outcome(index),
        measurement,
        rows,
    });
}

fn message(error: &FieldError) -> (Option<Field>, String) {
    match Field::from_wire_path(&error.field) {
        Some(field) => (Some(field), error.message.clone()),
        None => (None, error.to_string()),
    }
}
