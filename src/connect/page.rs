//! The page that the browser shows at the end: plain HTML without scripts, styles or external resources.
//!
//! It never contains a code or a token, and is not cached.

use crate::connect::Error;

/// An HTTP response with a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct BrowserPage {
    status: &'static str,
    title: &'static str,
    text: String,
}

impl BrowserPage {
    /// The connection was made.
    pub(super) fn connected(team_name: &str) -> Self {
        Self {
            status: "200 OK",
            title: "Connected",
            text: format!("gutterbatch is connected to {team_name}."),
        }
    }

    /// The connection was not made.
    pub(super) fn failed(error: &Error) -> Self {
        Self {
            status: "400 Bad Request",
            title: "Not connected",
            text: reason(error).to_owned(),
        }
    }

    /// An answer was received before.
    pub(super) fn repeated() -> Self {
        Self {
            status: "409 Conflict",
            title: "Already answered",
            text: "This answer was received before and is used only once. The terminal shows the result."
                .to_owned(),
        }
    }

    /// The answer does not contain the state that was sent.
    pub(super) fn ignored() -> Self {
        Self {
            status: "400 Bad Request",
            title: "Not used",
            text: "This answer does not belong to the request of gutterbatch, so it was not used. \
                   gutterbatch still waits: open the link that the terminal shows."
                .to_owned(),
        }
    }

    /// Something other than the callback was requested.
    pub(super) fn absent() -> Self {
        Self {
            status: "404 Not Found",
            title: "Nothing here",
            text: "gutterbatch waits here for one answer of the service. There are no other pages."
                .to_owned(),
        }
    }

    /// The whole HTTP response.
    pub(super) fn response(&self) -> Vec<u8> {
        let Self { status, title, .. } = self;
        let text = escaped(&self.text);
        let html = format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title} - gutterbatch</title>\n</head>\n\
             <body>\n<h1>{title}</h1>\n<p>{text}</p>\n<p>You can close this page and go back to the terminal.</p>\n\
             </body>\n</html>\n"
        );
        let length = html.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: {length}\r\n\
             Connection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
             Content-Security-Policy: default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
             Referrer-Policy: no-referrer\r\n\r\n"
        );
        (head + &html).into_bytes()
    }
}

/// Why there is no connection, briefly; the terminal shows more.
fn reason(error: &Error) -> &'static str {
    match error {
        Error::Denied => "The consent was denied, so nothing was connected.",
        Error::Codeless | Error::Unauthorized { .. } => {
            "The service gave no permission; the terminal shows why."
        }
        Error::Exchange(_) => "The service did not accept the answer; the terminal shows why.",
        Error::OtherTeam { .. } => {
            "The profile belongs to another team; the terminal shows what to do."
        }
        Error::Unstored { .. } => "The connection could not be saved; the terminal shows why.",
        _ => "gutterbatch had to stop; the terminal shows why.",
    }
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_teams_name_is_text_and_never_markup() {
        let response = BrowserPage::connected("<script>\"A\" & 'B'</script>").response();
        let response = String::from_utf8(response).unwrap();
        assert!(!response.contains("<script"));
        assert!(response.contains("&lt;script&gt;&quot;A&quot; &amp; &#39;B&#39;"));
    }

    #[test]
    fn a_page_loads_nothing_and_is_kept_nowhere() {
        let response = String::from_utf8(BrowserPage::absent().response()).unwrap();
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
        for loading in ["src=", "href=", "<script", "<style", "url("] {
            assert!(!body.contains(loading), "{loading}");
        }
    }
}
