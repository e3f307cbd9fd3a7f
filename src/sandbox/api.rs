//! The API: `/me` and `/measurements`.
//!
//! Every call is checked in the same order: token, quota, version. A call without a valid token costs the team nothing;
//! one that is refused for its version or its body counts against the quota.

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

use crate::sandbox::log::LogError;
use crate::sandbox::service::Service;
use crate::sandbox::store::{Connection, CreateOutcome, Store};
use crate::sandbox::validation::{self, FieldError};
use crate::sandbox::wire;

/// The paths of the API.
///
/// # Source
/// S4.4 to S4.6.
pub(super) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/me", get(me))
        .route("/measurements", post(create))
        .route("/measurements/{id}", get(read))
        .method_not_allowed_fallback(wrong_method)
}

/// A response of the API, success or error.
pub(super) struct ApiResponse {
    status: StatusCode,
    body: Value,
    header: Option<(header::HeaderName, HeaderValue)>,
}

impl ApiResponse {
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

impl From<LogError> for ApiResponse {
    fn from(_: LogError) -> Self {
        let message = "the service could not write its log";
        Self::error(StatusCode::INTERNAL_SERVER_ERROR, "server_error", message)
    }
}

impl IntoResponse for ApiResponse {
    fn into_response(self) -> Response {
        let mut response = (self.status, axum::Json(self.body)).into_response();
        if let Some((name, value)) = self.header {
            response.headers_mut().insert(name, value);
        }
        response
    }
}

async fn me(State(service): State<Arc<Service>>, headers: HeaderMap) -> ApiResponse {
    let account = |store: &mut Store, connection: &Connection, _| {
        ApiResponse::ok(StatusCode::OK, wire::account(store, connection))
    };
    serve(&service, &headers, account)
}

async fn create(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> ApiResponse {
    let body = read_json(&headers, &body);
    let base_url = service.base_url.clone();
    let create = |store: &mut Store, connection: &Connection, now| {
        let body = match body {
            Ok(body) => body,
            Err(fault) => return ApiResponse::invalid(&[fault]),
        };
        match submit(store, &body, connection.team, now) {
            Ok(created) => answer_created(store, created, &base_url),
            Err(errors) => ApiResponse::invalid(&errors),
        }
    };
    serve(&service, &headers, create)
}

/// If the external id is known, the rest of the body is ignored, valid or not.
fn submit(
    store: &mut Store,
    body: &Value,
    team: usize,
    now: Timestamp,
) -> Result<CreateOutcome, Vec<FieldError>> {
    if let Some(known) = validation::external_id(body).and_then(|id| store.known(id, team)) {
        return Ok(known);
    }
    let request = validation::read(body, store.options().team_country)?;
    Ok(store.create(request, team, now))
}

fn answer_created(store: &Store, created: CreateOutcome, base_url: &str) -> ApiResponse {
    let (status, index) = match created {
        CreateOutcome::New(index) => (StatusCode::CREATED, index),
        CreateOutcome::Existing(index) => (StatusCode::OK, index),
        CreateOutcome::OfAnotherTeam => {
            let message = "is taken by a measurement of another team";
            return ApiResponse::invalid(&[FieldError::new("external.id", message)]);
        }
    };
    let measurement = &store.measurements()[index];
    ApiResponse::ok(status, wire::measurement(store, measurement, base_url))
}

/// An id that is not UTF-8 is unknown too.
async fn read(
    State(service): State<Arc<Service>>,
    id: Result<Path<String>, PathRejection>,
    headers: HeaderMap,
) -> ApiResponse {
    let id = id.map(|Path(id)| id).unwrap_or_default();
    let base_url = service.base_url.clone();
    let read = |store: &mut Store, connection: &Connection, _| {
        let measurement = store.measurement(&id);
        match measurement.filter(|measurement| measurement.team == connection.team) {
            Some(measurement) => ApiResponse::ok(
                StatusCode::OK,
                wire::measurement(store, measurement, &base_url),
            ),
            None => ApiResponse::not_found("no measurement of this team has this id"),
        }
    };
    serve(&service, &headers, read)
}

/// The router adds the header `Allow`.
async fn wrong_method(State(service): State<Arc<Service>>, headers: HeaderMap) -> ApiResponse {
    let refuse = |_: &mut Store, _: &Connection, _| {
        let (status, code) = (StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed");
        ApiResponse::error(status, code, "this path does not take this method")
    };
    serve(&service, &headers, refuse)
}

/// Checks token, quota and version of a call, and answers it.
fn serve(
    service: &Service,
    headers: &HeaderMap,
    answer: impl FnOnce(&mut Store, &Connection, Timestamp) -> ApiResponse,
) -> ApiResponse {
    let token = bearer(headers);
    let version: Vec<_> = headers.get_all("service-version").into_iter().collect();
    let answered = service.act(|store, now| {
        let connection = match token.and_then(|token| store.connection(token)) {
            Some(connection) => connection.clone(),
            None => return unauthorized(),
        };
        if let Err(seconds) = store.admit(connection.team, now) {
            return rate_limited(seconds);
        }
        if let Some(refusal) = check_version(&version, &service.versions) {
            return refusal;
        }
        answer(store, &connection, now)
    });
    answered.unwrap_or_else(ApiResponse::from)
}

/// The token of a single `Authorization: Bearer` header; the scheme is case-insensitive.
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
fn unauthorized() -> ApiResponse {
    let message = "the token is missing, unknown or revoked";
    ApiResponse::error(StatusCode::UNAUTHORIZED, "unauthorized", message)
        .with(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"))
}

/// # Source
/// S7, 429.
fn rate_limited(seconds: u64) -> ApiResponse {
    let message = format!("the team's quota is used up; wait {seconds} seconds");
    ApiResponse::error(StatusCode::TOO_MANY_REQUESTS, "rate_limited", &message)
        .with(header::RETRY_AFTER, HeaderValue::from(seconds))
}

/// # Source
/// S9; S7, 400.
fn check_version(asked: &[&HeaderValue], served: &[String]) -> Option<ApiResponse> {
    if asked.is_empty() {
        let message = "the Service-Version header is missing";
        return Some(ApiResponse::error(
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
    Some(ApiResponse::error(
        StatusCode::BAD_REQUEST,
        "unsupported_version",
        &message,
    ))
}

/// Whether a body is said to be of a media type, whatever its parameters.
pub(super) fn is_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    let value = value.and_then(|value| value.to_str().ok());
    let given = value.and_then(|value| value.split(';').next());
    given.is_some_and(|given| given.trim().eq_ignore_ascii_case(media_type))
}

/// The description has no error for a body that is not JSON; it is a validation failure of the field `body` here.
fn read_json(headers: &HeaderMap, body: &[u8]) -> Result<Value, FieldError> {
    if !is_of_type(headers, "application/json") {
        let message = "must be sent as Content-Type: application/json";
        return Err(FieldError::new("body", message));
    }
    serde_json::from_slice(body)
        .map_err(|error| FieldError::new("body", format!("must be JSON: {error}")))
}
