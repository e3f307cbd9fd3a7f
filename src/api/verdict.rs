//! Calls of the service, and all that a response can mean for them.

use std::time::Duration;

use jiff::Timestamp;

use crate::api::wire::AccountJson;
use crate::model::{Request, ResponseMeaning, printable};

/// A call of the service.
#[derive(Clone, Copy, Debug)]
pub enum ApiCall<'a> {
    /// GET /me.
    Me,
    /// POST /measurements.
    Create(&'a Request),
    /// GET /measurements/{id}.
    Read {
        /// The measurement id, `msr_…`.
        measurement_id: &'a str,
        /// The external id of its row, so that another row's measurement is detected.
        external_id: &'a str,
    },
}

/// The number of an attempt, and the time at which it ended.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// 1 for the first.
    pub number: u32,
    /// When the response came or the failure was known.
    pub ended_at: Timestamp,
}

/// What a response means for its call and for the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// GET /me succeeded.
    Account(AccountJson),
    /// What the response means for the row or the measurement.
    Means(ResponseMeaning),
    /// The call is repeated after a delay.
    Retry {
        /// The delay: random, and at least the `Retry-After` of the response.
        after: Duration,
        /// Why, for the journal and the user.
        reason: String,
    },
    /// All attempts failed; the row stays pending.
    Exhausted {
        /// Why, for the journal and the user.
        reason: String,
    },
    /// The run ends; its remaining rows stay pending.
    Fatal(FatalResponse),
}

/// Why a response ends the run. The service's texts are made safe for a terminal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FatalResponse {
    /// 401: missing, unknown or revoked token.
    #[error("the service does not accept the token")]
    Unauthorized,
    /// 400 with a version code.
    #[error("the service does not serve this version ({}): {}", printable(.code), printable(.message))]
    Version {
        /// `missing_version` or `unsupported_version`.
        code: String,
        /// The service's message.
        message: String,
    },
    /// 501: the service does not offer this call yet.
    #[error("the service does not offer this call yet (501)")]
    NotImplemented,
    /// 3xx: redirects are not followed.
    #[error("the service redirects {}; the token is not sent there", redirect_target(.location.as_deref()))]
    Redirected {
        /// The `Location` of the response.
        location: Option<String>,
    },
    /// Any other response that the service's description does not list for this call.
    #[error("the response{} is not one that the service documents: {status} {}", to(.subject.as_ref()), printable(.excerpt))]
    Unexpected {
        /// What was requested; `None` for GET /me.
        subject: Option<ResponseSubject>,
        /// HTTP status.
        status: u16,
        /// The service's code and message, or the start of the body, safe for a terminal.
        excerpt: String,
    },
}

/// What a request was about, by its external id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResponseSubject {
    /// A row, which was submitted.
    Row(String),
    /// A measurement.
    Measurement(String),
}

fn to(subject: Option<&ResponseSubject>) -> String {
    match subject {
        Some(ResponseSubject::Row(id)) => format!(" to the row `{}`", printable(id)),
        Some(ResponseSubject::Measurement(id)) => {
            format!(" to the measurement of `{}`", printable(id))
        }
        None => String::new(),
    }
}

/// Where a redirect leads, for a message.
pub(super) fn redirect_target(location: Option<&str>) -> String {
    location.map_or("without saying where".to_owned(), |location| {
        format!("to {}", printable(location))
    })
}
