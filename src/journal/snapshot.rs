//! A consistent view of the journal, for exports, read row by row.
//!
//! Bodies are returned verbatim; the caller parses them.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use rusqlite::{Connection, Row};

use crate::journal::column_values::{
    NAMED_SHEET, column_json, column_name, column_optional_json, column_optional_time,
    column_source, column_time, query_rows,
};
use crate::journal::houses_without_row::IS_UNANSWERED;
use crate::journal::{Error, Journal, binding, journal_file};
use crate::model::{Account, FieldNames, Outcome, Request, RowNumber, Status, TableSource};

/// A view of the journal that does not change: later commits are not visible.
///
/// Threads may share it. An iteration holds its lock until its end, so other queries wait.
#[derive(Debug)]
pub struct JournalSnapshot {
    connection: Mutex<Connection>,
}

/// A measurement with its request.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMeasurement {
    /// The external id.
    pub external_id: String,
    /// The table of the row.
    pub source: TableSource,
    /// The name of its file, with the sheet if several of its workbook were imported.
    pub source_name: String,
    /// The row number.
    pub row: RowNumber,
    /// `created` or `existing`.
    pub outcome: Outcome,
    /// The last submitted request.
    pub request: Request,
    /// That request with the address that the service gave for it, if this is no other spelling of the requested one.
    pub normalized: Option<Request>,
    /// The measurement id, `msr_…`.
    pub measurement_id: String,
    /// The newest status.
    pub status: Status,
    /// When the newest response came.
    pub fetched_at: Timestamp,
    /// Since when the service answers 404; `None` if it does not.
    pub not_found_since: Option<Timestamp>,
    /// The newest response, verbatim.
    pub body: String,
    /// The last result, verbatim, if the measurement is no longer complete.
    pub earlier_result: Option<String>,
    /// When the journal recorded it, if it did not create it.
    pub learned_at: Option<Timestamp>,
    /// Whether it was billed from another journal, if the user declared that.
    pub billed_elsewhere: Option<bool>,
    /// When the journal learned of its last change.
    pub changed_at: Timestamp,
    /// When the journal last had the version that was billed, adjusted or declared, if that has changed since.
    pub unchanged_at: Option<Timestamp>,
    /// The number of the sealed export that billed it.
    pub sealed: Option<u64>,
    /// The number of the newest sealed export that billed or adjusted it.
    pub last_sealed: Option<u64>,
    /// The figures of its newest sealed export, as JSON.
    pub billed_figures: Option<String>,
}

/// A row without a measurement of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectedRow {
    /// As [`StoredMeasurement::source_name`].
    pub source_name: String,
    /// The row number.
    pub row: RowNumber,
    /// The external id, if the row has one.
    pub external_id: Option<String>,
    /// The customer's name, if the row has one.
    pub customer: Option<String>,
    /// The address in one line, if the row has one.
    pub address: Option<String>,
    /// `invalid`, `refused`, `conflict` or `same_house`.
    pub outcome: Outcome,
    /// All messages, joined by `; `.
    pub error: String,
}

impl Journal {
    /// Returns a view of the current state.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn snapshot(&self) -> Result<JournalSnapshot, Error> {
        let connection = self.reader()?;
        connection.execute_batch("BEGIN")?;
        // A deferred transaction begins with the first read.
        connection.query_row("SELECT count(*) FROM binding", [], |_| Ok(()))?;
        Ok(JournalSnapshot {
            connection: Mutex::new(connection),
        })
    }
}

/// Reads the state of the journal at `path` without changing the file; `None` if there is no journal.
///
/// # Errors
/// Returns [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a file that cannot be used, or another
/// [`Error`] if it cannot be read.
pub fn read_snapshot(path: &Path) -> Result<Option<JournalSnapshot>, Error> {
    let connection = journal_file::open_read_only(path)?;
    Ok(connection.map(|connection| JournalSnapshot {
        connection: Mutex::new(connection),
    }))
}

impl JournalSnapshot {
    /// Returns the account that the journal is bound to; `None` before the first import.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn binding(&self) -> Result<Option<Account>, Error> {
        Ok(binding::read_binding(&self.connection())?)
    }

    /// Returns the tables from which rows were read.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn sources(&self) -> Result<Vec<TableSource>, Error> {
        let sql = "SELECT path, sheet FROM sources";
        let source = |row: &Row<'_>| column_source(row, 0);
        Ok(query_rows(&self.connection(), sql, [], source)?)
    }

    /// Returns the user's names for fields in each table from which rows were read.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn field_names(&self) -> Result<HashMap<TableSource, FieldNames>, Error> {
        let sql = "SELECT path, sheet, field_names FROM sources WHERE field_names IS NOT NULL";
        let names = |row: &Row<'_>| Ok((column_source(row, 0)?, column_json(row, 2)?));
        Ok(query_rows(&self.connection(), sql, [], names)?)
    }

    /// Returns the external ids of rows that were sent and have no response, or have one only to a later version, which
    /// the service refused.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn unanswered_ids(&self) -> Result<HashSet<Box<str>>, Error> {
        let sql = format!("SELECT external_id FROM requests WHERE {IS_UNANSWERED}");
        Ok(query_rows(&self.connection(), &sql, [], |row| row.get(0))?)
    }

    /// Returns the external ids of rows that the user decided to send although their house was requested before.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn ids_sent_again(&self) -> Result<HashSet<Box<str>>, Error> {
        let sql = "SELECT external_id FROM house_decisions WHERE decision = 'send'";
        Ok(query_rows(&self.connection(), sql, [], |row| row.get(0))?)
    }

    /// Returns when the newest response came; `None` before the first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn newest_response_at(&self) -> Result<Option<Timestamp>, Error> {
        let newest = "SELECT nullif(max(fetched_at), 0) FROM measurements";
        let newest = self
            .connection()
            .query_row(newest, [], |row| column_optional_time(row, 0))?;
        Ok(newest)
    }

    /// Calls `visit` with every measurement, in the order of the user's files, each with the version of its row that
    /// was submitted. The present contents of the file do not matter: another house's row may be at that place.
    ///
    /// # Errors
    /// Returns an [`Error`], converted to `E`, if the file cannot be read, and any error of `visit`.
    pub fn for_each_measurement<E: From<Error>>(
        &self,
        visit: impl FnMut(StoredMeasurement) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each(&measurements_sql(), stored_measurement, visit)
    }

    /// Calls `visit` with the rows without a measurement in the newest run of each table.
    ///
    /// # Errors
    /// Returns an [`Error`], converted to `E`, if the file cannot be read, and any error of `visit`.
    pub fn for_each_rejected<E: From<Error>>(
        &self,
        visit: impl FnMut(RejectedRow) -> Result<(), E>,
    ) -> Result<(), E> {
        self.for_each(&rejected_sql(), rejected_row, visit)
    }

    fn for_each<T, E: From<Error>>(
        &self,
        sql: &str,
        parse: fn(&Row<'_>) -> rusqlite::Result<T>,
        mut visit: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        let connection = self.connection();
        let mut statement = connection.prepare(sql).map_err(Error::from)?;
        let mut rows = statement.query([]).map_err(Error::from)?;
        while let Some(row) = rows.next().map_err(Error::from)? {
            visit(parse(row).map_err(Error::from)?)?;
        }
        Ok(())
    }

    /// Locks and returns the connection of the view.
    pub(super) fn connection(&self) -> MutexGuard<'_, Connection> {
        // The view is only read, so a panic elsewhere does not affect it.
        self.connection
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

fn measurements_sql() -> String {
    format!("
SELECT q.external_id, sources.path, sources.sheet, q.source_row, iif(q.state = 'existing', 'existing', 'created'), q.request, m.id, m.status, m.fetched_at, m.not_found_since, m.body,
    CASE WHEN m.status <> 'complete' THEN nullif(m.result, 'null') END,
    (SELECT i.number FROM sealed_items i WHERE i.measurement_id = m.id AND i.kind = 'billed'),
    (SELECT i.figures FROM sealed_items i WHERE i.measurement_id = m.id ORDER BY i.number DESC LIMIT 1),
    (SELECT max(i.number) FROM sealed_items i WHERE i.measurement_id = m.id),
    f.learned_at, f.billed_elsewhere, q.normalized, m.changed_at, m.unchanged_at, {NAMED_SHEET}
FROM requests q INDEXED BY requests_by_source
CROSS JOIN sources ON sources.id = q.source
CROSS JOIN measurements m ON m.external_id = q.external_id
LEFT JOIN foreign_measurements f ON f.measurement_id = m.id
ORDER BY q.source, q.source_row")
}

fn rejected_sql() -> String {
    format!("
SELECT sources.path, sources.sheet, {NAMED_SHEET}, r.source_row, r.external_id, r.customer, r.address, r.outcome, r.error
FROM rejected r CROSS JOIN sources ON sources.id = r.source
ORDER BY r.source, r.source_row")
}

fn stored_measurement(row: &Row<'_>) -> rusqlite::Result<StoredMeasurement> {
    let source = column_source(row, 1)?;
    Ok(StoredMeasurement {
        external_id: row.get(0)?,
        source_name: source_name(&source, row.get(20)?),
        source,
        row: RowNumber(row.get(3)?),
        outcome: column_name(row, 4, Outcome::from_name)?,
        request: column_json(row, 5)?,
        measurement_id: row.get(6)?,
        status: column_name(row, 7, Status::from_name)?,
        fetched_at: column_time(row, 8)?,
        not_found_since: column_optional_time(row, 9)?,
        body: row.get(10)?,
        earlier_result: row.get(11)?,
        sealed: row.get(12)?,
        billed_figures: row.get(13)?,
        last_sealed: row.get(14)?,
        learned_at: column_optional_time(row, 15)?,
        billed_elsewhere: row.get(16)?,
        normalized: column_optional_json(row, 17)?,
        changed_at: column_time(row, 18)?,
        unchanged_at: column_optional_time(row, 19)?,
    })
}

fn rejected_row(row: &Row<'_>) -> rusqlite::Result<RejectedRow> {
    Ok(RejectedRow {
        source_name: source_name(&column_source(row, 0)?, row.get(2)?),
        row: RowNumber(row.get(3)?),
        external_id: row.get(4)?,
        customer: row.get(5)?,
        address: row.get(6)?,
        outcome: column_name(row, 7, Outcome::from_name)?,
        error: row.get(8)?,
    })
}

fn source_name(source: &TableSource, sheet: Option<String>) -> String {
    let of_sheet = sheet.map_or_else(String::new, |sheet| format!(", sheet {sheet}"));
    format!("{}{of_sheet}", source.file_name())
}
