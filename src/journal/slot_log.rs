//! The log of quota slots: whether a request may be sent is decided in the writer's transaction, over the slots of all
//! processes.
//!
//! `BEGIN IMMEDIATE` lets one process decide at a time. The slots of the window are kept in memory and read again only
//! if another process has committed since.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use crate::journal::{Error, Journal, facts};
use crate::model::{AdaptiveLimit, QuotaBudget, QuotaShare, QuotaSlot, SlotOpenings};

/// Fact: the adaptive limit.
const ADAPTIVE_LIMIT: &str = "adaptive_limit";

/// The slots of the window in the writer thread's memory.
#[derive(Debug, Default)]
pub(super) struct SlotLog {
    budget: Option<QuotaBudget>,
    data_version: i64,
}

impl SlotLog {
    /// Drops the slots in memory if another connection has written since.
    pub(super) fn detect_other_writers(&mut self, connection: &Connection) -> rusqlite::Result<()> {
        let seen = connection
            .prepare_cached("PRAGMA data_version")?
            .query_row([], |row| row.get(0))?;
        if seen != self.data_version {
            self.data_version = seen;
            self.budget = None;
        }
        Ok(())
    }

    /// Returns the slots of the window, read from the journal if necessary.
    pub(super) fn budget(
        &mut self,
        connection: &Connection,
        now: Timestamp,
        share: QuotaShare,
    ) -> rusqlite::Result<&mut QuotaBudget> {
        let budget = match self.budget.take() {
            Some(budget) => budget,
            None => load_budget(connection, now, share)?,
        };
        Ok(self.budget.insert(budget))
    }
}

/// The quota window at a point in time.
#[derive(Clone, Debug)]
pub struct QuotaWindow {
    /// Number of requests that may be sent now.
    pub available: usize,
    /// When this program's slots become available; never before now.
    pub openings: SlotOpenings,
    /// The end of a pause that the service asked for, if it is in the future.
    pub not_before: Option<Timestamp>,
}

impl QuotaWindow {
    /// Returns the window of a connection that has sent nothing yet.
    pub fn empty(now: Timestamp, share: QuotaShare) -> Self {
        Self::from_budget(&QuotaBudget::default(), now, share)
    }

    fn from_budget(budget: &QuotaBudget, now: Timestamp, share: QuotaShare) -> Self {
        let openings = budget.openings(now, share);
        Self {
            available: openings.open_at(now),
            openings,
            not_before: budget
                .adaptive_limit()
                .map(AdaptiveLimit::not_before)
                .filter(|until| now < *until),
        }
    }
}

/// Reads the window of the journal at a path, also while a run writes to it; empty if there is no journal.
///
/// # Errors
/// Returns [`Error::Damaged`] or [`Error::Newer`] for a file that cannot be used, or another [`Error`] if it cannot be
/// read.
pub fn window(path: &Path, now: Timestamp, share: QuotaShare) -> Result<QuotaWindow, Error> {
    match crate::journal::journal_file::open_read_only(path)? {
        None => Ok(QuotaWindow::empty(now, share)),
        Some(connection) => Ok(read_window(&connection, now, share)?),
    }
}

impl Journal {
    /// Reads the window, with the slots of all processes.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn window(&self, now: Timestamp, share: QuotaShare) -> Result<QuotaWindow, Error> {
        Ok(read_window(&self.reader()?, now, share)?)
    }

    /// Stores slots with times after `now`, because the clock was set back, as taken at `now`, so that later runs do
    /// not wait for them again. Only the run that has locked the journal may call this.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub async fn clamp_slots(&self, now: Timestamp) -> Result<(), Error> {
        let sql = "UPDATE attempts SET times_out_at = ?1 + times_out_at - taken_at, taken_at = ?1,
            settled_at = min(settled_at, ?1) WHERE counted = 1 AND taken_at > ?1 AND times_out_at > ?1
            AND coalesce(settled_at, times_out_at) > ?1";
        self.write_with_slots(move |connection, slot_log| {
            if let Some(limit) = load_adaptive_limit(connection)? {
                store_adaptive_limit(connection, Some(&limit.clamp_to(now)))?;
            }
            slot_log.budget = None;
            connection.execute(sql, [now.as_millisecond()]).map(drop)
        })
        .await
    }
}

/// Reads the window without writing.
fn read_window(
    connection: &Connection,
    now: Timestamp,
    share: QuotaShare,
) -> rusqlite::Result<QuotaWindow> {
    let budget = load_budget(connection, now, share)?;
    Ok(QuotaWindow::from_budget(&budget, now, share))
}

fn load_budget(
    connection: &Connection,
    now: Timestamp,
    share: QuotaShare,
) -> rusqlite::Result<QuotaBudget> {
    let since = (now - share.slot_lifetime()).as_millisecond();
    let mut statement = connection.prepare_cached(
        "SELECT id, taken_at, times_out_at, settled_at FROM attempts
         WHERE times_out_at > ?1 AND counted = 1 AND coalesce(settled_at, times_out_at) > ?1
         ORDER BY coalesce(settled_at, times_out_at)",
    )?;
    let slots = statement
        .query_map([since], |row| {
            Ok(QuotaSlot {
                attempt: row.get(0)?,
                taken_at: time(row.get(1)?),
                times_out_at: time(row.get(2)?),
                ended_at: row.get::<_, Option<i64>>(3)?.map(time),
            })
        })?
        .collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(QuotaBudget::from_slots(
        slots,
        load_adaptive_limit(connection)?,
        now,
    ))
}

/// Returns the stored adaptive limit; `None` if it cannot be parsed.
fn load_adaptive_limit(connection: &Connection) -> rusqlite::Result<Option<AdaptiveLimit>> {
    let text = facts::read_fact(connection, ADAPTIVE_LIMIT)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Stores the adaptive limit, or removes it.
pub(super) fn store_adaptive_limit(
    connection: &Connection,
    limit: Option<&AdaptiveLimit>,
) -> rusqlite::Result<()> {
    let text =
        limit.map(|limit| serde_json::to_string(limit).expect("a limit has string keys alone"));
    facts::write_fact(connection, ADAPTIVE_LIMIT, text.as_deref())
}

/// Converts Unix milliseconds; an invalid time becomes the Unix epoch.
pub(super) fn time(milliseconds: i64) -> Timestamp {
    Timestamp::from_millisecond(milliseconds).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{
        JournalAccess, ResponseEffect, ResponseRecord, SlotGrant, SlotPurpose, SlotRequest,
    };

    #[tokio::test]
    async fn an_answer_that_came_after_its_time_out_holds_its_slot_for_a_window() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let rate = "1/10s".parse().unwrap();
        let share = QuotaShare { rate, reserve: 0 };
        let now = Timestamp::constant(1_800_000_000, 0);
        let after = |seconds| now + std::time::Duration::from_secs(seconds);
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        let slot_request = SlotRequest {
            purpose: SlotPurpose::Me,
            now,
            times_out_at: after(1),
            share,
        };
        let taken = journal.acquire_slot(slot_request).await.unwrap();
        let SlotGrant::Slot { slot, .. } = taken else {
            panic!("{taken:?}");
        };
        let response_record = ResponseRecord {
            slot,
            now: after(3600),
            share,
            external_id: None,
            status: Some(200),
            body: None,
            error: None,
            effect: ResponseEffect::Unchanged,
        };
        journal.record_response(response_record).await.unwrap();
        assert_eq!(window(&path, after(3605), share).unwrap().available, 0);
        assert_eq!(window(&path, after(3611), share).unwrap().available, 1);
    }
}
