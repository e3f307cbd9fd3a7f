//! What a verdict changes in the journal.

use crate::api::{Answer, Call, Creation, Failure, FieldError, Stop, Verdict};
use crate::journal::{Effect, Origin};
use crate::model::{Measurement, Original, Request, Warning};

/// What the result of an attempt changes.
pub(super) fn effect(
    call: Call<'_>,
    outcome: &Result<Answer, Failure>,
    verdict: &Verdict,
) -> Effect {
    if was_not_sent(outcome) {
        return Effect::Unsent;
    }
    match (verdict, call) {
        (Verdict::Accepted(creation, measurement), Call::Create(request)) => {
            let origin = match creation {
                Creation::Created => Origin::Created,
                Creation::Existing => Origin::Existing,
            };
            Effect::Accepted {
                origin,
                original: original(request, measurement, origin),
                warnings: warnings(request, measurement, origin),
                measurement: measurement.clone(),
            }
        }
        (Verdict::Conflict(measurement), _) => Effect::Conflict {
            measurement: measurement.clone(),
            message: measurement.with_another_house(),
        },
        (Verdict::Read(measurement), _) => Effect::Read(measurement.clone()),
        (Verdict::Gone, Call::Read { measurement_id, .. }) => Effect::Gone {
            measurement_id: measurement_id.to_owned(),
        },
        (Verdict::Refused(errors), _) => Effect::Refused {
            message: refusal(errors),
        },
        (Verdict::Limited { retry_after }, _) => Effect::Limited {
            retry_after: *retry_after,
        },
        (
            Verdict::Account(_)
            | Verdict::Accepted(..)
            | Verdict::Gone
            | Verdict::Again { .. }
            | Verdict::Exhausted { .. }
            | Verdict::Stop(_),
            _,
        ) => Effect::Nothing,
    }
}

/// Whether the service cannot have received the request, because there was no connection.
pub(super) fn was_not_sent(outcome: &Result<Answer, Failure>) -> bool {
    matches!(outcome, Err(Failure::Connect(_) | Failure::Tls(_)))
}

/// What is wrong with a response, for the journal.
pub(super) fn error(outcome: &Result<Answer, Failure>, verdict: &Verdict) -> Option<String> {
    match (outcome, verdict) {
        (Err(failure), _) => Some(failure.to_string()),
        (Ok(_), Verdict::Again { reason, .. } | Verdict::Exhausted { reason }) => {
            Some(reason.clone())
        }
        (Ok(_), Verdict::Stop(Stop::Redirected { location })) => Some(format!(
            "redirected to {}",
            location.as_deref().unwrap_or("nowhere")
        )),
        (Ok(_), _) => None,
    }
}

/// One line per message, each preceded by the service's field.
pub(super) fn refusal(errors: &[FieldError]) -> String {
    let lines: Vec<String> = errors.iter().map(FieldError::to_string).collect();
    lines.join("\n")
}

fn original(request: &Request, measurement: &Measurement, origin: Origin) -> Option<Box<Request>> {
    let original = match origin {
        Origin::Existing => Original::differing(request, measurement),
        Origin::Created => None,
    };
    original.map(|original| Box::new(original.request))
}

fn warnings(request: &Request, measurement: &Measurement, origin: Origin) -> Vec<Warning> {
    let other = match origin {
        Origin::Existing => Warning::other_customer(request, measurement),
        Origin::Created => None,
    };
    Warning::elsewhere(request, measurement)
        .into_iter()
        .chain(other)
        .collect()
}
