//! An HTTP response: status, the headers that matter and the whole body.

use memchr::memmem;

/// A response of the service or of something in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// HTTP status.
    pub status: u16,
    /// The `Retry-After` header.
    pub retry_after: Option<String>,
    /// The `Date` header; a date in `Retry-After` is relative to it.
    pub date: Option<String>,
    /// The `Location` header; it is never followed.
    pub location: Option<String>,
    /// The body, which is limited in size.
    pub body: Vec<u8>,
}

/// What is shown instead of a secret.
const REDACTED: &str = "****";
/// Minimum length of a secret that is looked for. A shorter one could stand in any word.
const SHORTEST_SECRET: usize = 8;

/// Some servers send it before their JSON, although RFC 8259 section 8.1 forbids it; parsers may ignore it.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl HttpResponse {
    /// Returns the body as text without a byte order mark; invalid UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.without_byte_order_mark()).into_owned()
    }

    /// Returns the body without a byte order mark, for parsing; `None` if it is not UTF-8.
    pub(super) fn json(&self) -> Option<&str> {
        std::str::from_utf8(self.without_byte_order_mark()).ok()
    }

    /// Replaces what is secret in the request: a gateway may quote the request in its error, which is shown and stored.
    pub(super) fn without(mut self, secrets: &[&str]) -> Self {
        let secrets = secrets
            .iter()
            .filter(|secret| secret.len() >= SHORTEST_SECRET);
        for secret in secrets.flat_map(|secret| spellings(secret)) {
            self.location = self.location.map(|place| place.replace(&secret, REDACTED));
            self.body = replaced(self.body, secret.as_bytes());
        }
        self
    }

    fn without_byte_order_mark(&self) -> &[u8] {
        self.body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body)
    }
}

/// A secret as it is, with the escapes that JSON allows, and percent-encoded.
fn spellings(secret: &str) -> [String; 5] {
    let escaped = |escape: fn(char) -> String| -> String {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '.' | '_' | '~');
        let spelled = |c: char| {
            if is_plain(c) {
                c.to_string()
            } else {
                escape(c)
            }
        };
        secret.chars().map(spelled).collect()
    };
    [
        secret.to_owned(),
        secret.replace('/', "\\/"),
        escaped(|c| format!("\\u{:04x}", u32::from(c))),
        escaped(|c| format!("\\u{:04X}", u32::from(c))),
        escaped(|c| format!("%{:02X}", u32::from(c))),
    ]
}

fn replaced(text: Vec<u8>, secret: &[u8]) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut end = 0;
    for at in memmem::find_iter(&text, secret) {
        kept.extend_from_slice(&text[end..at]);
        kept.extend_from_slice(REDACTED.as_bytes());
        end = at + secret.len();
    }
    if end == 0 {
        return text;
    }
    kept.extend_from_slice(&text[end..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quoted_secret_is_replaced_wherever_it_stands() {
        let response = |text: &str| HttpResponse {
            status: 500,
            retry_after: None,
            date: None,
            location: Some(format!("https://example.com/?t={text}")),
            body: text.as_bytes().to_vec(),
        };
        let redacted = |text: &str| {
            let response = response(text).without(&["tok/3n-98765", "id"]);
            (response.text(), response.location.unwrap())
        };
        let (body, location) = redacted("Bearer tok/3n-98765, tok\\/3n-98765tok/3n-98765; valid");
        assert_eq!(body, "Bearer ****, ********; valid");
        assert!(!location.contains("3n-98765"), "{location}");
        for quoted in [r"tok\u002f3n-98765", r"tok\u002F3n-98765", "tok%2F3n-98765"] {
            assert_eq!(redacted(quoted).0, "****", "{quoted}");
        }
        assert_eq!(redacted("nothing").0, "nothing");
    }
}
