//! The forms, client credentials and errors of the OAuth endpoints.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use serde_json::{Value, json};

use crate::sandbox::api::is_of_type;
use crate::sandbox::log::LogError;
use crate::sandbox::parameters::Parameters;
use crate::sandbox::store::App;

/// The posted form of an endpoint.
pub(super) fn posted(headers: &HeaderMap, body: &Bytes) -> Result<Parameters, OauthError> {
    let form = "application/x-www-form-urlencoded";
    if !is_of_type(headers, form) {
        return Err(OauthError::invalid_request(&format!(
            "send the parameters as {form}"
        )));
    }
    let form = Parameters::read(body);
    match form.doubled() {
        None => Ok(form),
        Some(name) => Err(OauthError::invalid_request(&format!(
            "{name} is given twice"
        ))),
    }
}

/// A required parameter.
pub(super) fn required<'a>(form: &'a Parameters, name: &str) -> Result<&'a str, OauthError> {
    form.get(name)
        .ok_or_else(|| OauthError::invalid_request(&format!("{name} is missing")))
}

/// The id and secret from an `Authorization: Basic` header (RFC 6749, section 2.3.1); both empty where it is malformed.
pub(super) fn basic(headers: &HeaderMap) -> Option<(String, String)> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, encoded) = value.split_once(' ')?;
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = base64::engine::general_purpose::STANDARD
        .decode(encoded.trim())
        .ok();
    let pair = pair.and_then(|pair| String::from_utf8(pair).ok());
    let pair = pair.as_deref().and_then(|pair| pair.split_once(':'));
    let (id, secret) = pair.unwrap_or_default();
    Some((decoded(id), decoded(secret)))
}

fn decoded(text: &str) -> String {
    let mut pairs = url::form_urlencoded::parse(text.as_bytes());
    pairs
        .next()
        .map_or_else(String::new, |(name, _)| name.into_owned())
}

/// Refuses credentials other than the app's.
pub(super) fn require_app(
    app: &App,
    client_id: &str,
    client_secret: &str,
) -> Result<(), OauthError> {
    if app.client_id == client_id && app.client_secret == client_secret {
        return Ok(());
    }
    let description = "client_id or client_secret is wrong";
    Err(OauthError::invalid_client(description))
}

/// An error of an OAuth endpoint (RFC 6749, section 5.2).
///
/// # Source
/// S7, last paragraph.
#[derive(Debug)]
pub(super) struct OauthError {
    status: StatusCode,
    error: &'static str,
    description: String,
    challenge: Option<&'static str>,
}

impl OauthError {
    pub(super) fn new(status: StatusCode, error: &'static str, description: &str) -> Self {
        Self {
            status,
            error,
            description: description.to_owned(),
            challenge: None,
        }
    }

    pub(super) fn invalid_request(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_request", description)
    }

    pub(super) fn invalid_client(description: &str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description)
    }

    /// Names the scheme that the client tried, as the response to a failed Basic authentication must.
    pub(super) fn with_basic_challenge(mut self) -> Self {
        self.challenge = Some("Basic realm=\"oauth\"");
        self
    }
}

impl From<LogError> for OauthError {
    fn from(_: LogError) -> Self {
        let description = "the service could not write its log";
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "server_error",
            description,
        )
    }
}

/// A response that is not cached, since it is about a token (RFC 6749, section 5.1).
pub(super) fn uncached(body: Value) -> Response {
    let headers = [
        (header::CACHE_CONTROL, "no-store"),
        (header::PRAGMA, "no-cache"),
    ];
    (headers, axum::Json(body)).into_response()
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        let body = json!({"error": self.error, "error_description": self.description});
        let mut response = (self.status, uncached(body)).into_response();
        let headers = response.headers_mut();
        if let Some(challenge) = self.challenge {
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            );
        }
        response
    }
}
