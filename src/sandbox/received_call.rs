//! A call that the sandbox received, for rules of faults and for tests.

/// A call that the sandbox received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceivedCall {
    /// `GET`, `POST`, …
    pub method: String,
    /// Without the query.
    pub path: String,
    /// The status of the response; `None` where the connection was cut.
    pub status: Option<u16>,
    /// The external id in the body.
    pub external_id: Option<String>,
}
