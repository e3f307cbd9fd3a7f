//! The exchange of a code for a token.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use base64::Engine as _;
use ring::digest::{SHA256, digest};

use crate::sandbox::oauth::form::{OauthError, basic, posted, require_app, required, uncached};
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
        // The description has the credentials in the form only (RFC 6749, section 5.2).
        let description =
            "send client_id and client_secret in the form, and no Authorization header";
        return Err(OauthError::invalid_client(description).with_basic_challenge());
    }
    let field = |name| required(&form, name);
    let refused = |error, description| OauthError::new(StatusCode::BAD_REQUEST, error, description);
    if field("grant_type")? != "authorization_code" {
        let description = "grant_type must be authorization_code";
        return Err(refused("unsupported_grant_type", description));
    }
    let (client_id, client_secret) = (field("client_id")?, field("client_secret")?);
    let (code, redirect_uri) = (field("code")?, field("redirect_uri")?);
    let verifier = field("code_verifier")?;
    let token = secret("gbt_", rand::random());
    let answer = service.act(|store, now| {
        require_app(store.app(), client_id, client_secret)?;
        let exchange = CodeExchange {
            code,
            redirect_uri,
            challenge: &challenge(verifier)?,
            token: token.clone(),
        };
        store
            .exchange(exchange, now)
            .map(|connection| wire::token(store, &connection, &token))
            .map_err(|error| refused("invalid_grant", error.describe()))
    })??;
    Ok(uncached(answer))
}

/// The S256 challenge of a verifier, which has 43 to 128 unreserved characters (RFC 7636, section 4.1).
fn challenge(verifier: &str) -> Result<String, OauthError> {
    let unreserved = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if !(43..=128).contains(&verifier.len()) || !verifier.bytes().all(unreserved) {
        let description = "code_verifier must have 43 to 128 letters, digits or -._~";
        return Err(OauthError::invalid_request(description));
    }
    let challenge = digest(&SHA256, verifier.as_bytes());
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(challenge))
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
