//! The frame of every page, and the headers that keep pages from being misused.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};

use crate::sandbox::log::LogError;
use crate::sandbox::pages::csrf::CsrfToken;

/// The places that the navigation leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NavItem {
    Requests,
    Settings,
    Developer,
    Elsewhere,
}

/// A whole page.
pub(super) fn page(title: &str, here: NavItem, main: &Markup) -> Html<String> {
    let places = [
        (NavItem::Requests, "/", "Requests"),
        (NavItem::Settings, "/settings", "Settings"),
        (NavItem::Developer, "/developer", "Developer"),
    ];
    let whole = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Gutter sandbox" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
            }
            body {
                a.skip href="#main" { "Skip to content" }
                header.bar {
                    a.brand href="/" { "Gutter sandbox" }
                    nav aria-label="Main" {
                        @for (place, link, name) in places {
                            a href=(link) aria-current=[(place == here).then_some("page")] { (name) }
                        }
                    }
                }
                main #main tabindex="-1" { (main) }
                footer { "A stand-in of the measurement service on this machine. Nothing here reaches a real contractor." }
            }
        }
    };
    Html(whole.into_string())
}

/// A page with forms: the browser gets the cookie that goes with them.
pub(super) fn guarded(guard: &CsrfToken, page: Html<String>) -> Response {
    ([(header::SET_COOKIE, guard.set_cookie())], page).into_response()
}

/// A moment, for people.
pub(super) fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (at.strftime("%Y-%m-%d %H:%M UTC")) } }
}

/// A page that says one thing.
pub(super) fn notice(status: StatusCode, title: &str, text: &str) -> Response {
    let main = html! {
        section.card.narrow {
            h1 { (title) }
            p { (text) }
            p { a href="/" { "Back to the requests" } }
        }
    };
    (status, page(title, NavItem::Elsewhere, &main)).into_response()
}

/// What a page may load and where its forms may go. Everything comes from here, and nobody may frame it.
pub(super) fn policy(form_targets: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; \
         form-action 'self'{form_targets}; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Adds the protective headers to every page, and refuses pages to names other than this machine's own: a foreign
/// name that is made to lead here (DNS rebinding) would otherwise read them.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    protected(if is_local(request.headers()) {
        next.run(request).await
    } else {
        let text = "Open this page as http://127.0.0.1 or http://localhost.";
        notice(StatusCode::MISDIRECTED_REQUEST, "Wrong address", text)
    })
}

/// The page with its protective headers.
pub(super) fn protected(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| policy(""));
    for (name, value) in PROTECTION {
        headers
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

const PROTECTION: [(&str, &str); 5] = [
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    // `same-origin` rather than `no-referrer`, under which browsers post forms with `Origin: null`.
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

fn is_local(headers: &HeaderMap) -> bool {
    let host = headers
        .get(header::HOST)
        .and_then(|host| host.to_str().ok());
    let url = host.and_then(|host| url::Url::parse(&format!("http://{host}/")).ok());
    match url.as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

impl IntoResponse for LogError {
    fn into_response(self) -> Response {
        let status = StatusCode::INTERNAL_SERVER_ERROR;
        notice(
            status,
            "Nothing was changed",
            "The service could not write its log.",
        )
    }
}
