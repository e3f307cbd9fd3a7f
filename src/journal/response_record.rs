//! The end of an attempt: the answer, verbatim, and what follows from it.

use std::time::Duration;

use jiff::Timestamp;

use crate::model::{Measurement, QuotaShare, QuotaSlot, Request, ResponseWarning};

/// The end of an attempt.
#[derive(Clone, Debug)]
pub struct ResponseRecord {
    /// The slot it took.
    pub slot: QuotaSlot,
    /// When the answer came, or the failure was known.
    pub now: Timestamp,
    /// How much of the quota is ours.
    pub share: QuotaShare,
    /// Whose row it was about.
    pub external_id: Option<String>,
    /// HTTP status, where there was an answer.
    pub status: Option<u16>,
    /// The answer, verbatim.
    pub body: Option<String>,
    /// Why there was no answer, or what is wrong with it.
    pub error: Option<String>,
    /// What follows.
    pub effect: ResponseEffect,
}

/// What follows from the end of an attempt.
#[derive(Clone, Debug)]
pub enum ResponseEffect {
    /// Nothing for any row.
    Unchanged,
    /// The request never left this machine: its slot is free at once.
    Unsent,
    /// As if it had never been written down: the run ended before its turn on the wire.
    Withdrawn,
    /// 429: nothing leaves for a while.
    RateLimited {
        /// As the service asked.
        retry_after: Option<Duration>,
    },
    /// The row has this measurement.
    Accepted {
        /// Whether this request made it.
        origin: CreationOrigin,
        /// It.
        measurement: Box<Measurement>,
        /// The version that the service holds, where it is not the one that was sent.
        original: Option<Box<Request>>,
        /// What a person should look at, from the row and the answer alone.
        warnings: Vec<ResponseWarning>,
    },
    /// The row's id belongs to another house.
    Conflict {
        /// That house's measurement.
        measurement: Box<Measurement>,
        /// What differs.
        message: String,
    },
    /// The service refuses the row.
    Refused {
        /// Its messages, a line each, the field in front.
        message: String,
    },
    /// A measurement as it stands.
    Read(Box<Measurement>),
    /// The service does not find the measurement.
    NotFound {
        /// `msr_…`
        measurement_id: String,
    },
}

/// Whether a submitted row made its measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreationOrigin {
    /// It did.
    Created,
    /// The service knew the id.
    Existing,
}

/// What the journal found while it wrote an answer down.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseAnomalies {
    /// What a person should look at.
    pub warnings: Vec<ResponseWarning>,
    /// The answer's measurement is another row's already; the row is in conflict.
    pub belongs_to_another: bool,
}
