//! The consent page: which app asks, for which team, for what.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use maud::{Markup, html};

use crate::sandbox::oauth::AuthorizationRequest;
use crate::sandbox::pages::csrf::CsrfToken;
use crate::sandbox::pages::layout::{NavItem, notice, page as framed, policy};
use crate::sandbox::store::Store;

/// Where the decision may lead. Browsers hold every redirect that follows a form to `form-action` too, and an app's
/// callback often leads on to another of its hosts, so these are all addresses that a redirect URI can have.
const WAY_BACK: &str = " https: http://127.0.0.1:* http://localhost:*";

/// The page of one request for authorization.
///
/// # Source
/// S1, consent screen; S4.1.
pub(super) fn page(
    authorization: &AuthorizationRequest,
    store: &Store,
    guard: &CsrfToken,
) -> Response {
    let app = &store.settings().app_name;
    let main = html! {
        section.card.narrow {
            h1 { "Connect " bdi { (app) } "?" }
            p { strong { bdi { (app) } } " asks to work with your team. It will be able to:" }
            ul.permissions {
                li { "see the team's name and this connection" }
                li { "create measurement requests for the team" }
                li { "read the results of the measurements it created" }
            }
            p.quiet { "It cannot see quotes, customers or pricing, and cannot change anything that is already here. "
                "You can disconnect it in the settings at any time. Connecting again ends the earlier connection." }
            form method="post" action="/oauth/authorize" {
                (guard.field())
                (fields(authorization))
                (teams(store))
                div.actions {
                    button.primary name="decision" value="allow" { "Allow" }
                    button name="decision" value="deny" { "Deny" }
                }
            }
            p.quiet { "You will be sent back to " code { (authorization.redirect_uri) } "." }
        }
    };
    let headers = [
        (header::SET_COOKIE, guard.set_cookie()),
        (header::CONTENT_SECURITY_POLICY, policy(WAY_BACK)),
    ];
    (headers, framed("Connect an app", NavItem::Elsewhere, &main)).into_response()
}

/// A page instead of a redirect: the app or its address is not to be trusted.
pub(super) fn sorry(status: StatusCode, why: &str) -> Response {
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
