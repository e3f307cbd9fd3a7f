//! The record of an attempt's end: the response, verbatim, and its effect.

use jiff::Timestamp;

use crate::model::{FieldError, QuotaShare, QuotaSlot, ResponseMeaning, ResponseWarning};

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
    /// What the response means for the row or the measurement is recorded.
    Means(ResponseMeaning),
}

/// What the journal found when it recorded a response.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResponseAnomalies {
    /// Warnings that the user should check.
    pub warnings: Vec<ResponseWarning>,
    /// Why the row is in conflict, if the response alone does not show it: the measurement belongs to another row, or
    /// this journal created it.
    pub conflict: Option<FieldError>,
}
