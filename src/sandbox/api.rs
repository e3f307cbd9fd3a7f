//! The API: `/me` and `/measurements`, for whoever holds a live token.
//!
//! Every call passes the same gate in the same order: token, quota, version. So a stranger costs the team nothing, and
//! a call that is refused for its version or its body still counts, because the team made it.

use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use jiff::Timestamp;
use serde_json::Value;

use crate::sandbox::draft::{self, FieldError};
use crate::sandbox::log::LogError;
use crate::sandbox::service::Service;
use crate::sandbox::wire;
use crate::sandbox::world::{Connection, Created, World};

/// The paths of the API.
///
/// # Source
/// S4.4 to S4.6.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/me", get(me).fallback(only_get))
        .route("/measurements", post(create).fallback(only_post))
        .route("/measurements/{id}", get(read).fallback(only_get))
}

/// An answer of the API, success or error.
pub(super) struct Answer {
    status: StatusCode,
    body: Value,
    header: Option<(header::HeaderName, HeaderValue)>,
}

impl Answer {
    fn ok(status: StatusCode, body: Value) -> Self {
        Self {
            status,
            body,
            header: None,
        }
    }

    /// An error in the documented shape.
    ///
    /// # Source
    /// S7.
    pub(super) fn error(status: StatusCode, code: &str, message: &str) -> Self {
        Self::ok(status, wire::error(code, message))
    }

    pub(super) fn not_found(message: &str) -> Self {
        Self::error(StatusCode::NOT_FOUND, "not_found", message)
    }

    pub(super) fn invalid(errors: &[FieldError]) -> Self {
        Self::ok(StatusCode::UNPROCESSABLE_ENTITY, wire::validation(errors))
    }

    fn with(mut self, name: header::HeaderName, value: HeaderValue) -> Self {
        self.header = Some((name, value));
        self
    }
}

impl From<LogError> for Answer {
    fn from(_: LogError) -> Self {
        let message = "the service could not write this down";
        Self::error(StatusCode::INTERNAL_SERVER_ERROR, "server_error", message)
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(self.body)).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

async fn me(State(service): State<Arc<Service>>, headers: HeaderMap) -> Answer {
    let account = |world: &mut World, connection: &Connection, _| {
        Answer::ok(StatusCode::OK, wire::account(world, connection))
    };
    serve(&service, &headers, account)
}

async fn create(State(service): State<Arc<Service>>, headers: HeaderMap, body: Bytes) -> Answer {
    let body = read_json(&headers, &body);
    let base_url = service.base_url.clone();
    let create = |world: &mut World, connection: &Connection, now| {
        let body = match body {
            Ok(body) => body,
            Err(fault) => return Answer::invalid(&[fault]),
        };
        match submit(world, &body, connection.team, now) {
            Ok(created) => answer_created(world, created, &base_url),
            Err(errors) => Answer::invalid(&errors),
        }
    };
    serve(&service, &headers, create)
}

/// A known external id makes everything else in the body ignored, even what is wrong.
fn submit(
    world: &mut World,
    body: &Value,
    team: usize,
    now: Timestamp,
) -> Result<Created, Vec<FieldError>> {
    if let Some(known) = draft::external_id(body).and_then(|id| world.known(id, team)) {
        return Ok(known);
    }
    Ok(world.create(draft::read(body)?, team, now))
}

fn answer_created(world: &World, created: Created, base_url: &str) -> Answer {
    let (status, index) = match created {
        Created::New(index) => (StatusCode::CREATED, index),
        Created::Known(index) => (StatusCode::OK, index),
        Created::OfAnotherTeam => {
            let message = "is taken by a measurement of another team";
            return Answer::invalid(&[FieldError::new("external.id", message)]);
        }
    };
    let measurement = &world.measurements()[index];
    Answer::ok(status, wire::measurement(world, measurement, base_url))
}

/// An id that is no text is nobody's, like any other that is unknown.
async fn read(
    State(service): State<Arc<Service>>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> Answer {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let base_url = service.base_url.clone();
    let read = |world: &mut World, connection: &Connection, _| {
        let measurement = world.measurement(&id);
        match measurement.filter(|measurement| measurement.team == connection.team) {
            Some(measurement) => Answer::ok(
                StatusCode::OK,
                wire::measurement(world, measurement, &base_url),
            ),
            None => Answer::not_found("no measurement of this team has this id"),
        }
    };
    serve(&service, &headers, read)
}

/// A call whose body is longer than any that is read.
pub(super) fn too_long(service: &Service, headers: &HeaderMap) -> Answer {
    let refuse = |_: &mut World, _: &Connection, _| {
        Answer::invalid(&[FieldError::new("body", "must be at most 1 MiB")])
    };
    serve(service, headers, refuse)
}

async fn only_get(State(service): State<Arc<Service>>, headers: HeaderMap) -> Answer {
    wrong_method(&service, &headers, "GET, HEAD")
}

async fn only_post(State(service): State<Arc<Service>>, headers: HeaderMap) -> Answer {
    wrong_method(&service, &headers, "POST")
}

fn wrong_method(service: &Service, headers: &HeaderMap, allowed: &'static str) -> Answer {
    let refuse = |_: &mut World, _: &Connection, _| {
        let message = "this path does not take this method";
        Answer::error(
            StatusCode::METHOD_NOT_ALLOWED,
            "method_not_allowed",
            message,
        )
        .with(header::ALLOW, HeaderValue::from_static(allowed))
    };
    serve(service, headers, refuse)
}

/// Passes a call through the gate and answers it.
fn serve(
    service: &Service,
    headers: &HeaderMap,
    answer: impl FnOnce(&mut World, &Connection, Timestamp) -> Answer,
) -> Answer {
    let token = bearer(headers);
    let version: Vec<_> = headers.get_all("service-version").into_iter().collect();
    let answered = service.act(|world, now| {
        let connection = match token.and_then(|token| world.connection(token)) {
            Some(connection) => connection.clone(),
            None => return unauthorized(),
        };
        if let Err(seconds) = world.admit(connection.team, now) {
            return rate_limited(seconds);
        }
        if let Some(refusal) = check_version(&version, &service.versions) {
            return refusal;
        }
        answer(world, &connection, now)
    });
    answered.unwrap_or_else(Answer::from)
}

/// The token of the one `Authorization: Bearer` header, whose scheme may be spelled in any case.
pub(super) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(header::AUTHORIZATION).into_iter();
    let (Some(value), None) = (values.next(), values.next()) else {
        return None;
    };
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme
        .eq_ignore_ascii_case("bearer")
        .then(|| token.trim_start())
}

/// # Source
/// S5.7; S7, 401.
fn unauthorized() -> Answer {
    let message = "the token is missing, unknown or revoked";
    Answer::error(StatusCode::UNAUTHORIZED, "unauthorized", message)
        .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// # Source
/// S7, 429.
fn rate_limited(seconds: u64) -> Answer {
    let message = format!("the team's quota is spent; wait {seconds} seconds");
    Answer::error(StatusCode::TOO_MANY_REQUESTS, "rate_limited", &message)
        .with(header::RETRY_AFTER, HeaderValue::from(seconds))
}

/// # Source
/// S9; S7, 400.
fn check_version(asked: &[&HeaderValue], served: &[String]) -> Option<Answer> {
    if asked.is_empty() {
        let message = "the Service-Version header is missing";
        return Some(Answer::error(
            StatusCode::BAD_REQUEST,
            "missing_version",
            message,
        ));
    }
    if let [version] = asked
        && served.iter().any(|one| *version == one.as_str())
    {
        return None;
    }
    let message = format!("served versions: {}", served.join(", "));
    Some(Answer::error(
        StatusCode::BAD_REQUEST,
        "unsupported_version",
        &message,
    ))
}

/// The description names no error for a body that is not JSON; a validation failure of the whole body says it best.
fn read_json(headers: &HeaderMap, body: &[u8]) -> Result<Value, FieldError> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    if !content_type.trim().eq_ignore_ascii_case("application/json") {
        let message = "must be sent as Content-Type: application/json";
        return Err(FieldError::new("body", message));
    }
    serde_json::from_slice(body)
        .map_err(|error| FieldError::new("body", format!("must be JSON: {error}")))
}
