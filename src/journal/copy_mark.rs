//! The mark of copies of a journal.
//!
//! A copy is marked with the time at which it was made and with the path of its journal. The first program that opens
//! it for writing removes the mark: from then on the file is a journal of its own. The journal that it was copied from
//! may have been used since, so everything in the copy that was not billed may be billed elsewhere.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::{Connection, OpenFlags, TransactionBehavior};

use crate::journal::column_values::invalid_value;
use crate::journal::{Error, JournalSnapshot, metadata};

/// Named value: when the file was copied, in Unix milliseconds; present until it is opened for writing.
const COPIED_AT: &str = "copied_at";

/// Named value: when the file was copied, after it was opened for writing.
const BEGAN_AS_COPY_AT: &str = "began_as_copy_at";

/// Named value: the path of the journal that the file is a copy of; present until it is opened for writing.
const COPIED_FROM: &str = "copied_from";

/// Marks a copy of the journal at a path; no other process has the copy open. It does not use a log, so that the mark
/// is in the file itself.
pub(super) fn mark_copy(copy: &Path, journal: &Path, now: Timestamp) -> rusqlite::Result<()> {
    let connection = Connection::open_with_flags(copy, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.pragma_update(None, "journal_mode", "MEMORY")?;
    let now = now.as_millisecond().to_string();
    metadata::write_metadata(&connection, COPIED_FROM, Some(&journal.to_string_lossy()))?;
    metadata::write_metadata(&connection, COPIED_AT, Some(&now))
}

/// Whether the file is a copy that was never opened for writing.
pub(super) fn is_unused_copy(connection: &Connection) -> rusqlite::Result<bool> {
    Ok(metadata::read_metadata(connection, COPIED_AT)?.is_some())
}

/// Whether the file is marked as a copy of another journal than the one at this path.
pub(super) fn is_of_other_journal(
    connection: &Connection,
    journal: &Path,
) -> rusqlite::Result<bool> {
    let from = metadata::read_metadata(connection, COPIED_FROM)?;
    Ok(from.is_some_and(|from| from != journal.to_string_lossy()))
}

/// Converts a copy into a journal: what it has not billed needs a new declaration. Must be called before the file is
/// opened with a log, because a log beside a marked file is known to belong to another file.
pub(super) fn convert_to_journal(connection: &mut Connection) -> rusqlite::Result<()> {
    if !is_unused_copy(connection)? {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have done it meanwhile.
    if let Some(copied_at) = metadata::read_metadata(&transaction, COPIED_AT)? {
        transaction.execute(
            "INSERT INTO foreign_measurements (measurement_id, learned_at)
             SELECT id, CAST(?1 AS INTEGER) FROM measurements
             WHERE id NOT IN (SELECT measurement_id FROM sealed_items WHERE kind = 'billed')
             ON CONFLICT (measurement_id) DO UPDATE
             SET learned_at = max(learned_at, excluded.learned_at), billed_elsewhere = NULL, asked = 0",
            [&copied_at],
        )?;
        metadata::write_metadata(&transaction, COPIED_AT, None)?;
        metadata::write_metadata(&transaction, COPIED_FROM, None)?;
        metadata::write_metadata(&transaction, BEGAN_AS_COPY_AT, Some(&copied_at))?;
    }
    transaction.commit()
}

/// Returns when the journal was copied from another one; `None` if it is not a copy.
pub(super) fn copied_at(connection: &Connection) -> rusqlite::Result<Option<Timestamp>> {
    let Some(value) = metadata::read_metadata(connection, BEGAN_AS_COPY_AT)? else {
        return Ok(None);
    };
    let milliseconds = value.parse().map_err(|error| invalid_value(0, error))?;
    let copied_at: Result<Timestamp, _> = Timestamp::from_millisecond(milliseconds);
    copied_at.map(Some).map_err(|error| invalid_value(0, error))
}

impl JournalSnapshot {
    /// Returns when the journal was copied from another one; `None` if it is not a copy.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn began_as_copy_at(&self) -> Result<Option<Timestamp>, Error> {
        Ok(copied_at(&self.connection())?)
    }
}
