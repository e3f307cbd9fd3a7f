//! Revocation of a token. The service's description shows neither its parameters nor its answer, so this is RFC 7009:
//! the token and the app's credentials in a form, or the credentials by Basic; 200 whether or not the token was known.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::json;

use crate::sandbox::oauth::form::{OauthError, basic, is_app, no_store, posted, required};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::service::Service;

/// # Source
/// S4.3; S5.6.
pub(super) async fn revoke(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, OauthError> {
    let form = posted(&headers, &body)?;
    let token = required(&form, "token")?;
    let basic = basic(&headers);
    let (client_id, client_secret) = match &basic {
        Some((id, secret)) => (id.as_str(), secret.as_str()),
        None => in_form(&form)?,
    };
    service
        .act(|store, now| {
            if !is_app(store.app(), client_id, client_secret) {
                let refusal = OauthError::invalid_client();
                return Err(match &basic {
                    Some(_) => refusal.with_basic_challenge(),
                    None => refusal,
                });
            }
            store.disconnect_token(token, now);
            Ok(())
        })
        .map_err(|_| OauthError::server_error())??;
    // No body is needed, but some libraries fail on a response that is not JSON.
    let mut response = Json(json!({})).into_response();
    no_store(response.headers_mut());
    Ok(response)
}

fn in_form(form: &Parameters) -> Result<(&str, &str), OauthError> {
    let (Some(id), Some(secret)) = (form.get("client_id"), form.get("client_secret")) else {
        return Err(OauthError::invalid_client());
    };
    Ok((id, secret))
}
