//! The quota window at a point in time, for planning and for `status`.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use crate::journal::slot_log::{load_adaptive_limit, load_budget, store_adaptive_limit};
use crate::journal::{Error, Journal, journal_file};
use crate::model::{AdaptiveLimit, QuotaBudget, QuotaShare, SlotOpenings};

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
/// Returns [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a file that cannot be used, or another
/// [`Error`] if it cannot be read.
pub fn window(path: &Path, now: Timestamp, share: QuotaShare) -> Result<QuotaWindow, Error> {
    match journal_file::open_read_only(path)? {
        None => Ok(QuotaWindow::empty(now, share)),
        Some(connection) => Ok(read_window(&connection, now, share)?),
    }
}

impl Journal {
    /// Reads the window, with the slots of all processes.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn window(&self, now: Timestamp, share: QuotaShare) -> Result<QuotaWindow, Error> {
        self.read(|connection| read_window(connection, now, share))
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
        self.writer
            .write(move |connection, slot_log| {
                if let Some(limit) = load_adaptive_limit(connection)? {
                    store_adaptive_limit(connection, Some(&limit.clamp_to(now)))?;
                }
                slot_log.clear();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::{
        JournalAccess, ResponseEffect, ResponseRecord, SlotGrant, SlotPurpose, SlotRequest,
    };

    /// One request in ten seconds.
    fn one_slot() -> QuotaShare {
        let rate = "1/10s".parse().unwrap();
        QuotaShare { rate, reserve: 0 }
    }

    /// The time of the first request, and so many seconds.
    fn after(seconds: u64) -> Timestamp {
        Timestamp::constant(1_800_000_000, 0) + std::time::Duration::from_secs(seconds)
    }

    /// Sends a request, whose answer comes after so many seconds.
    async fn record(journal: &Journal, effect: ResponseEffect, seconds: u64) {
        let share = one_slot();
        let slot_request = SlotRequest {
            purpose: SlotPurpose::Me,
            now: after(0),
            times_out_at: after(1),
            share,
        };
        let taken = journal.acquire_slot(slot_request).await.unwrap();
        let SlotGrant::Slot { slot, .. } = taken else {
            panic!("{taken:?}");
        };
        let response_record = ResponseRecord {
            slot,
            now: after(seconds),
            share,
            external_id: None,
            status: Some(200),
            body: None,
            error: None,
            effect,
        };
        journal.record_response(response_record).await.unwrap();
    }

    #[tokio::test]
    async fn a_request_that_never_left_holds_no_slot() {
        for (effect, available) in [(ResponseEffect::Unsent, 1), (ResponseEffect::Unchanged, 0)] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("journal.db");
            let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
            record(&journal, effect, 0).await;
            let window = window(&path, after(1), one_slot()).unwrap();
            assert_eq!(window.available, available);
        }
    }

    #[tokio::test]
    async fn an_answer_that_came_after_its_time_out_holds_its_slot_for_a_window() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let journal = Journal::open(&path, &JournalAccess::Shared).unwrap();
        let share = one_slot();
        record(&journal, ResponseEffect::Unchanged, 3600).await;
        assert_eq!(window(&path, after(3605), share).unwrap().available, 0);
        assert_eq!(window(&path, after(3611), share).unwrap().available, 1);
    }
}
