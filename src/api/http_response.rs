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

    /// Returns the body without a byte order mark, for parsing; `None` if it is not UTF-8, or an array, which a parser
    /// would accept as an object with the same values.
    pub(super) fn json(&self) -> Option<&str> {
        let text = std::str::from_utf8(self.without_byte_order_mark()).ok()?;
        (!text.trim_start().starts_with('[')).then_some(text)
    }

    /// Replaces what is secret in the request, as it is and as JSON or a form writes it: a gateway may quote the
    /// request in its error, which is shown and stored.
    pub(super) fn redacted(mut self, secrets: &[&str]) -> Self {
        let long = |secret: &&&str| secret.len() >= SHORTEST_SECRET;
        for quoted in secrets
            .iter()
            .filter(long)
            .flat_map(|secret| quoted(secret))
        {
            if let Some(location) = &mut self.location {
                *location = location.replace(&quoted, REDACTED);
            }
            // Every response passes here, and nearly none quotes a secret.
            if memmem::find(&self.body, quoted.as_bytes()).is_some() {
                let text = String::from_utf8_lossy(&self.body);
                self.body = text.replace(&quoted, REDACTED).into_bytes();
            }
        }
        self
    }

    /// Replaces half characters, which JSON can escape and a text cannot hold: who cuts a text to a length may cut an
    /// emoji. The whole measurement could not be read otherwise.
    pub(super) fn with_whole_characters(mut self) -> Self {
        // Nearly no response has any escape of this kind.
        let has_surrogates = [b"\\ud", b"\\uD"]
            .iter()
            .any(|start| memmem::find(&self.body, *start).is_some());
        let mut at = if has_surrogates { 0 } else { self.body.len() };
        while at < self.body.len() {
            at += match (surrogate(&self.body[at..]), self.body[at]) {
                (Some(Surrogate::High), _)
                    if surrogate(&self.body[at + ESCAPE..]) == Some(Surrogate::Low) =>
                {
                    2 * ESCAPE
                }
                (Some(_), _) => {
                    self.body[at..at + ESCAPE].copy_from_slice(b"\\ufffd");
                    ESCAPE
                }
                (None, b'\\') => 2,
                (None, _) => 1,
            };
        }
        self
    }

    fn without_byte_order_mark(&self) -> &[u8] {
        self.body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body)
    }
}

/// The length of an escape such as `\\ud83d`.
const ESCAPE: usize = 6;

/// A half of a character beyond U+FFFF in UTF-16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Surrogate {
    High,
    Low,
}

/// The surrogate whose escape a text begins with.
fn surrogate(text: &[u8]) -> Option<Surrogate> {
    let digits = text.get(..ESCAPE)?.strip_prefix(b"\\u")?;
    let digits = std::str::from_utf8(digits).ok()?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Surrogate::High),
        0xDC00..=0xDFFF => Some(Surrogate::Low),
        _ => None,
    }
}

/// How a secret may be written where it is quoted; once where nothing in it is escaped.
fn quoted(secret: &str) -> Vec<String> {
    let json = serde_json::json!(secret).to_string();
    let json = json.trim_matches('"').to_owned();
    let form = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let mut quoted = vec![secret.to_owned(), json.replace('/', "\\/"), json, form];
    quoted.dedup();
    quoted
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
            let response = response(text).redacted(&["tok/3n-98765", "id"]);
            (response.text(), response.location.unwrap())
        };
        let (body, location) = redacted("Bearer tok/3n-98765, tok\\/3n-98765tok/3n-98765; valid");
        assert_eq!(body, "Bearer ****, ********; valid");
        assert!(!location.contains("3n-98765"), "{location}");
        assert_eq!(redacted("tok%2F3n-98765").0, "****");
        assert_eq!(redacted("nothing").0, "nothing");
    }

    #[test]
    fn half_characters_are_replaced_and_whole_ones_are_not() {
        for (body, whole) in [
            (r#"{"a": "half \ud83d"}"#, "half \u{fffd}"),
            (
                r#"{"a": "\uDC00 first, \uD83D\uD83D\uDE00"}"#,
                "\u{fffd} first, \u{fffd}😀",
            ),
            (r#"{"a": "\ud83d\ude00 \\ud83d \u00e9"}"#, "😀 \\ud83d é"),
        ] {
            let response = HttpResponse {
                status: 200,
                retry_after: None,
                date: None,
                location: None,
                body: body.as_bytes().to_vec(),
            };
            let response = response.with_whole_characters();
            let json: serde_json::Value = serde_json::from_str(response.json().unwrap()).unwrap();
            assert_eq!(json["a"], whole, "{body}");
        }
    }

    #[test]
    fn a_secret_is_replaced_as_json_and_forms_write_it() {
        let secret = "X~a*b c/d+e%k&l\"m<\\\u{e9}\u{1f511}";
        let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let json = serde_json::to_string(secret).unwrap();
        let json = json.trim_matches('"').to_owned();
        let escaped = json.replace('/', "\\/");
        for quoted in [secret.to_owned(), form, json, escaped] {
            let response = HttpResponse {
                status: 400,
                retry_after: None,
                date: None,
                location: Some(format!("/?secret={quoted}&a=b")),
                body: format!("client_secret={quoted}&a=b").into_bytes(),
            };
            let response = response.redacted(&[secret]);
            assert_eq!(response.text(), "client_secret=****&a=b", "{quoted}");
            assert_eq!(response.location.unwrap(), "/?secret=****&a=b", "{quoted}");
        }
    }
}
