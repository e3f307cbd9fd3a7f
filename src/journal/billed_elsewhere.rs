//! Measurements that this journal did not create, and the user's declarations of what was billed elsewhere.
//!
//! A journal knows only what it billed itself. A measurement that existed before or that was restored may have been
//! billed from another journal, so it is not billed before the user declares what was.

use jiff::Timestamp;
use rusqlite::{Connection, params};

use crate::journal::column_values::{column_optional_time, column_time};
use crate::journal::{Error, Journal, JournalSnapshot, SealedExport, copy_mark, facts};
use crate::model::Measurement;

/// The fact that a question about earlier bills has no answer yet.
const QUESTION: &str = "billing_question";

/// A declaration of what was billed elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledElsewhereDeclaration {
    /// When it was made. It covers the measurements that the journal knew at that time.
    pub declared_at: Timestamp,
    /// It concerns only measurements that the journal learned of later, because it answers a question about these.
    pub since: Option<Timestamp>,
    /// Measurements completed before this time were billed elsewhere; `None` if none were.
    pub until: Option<Timestamp>,
    /// The declaration for display, for instance `2026-11-01 (UTC)` or `never`.
    pub text: String,
}

impl BilledElsewhereDeclaration {
    /// Whether it says anything about a measurement that the journal learned of at that time.
    pub fn concerns(&self, learned_at: Timestamp) -> bool {
        self.since.is_none_or(|since| learned_at > since)
    }

    /// Whether a measurement was billed elsewhere, according to this declaration. One that was completed after the
    /// declaration was not, even if the declared day is later.
    pub fn covers(&self, learned_at: Timestamp, completed_at: Timestamp) -> bool {
        let before = |until: Timestamp| completed_at < until.min(self.declared_at);
        learned_at <= self.declared_at && self.until.is_some_and(before)
    }
}

impl Journal {
    /// Records that the user was asked about measurements. The next declaration answers for those that the journal
    /// learned of after the declaration before.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn record_billing_question(&self) -> Result<(), Error> {
        self.write_blocking(|connection| facts::write_fact(connection, QUESTION, Some("asked")))
    }

    /// Records a declaration. `lacking` are seals that the journal does not know; their numbers are recorded without
    /// files. If there are any, everything that this journal has not billed may have been billed by the newer journal
    /// that made them.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_declaration(
        &self,
        declaration: BilledElsewhereDeclaration,
        lacking: Vec<SealedExport>,
    ) -> Result<(), Error> {
        self.write_blocking(move |connection| {
            for seal in lacking.iter().cloned() {
                let delivered_at = Some(seal.sealed_at);
                let seal = SealedExport { delivered_at, ..seal };
                seal.insert(connection)?;
            }
            let declared_at = declaration.declared_at.as_millisecond();
            if !lacking.is_empty() {
                connection.execute(
                    "INSERT OR IGNORE INTO foreign_measurements (measurement_id, learned_at)
                     SELECT id, ?1 FROM measurements",
                    [declared_at],
                )?;
            }
            let until = declaration.until.map(Timestamp::as_millisecond);
            let is_answer = lacking.is_empty() && facts::read_fact(connection, QUESTION)?.is_some();
            let before = declarations(connection)?.pop().filter(|_| is_answer);
            let since = before.map(|before| before.declared_at.as_millisecond());
            facts::write_fact(connection, QUESTION, None)?;
            connection
                .execute(
                    "INSERT OR REPLACE INTO billed_elsewhere (declared_at, until, text, since) VALUES (?1, ?2, ?3, ?4)",
                    params![declared_at, until, declaration.text, since],
                )
                .map(drop)
        })
    }
}

impl JournalSnapshot {
    /// Returns all declarations, the earliest first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn declarations(&self) -> Result<Vec<BilledElsewhereDeclaration>, Error> {
        Ok(declarations(&self.connection())?)
    }
}

/// Returns all declarations, the earliest first.
pub(super) fn declarations(
    connection: &Connection,
) -> rusqlite::Result<Vec<BilledElsewhereDeclaration>> {
    let sql = "SELECT declared_at, until, text, since FROM billed_elsewhere ORDER BY declared_at";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(BilledElsewhereDeclaration {
            since: column_optional_time(row, 3)?,
            declared_at: column_time(row, 0)?,
            until: column_optional_time(row, 1)?,
            text: row.get(2)?,
        })
    })?;
    rows.collect()
}

/// Records a measurement that this journal did not create.
pub(super) fn add_foreign_measurement(
    connection: &Connection,
    measurement_id: &str,
    learned_at: Timestamp,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO foreign_measurements (measurement_id, learned_at) VALUES (?1, ?2)",
        )?
        .execute(params![measurement_id, learned_at.as_millisecond()])
        .map(drop)
}

/// Maximum difference between the clocks of the service and of this machine, in milliseconds.
const CLOCK_DIFFERENCE_MS: i64 = 10 * 60 * 1000;

/// Whether this journal created a measurement for which the service answered 200: an earlier attempt of this journal,
/// before the measurement existed, had no usable response. In a copy, attempts before the copy belong to the other
/// journal.
pub(super) fn was_created_here(
    connection: &Connection,
    attempt: i64,
    external_id: &str,
    measurement: &Measurement,
) -> rusqlite::Result<bool> {
    let until = measurement.created_at.as_millisecond() + CLOCK_DIFFERENCE_MS;
    let copied_at = copy_mark::copied_at(connection)?.map(Timestamp::as_millisecond);
    connection
        .prepare_cached(
            "SELECT 1 FROM measurements WHERE id = ?2
                AND id NOT IN (SELECT measurement_id FROM foreign_measurements)
             UNION ALL
             SELECT 1 FROM attempts WHERE external_id = ?1 AND kind = 'create' AND id <> ?3 AND taken_at <= ?4
                AND taken_at > coalesce(?5, taken_at - 1) AND (status IS NULL OR status < 300 OR status >= 500)",
        )?
        .exists(params![external_id, measurement.id, attempt, until, copied_at])
}
