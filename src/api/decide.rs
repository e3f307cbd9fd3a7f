//! Decides what a response means: one pure function over all responses that the service, or a proxy in its place, can
//! return.
//!
//! If a status alone does not distinguish the service from something in its place (a proxy's page, a captive portal),
//! the body must have the documented shape. A response that is not the service's never ends a row.

use std::sync::Arc;

use rand::Rng;

use crate::api::retry::{MAX_DELAY_OF_CALL, retry, retry_after};
use crate::api::wire::{self, WireError};
use crate::api::{
    ApiCall, Attempt, FatalResponse, HttpResponse, ResponseSubject, TransportError, Verdict,
};
use crate::model::{CreationStatus, FieldError, Request, ResponseMeaning, is_same_text, printable};

/// Maximum number of characters of a body that a message shows.
const MAX_BODY_CHARS: usize = 200;

/// Decides what `result` means for `call`. `rng` supplies the jitter of retries.
///
/// ```
/// use gutterbatch::api::{ApiCall, Attempt, HttpResponse, Verdict, verdict};
///
/// let response = HttpResponse {
///     status: 503,
///     retry_after: Some("30".to_owned()),
///     date: None,
///     location: None,
///     body: Vec::new(),
/// };
/// let attempt = Attempt { number: 1, ended_at: jiff::Timestamp::UNIX_EPOCH };
/// let Verdict::Retry { after, .. } = verdict(ApiCall::Me, &Ok(response), attempt, &mut rand::rng())
/// else {
///     panic!("a service that is overloaded is asked again");
/// };
/// assert_eq!(after.as_secs(), 30);
/// ```
///
/// # Source
/// S4.4 to S4.6, responses; S7.
pub fn verdict(
    call: ApiCall<'_>,
    result: &Result<HttpResponse, TransportError>,
    attempt: Attempt,
    rng: &mut impl Rng,
) -> Verdict {
    let response = match result {
        Ok(response) => response,
        Err(failure) => return retry(attempt, None, failure.to_string(), rng),
    };
    match response.status {
        200..=299 => decide_success(call, response).unwrap_or_else(|WireError(why)| {
            retry(attempt, None, invalid_body_reason(response, &why), rng)
        }),
        300..=399 => Verdict::Fatal(FatalResponse::Redirected {
            location: response.location.as_deref().map(printable),
        }),
        400 => {
            Verdict::Fatal(version_error(response).unwrap_or_else(|| unexpected(call, response)))
        }
        401 => Verdict::Fatal(FatalResponse::Unauthorized),
        404 => decide_not_found(call, response),
        422 if matches!(call, ApiCall::Create(_)) => decide_validation_failure(call, response),
        501 => Verdict::Fatal(FatalResponse::NotImplemented),
        // Every 5xx is retried, whether the service's description lists it or not.
        429 | 500..=599 => {
            let retry_after = retry_after(response, attempt.ended_at);
            if response.status == 429 || retry_after > Some(MAX_DELAY_OF_CALL) {
                return Verdict::Means(ResponseMeaning::RateLimited { retry_after });
            }
            let reason = format!("the service answered {}", describe_response(response));
            retry(attempt, retry_after, reason, rng)
        }
        _ => Verdict::Fatal(unexpected(call, response)),
    }
}

/// Decides what a 2xx means, or returns why it is not a documented response to this call.
///
/// Undocumented statuses such as 202 do not show that a measurement exists. Repeating the request is safe, because a
/// known external id returns its original.
fn decide_success(call: ApiCall<'_>, response: &HttpResponse) -> Result<Verdict, WireError> {
    let json = response
        .json()
        .ok_or_else(|| WireError("not an object in UTF-8".to_owned()))?;
    match (call, response.status) {
        (ApiCall::Me, 200) => Ok(Verdict::Account(wire::account(json)?)),
        (ApiCall::Create(request), 200) => decide_creation(request, json, CreationStatus::Existing),
        (ApiCall::Create(request), 201) => decide_creation(request, json, CreationStatus::Created),
        (
            ApiCall::Read {
                measurement_id,
                external_id,
            },
            200,
        ) => decide_read(measurement_id, external_id, json),
        _ => Err(WireError("not a status for this call".to_owned())),
    }
}

fn decide_creation(
    request: &Request,
    json: &str,
    creation: CreationStatus,
) -> Result<Verdict, WireError> {
    let measurement = Arc::new(wire::measurement(json)?);
    let theirs = measurement.request.external.id.as_deref();
    if theirs.is_none_or(|theirs| !is_same_text(theirs, &request.external_id)) {
        return Err(WireError("it has another external id".to_owned()));
    }
    Ok(Verdict::Means(
        if request.matches_measurement(&measurement) {
            ResponseMeaning::accepted(request, measurement, creation)
        } else {
            let known = (creation == CreationStatus::Existing).then_some(request);
            let message = measurement.conflict_message(known);
            ResponseMeaning::Conflict(measurement, message)
        },
    ))
}

/// A response without an external id is accepted if its measurement id is the requested one.
fn decide_read(measurement_id: &str, external_id: &str, json: &str) -> Result<Verdict, WireError> {
    let measurement = Arc::new(wire::measurement(json)?);
    let theirs = measurement.request.external.id.as_deref();
    if measurement.id != measurement_id
        || theirs.is_some_and(|theirs| !is_same_text(theirs, external_id))
    {
        return Err(WireError("it is another measurement".to_owned()));
    }
    Ok(Verdict::Means(ResponseMeaning::Read(measurement)))
}

/// Whether the response is the service's own, about this measurement, although its values cannot be used. That says
/// nothing about other measurements, while the same of any other body may be said of all of them.
pub fn is_service_response(
    call: ApiCall<'_>,
    result: &Result<HttpResponse, TransportError>,
) -> bool {
    let (ApiCall::Read { measurement_id, .. }, Ok(response)) = (call, result) else {
        return false;
    };
    let body = response
        .json()
        .and_then(|json| serde_json::from_str(json).ok());
    let id = |body: serde_json::Value| body["id"].as_str() == Some(measurement_id);
    response.status == 200 && body.is_some_and(id)
}

fn version_error(response: &HttpResponse) -> Option<FatalResponse> {
    let error = wire::service_error(&response.text()).ok()?;
    let known = matches!(
        error.code.as_str(),
        "missing_version" | "unsupported_version"
    );
    known.then(|| FatalResponse::Version {
        code: error.code,
        message: printable(&error.message),
    })
}

/// A 404 from something other than the service says nothing about the measurement.
fn decide_not_found(call: ApiCall<'_>, response: &HttpResponse) -> Verdict {
    match (wire::service_error(&response.text()), call) {
        (Ok(error), ApiCall::Read { measurement_id, .. }) if error.code == "not_found" => {
            Verdict::Means(ResponseMeaning::NotFound {
                measurement_id: measurement_id.to_owned(),
            })
        }
        _ => Verdict::Fatal(unexpected(call, response)),
    }
}

/// A row counts as refused only if the service says so; a 422 of another shape ends the run, because every row would
/// get it.
fn decide_validation_failure(call: ApiCall<'_>, response: &HttpResponse) -> Verdict {
    let error = wire::service_error(&response.text());
    let Some(mut error) = error.ok().filter(|error| error.code == "validation_failed") else {
        return Verdict::Fatal(unexpected(call, response));
    };
    if error.errors.is_empty() {
        error.errors.push(FieldError {
            field: String::new(),
            message: error.message,
        });
    }
    Verdict::Means(ResponseMeaning::Refused(error.errors))
}

fn unexpected(call: ApiCall<'_>, response: &HttpResponse) -> FatalResponse {
    let subject = match call {
        ApiCall::Me => None,
        ApiCall::Create(request) => Some(ResponseSubject::Row(request.external_id.clone())),
        ApiCall::Read { external_id, .. } => {
            Some(ResponseSubject::Measurement(external_id.to_owned()))
        }
    };
    FatalResponse::Unexpected {
        subject,
        status: response.status,
        excerpt: body_excerpt(response),
    }
}

fn invalid_body_reason(response: &HttpResponse, why: &str) -> String {
    let status = response.status;
    if response.text().trim_start().starts_with('<') {
        return format!(
            "status {status} with a web page instead of JSON; a sign-in page or a proxy may answer in place of the service"
        );
    }
    format!("status {status} with a body that is not the service's: {why}")
}

fn describe_response(response: &HttpResponse) -> String {
    let (status, excerpt) = (response.status.to_string(), body_excerpt(response));
    // Servers without a text of their own repeat the status line.
    let text = excerpt.strip_prefix(&status).unwrap_or(&excerpt).trim();
    format!("{status} {text}").trim_end().to_owned()
}

/// The service's code and message, or the start of the body, safe for a terminal.
fn body_excerpt(response: &HttpResponse) -> String {
    let text = response.text();
    let shown = match wire::service_error(&text) {
        Ok(error) if error.message.is_empty() => error.code,
        Ok(error) => format!("{}: {}", error.code, error.message),
        Err(_) => text.split_whitespace().collect::<Vec<_>>().join(" "),
    };
    printable(&shown).chars().take(MAX_BODY_CHARS).collect()
}
