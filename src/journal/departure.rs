//! Taking a slot and writing down what is about to be sent, in one transaction, before a byte leaves.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::ledger::Ledger;
use crate::journal::{Error, Journal, SourceId, held_houses, houses};
use crate::model::{Admission, ContentHash, Request, RowNumber, Share, Slot};

/// A request that wants to leave.
#[derive(Clone, Debug)]
pub struct Departure {
    /// What it is.
    pub intent: Intent,
    /// The time.
    pub now: Timestamp,
    /// When its answer will be given up.
    pub times_out_at: Timestamp,
    /// How much of the quota is ours.
    pub share: Share,
}

/// What a request is about to do.
#[derive(Clone, Debug)]
pub enum Intent {
    /// Asks whose token it is.
    Me,
    /// Submits a row, in this version.
    Create(Box<Submission>),
    /// Submits the same version once more.
    Again {
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
pub struct Submission {
    source: SourceId,
    row: RowNumber,
    pub(super) external_id: String,
    pub(super) content: ContentHash,
    house: i64,
    request: String,
}

impl Submission {
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
            house: houses::house_of(request),
            request: serde_json::to_string(request).expect("a request has string keys alone"),
        }
    }
}

/// Whether the request may leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It is written down, with a slot of its own.
    Slot {
        /// The slot.
        slot: Slot,
        /// Requests that may leave after it, before one has to wait.
        left: usize,
    },
    /// Nothing was written; not before then.
    Wait {
        /// Ask again then; an answer in between may free a slot sooner.
        until: Timestamp,
        /// Whose wish that is.
        because: Because,
    },
}

/// Why a request has to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Because {
    /// The window's budget is spent.
    Spent,
    /// The service answered 429: it named the time, or requests go one by one since.
    Limited,
}

impl Journal {
    /// Takes a slot and records the intent, durably; or says how long to wait.
    ///
    /// # Errors
    /// [`Error::Full`], [`Error::Corrupt`], [`Error::Sqlite`], [`Error::Stopped`]: then nothing may be sent.
    pub async fn take(&self, departure: Departure) -> Result<Taken, Error> {
        self.write_ledger(move |connection, ledger| take(connection, ledger, departure))
            .await
    }
}

fn take(
    connection: &Connection,
    ledger: &mut Ledger,
    departure: Departure,
) -> rusqlite::Result<Taken> {
    let Departure {
        intent,
        now,
        times_out_at,
        share,
    } = departure;
    let budget = ledger.budget(connection, now, share)?;
    let wait = |until, because| Ok(Taken::Wait { until, because });
    match budget.admit(now, share) {
        Admission::Now => {}
        Admission::At(until) => return wait(until, Because::Spent),
        Admission::Limited(until) => return wait(until, Because::Limited),
    }
    let attempt = intend(connection, intent, now, times_out_at)?;
    let slot = Slot {
        attempt,
        taken_at: now,
        times_out_at,
        settled_at: None,
    };
    budget.take(slot, share);
    Ok(Taken::Slot {
        slot,
        left: budget.left(now, share),
    })
}

fn intend(
    connection: &Connection,
    intent: Intent,
    now: Timestamp,
    times_out_at: Timestamp,
) -> rusqlite::Result<i64> {
    let (kind, external_id, measurement_id) = match intent {
        Intent::Me => ("me", None, None),
        Intent::Create(submission) => {
            submit(connection, &submission, now)?;
            ("create", Some(submission.external_id), None)
        }
        Intent::Again { external_id } => ("create", Some(external_id), None),
        Intent::Read {
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
fn submit(
    connection: &Connection,
    submission: &Submission,
    now: Timestamp,
) -> rusqlite::Result<()> {
    held_houses::keep_unanswered(connection, submission)?;
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
