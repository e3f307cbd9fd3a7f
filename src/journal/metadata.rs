//! Named values of the journal.

use rusqlite::{Connection, OptionalExtension};

/// Returns a value; `None` if it is not stored.
pub(super) fn read_metadata(
    connection: &Connection,
    name: &str,
) -> rusqlite::Result<Option<String>> {
    connection
        .prepare_cached("SELECT value FROM metadata WHERE name = ?1")?
        .query_row([name], |row| row.get(0))
        .optional()
}

/// Stores a value, or removes it if it is `None`.
pub(super) fn write_metadata(
    connection: &Connection,
    name: &str,
    value: Option<&str>,
) -> rusqlite::Result<()> {
    let Some(value) = value else {
        return connection
            .prepare_cached("DELETE FROM metadata WHERE name = ?1")?
            .execute([name])
            .map(drop);
    };
    connection
        .prepare_cached("INSERT OR REPLACE INTO metadata (name, value) VALUES (?1, ?2)")?
        .execute([name, value])
        .map(drop)
}
