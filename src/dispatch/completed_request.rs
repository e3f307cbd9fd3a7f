//! A request that was sent, for a log: what was called for which row, and how it ended. No body and no secret.

use std::time::Duration;

use jiff::Timestamp;
use serde::Serialize;

use crate::api::ApiCall;
use crate::dispatch::attempt_record::AttemptEnd;
use crate::dispatch::outbound_request::OutboundRequest;
use crate::model::{RowNumber, serialize_json_time};

/// A request and its result. The log has its fields as keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CompletedRequest {
    /// When it was sent.
    #[serde(serialize_with = "serialize_json_time")]
    pub time: Timestamp,
    /// The HTTP method.
    pub method: &'static str,
    /// The path below the service's base address.
    pub path: String,
    /// The HTTP status; `None` without a complete response.
    pub status: Option<u16>,
    /// The time from sending to the end of the response, in milliseconds.
    pub duration_ms: u64,
    /// The row that the request submits.
    pub row: Option<RowNumber>,
    /// The external id that it is about.
    pub external_id: Option<String>,
    /// 1 for the first attempt.
    pub attempt: u32,
    /// Why there is no complete response, or why it cannot be used.
    pub error: Option<String>,
}

impl CompletedRequest {
    /// Describes a request whose attempt has ended.
    pub(super) fn new(request: OutboundRequest<'_>, end: AttemptEnd<'_>) -> Self {
        let AttemptEnd {
            attempt,
            sent_at,
            result,
            ..
        } = end;
        let (method, path) = match request.call {
            ApiCall::Me => ("GET", "/me".to_owned()),
            ApiCall::Create(_) => ("POST", "/measurements".to_owned()),
            ApiCall::Read { measurement_id, .. } => {
                ("GET", format!("/measurements/{measurement_id}"))
            }
        };
        Self {
            time: sent_at,
            method,
            path,
            status: result.as_ref().ok().map(|response| response.status),
            duration_ms: milliseconds(attempt.ended_at.duration_since(sent_at).unsigned_abs()),
            row: request.row.map(|(_, row)| row),
            external_id: request.external_id().map(str::to_owned),
            attempt: attempt.number,
            error: end.error(),
        }
    }
}

/// A duration in milliseconds.
pub fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
