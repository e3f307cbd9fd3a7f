//! Taking a slot and writing down what is about to be sent, in one transaction, before a byte leaves.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::slot_log::SlotLog;
use crate::journal::{Error, Journal, SourceId, held_houses, houses};
use crate::model::{Admission, ContentHash, QuotaShare, QuotaSlot, Request, RowNumber};

/// A request that wants to leave.
#[derive(Clone, Debug)]
pub struct SlotRequest {
    /// What it is.
    pub purpose: SlotPurpose,
    /// The time.
    pub now: Timestamp,
    /// When its answer will be given up.
    pub times_out_at: Timestamp,
    /// How much of the quota is ours.
    pub share: QuotaShare,
}

/// What a request is about to do.
#[derive(Clone, Debug)]
pub enum SlotPurpose {
    /// Asks whose token it is.
    Me,
    /// Submits a row, in this version.
    Create(Box<RowVersion>),
    /// Submits the same version once more.
    Retry {
        /// The row's id.
        external_id: String,
    },
    /// Asks for a measurement.
    Read {
        /// `msr_…`
        measurement_id: String,
        /// Whose it is.
        external_id: String,
    },
}

/// The version of a row that is about to be submitted.
#[derive(Clone, Debug)]
pub struct RowVersion {
    source: SourceId,
    row: RowNumber,
    pub(super) external_id: String,
    pub(super) content: ContentHash,
    house: i64,
    request: String,
}

impl RowVersion {
    /// The submission of a row's request.
    ///
    /// # Panics
    /// Never: a request has string keys alone.
    pub fn new(source: SourceId, row: RowNumber, request: &Request) -> Self {
        Self {
            source,
            row,
            external_id: request.external_id.clone(),
            content: request.content_hash(),
            house: houses::house_column(request),
            request: serde_json::to_string(request).expect("a request has string keys alone"),
        }
    }
}

/// Whether the request may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotGrant {
    /// It is written down, with a slot of its own.
    Slot {
        /// The slot.
        slot: QuotaSlot,
        /// Requests that may leave after it, before one has to wait.
        left: usize,
    },
    /// Nothing was written; not before then.
    Wait {
        /// Ask again then; an answer in between may free a slot sooner.
        until: Timestamp,
        /// Whose wish that is.
        because: WaitReason,
    },
}

/// Why a request has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// The window's budget is spent.
    QuotaUsedUp,
    /// The service answered 429: it named the time, or requests go one by one since.
    RateLimited,
}

impl Journal {
    /// Takes a slot and records the intent, durably; or says how long to wait.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Corrupt`], [`Error::Sqlite`], [`Error::Stopped`]: then nothing may be sent.
    pub async fn acquire_slot(&self, slot_request: SlotRequest) -> Result<SlotGrant, Error> {
        self.write_with_slots(move |connection, slot_log| {
            take_slot(connection, slot_log, slot_request)
        })
        .await
    }
}

fn take_slot(
    connection: &Connection,
    slot_log: &mut SlotLog,
    slot_request: SlotRequest,
) -> rusqlite::Result<SlotGrant> {
    let SlotRequest {
        purpose: intent,
        now,
        times_out_at,
        share,
    } = slot_request;
    let budget = slot_log.budget(connection, now, share)?;
    let wait = |until, because| Ok(SlotGrant::Wait { until, because });
    match budget.admit(now, share) {
        Admission::Granted => {}
        Admission::WindowFull(until) => return wait(until, WaitReason::QuotaUsedUp),
        Admission::RateLimited(until) => return wait(until, WaitReason::RateLimited),
    }
    let attempt = record_intent(connection, intent, now, times_out_at)?;
    let slot = QuotaSlot {
        attempt,
        taken_at: now,
        times_out_at,
        ended_at: None,
    };
    budget.take_slot(slot, share);
    Ok(SlotGrant::Slot {
        slot,
        left: budget.available(now, share),
    })
}

fn record_intent(
    connection: &Connection,
    intent: SlotPurpose,
    now: Timestamp,
    times_out_at: Timestamp,
) -> rusqlite::Result<i64> {
    let (kind, external_id, measurement_id) = match intent {
        SlotPurpose::Me => ("me", None, None),
        SlotPurpose::Create(submission) => {
            store_submission(connection, &submission, now)?;
            ("create", Some(submission.external_id), None)
        }
        SlotPurpose::Retry { external_id } => ("create", Some(external_id), None),
        SlotPurpose::Read {
            measurement_id,
            external_id,
        } => ("read", Some(external_id), Some(measurement_id)),
    };
    let (now, times_out_at) = (now.as_millisecond(), times_out_at.as_millisecond());
    connection
        .prepare_cached(
            "INSERT INTO attempts (kind, external_id, measurement_id, taken_at, times_out_at) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .insert(params![kind, external_id, measurement_id, now, times_out_at])
}

/// The version that is on its way replaces the one before: that was refused, in conflict or never answered.
fn store_submission(
    connection: &Connection,
    submission: &RowVersion,
    now: Timestamp,
) -> rusqlite::Result<()> {
    held_houses::store_unanswered(connection, submission)?;
    connection
        .prepare_cached(
            "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at, house)
             VALUES (?1, ?2, ?3, ?4, ?5, 'sent', ?6, ?7)
             ON CONFLICT (external_id) DO UPDATE SET source = ?2, source_row = ?3, content = ?4, request = ?5,
             state = 'sent', intended_at = ?6, answered_at = NULL, message = NULL, house = ?7",
        )?
        .execute(params![
            submission.external_id,
            submission.source.0,
            submission.row.0,
            submission.content.to_bytes(),
            submission.request,
            now.as_millisecond(),
            submission.house,
        ])
        .map(drop)
}
