//! The layout of every page, and its security headers.

use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use jiff::Timestamp;
use maud::{DOCTYPE, Markup, html};

use crate::sandbox::log::LogError;

/// An HTML page below a link of the navigation; an empty link marks none of them.
pub(super) fn page(title: &str, here: &str, main: &Markup) -> Html<String> {
    let items = [("/", "Requests"), ("/settings", "Settings")];
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
                        @for (link, name) in items {
                            a href=(link) aria-current=[(link == here).then_some("page")] { (name) }
                        }
                    }
                }
                main #main tabindex="-1" { (main) }
                footer { "A local stand-in for the measurement service. Nothing here reaches a real contractor." }
            }
        }
    };
    Html(whole.into_string())
}

/// A time, to the minute.
pub(super) fn time(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (at.strftime("%Y-%m-%d %H:%M UTC")) } }
}

/// A page with one message.
pub(super) fn notice(status: StatusCode, title: &str, text: &str) -> Response {
    let main = html! {
        section.card.narrow {
            h1 { (title) }
            p { (text) }
            p { a href="/" { "Back to the requests" } }
        }
    };
    (status, page(title, "", &main)).into_response()
}

/// The content security policy: no scripts, no other hosts, no frames.
pub(super) fn policy(form_targets: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; \
         form-action 'self'{form_targets}; base-uri 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// Adds the security headers to every page, and refuses host names other than this machine's: a name that another
/// site resolves to this machine (DNS rebinding) could otherwise read the pages.
pub(super) async fn protect(request: Request, next: Next) -> Response {
    protected(if is_local(request.headers()) {
        next.run(request).await
    } else {
        let text = "Open this page as http://127.0.0.1 or http://localhost.";
        notice(StatusCode::MISDIRECTED_REQUEST, "Wrong address", text)
    })
}

/// Adds the security headers.
pub(super) fn protected(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers
        .entry(header::CONTENT_SECURITY_POLICY)
        .or_insert_with(|| policy(""));
    for (name, value) in SECURITY_HEADERS {
        headers
            .entry(HeaderName::from_static(name))
            .or_insert(HeaderValue::from_static(value));
    }
    response
}

const SECURITY_HEADERS: [(&str, &str); 5] = [
    ("cache-control", "no-store"),
    ("cross-origin-opener-policy", "same-origin"),
    // `same-origin` rather than `no-referrer`, under which browsers post forms with `Origin: null`.
    ("referrer-policy", "same-origin"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// The address that a request was sent to.
fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST)?.to_str().ok()
}

fn is_local(headers: &HeaderMap) -> bool {
    let url = host(headers).and_then(|host| url::Url::parse(&format!("http://{host}/")).ok());
    match url.as_ref().and_then(url::Url::host) {
        Some(url::Host::Domain(name)) => name == "localhost",
        Some(url::Host::Ipv4(address)) => address.is_loopback(),
        Some(url::Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The message for a form that was refused.
pub(super) const REFUSED_FORM: &str =
    "This form does not come from a page of this service. Load the page again.";

/// Whether a form was posted by a page of this address, or by a program. Browsers name the site of every form that they
/// post in `Origin`; programs other than browsers send none. Other ports of this machine are other sites.
pub(super) fn is_from_here(headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        return true;
    };
    host(headers).is_some_and(|host| origin.as_bytes() == format!("http://{host}").as_bytes())
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
