//! The parameters of the consent page and their errors.

use crate::sandbox::oauth::redirect::is_registered;
use crate::sandbox::parameters::Parameters;
use crate::sandbox::store::Store;

/// A valid authorization request.
#[derive(Debug)]
pub(in crate::sandbox) struct AuthorizationRequest {
    pub(in crate::sandbox) client_id: String,
    pub(in crate::sandbox) redirect_uri: String,
    pub(in crate::sandbox) state: String,
    pub(in crate::sandbox) code_challenge: String,
}

/// Why an authorization request is refused.
pub(in crate::sandbox) enum AuthorizationError {
    /// The app or its redirect URI is unknown, so there must be no redirect.
    Untrusted(&'static str),
    /// The app gets the error at its redirect URI.
    Redirected {
        redirect_uri: String,
        state: Option<String>,
        error: &'static str,
        description: String,
    },
}

/// Checks the parameters.
///
/// # Source
/// S4.1, all parameters required; RFC 6749, section 4.1.2.1; RFC 7636, section 4.4.1.
pub(in crate::sandbox) fn check(
    form: &Parameters,
    store: &Store,
) -> Result<AuthorizationRequest, AuthorizationError> {
    let Some(client_id) = form.get("client_id") else {
        return Err(AuthorizationError::Untrusted("The client_id is missing."));
    };
    if client_id != store.app().client_id {
        return Err(AuthorizationError::Untrusted("The client_id is unknown."));
    }
    let redirect_uri = form.get("redirect_uri").unwrap_or_default();
    if !is_registered(redirect_uri, &store.options().redirect_uris) {
        return Err(AuthorizationError::Untrusted(
            "The redirect_uri is not registered for this app.",
        ));
    }
    let state = form.get("state");
    let error = |error, description: &str| AuthorizationError::Redirected {
        redirect_uri: redirect_uri.to_owned(),
        state: state.map(str::to_owned),
        error,
        description: description.to_owned(),
    };
    if let Some(name) = form.doubled() {
        return Err(error("invalid_request", &format!("{name} is given twice")));
    }
    match form.get("response_type") {
        Some("code") => {}
        Some(_) => {
            return Err(error(
                "unsupported_response_type",
                "response_type must be code",
            ));
        }
        None => return Err(error("invalid_request", "response_type is missing")),
    }
    let Some(state) = state else {
        return Err(error("invalid_request", "state is missing"));
    };
    if form.get("code_challenge_method") != Some("S256") {
        return Err(error(
            "invalid_request",
            "code_challenge_method must be S256",
        ));
    }
    let challenge = form.get("code_challenge").unwrap_or_default();
    if !is_challenge(challenge) {
        let description = "code_challenge must be the 43 characters of an S256 challenge";
        return Err(error("invalid_request", description));
    }
    Ok(AuthorizationRequest {
        client_id: store.app().client_id.clone(),
        redirect_uri: redirect_uri.to_owned(),
        state: state.to_owned(),
        code_challenge: challenge.to_owned(),
    })
}

/// The error for a Deny.
///
/// # Source
/// S4.1, Deny.
pub(in crate::sandbox) fn denied(authorization: AuthorizationRequest) -> AuthorizationError {
    AuthorizationError::Redirected {
        redirect_uri: authorization.redirect_uri,
        state: Some(authorization.state),
        error: "access_denied",
        description: "the contractor did not allow it".to_owned(),
    }
}

fn is_challenge(text: &str) -> bool {
    let base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    text.len() == 43 && text.bytes().all(base64url)
}
