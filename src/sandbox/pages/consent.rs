//! The consent page: the app, the team and the permissions.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::sandbox::oauth::AuthorizationRequest;
use crate::sandbox::pages::layout::{notice, page as framed, policy};
use crate::sandbox::store::Store;

/// The targets of the form. Browsers apply `form-action` to every redirect after a form too, and an app's callback may
/// redirect to another of its hosts, so all addresses that a redirect URI can have are allowed.
const REDIRECT_TARGETS: &str = " https: http://127.0.0.1:* http://localhost:*";

/// The page for one authorization request.
///
/// # Source
/// S1, consent screen; S4.1.
pub(super) fn page(authorization: &AuthorizationRequest, store: &Store) -> Response {
    let app = &store.options().app_name;
    let main = html! {
        section.card.narrow {
            h1 { "Connect " bdi { (app) } "?" }
            p { strong { bdi { (app) } } " requests these permissions for your team:" }
            ul.permissions {
                li { "Read your team's name and when this app was connected" }
                li { "Ask your team to measure roofs" }
                li { "Look up what your team measured for the requests that this app sent" }
            }
            p.quiet { "The app gets no access to your other data: quotes, prices and requests of others stay hidden, "
                "and nothing that exists can be edited or deleted. To end the connection, go to Settings. "
                "Allowing replaces an earlier connection of your team." }
            form method="post" action="/oauth/authorize" {
                (fields(authorization))
                (teams(store))
                div.actions {
                    button.primary name="decision" value="allow" { "Allow" }
                    button name="decision" value="deny" { "Deny" }
                }
            }
            p.quiet { "Your browser then opens " code { (authorization.redirect_uri) } "." }
        }
    };
    let headers = [(header::CONTENT_SECURITY_POLICY, policy(REDIRECT_TARGETS))];
    (headers, framed("Connect an app", "", &main)).into_response()
}

/// A page instead of a redirect, because the app or its redirect URI is not known.
pub(super) fn refused(status: StatusCode, why: &str) -> Response {
    notice(status, "This app cannot be connected", why)
}

fn fields(authorization: &AuthorizationRequest) -> Markup {
    let fields = [
        ("client_id", authorization.client_id.as_str()),
        ("redirect_uri", &authorization.redirect_uri),
        ("response_type", "code"),
        ("state", &authorization.state),
        ("code_challenge", &authorization.code_challenge),
        ("code_challenge_method", "S256"),
    ];
    html! {
        @for (name, value) in fields {
            input type="hidden" name=(name) value=(value);
        }
    }
}

fn teams(store: &Store) -> Markup {
    let teams = store.teams();
    html! {
        @if let [team] = teams {
            p { "Team: " strong { (team.name) } }
            input type="hidden" name="team" value=(team.id);
        } @else {
            label { "Team"
                select name="team" {
                    @for team in teams {
                        option value=(team.id) { (team.name) }
                    }
                }
            }
        }
    }
}
