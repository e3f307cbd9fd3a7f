//! The changes to the journal that follow from a verdict.

use crate::api::{
    ApiCall, CreationStatus, FieldError, HttpResponse, StopReason, TransportError, Verdict,
};
use crate::journal::{CreationOrigin, ResponseEffect};
use crate::model::{Measurement, Request, ResponseWarning, SubmittedVersion};

/// Returns what the result of an attempt changes.
pub(super) fn response_effect(
    call: ApiCall<'_>,
    outcome: &Result<HttpResponse, TransportError>,
    verdict: &Verdict,
) -> ResponseEffect {
    if was_not_sent(outcome) {
        return ResponseEffect::Unsent;
    }
    match (verdict, call) {
        (Verdict::Accepted(creation, measurement), ApiCall::Create(request)) => {
            let origin = match creation {
                CreationStatus::Created => CreationOrigin::Created,
                CreationStatus::Existing => CreationOrigin::Existing,
            };
            ResponseEffect::Accepted {
                origin,
                original: submitted_version(request, measurement, origin),
                warnings: response_warnings(request, measurement, origin),
                measurement: measurement.clone(),
            }
        }
        (Verdict::Conflict(measurement), _) => ResponseEffect::Conflict {
            measurement: measurement.clone(),
            message: measurement.conflict_message(),
        },
        (Verdict::Read(measurement), _) => ResponseEffect::Read(measurement.clone()),
        (Verdict::NotFound, ApiCall::Read { measurement_id, .. }) => ResponseEffect::NotFound {
            measurement_id: measurement_id.to_owned(),
        },
        (Verdict::Refused(errors), _) => ResponseEffect::Refused {
            message: refusal_message(errors),
        },
        (Verdict::RateLimited { retry_after }, _) => ResponseEffect::RateLimited {
            retry_after: *retry_after,
        },
        (
            Verdict::Account(_)
            | Verdict::Accepted(..)
            | Verdict::NotFound
            | Verdict::Retry { .. }
            | Verdict::Exhausted { .. }
            | Verdict::Stop(_),
            _,
        ) => ResponseEffect::Unchanged,
    }
}

/// Whether the service cannot have received the request, because there was no connection.
pub(super) fn was_not_sent(outcome: &Result<HttpResponse, TransportError>) -> bool {
    matches!(
        outcome,
        Err(TransportError::Connect(_) | TransportError::Tls(_))
    )
}

/// Returns what is wrong with a response, for the journal.
pub(super) fn response_error(
    outcome: &Result<HttpResponse, TransportError>,
    verdict: &Verdict,
) -> Option<String> {
    match (outcome, verdict) {
        (Err(failure), _) => Some(failure.to_string()),
        (Ok(_), Verdict::Retry { reason, .. } | Verdict::Exhausted { reason }) => {
            Some(reason.clone())
        }
        (Ok(_), Verdict::Stop(StopReason::Redirected { location })) => Some(format!(
            "redirected to {}",
            location.as_deref().unwrap_or("nowhere")
        )),
        (Ok(_), _) => None,
    }
}

/// One line per message, each preceded by the service's field.
pub(super) fn refusal_message(errors: &[FieldError]) -> String {
    let lines: Vec<String> = errors.iter().map(FieldError::to_string).collect();
    lines.join("\n")
}

fn submitted_version(
    request: &Request,
    measurement: &Measurement,
    origin: CreationOrigin,
) -> Option<Box<Request>> {
    let original = match origin {
        CreationOrigin::Existing => SubmittedVersion::from_response(request, measurement),
        CreationOrigin::Created => None,
    };
    original.map(|original| Box::new(original.request))
}

fn response_warnings(
    request: &Request,
    measurement: &Measurement,
    origin: CreationOrigin,
) -> Vec<ResponseWarning> {
    let other = match origin {
        CreationOrigin::Existing => ResponseWarning::customer_differs(request, measurement),
        CreationOrigin::Created => None,
    };
    ResponseWarning::placed_elsewhere(request, measurement)
        .into_iter()
        .chain(other)
        .collect()
}
