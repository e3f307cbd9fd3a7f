//! Revocation of a token. The service's description shows neither its parameters, nor its authentication, nor its answer,
//! so this is RFC 7009: the token in a form, with the app's credentials beside it or by Basic; 200 whether or not the token
//! was known. Credentials that are given must be right. Without a secret the token speaks for itself: whoever holds it may
//! do with it what the app may.

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
    let credentials = match &basic {
        Some((id, secret)) => Some((id.as_str(), secret.as_str())),
        None => in_form(&form),
    };
    let client_id = form.get("client_id");
    service
        .act(|store, _| {
            let is_ours = match credentials {
                Some((id, secret)) => is_app(store.app(), id, secret),
                None => client_id.is_none_or(|id| id == store.app().client_id),
            };
            if !is_ours {
                let refusal = OauthError::invalid_client();
                return Err(match &basic {
                    Some(_) => refusal.with_basic_challenge(),
                    None => refusal,
                });
            }
            store.disconnect_token(token);
            Ok(())
        })
        .map_err(|_| OauthError::server_error())??;
    // No body is needed, but some libraries fail on a response that is not JSON.
    let mut response = Json(json!({})).into_response();
    no_store(response.headers_mut());
    Ok(response)
}

/// The credentials of the form; none where it holds no secret.
fn in_form(form: &Parameters) -> Option<(&str, &str)> {
    let secret = form.get("client_secret")?;
    Some((form.get("client_id").unwrap_or_default(), secret))
}
