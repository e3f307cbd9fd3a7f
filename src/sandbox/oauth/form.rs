//! The forms, client credentials and errors of the OAuth endpoints.

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use serde_json::json;

use crate::sandbox::parameters::Parameters;
use crate::sandbox::store::App;

/// The posted form of an endpoint.
pub(super) fn posted(headers: &HeaderMap, body: &Bytes) -> Result<Parameters, OauthError> {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .unwrap_or_default();
    let form = "application/x-www-form-urlencoded";
    if !content_type.trim().eq_ignore_ascii_case(form) {
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

/// Whether these are the app's credentials.
pub(super) fn is_app(app: &App, client_id: &str, client_secret: &str) -> bool {
    app.client_id == client_id && app.client_secret == client_secret
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
    fn new(status: StatusCode, error: &'static str, description: &str) -> Self {
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

    pub(super) fn invalid_client() -> Self {
        let description = "client_id or client_secret is wrong";
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description)
    }

    /// The description has the credentials in the form only. Basic authentication gets the error for an unsupported
    /// authentication method (RFC 6749, section 5.2).
    pub(super) fn basic_unsupported() -> Self {
        let description =
            "send client_id and client_secret in the form, and no Authorization header";
        Self::new(StatusCode::UNAUTHORIZED, "invalid_client", description).with_basic_challenge()
    }

    pub(super) fn invalid_grant(description: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "invalid_grant", description)
    }

    pub(super) fn unsupported_grant_type() -> Self {
        let description = "grant_type must be authorization_code";
        Self::new(
            StatusCode::BAD_REQUEST,
            "unsupported_grant_type",
            description,
        )
    }

    pub(super) fn server_error() -> Self {
        let description = "the service could not write its log";
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "server_error",
            description,
        )
    }

    pub(super) fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Names the scheme that the client tried, as the response to a failed Basic authentication must.
    pub(super) fn with_basic_challenge(mut self) -> Self {
        self.challenge = Some("Basic realm=\"oauth\"");
        self
    }
}

impl IntoResponse for OauthError {
    fn into_response(self) -> Response {
        let body = json!({"error": self.error, "error_description": self.description});
        let mut response = (self.status, axum::Json(body)).into_response();
        let headers = response.headers_mut();
        no_store(headers);
        if let Some(challenge) = self.challenge {
            headers.insert(
                header::WWW_AUTHENTICATE,
                HeaderValue::from_static(challenge),
            );
        }
        if self.status == StatusCode::METHOD_NOT_ALLOWED {
            headers.insert(header::ALLOW, HeaderValue::from_static("POST"));
        }
        response
    }
}

/// Forbids caching of responses with tokens (RFC 6749, section 5.1).
pub(super) fn no_store(headers: &mut HeaderMap) {
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::PRAGMA, HeaderValue::from_static("no-cache"));
}
