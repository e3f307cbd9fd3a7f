//! Measurements that this journal did not create, and the user's declarations of what was billed elsewhere.
//!
//! A journal knows only what it billed itself. A measurement that existed before or that was restored may have been
//! billed from another journal, so it is not billed before the user declares what was.

use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::journal::column_values::{column_optional_time, column_time};
use crate::journal::{Error, Journal, JournalSnapshot, MissingSeal, SealedExport, copy_mark};
use crate::model::{Measurement, Status};

/// A declaration of what was billed elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BilledElsewhereDeclaration {
    /// When it was made.
    pub declared_at: Timestamp,
    /// Measurements completed before this time were billed elsewhere; `None` if none were.
    pub until: Option<Timestamp>,
    /// The declaration for display, for instance `2026-11-01 (UTC)` or `never`.
    pub text: String,
    /// Whether it takes back earlier ones, as mistaken. Otherwise what they declared as billed elsewhere stays so: a
    /// command that is repeated bills nothing of it.
    pub replaces_earlier: bool,
}

impl Journal {
    /// Records which measurements the user was asked about. [`Journal::record_declaration`] says what the next
    /// declaration does with others.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be written.
    pub fn record_billing_question(&self, measurement_ids: Vec<String>) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            connection.execute("UPDATE foreign_measurements SET asked = 0", [])?;
            let sql = "UPDATE foreign_measurements SET asked = 1 WHERE measurement_id = ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let mut ids = measurement_ids.iter();
            ids.try_for_each(|id| statement.execute([id]).map(drop))
        })
    }

    /// Records a declaration, and what it says of each completed measurement that the user was asked about. Without a
    /// question it is about all that this journal did not create and that are not declared as billed elsewhere. The
    /// question of an export of one month lists only those of that month; a day is also about the others that had been
    /// completed before it and before the journal learned of them.
    ///
    /// `missing` are seals that the journal does not know; they are recorded without files and figures, and what they
    /// billed or adjusted is not billed or adjusted again, whatever is declared. In this case `never` records no
    /// declaration; it only accepts the seals.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read or written.
    pub fn record_declaration(
        &self,
        declaration: BilledElsewhereDeclaration,
        missing: Vec<MissingSeal>,
    ) -> Result<(), Error> {
        self.writer.write_blocking(move |connection, _| {
            let adopts = !missing.is_empty();
            for seal in missing {
                let export = SealedExport {
                    delivered_at: Some(seal.export.sealed_at),
                    ..seal.export.clone()
                };
                export.insert(connection)?;
                seal.insert_items(connection)?;
            }
            if adopts && declaration.until.is_none() {
                return Ok(());
            }
            let declared_at = declaration.declared_at.as_millisecond();
            let until = declaration.until.map(Timestamp::as_millisecond);
            let is_answer = has_question(connection)?;
            connection.execute(
                "UPDATE foreign_measurements
                 SET billed_elsewhere = coalesce(coalesce(m.completed_at, m.updated_at) < ?1, 0)
                 FROM measurements m
                 WHERE m.id = measurement_id AND m.status = 'complete'
                     AND (?3 OR asked OR NOT ?2 AND billed_elsewhere IS NOT 1
                         OR billed_elsewhere IS NULL
                             AND coalesce(m.completed_at, m.updated_at) < min(?1, learned_at))",
                params![until, is_answer, declaration.replaces_earlier],
            )?;
            connection.execute("UPDATE foreign_measurements SET asked = 0", [])?;
            // The user knows of what was asked, even if the clock was ahead when it changed.
            connection.execute(
                "UPDATE measurements SET changed_at = min(changed_at, ?1), unchanged_at = NULL
                 WHERE changed_at > ?1 OR unchanged_at IS NOT NULL",
                [declared_at],
            )?;
            connection
                .execute(
                    "INSERT OR REPLACE INTO billed_elsewhere (declared_at, until, text) VALUES (?1, ?2, ?3)",
                    params![declared_at, until, declaration.text],
                )
                .map(drop)
        })
    }
}

impl Journal {
    /// Returns the number of measurements that this journal did not create.
    ///
    /// # Errors
    /// Returns an [`Error`] if the journal cannot be read.
    pub fn foreign_measurements(&self) -> Result<u64, Error> {
        let sql = "SELECT count(*) FROM foreign_measurements";
        self.read(|connection| connection.query_row(sql, [], |row| row.get(0)))
    }
}

impl JournalSnapshot {
    /// Returns when the user declared what was billed elsewhere, the earliest time first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn declaration_times(&self) -> Result<Vec<Timestamp>, Error> {
        let declarations = declarations(&self.connection())?;
        Ok(declarations.iter().map(|one| one.declared_at).collect())
    }
}

/// Whether the user was asked what was billed elsewhere, and has not declared it.
pub(super) fn has_question(connection: &Connection) -> rusqlite::Result<bool> {
    let sql = "SELECT 1 FROM foreign_measurements WHERE asked";
    connection.prepare(sql)?.exists([])
}

/// Returns all declarations, the earliest first.
pub(super) fn declarations(
    connection: &Connection,
) -> rusqlite::Result<Vec<BilledElsewhereDeclaration>> {
    let sql = "SELECT declared_at, until, text FROM billed_elsewhere ORDER BY declared_at";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| {
        Ok(BilledElsewhereDeclaration {
            declared_at: column_time(row, 0)?,
            until: column_optional_time(row, 1)?,
            text: row.get(2)?,
            replaces_earlier: false,
        })
    })?;
    rows.collect()
}

/// Records a measurement that this journal did not create. One that was completed, by the service's clock, is learned of
/// later, also if this machine's clock is behind.
pub(super) fn add_foreign_measurement(
    connection: &Connection,
    measurement_id: &str,
    learned_at: Timestamp,
    completed_at: Option<Timestamp>,
) -> rusqlite::Result<()> {
    let after = completed_at.map(|completed_at| completed_at.as_millisecond() + 1);
    let learned_at = after.map_or(learned_at.as_millisecond(), |after| {
        after.max(learned_at.as_millisecond())
    });
    connection
        .prepare_cached(
            "INSERT OR IGNORE INTO foreign_measurements (measurement_id, learned_at) VALUES (?1, ?2)",
        )?
        .execute(params![measurement_id, learned_at])
        .map(drop)
}

/// By how much the service's clock is ahead of this machine's, at least and at most, in milliseconds.
type ClockDifference = (i64, i64);

/// The difference while it is not measured: ten minutes in either direction.
const UNMEASURED: ClockDifference = (-10 * 60 * 1000, 10 * 60 * 1000);

/// Any difference.
const ANY_DIFFERENCE: ClockDifference = (i64::MIN / 2, i64::MAX / 2);

/// How far a measured difference may have changed, in milliseconds; the service's times may be whole seconds.
const CLOCK_CHANGE_MS: i64 = 2000;

/// Number of attempts among which the newest measurement of this journal is searched.
const SEARCHED_ATTEMPTS: i64 = 10_000;

/// Whether this journal created a measurement for which the service answered 200: an earlier attempt of this journal
/// reached the service when the measurement was created, and had no usable response: a proxy may answer in the service's
/// place. 401, 422 and 429 are the service's own, and another journal may be at work then. In a copy, attempts before the
/// copy belong to the other journal. Another journal may have created the measurement in the minutes after the attempt,
/// so the clock difference is measured, and attempts interrupted by a suspend are ignored. If the difference cannot be
/// measured, a measurement that is already complete counts as another journal's.
pub(super) fn was_created_here(
    connection: &Connection,
    attempt: i64,
    external_id: &str,
    measurement: &Measurement,
) -> rusqlite::Result<bool> {
    let created_at = measurement.created_at.as_millisecond();
    let copied_at = copy_mark::copied_at(connection)?.map(Timestamp::as_millisecond);
    let was_created = |(at_least, at_most): ClockDifference| {
        connection
            .prepare_cached(
                "SELECT 1 FROM measurements WHERE id = ?2
                    AND id NOT IN (SELECT measurement_id FROM foreign_measurements)
                 UNION ALL
                 SELECT 1 FROM attempts WHERE external_id = ?1 AND kind = 'create' AND id <> ?3 AND counted
                    AND taken_at <= ?4 AND times_out_at >= ?6 AND times_out_at IS NOT settled_at
                    AND taken_at > coalesce(?5, taken_at - 1)
                    AND (status IS NULL OR status < 300 AND error IS NOT NULL
                        OR status >= 300 AND status NOT IN (401, 422, 429))",
            )?
            .exists(params![
                external_id,
                measurement.id,
                attempt,
                created_at - at_least,
                copied_at,
                created_at - at_most
            ])
    };
    // Few rows have an earlier attempt, and only for those the difference is looked up.
    if !was_created(ANY_DIFFERENCE)? {
        return Ok(false);
    }
    match measured_clock_difference(connection, attempt, copied_at)? {
        Some(measured) => was_created(measured),
        // In those minutes, a lost journal may have created, completed and billed it.
        None if measurement.status == Status::Complete => Ok(false),
        None => was_created(UNMEASURED),
    }
}

/// The newest measurement that this journal created was created after its request and before the response.
fn measured_clock_difference(
    connection: &Connection,
    attempt: i64,
    copied_at: Option<i64>,
) -> rusqlite::Result<Option<ClockDifference>> {
    let sql = "SELECT created_at - settled_at - ?3, created_at - taken_at + ?3
         FROM attempts JOIN measurements USING (external_id)
         WHERE attempts.id > ?1 AND kind = 'create' AND attempts.status = 201
            AND taken_at > coalesce(?2, taken_at - 1)
         ORDER BY attempts.id DESC LIMIT 1";
    connection
        .prepare_cached(sql)?
        .query_row(
            params![attempt - SEARCHED_ATTEMPTS, copied_at, CLOCK_CHANGE_MS],
            |row| Ok((row.get(0)?, row.get(1)?)),
        )
        .optional()
}
