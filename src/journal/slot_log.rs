//! The log of quota slots: whether a request may be sent is decided in the writer's transaction, over the slots of all
//! processes.
//!
//! `BEGIN IMMEDIATE` lets one process decide at a time. The slots of the window are kept in memory and read again only
//! if another process has committed since.

use jiff::Timestamp;
use rusqlite::Connection;

use crate::journal::column_values::{column_optional_time, column_time};
use crate::journal::metadata;
use crate::model::{AdaptiveLimit, QuotaBudget, QuotaShare, QuotaSlot};

/// The name of the adaptive limit in the table of metadata.
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

    /// Drops the slots in memory.
    pub(super) fn clear(&mut self) {
        self.budget = None;
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

/// Reads the slots of the window from the journal.
pub(super) fn load_budget(
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
                taken_at: column_time(row, 1)?,
                times_out_at: column_time(row, 2)?,
                ended_at: column_optional_time(row, 3)?,
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
pub(super) fn load_adaptive_limit(
    connection: &Connection,
) -> rusqlite::Result<Option<AdaptiveLimit>> {
    let text = metadata::read_metadata(connection, ADAPTIVE_LIMIT)?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Stores the adaptive limit, or removes it.
pub(super) fn store_adaptive_limit(
    connection: &Connection,
    limit: Option<&AdaptiveLimit>,
) -> rusqlite::Result<()> {
    let text =
        limit.map(|limit| serde_json::to_string(limit).expect("a limit has only string keys"));
    metadata::write_metadata(connection, ADAPTIVE_LIMIT, text.as_deref())
}
