//! The page that the browser shows at the end: plain HTML with one style, without scripts or external resources.
//!
//! It contains nothing that the service or the browser sent, and is not cached.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use ring::digest::{SHA256, digest};

/// The style of the pages; the browser accepts no other.
const STYLE: &str =
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:4rem auto;padding:0 1rem}";

/// An HTTP response with a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BrowserPage {
    status: &'static str,
    title: &'static str,
    text: &'static str,
}

impl BrowserPage {
    /// The connection was made.
    pub(super) const CONNECTED: Self = Self {
        status: "200 OK",
        title: "Connected",
        text: "The connection of gutterbatch is saved. The terminal shows the team, or what is still wrong.",
    };

    /// The connection was not made.
    pub(super) const FAILED: Self = Self {
        status: "400 Bad Request",
        title: "Not connected",
        text: "gutterbatch is not connected; the terminal shows why.",
    };

    /// The consent was denied.
    pub(super) const DENIED: Self = Self {
        status: "400 Bad Request",
        title: "Consent denied",
        text: "No connection was made. An earlier one is unchanged.",
    };

    /// An answer was received before.
    pub(super) const REPEATED: Self = Self {
        status: "409 Conflict",
        title: "Already answered",
        text: "This answer was used before. The terminal shows the result.",
    };

    /// The answer does not contain the state that was sent.
    pub(super) const IGNORED: Self = Self {
        status: "400 Bad Request",
        title: "Not used",
        text: "This answer does not belong to the request of gutterbatch, so it was not used. \
               gutterbatch still waits: open the link that the terminal shows.",
    };

    /// Something other than the callback was requested.
    pub(super) const ABSENT: Self = Self {
        status: "404 Not Found",
        title: "Nothing here",
        text: "gutterbatch only waits for the service's answer here. There are no other pages.",
    };

    /// The whole HTTP response.
    pub(super) fn response(self) -> Vec<u8> {
        let Self {
            status,
            title,
            text,
        } = self;
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} - gutterbatch</title>\n\
             <style>{STYLE}</style>\n</head>\n\
             <body>\n<h1>{title}</h1>\n<p>{text}</p>\n<p>You can close this page and go back to the terminal.</p>\n\
             </body>\n</html>\n"
        );
        let length = html.len();
        let style = BASE64_STANDARD.encode(digest(&SHA256, STYLE.as_bytes()));
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
             Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             Content-Security-Policy: default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
             Referrer-Policy: no-referrer\r\n\r\n"
        );
        (head + &html).into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_loads_nothing_and_is_kept_nowhere() {
        let response = String::from_utf8(BrowserPage::CONNECTED.response()).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        for header in [
            "Content-Security-Policy: default-src 'none'",
            "Cache-Control: no-store",
            "X-Content-Type-Options: nosniff",
            "Referrer-Policy: no-referrer",
        ] {
            assert!(head.contains(header), "{header}");
        }
        assert!(head.contains(&format!("Content-Length: {}\r\n", body.len())));
        for loading in ["src=", "href=", "<script", "@import", "url("] {
            assert!(!body.contains(loading), "{loading}");
        }
    }
}
