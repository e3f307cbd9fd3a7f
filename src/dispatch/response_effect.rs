//! What a verdict changes in the journal.

use crate::api::{ApiCall, HttpResponse, StopReason, TransportError, Verdict};
use crate::journal::ResponseEffect;
use crate::model::{
    CreationStatus, FieldError, Measurement, Request, ResponseWarning, SubmittedVersion,
};

/// What the result of an attempt changes.
pub(super) fn effect(
    call: ApiCall<'_>,
    outcome: &Result<HttpResponse, TransportError>,
    verdict: &Verdict,
) -> ResponseEffect {
    if was_not_sent(outcome) {
        return ResponseEffect::Unsent;
    }
    match (verdict, call) {
        (Verdict::Accepted(creation, measurement), ApiCall::Create(request)) => {
            ResponseEffect::Accepted {
                creation: *creation,
                original: original(request, measurement, *creation),
                warnings: warnings(request, measurement, *creation),
                measurement: measurement.clone(),
            }
        }
        (Verdict::Conflict(measurement), _) => ResponseEffect::Conflict {
            measurement: measurement.clone(),
            message: FieldError::of_row(measurement.with_another_house()),
        },
        (Verdict::Read(measurement), _) => ResponseEffect::Read(measurement.clone()),
        (Verdict::Gone, ApiCall::Read { measurement_id, .. }) => ResponseEffect::Gone {
            measurement_id: measurement_id.to_owned(),
        },
        (Verdict::Refused(errors), _) => ResponseEffect::Refused {
            errors: errors.clone(),
        },
        (Verdict::Limited { retry_after }, _) => ResponseEffect::Limited {
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
        ) => ResponseEffect::Nothing,
    }
}

/// Whether the service cannot have received the request, because there was no connection.
pub(super) fn was_not_sent(outcome: &Result<HttpResponse, TransportError>) -> bool {
    matches!(
        outcome,
        Err(TransportError::Connect(_) | TransportError::Tls(_))
    )
}

/// What is wrong with a response, for the journal.
pub(super) fn error(
    outcome: &Result<HttpResponse, TransportError>,
    verdict: &Verdict,
) -> Option<String> {
    match (outcome, verdict) {
        (Err(failure), _) => Some(failure.to_string()),
        (Ok(_), Verdict::Again { reason, .. } | Verdict::Exhausted { reason }) => {
            Some(reason.clone())
        }
        (Ok(_), Verdict::Stop(StopReason::Redirected { location })) => Some(format!(
            "redirected to {}",
            location.as_deref().unwrap_or("nowhere")
        )),
        (Ok(_), _) => None,
    }
}

fn original(
    request: &Request,
    measurement: &Measurement,
    creation: CreationStatus,
) -> Option<Box<Request>> {
    let original = match creation {
        CreationStatus::Existing => SubmittedVersion::differing(request, measurement),
        CreationStatus::Created => None,
    };
    original.map(|original| Box::new(original.request))
}

fn warnings(
    request: &Request,
    measurement: &Measurement,
    creation: CreationStatus,
) -> Vec<ResponseWarning> {
    let other = match creation {
        CreationStatus::Existing => ResponseWarning::other_customer(request, measurement),
        CreationStatus::Created => None,
    };
    ResponseWarning::elsewhere(request, measurement)
        .into_iter()
        .chain(other)
        .collect()
}
