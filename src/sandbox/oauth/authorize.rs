//! The consent page's two halves: what an app asks for, and what the contractor answers.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use url::Url;

use crate::sandbox::chance::secret;
use crate::sandbox::oauth::form::Parameters;
use crate::sandbox::oauth::redirect::is_registered;
use crate::sandbox::pages::consent;
use crate::sandbox::pages::guard::{self, Guard};
use crate::sandbox::service::Service;
use crate::sandbox::world::{Grant, World};

/// A request for authorization in which everything is in order.
#[derive(Debug)]
pub(in crate::sandbox) struct Authorization {
    pub(in crate::sandbox) client_id: String,
    pub(in crate::sandbox) redirect_uri: String,
    pub(in crate::sandbox) state: String,
    pub(in crate::sandbox) code_challenge: String,
}

/// What is wrong with a request for authorization.
enum Fault {
    /// The app or where to send the browser back to is in doubt: nobody but the person in front may be told.
    Untrusted(&'static str),
    /// The app is told, at its redirect URI.
    Told {
        redirect_uri: String,
        state: Option<String>,
        error: &'static str,
        description: String,
    },
}

/// Shows the consent page.
pub(super) async fn ask(
    State(service): State<Arc<Service>>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Response {
    let query = query.unwrap_or_default();
    let checked = service
        .act(|world, _| {
            let authorization = check(&Parameters::read(query.as_bytes()), world)?;
            let guard = Guard::of(&headers, &service.form_key);
            Ok(consent::page(&authorization, world, &guard))
        })
        .await;
    match checked {
        Ok(Ok(page)) => page,
        Ok(Err(fault)) => refuse(fault),
        Err(_) => consent::sorry(StatusCode::INTERNAL_SERVER_ERROR, NOT_WRITTEN),
    }
}

/// Takes the contractor's decision. The request is checked anew: the form could say anything.
pub(super) async fn decide(
    State(service): State<Arc<Service>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let form = Parameters::read(&body);
    if !guard::holds(&headers, &service.form_key, &form) {
        return consent::sorry(StatusCode::FORBIDDEN, guard::FOREIGN_FORM);
    }
    let code = secret("code_", rand::random());
    let decided = service
        .act(|world, now| {
            let authorization = check(&form, world)?;
            if form.get("decision") != Some("allow") {
                return Err(denied(authorization));
            }
            let team = form.get("team").and_then(|id| team_named(world, id));
            let Some(team) = team else {
                return Err(Fault::Untrusted("No such team."));
            };
            world.grant(Grant {
                code: code.clone(),
                team,
                redirect_uri: authorization.redirect_uri.clone(),
                challenge: authorization.code_challenge.clone(),
                at: now,
            });
            Ok(authorization)
        })
        .await;
    match decided {
        Ok(Ok(allowed)) => back(
            &allowed.redirect_uri,
            &[("code", &code), ("state", &allowed.state)],
        ),
        Ok(Err(fault)) => refuse(fault),
        Err(_) => consent::sorry(StatusCode::INTERNAL_SERVER_ERROR, NOT_WRITTEN),
    }
}

const NOT_WRITTEN: &str = "The service could not write this down.";

fn team_named(world: &World, id: &str) -> Option<usize> {
    world.teams().iter().position(|team| team.id == id)
}

/// # Source
/// S4.1, Deny.
fn denied(authorization: Authorization) -> Fault {
    Fault::Told {
        redirect_uri: authorization.redirect_uri,
        state: Some(authorization.state),
        error: "access_denied",
        description: "the contractor did not allow it".to_owned(),
    }
}

/// # Source
/// S4.1, all parameters required; RFC 6749, section 4.1.2.1; RFC 7636, section 4.4.1.
fn check(form: &Parameters, world: &World) -> Result<Authorization, Fault> {
    if form.get("client_id") != Some(world.app().client_id.as_str()) {
        return Err(Fault::Untrusted("The client_id is not one of an app."));
    }
    let redirect_uri = form.get("redirect_uri").unwrap_or_default();
    if !is_registered(redirect_uri, &world.settings().redirect_uris) {
        return Err(Fault::Untrusted(
            "The redirect_uri is not registered for this app.",
        ));
    }
    let state = form.get("state");
    let told = |error, description: &str| Fault::Told {
        redirect_uri: redirect_uri.to_owned(),
        state: state.map(str::to_owned),
        error,
        description: description.to_owned(),
    };
    if let Some(name) = form.doubled() {
        return Err(told("invalid_request", &format!("{name} is given twice")));
    }
    match form.get("response_type") {
        Some("code") => {}
        Some(_) => {
            return Err(told(
                "unsupported_response_type",
                "response_type must be code",
            ));
        }
        None => return Err(told("invalid_request", "response_type is missing")),
    }
    let Some(state) = state else {
        return Err(told("invalid_request", "state is missing"));
    };
    if form.get("code_challenge_method") != Some("S256") {
        return Err(told(
            "invalid_request",
            "code_challenge_method must be S256",
        ));
    }
    let challenge = form.get("code_challenge").unwrap_or_default();
    if !is_challenge(challenge) {
        let description = "code_challenge must be the 43 characters of an S256 challenge";
        return Err(told("invalid_request", description));
    }
    Ok(Authorization {
        client_id: world.app().client_id.clone(),
        redirect_uri: redirect_uri.to_owned(),
        state: state.to_owned(),
        code_challenge: challenge.to_owned(),
    })
}

fn is_challenge(text: &str) -> bool {
    let base64url = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    text.len() == 43 && text.bytes().all(base64url)
}

fn refuse(fault: Fault) -> Response {
    match fault {
        Fault::Untrusted(why) => consent::sorry(StatusCode::BAD_REQUEST, why),
        Fault::Told {
            redirect_uri,
            state,
            error,
            description,
        } => {
            let mut parameters = vec![("error", error), ("error_description", &description)];
            parameters.extend(state.as_deref().map(|state| ("state", state)));
            back(&redirect_uri, &parameters)
        }
    }
}

/// Sends the browser back to the app, keeping what its redirect URI already asks.
fn back(redirect_uri: &str, parameters: &[(&str, &str)]) -> Response {
    let mut url = Url::parse(redirect_uri).expect("a registered redirect URI is a URL");
    url.query_pairs_mut().extend_pairs(parameters);
    let location = HeaderValue::from_str(url.as_str()).expect("a URL is plain ASCII");
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}
