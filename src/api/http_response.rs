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
        for secret in secrets {
            // Every response passes here, and nearly none quotes a secret.
            if !self.may_quote(secret) {
                continue;
            }
            let plain: fn(char) -> Vec<String> = |c| vec![c.to_string()];
            // Plain first: a secret may itself look like an escape.
            for spellings in [plain, spellings] {
                let secret: Vec<Vec<String>> = secret.chars().map(spellings).collect();
                let quoted = |place: String| replaced(place.as_bytes(), &secret);
                let location = self.location.map(quoted);
                self.location = location.map(|place| String::from_utf8_lossy(&place).into_owned());
                self.body = replaced(&self.body, &secret);
            }
        }
        self
    }

    /// Whether the response can contain a secret in any spelling: letters and digits are usually not escaped, so that its
    /// longest run of them stands in it, or an escape does.
    fn may_quote(&self, secret: &str) -> bool {
        let runs = secret.split(|c: char| !c.is_ascii_alphanumeric());
        let run = runs.max_by_key(|run| run.len()).unwrap_or_default();
        let texts = self.location.iter().map(String::as_bytes);
        let mut texts = texts.chain([self.body.as_slice()]);
        let run = run.to_ascii_lowercase();
        texts.any(|text| {
            let text = text.to_ascii_lowercase();
            memmem::find(&text, run.as_bytes()).is_some()
                || memchr::memchr3(b'\\', b'%', b'&', &text).is_some()
        })
    }

    fn without_byte_order_mark(&self) -> &[u8] {
        self.body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body)
    }
}

/// How a character may be written where it is quoted: as it is, escaped for JSON or HTML, or percent-encoded.
fn spellings(c: char) -> Vec<String> {
    let mut spellings = vec![
        c.to_string(),
        format!("\\{c}"),
        format!("&#{};", u32::from(c)),
        format!("&#x{:x};", u32::from(c)),
    ];
    let units = c.encode_utf16(&mut [0; 2]).to_vec();
    let units = units.iter().map(|unit| format!("\\u{unit:04x}"));
    spellings.push(units.collect::<Vec<_>>().concat());
    let bytes = c.to_string().into_bytes();
    let bytes = bytes.iter().map(|byte| format!("%{byte:02x}"));
    spellings.push(bytes.collect::<Vec<_>>().concat());
    let named = match c {
        ' ' => Some("+"),
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        _ => None,
    };
    spellings.extend(named.map(str::to_owned));
    spellings
}

/// Replaces a secret, each of whose characters has these spellings. Case does not matter, as in hexadecimal digits.
fn replaced(text: &[u8], secret: &[Vec<String>]) -> Vec<u8> {
    let (mut kept, mut rest) = (Vec::with_capacity(text.len()), text);
    while let [first, after @ ..] = rest {
        let end = secret.iter().try_fold(rest, |rest, spellings| {
            let ends = spellings.iter().filter_map(|one| {
                let (start, end) = rest.split_at_checked(one.len())?;
                start.eq_ignore_ascii_case(one.as_bytes()).then_some(end)
            });
            // After the longest one, since the first character of an escape may be a spelling too.
            ends.min_by_key(|end| end.len())
        });
        if end.is_some() {
            kept.extend_from_slice(REDACTED.as_bytes());
        } else {
            kept.push(*first);
        }
        rest = end.unwrap_or(after);
    }
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

    #[test]
    fn a_secret_is_replaced_in_every_spelling() {
        let secret = "X~a*b c/d+e%k&l\"m<\\\u{e9}\u{1f511}";
        let form: String = url::form_urlencoded::byte_serialize(secret.as_bytes()).collect();
        let lower = form.replace("%2F", "%2f").replace("%C3%A9", "%c3%a9");
        let spaced = form
            .replace('+', "%20")
            .replace('*', "%2A")
            .replace("%7E", "~");
        let html = secret.replace('&', "&amp;").replace('"', "&quot;");
        let html = html
            .replace('<', "&lt;")
            .replace('+', "&#43;")
            .replace('/', "&#x2F;");
        let json = serde_json::to_string(secret).unwrap();
        let json = json.trim_matches('"').to_owned();
        let ascii = json
            .replace('\u{e9}', "\\u00E9")
            .replace('\u{1f511}', "\\ud83d\\udd11");
        for quoted in [secret.to_owned(), form, lower, spaced, html, json, ascii] {
            let response = HttpResponse {
                status: 400,
                retry_after: None,
                date: None,
                location: Some(format!("/?secret={quoted}&a=b")),
                body: format!("client_secret={quoted}&a=b").into_bytes(),
            };
            let response = response.without(&[secret]);
            assert_eq!(response.text(), "client_secret=****&a=b", "{quoted}");
            assert_eq!(response.location.unwrap(), "/?secret=****&a=b", "{quoted}");
        }
        let looks_escaped = HttpResponse {
            status: 400,
            retry_after: None,
            date: None,
            location: None,
            body: b"abcd%25efgh".to_vec(),
        };
        assert_eq!(looks_escaped.without(&["abcd%25efgh"]).text(), "****");
    }
}
