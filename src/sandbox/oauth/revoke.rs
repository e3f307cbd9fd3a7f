//! Revocation of a token. The service's description shows neither its parameters, nor its authentication, nor its
//! answer, so this is RFC 7009: the token in a form, with the app's credentials beside it or by Basic; 200 whether or
//! not the token was known. Credentials that are given must be right. Without a secret the token speaks for itself:
//! whoever holds it may do with it what the app may.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use serde_json::json;

use crate::sandbox::oauth::form::{OauthError, basic, posted, require_app, required, uncached};
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
    service.act(|store, _| {
        let app = store.app();
        let (id, secret) = credentials.unwrap_or_else(|| {
            let id = form.get("client_id").unwrap_or(&app.client_id);
            (id, &app.client_secret)
        });
        require_app(app, id, secret).map_err(|refusal| match &basic {
            Some(_) => refusal.with_basic_challenge(),
            None => refusal,
        })?;
        store.disconnect_token(token);
        Ok::<(), OauthError>(())
    })??;
    // No body is needed, but some libraries fail on a response that is not JSON.
    Ok(uncached(json!({})))
}

/// The credentials of the form; `None` if it holds no secret.
fn in_form(form: &Parameters) -> Option<(&str, &str)> {
    let secret = form.get("client_secret")?;
    Some((form.get("client_id").unwrap_or_default(), secret))
}
