//! An answer as it came: status, the headers that matter, the body whole.

/// What the service, or something in its place, answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpResponse {
    /// HTTP status.
    pub status: u16,
    /// `Retry-After` as written.
    pub retry_after: Option<String>,
    /// `Date` as written; a `Retry-After` date is measured against it.
    pub date: Option<String>,
    /// `Location` as written; never followed.
    pub location: Option<String>,
    /// The body, bounded in size.
    pub body: Vec<u8>,
}

/// Some servers put it in front of their JSON, although RFC 8259 section 8.1 forbids it; parsers may pass it over.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

impl HttpResponse {
    /// The body as text, for the journal; without a byte order mark.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(self.without_byte_order_mark()).into_owned()
    }

    /// The body as a parser of JSON takes it; none where it is not UTF-8.
    pub(super) fn json(&self) -> Option<&str> {
        std::str::from_utf8(self.without_byte_order_mark()).ok()
    }

    fn without_byte_order_mark(&self) -> &[u8] {
        self.body
            .strip_prefix(BYTE_ORDER_MARK)
            .unwrap_or(&self.body)
    }
}

/// Whether an accepted creation made something.
///
/// # Source
/// S4.5, responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationStatus {
    /// 201: the measurement is new.
    Created,
    /// 200: the id was known; everything else of the request was ignored.
    Existing,
}
