//! Takes a slot and records the request in one transaction, before the request is sent.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::column_values::request_json;
use crate::journal::house_column::StoredHouse;
use crate::journal::slot_log::SlotLog;
use crate::journal::{Error, Journal, SourceId, houses_without_row};
use crate::model::{Admission, ContentHash, QuotaShare, QuotaSlot, Request, RowNumber};

/// A request for a slot.
#[derive(Clone, Debug)]
pub struct SlotRequest {
    /// What the slot is for.
    pub purpose: SlotPurpose,
    /// The current time.
    pub now: Timestamp,
    /// When the request will time out.
    pub times_out_at: Timestamp,
    /// The part of the quota that this program may use.
    pub share: QuotaShare,
}

/// What a request does.
#[derive(Clone, Debug)]
pub enum SlotPurpose {
    /// Requests the account: GET /me.
    Me,
    /// Submits a new version of a row.
    Create(Box<RowVersion>),
    /// Submits the same version again.
    Retry {
        /// The row's external id.
        external_id: String,
    },
    /// Reads a measurement.
    Read {
        /// The external id of its row.
        external_id: String,
    },
}

/// A version of a row, to be recorded before it is submitted.
#[derive(Clone, Debug)]
pub struct RowVersion {
    source: SourceId,
    row: RowNumber,
    external_id: String,
    content: ContentHash,
    house: StoredHouse,
    request: String,
}

impl RowVersion {
    /// Makes the version of a row's request.
    pub fn new(source: SourceId, row: RowNumber, request: &Request) -> Self {
        Self {
            source,
            row,
            external_id: request.external_id.clone(),
            content: request.content_hash(),
            house: StoredHouse::from(request),
            request: request_json(request),
        }
    }
}

/// Whether a request may be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotGrant {
    /// The request is recorded and has a slot.
    Slot {
        /// The slot.
        slot: QuotaSlot,
        /// Number of requests that may follow without waiting.
        left: usize,
    },
    /// Nothing was recorded; the request has to wait.
    Wait {
        /// When to try again; a response may free a slot earlier.
        until: Timestamp,
        /// Why it has to wait.
        because: WaitReason,
    },
}

/// Why a request has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitReason {
    /// The quota of the window is used up.
    QuotaUsedUp,
    /// The service answered 429: it asked for a pause, or requests are sent one at a time since.
    RateLimited,
}

impl Journal {
    /// Takes a slot and records the request durably, or returns how long to wait.
    ///
    /// # Errors
    /// Returns [`Error::Full`], [`Error::Corrupt`], [`Error::Sqlite`] or [`Error::Stopped`]; then nothing may be sent.
    pub async fn acquire_slot(&self, slot_request: SlotRequest) -> Result<SlotGrant, Error> {
        self.writer
            .write(move |connection, slot_log| take_slot(connection, slot_log, slot_request))
            .await
    }
}

fn take_slot(
    connection: &Connection,
    slot_log: &mut SlotLog,
    slot_request: SlotRequest,
) -> rusqlite::Result<SlotGrant> {
    let SlotRequest {
        purpose,
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
    let attempt = record_intent(connection, purpose, now, times_out_at)?;
    let slot = QuotaSlot {
        attempt,
        taken_at: now,
        times_out_at,
        ended_at: None,
    };
    budget.take_slot(slot);
    Ok(SlotGrant::Slot {
        slot,
        left: budget.available(now, share),
    })
}

fn record_intent(
    connection: &Connection,
    purpose: SlotPurpose,
    now: Timestamp,
    times_out_at: Timestamp,
) -> rusqlite::Result<i64> {
    let (kind, external_id) = match purpose {
        SlotPurpose::Me => ("me", None),
        SlotPurpose::Create(submission) => {
            store_submission(connection, &submission, now)?;
            ("create", Some(submission.external_id))
        }
        SlotPurpose::Retry { external_id } => ("create", Some(external_id)),
        SlotPurpose::Read { external_id } => ("read", Some(external_id)),
    };
    let (now, times_out_at) = (now.as_millisecond(), times_out_at.as_millisecond());
    connection
        .prepare_cached(
            "INSERT INTO attempts (kind, external_id, taken_at, times_out_at) VALUES (?1, ?2, ?3, ?4)",
        )?
        .insert(params![kind, external_id, now, times_out_at])
}

/// Stores the submitted version in place of the one before, which was refused, in conflict or never answered.
fn store_submission(
    connection: &Connection,
    submission: &RowVersion,
    now: Timestamp,
) -> rusqlite::Result<()> {
    let [house, customer] = submission.house.store(connection)?;
    let store = |sql| {
        connection.prepare_cached(sql)?.execute(params![
            submission.external_id,
            submission.source.0,
            submission.row.0,
            submission.content.to_bytes(),
            submission.request,
            now.as_millisecond(),
            house,
            customer,
        ])
    };
    let inserted = store(
        "INSERT INTO requests (external_id, source, source_row, content, request, state, intended_at, house, customer)
         VALUES (?1, ?2, ?3, ?4, ?5, 'sent', ?6, ?7, ?8) ON CONFLICT (external_id) DO NOTHING",
    )?;
    if inserted == 0 {
        houses_without_row::store_unanswered(
            connection,
            &submission.external_id,
            submission.content,
        )?;
        store(
            "UPDATE requests SET source = ?2, source_row = ?3, content = ?4, request = ?5, state = 'sent',
             intended_at = ?6, answered_at = NULL, messages = NULL, house = ?7, customer = ?8, normalized = NULL,
             normalized_house = NULL
             WHERE external_id = ?1",
        )?;
    }
    Ok(())
}
