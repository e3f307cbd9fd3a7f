//! Tables, runs, and the rejected rows of each table's newest run.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::{Error, Journal, ReportedProblems};
use crate::model::{FieldNames, Outcome, Outcomes, RowNumber, TableSource};

/// The journal's id of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// All messages, one per line.
    pub error: String,
    /// The row's cells by field, as JSON.
    pub cells: Option<String>,
}

/// What a run found out about the rows of its table.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// The number of rows by outcome.
    pub outcomes: Outcomes,
    /// The rejected rows.
    pub rejected: Vec<NewRejection>,
    /// The problems that the run reported.
    pub problems: ReportedProblems,
}

impl Journal {
    /// Records the start of an import of `source`, and the user's names of its fields.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    ///
    /// # Panics
    /// Never: names serialize to JSON.
    pub fn begin_run(
        &self,
        source: &TableSource,
        names: &FieldNames,
        now: Timestamp,
    ) -> Result<(RunId, SourceId), Error> {
        let names = serde_json::to_string(names).expect("names are a map of texts");
        let path = source.path.to_string_lossy().into_owned();
        let sheet = source.sheet.clone().unwrap_or_default();
        self.write_blocking(move |connection| {
            let source = source_id(connection, &path, &sheet)?;
            let sql = "UPDATE sources SET field_names = ?2 WHERE id = ?1";
            connection.execute(sql, params![source, names])?;
            let run = connection
                .prepare(
                    "INSERT INTO runs (command, source, started_at) VALUES ('import', ?1, ?2)",
                )?
                .insert(params![source, now.as_millisecond()])?;
            Ok((RunId(run), SourceId(source)))
        })
    }

    /// Removes a run that did nothing.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn remove_run(&self, run: RunId) -> Result<(), Error> {
        self.write_blocking(move |connection| {
            connection.execute("DELETE FROM runs WHERE id = ?1", [run.0])?;
            Ok(())
        })
    }

    /// Records the end of a run, and replaces the rejected rows and the problems of its table.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn end_run(
        &self,
        (run, source): (RunId, SourceId),
        now: Timestamp,
        result: RunResult,
    ) -> Result<(), Error> {
        let RunResult {
            outcomes,
            rejected,
            problems,
        } = result;
        let rows = outcomes.total();
        let outcomes: serde_json::Map<String, serde_json::Value> = outcomes
            .iter()
            .map(|(outcome, rows)| (outcome.name().to_owned(), rows.into()))
            .collect();
        let outcomes = serde_json::Value::Object(outcomes).to_string();
        self.write_blocking(move |connection| {
            let sql = "UPDATE runs SET ended_at = ?2, row_count = ?3, outcomes = ?4 WHERE id = ?1";
            connection.execute(sql, params![run.0, now.as_millisecond(), rows, outcomes])?;
            let sql = "UPDATE sources SET problems = ?2 WHERE id = ?1";
            connection.execute(sql, params![source.0, problems.to_bytes()])?;
            replace_rejections(connection, source, &rejected)
        })
    }
}

fn source_id(connection: &Connection, path: &str, sheet: &str) -> rusqlite::Result<i64> {
    connection.execute(
        "INSERT INTO sources (path, sheet) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        [path, sheet],
    )?;
    let sql = "SELECT id FROM sources WHERE path = ?1 AND sheet = ?2";
    connection.query_row(sql, [path, sheet], |row| row.get(0))
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
