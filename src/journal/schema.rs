//! The schema, which is in `schema.sql`, and its number. A journal of another number is refused.

use rusqlite::{Connection, TransactionBehavior};

/// The application id in the file's header, "GUTB".
pub(super) const APPLICATION_ID: i32 = 0x4755_5442;

/// The number of the schema.
pub(super) const CURRENT: u32 = 43;

/// Returns the file's schema number; 0 for an empty file.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<u32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Creates the tables of an empty file in one transaction.
pub(super) fn create(connection: &mut Connection) -> rusqlite::Result<()> {
    if version(connection)? == CURRENT {
        return Ok(());
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // Another process may have created them meanwhile.
    if version(&transaction)? == 0 {
        transaction.execute_batch(include_str!("schema.sql"))?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID)?;
        transaction.pragma_update(None, "user_version", CURRENT)?;
    }
    transaction.commit()
}

/// The steps in which SQLite runs a statement over all rows of an empty journal.
#[cfg(test)]
pub(super) fn query_plan(sql: &str) -> Vec<String> {
    let mut connection = Connection::open_in_memory().unwrap();
    create(&mut connection).unwrap();
    let sql = format!("EXPLAIN QUERY PLAN {sql}");
    let mut statement = connection.prepare(&sql).unwrap();
    let parameters = vec![None::<&str>; statement.parameter_count()];
    let steps = statement.query_map(rusqlite::params_from_iter(parameters), |row| {
        row.get("detail")
    });
    steps.unwrap().map(Result::unwrap).collect()
}
