//! The changes to the journal that follow from a verdict.

use crate::api::{ApiCall, FatalResponse, HttpResponse, TransportError, Verdict};
use crate::journal::ResponseEffect;
use crate::model::{CreationStatus, Measurement, Request, ResponseWarning};

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
            ResponseEffect::Accepted {
                creation: *creation,
                original: (*creation == CreationStatus::Existing)
                    .then(|| request.as_stored(measurement))
                    .flatten()
                    .map(Box::new),
                warnings: response_warnings(request, measurement, *creation),
                measurement: measurement.clone(),
            }
        }
        (Verdict::Conflict(measurement, message), _) => ResponseEffect::Conflict {
            measurement: measurement.clone(),
            message: message.clone(),
        },
        (Verdict::Read(measurement), _) => ResponseEffect::Read(measurement.clone()),
        (Verdict::NotFound, ApiCall::Read { measurement_id, .. }) => ResponseEffect::NotFound {
            measurement_id: measurement_id.to_owned(),
        },
        (Verdict::Refused(errors), _) => ResponseEffect::Refused {
            errors: errors.clone(),
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
            | Verdict::Fatal(_),
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
        (Ok(_), Verdict::Fatal(FatalResponse::Redirected { location })) => Some(format!(
            "redirected to {}",
            location.as_deref().unwrap_or("nowhere")
        )),
        (Ok(_), _) => None,
    }
}

fn response_warnings(
    request: &Request,
    measurement: &Measurement,
    creation: CreationStatus,
) -> Vec<ResponseWarning> {
    let other = match creation {
        CreationStatus::Existing => ResponseWarning::customer_differs(request, measurement),
        CreationStatus::Created => None,
    };
    ResponseWarning::placed_elsewhere(request, measurement)
        .into_iter()
        .chain(other)
        .collect()
}
