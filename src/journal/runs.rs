//! Tables, runs, and the rejected rows of each table's newest run.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::pending_rows::to_bytes;
use crate::journal::{Error, FlagsByName, Journal, ReportedProblems, UnsentRows};
use crate::model::{FieldNames, Outcome, OutcomeCounts, RowNumber, TableSource};

/// The journal's id of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SourceId(pub(super) i64);

/// The journal's id of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunId(i64);

/// A row without a measurement of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRejection {
    /// The row number.
    pub row: RowNumber,
    /// The external id, if the row has a valid one.
    pub external_id: Option<String>,
    /// The customer's name, if the row has one.
    pub customer: Option<String>,
    /// The address in one line, if the row has one.
    pub address: Option<String>,
    /// `invalid`, `refused`, `conflict` or `same_house`.
    pub outcome: Outcome,
    /// All messages, joined by `; `.
    pub error: String,
    /// The row's cells by field, as JSON.
    pub cells: Option<String>,
}

/// What a run found out about the rows of its table.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// When the run began.
    pub started_at: Timestamp,
    /// The number of rows by outcome.
    pub outcomes: OutcomeCounts,
    /// The rejected rows.
    pub rejected: Vec<NewRejection>,
    /// The problems that the run reported.
    pub problems: ReportedProblems,
    /// The rows that it did not send.
    pub unsent: UnsentRows,
    /// The other sheets of the workbook.
    pub other_sheets: Vec<String>,
    /// The reading flags, if they are not remembered.
    pub unproven_flags: FlagsByName,
}

impl Journal {
    /// Stores a table and the user's names of its fields.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    ///
    /// # Panics
    /// Never: names serialize to JSON.
    pub fn add_source(&self, source: &TableSource, names: &FieldNames) -> Result<SourceId, Error> {
        let names = serde_json::to_string(names).expect("names are a map of texts");
        let path = source.path.to_string_lossy().into_owned();
        let sheet = source.sheet.clone().unwrap_or_default();
        self.writer.write_blocking(move |connection, _| {
            let source = source_id(connection, &path, &sheet)?;
            let sql = "UPDATE sources SET field_names = ?2 WHERE id = ?1";
            connection.execute(sql, params![source, names])?;
            Ok(SourceId(source))
        })
    }

    /// Records the start of an import of `source` that submits `rows` rows; until it ends, they and others are pending,
    /// and some are missing.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub async fn begin_run(
        &self,
        source: SourceId,
        rows: u64,
        unsent: UnsentRows,
        now: Timestamp,
    ) -> Result<RunId, Error> {
        self.writer
            .write(move |connection, _| {
                store_unsent(connection, source, &unsent)?;
                let sql = "INSERT INTO runs (source, started_at, row_count) VALUES (?1, ?2, ?3)";
                let run = connection.prepare(sql)?.insert(params![
                    source.0,
                    now.as_millisecond(),
                    rows
                ])?;
                Ok(RunId(run))
            })
            .await
    }

    /// Records the end of a run, and replaces the rejected rows and the problems of its table. A run that sent nothing
    /// has no recorded start.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn end_run(
        &self,
        run: Option<RunId>,
        source: SourceId,
        now: Timestamp,
        result: RunResult,
    ) -> Result<(), Error> {
        let RunResult {
            started_at,
            outcomes,
            rejected,
            problems,
            unsent,
            other_sheets,
            unproven_flags,
        } = result;
        let flags = serde_json::Value::Object(unproven_flags).to_string();
        let rows = outcomes.total();
        let outcomes: serde_json::Map<String, serde_json::Value> = outcomes
            .iter()
            .map(|(outcome, rows)| (outcome.name().to_owned(), rows.into()))
            .collect();
        let outcomes = serde_json::Value::Object(outcomes).to_string();
        self.writer.write_blocking(move |connection, _| {
            let sql = "INSERT OR REPLACE INTO runs (id, source, started_at, ended_at, row_count, outcomes, flags)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
            let (started_at, ended_at) = (started_at.as_millisecond(), now.as_millisecond());
            let run = run.map(|run| run.0);
            let values = params![run, source.0, started_at, ended_at, rows, outcomes, flags];
            connection.execute(sql, values)?;
            let sql = "UPDATE sources SET problems = ?2 WHERE id = ?1";
            connection.execute(sql, params![source.0, problems.to_bytes()])?;
            store_unsent(connection, source, &unsent)?;
            replace_rejections(connection, source, &rejected)?;
            remove_moved_rejections(connection, source, &other_sheets)
        })
    }
}

/// Returns the id of a table, and adds it if it is new.
pub(super) fn source_id(connection: &Connection, path: &str, sheet: &str) -> rusqlite::Result<i64> {
    connection
        .prepare_cached("INSERT INTO sources (path, sheet) VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
        .execute([path, sheet])?;
    connection
        .prepare_cached("SELECT id FROM sources WHERE path = ?1 AND sheet = ?2")?
        .query_row([path, sheet], |row| row.get(0))
}

fn store_unsent(
    connection: &Connection,
    source: SourceId,
    unsent: &UnsentRows,
) -> rusqlite::Result<()> {
    let sql = "UPDATE sources SET pending = ?2, missing = ?3 WHERE id = ?1";
    let (pending, missing) = (to_bytes(&unsent.pending), to_bytes(&unsent.missing));
    connection.execute(sql, params![source.0, pending, missing])?;
    Ok(())
}

fn replace_rejections(
    connection: &Connection,
    source: SourceId,
    rejected: &[NewRejection],
) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM rejected WHERE source = ?1", [source.0])?;
    let mut statement = connection.prepare(
        "INSERT INTO rejected (source, source_row, external_id, customer, address, outcome, error, cells)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for row in rejected {
        statement.execute(params![
            source.0,
            row.row.0,
            row.external_id,
            row.customer,
            row.address,
            row.outcome.name(),
            row.error,
            row.cells
        ])?;
    }
    Ok(())
}

/// Removes the rejected rows of sheets that the workbook no longer has, if the run rejected them again or is the first of
/// its sheet: the sheet was renamed.
fn remove_moved_rejections(
    connection: &Connection,
    source: SourceId,
    other_sheets: &[String],
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM rejected WHERE source IN (
            SELECT gone.id FROM sources gone JOIN sources own ON own.path = gone.path
            WHERE own.id = ?1 AND gone.id <> ?1 AND gone.sheet NOT IN (SELECT value FROM json_each(?2))
        ) AND (
            cells IN (SELECT cells FROM rejected WHERE source = ?1) OR (SELECT count(*) FROM runs WHERE source = ?1) = 1
        )";
    let others = serde_json::Value::from(other_sheets).to_string();
    connection.execute(sql, params![source.0, others])?;
    Ok(())
}
