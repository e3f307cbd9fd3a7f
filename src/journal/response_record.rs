//! The record of an attempt's end: the response, verbatim, and its effect.

use std::time::Duration;

use jiff::Timestamp;

use crate::model::{
    CreationStatus, FieldError, Measurement, QuotaShare, QuotaSlot, Request, ResponseWarning,
};

/// The record of an attempt's end.
#[derive(Clone, Debug)]
pub struct ResponseRecord {
    /// The slot of the attempt.
    pub slot: QuotaSlot,
    /// When the response came or the failure was known.
    pub now: Timestamp,
    /// The part of the quota that this program may use.
    pub share: QuotaShare,
    /// The external id of the row; `None` for GET /me.
    pub external_id: Option<String>,
    /// The HTTP status; `None` if there was no response.
    pub status: Option<u16>,
    /// The body of the response, verbatim.
    pub body: Option<String>,
    /// Why there was no response, or what is wrong with it.
    pub error: Option<String>,
    /// The effect.
    pub effect: ResponseEffect,
}

impl ResponseRecord {
    /// Returns the external id of the row; empty for GET /me.
    pub(super) fn id(&self) -> &str {
        self.external_id.as_deref().unwrap_or_default()
    }
}

/// The effect of an attempt's end.
#[derive(Clone, Debug)]
pub enum ResponseEffect {
    /// No row changes.
    Unchanged,
    /// The request was not sent; its slot is free at once.
    Unsent,
    /// The request was not sent and its record is removed, because the run ended before.
    Withdrawn,
    /// 429: all requests pause.
    RateLimited {
        /// The `Retry-After` of the response.
        retry_after: Option<Duration>,
    },
    /// The row has this measurement.
    Accepted {
        /// Whether this request created the measurement.
        creation: CreationStatus,
        /// The measurement.
        measurement: Box<Measurement>,
        /// The version that the service stores, if it differs from the one sent.
        original: Option<Box<Request>>,
        /// Warnings that follow from the row and the response only.
        warnings: Vec<ResponseWarning>,
    },
    /// The row's id belongs to another house.
    Conflict {
        /// The measurement of that house.
        measurement: Box<Measurement>,
        /// What differs.
        message: FieldError,
    },
    /// The service refused the row.
    Refused {
        /// Its messages.
        errors: Vec<FieldError>,
    },
    /// A measurement was read.
    Read(Box<Measurement>),
    /// The service answered 404 for the measurement.
    NotFound {
        /// The measurement id, `msr_…`.
        measurement_id: String,
    },
}

/// What the journal found when it recorded a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseAnomalies {
    /// Warnings that the user should check.
    pub warnings: Vec<ResponseWarning>,
    /// The measurement belongs to another row; the row is in conflict.
    pub belongs_to_another: bool,
}
