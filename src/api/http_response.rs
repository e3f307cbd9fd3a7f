//! An HTTP response: status, the headers that matter and the whole body.

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

    fn without_byte_order_mark(&self) -> &[u8] {
        self.body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body)
    }
}
