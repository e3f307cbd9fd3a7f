//! The exchange of a code for a token.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use sha2::{Digest, Sha256};

use crate::sandbox::oauth::form::{OauthError, basic, is_app, no_store, posted, required};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::random::secret;
use crate::sandbox::service::Service;
use crate::sandbox::store::CodeExchange;
use crate::sandbox::wire;

/// # Source
/// S4.2; S5.3; S2.2.
pub(super) async fn exchange(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, OauthError> {
    let form = posted(&headers, &body)?;
    if basic(&headers).is_some() {
        return Err(OauthError::basic_unsupported());
    }
    let asked = TokenRequest::read(&form)?;
    let token = secret("gbt_", rand::random());
    let answer = service
        .act(|store, now| {
            if !is_app(store.app(), asked.client_id, asked.client_secret) {
                return Err(OauthError::invalid_client());
            }
            let exchange = CodeExchange {
                code: asked.code,
                redirect_uri: asked.redirect_uri,
                challenge: &challenge(asked.code_verifier)?,
                token: token.clone(),
            };
            store
                .exchange(exchange, now)
                .map(|connection| wire::token(store, &connection, &token))
                .map_err(|refused| OauthError::invalid_grant(refused.describe()))
        })
        .map_err(|_| OauthError::server_error())??;
    let mut response = Json(answer).into_response();
    no_store(response.headers_mut());
    Ok(response)
}

/// The documented fields; the secret is read from the form only.
struct TokenRequest<'a> {
    code: &'a str,
    redirect_uri: &'a str,
    client_id: &'a str,
    client_secret: &'a str,
    code_verifier: &'a str,
}

impl<'a> TokenRequest<'a> {
    fn read(form: &'a Parameters) -> Result<Self, OauthError> {
        if required(form, "grant_type")? != "authorization_code" {
            return Err(OauthError::unsupported_grant_type());
        }
        Ok(Self {
            client_id: required(form, "client_id")?,
            client_secret: required(form, "client_secret")?,
            code: required(form, "code")?,
            redirect_uri: required(form, "redirect_uri")?,
            code_verifier: required(form, "code_verifier")?,
        })
    }
}

/// The S256 challenge of a verifier, which has 43 to 128 unreserved characters (RFC 7636, section 4.1).
fn challenge(verifier: &str) -> Result<String, OauthError> {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(unreserved) {
        let description = "code_verifier must have 43 to 128 letters, digits or -._~";
        return Err(OauthError::invalid_request(description));
    }
    let digest = Sha256::digest(verifier.as_bytes());
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(digest))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 7636, appendix B.
    #[test]
    fn the_challenge_is_the_one_of_the_standard() {
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
        let challenge = challenge(verifier).unwrap();
        assert_eq!(challenge, "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM");
    }

    #[test]
    fn a_verifier_has_43_to_128_characters() {
        for (length, good) in [(42, false), (43, true), (128, true), (129, false)] {
            assert_eq!(challenge(&"a".repeat(length)).is_ok(), good, "{length}");
        }
        assert!(challenge(&"é".repeat(43)).is_err());
    }
}
