//! What was asked, and everything that an answer can mean for it.

use std::fmt;
use std::time::Duration;

use jiff::Timestamp;

use crate::api::CreationStatus;
use crate::api::wire::Account;
use crate::model::{Measurement, Request};

/// What was asked.
#[derive(Clone, Copy, Debug)]
pub enum ApiCall<'a> {
    /// GET /me.
    Me,
    /// POST /measurements.
    Create(&'a Request),
    /// GET /measurements/{id}.
    Read {
        /// `msr_…`
        measurement_id: &'a str,
        /// Whose it is, so that another row's measurement is noticed.
        external_id: &'a str,
    },
}

/// Which try this was, and when its answer came.
#[derive(Clone, Copy, Debug)]
pub struct Attempt {
    /// 1 for the first.
    pub number: u32,
    /// When the answer came, or the failure was known.
    pub now: Timestamp,
}

/// What an answer means for its call and for the run.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// GET /me succeeded.
    Account(Account),
    /// A creation was accepted and agrees with its row.
    Accepted(CreationStatus, Box<Measurement>),
    /// The id belongs to another house: the service's original has another address than the row.
    Conflict(Box<Measurement>),
    /// A measurement was read.
    Read(Box<Measurement>),
    /// 404 on a read: nothing of that id on this team.
    NotFound,
    /// 422: the service's own messages.
    Refused(Vec<FieldError>),
    /// 429: everything pauses; costs the row no attempt.
    RateLimited {
        /// From now, as the service asked; none where it did not say, so that pauses grow.
        retry_after: Option<Duration>,
    },
    /// The same call again, after this long at the least.
    Retry {
        /// Full jitter, and never before a `Retry-After`.
        after: Duration,
        /// For the journal and the user.
        reason: String,
    },
    /// All attempts are used up; the row stays pending.
    Exhausted {
        /// For the journal and the user.
        reason: String,
    },
    /// The whole run ends; rows stay pending.
    Stop(StopReason),
}

/// Why a run ends at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// 401: missing, unknown or revoked token.
    Unauthorized,
    /// 400 with a version code.
    Version {
        /// `missing_version` or `unsupported_version`.
        code: String,
        /// The service's message.
        message: String,
    },
    /// 501: a documented call that is not live yet.
    NotImplemented,
    /// 3xx; never followed.
    Redirected {
        /// Where to, as written.
        location: Option<String>,
    },
    /// Any other answer that the service's description does not give for this call.
    Unexpected {
        /// HTTP status.
        status: u16,
        /// The service's code and message, or the start of the body, made printable.
        excerpt: String,
    },
}

/// One entry of a 422.
///
/// # Source
/// S7, `error.errors`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The service's path, for instance `customer.email`; may be one that is not documented.
    pub field: String,
    /// The service's sentence.
    pub message: String,
}

impl fmt::Display for FieldError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.field.is_empty() {
            return formatter.write_str(&self.message);
        }
        write!(formatter, "{}: {}", self.field, self.message)
    }
}
