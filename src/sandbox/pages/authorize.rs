//! The handlers of the consent page.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use url::Url;

use crate::sandbox::log::LogError;
use crate::sandbox::oauth::{AuthorizationError, check, denied};
use crate::sandbox::pages::consent;
use crate::sandbox::pages::layout::{REFUSED_FORM, is_from_here};
use crate::sandbox::parameters::Parameters;
use crate::sandbox::random::secret;
use crate::sandbox::service::Service;
use crate::sandbox::store::{Grant, Store};

/// Shows the consent page.
pub(super) async fn show(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
) -> Result<Response, LogError> {
    let query = query.unwrap_or_default();
    let checked = service.act(|store, _| {
        let authorization = check(&Parameters::read(query.as_bytes()), store)?;
        Ok(consent::page(&authorization, store))
    })?;
    Ok(checked.unwrap_or_else(refuse))
}

/// Takes the contractor's decision. The parameters are checked again, since a form can be forged.
pub(super) async fn decide(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<Response, LogError> {
    let form = Parameters::read(&body);
    if !is_from_here(&headers) {
        return Ok(consent::refused(StatusCode::FORBIDDEN, REFUSED_FORM));
    }
    let code = secret("code_", rand::random());
    let decided = service.act(|store, now| {
        let authorization = check(&form, store)?;
        if form.get("decision") != Some("allow") {
            return Err(denied(authorization));
        }
        let team = form.get("team").and_then(|id| team_named(store, id));
        let Some(team) = team else {
            return Err(AuthorizationError::Untrusted("No such team."));
        };
        store.grant(Grant {
            code: code.clone(),
            team,
            redirect_uri: authorization.redirect_uri.clone(),
            challenge: authorization.code_challenge.clone(),
            at: now,
        });
        let parameters = [("code", code.as_str()), ("state", &authorization.state)];
        Ok(redirect(&authorization.redirect_uri, &parameters))
    })?;
    Ok(decided.unwrap_or_else(refuse))
}

fn team_named(store: &Store, id: &str) -> Option<usize> {
    store.teams().iter().position(|team| team.id == id)
}

fn refuse(fault: AuthorizationError) -> Response {
    match fault {
        AuthorizationError::Untrusted(why) => consent::refused(StatusCode::BAD_REQUEST, why),
        AuthorizationError::Redirected {
            redirect_uri,
            state,
            error,
            description,
        } => {
            let mut parameters = vec![("error", error), ("error_description", &description)];
            parameters.extend(state.as_deref().map(|state| ("state", state)));
            redirect(&redirect_uri, &parameters)
        }
    }
}

/// Redirects the browser to the app, keeping the query of its redirect URI.
fn redirect(redirect_uri: &str, parameters: &[(&str, &str)]) -> Response {
    let mut url = Url::parse(redirect_uri).expect("a registered redirect URI is a URL");
    url.query_pairs_mut().extend_pairs(parameters);
    let location = HeaderValue::from_str(url.as_str()).expect("a URL is plain ASCII");
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
