//! An answer as it came: status, the headers that matter, the body whole.

/// What the service, or something in its place, answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
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

impl Answer {
    /// The body as text, for the journal.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

/// Whether an accepted creation made something.
///
/// # Source
/// S4.5, responses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Creation {
    /// 201: the measurement is new.
    Created,
    /// 200: the id was known; everything else of the request was ignored.
    Existing,
}
