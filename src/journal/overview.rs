//! Numbers of the journal, for `status`. They can be read while a run writes.

use std::path::Path;

use jiff::Timestamp;
use rusqlite::Connection;

use crate::journal::column_values::{column_source, column_time, query_rows};
use crate::journal::houses_without_row::IS_UNANSWERED;
use crate::journal::last_runs::{LastRun, read_last_runs};
use crate::journal::lock_file::{UNKNOWN_HOLDER, lock_holder};
use crate::journal::run_limits::{RunLimits, read_run_limits};
use crate::journal::sealed_exports::{sealed_exports, waiting_adjustments};
use crate::journal::token_refusal::{TokenRefusal, read_refusal};
use crate::journal::{
    BilledElsewhereDeclaration, Error, SealedExport, billed_elsewhere, binding, journal_file,
};
use crate::model::{Account, RowNumber, Status, TableSource};

/// Numbers of the journal, for all rows or for some.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalOverview {
    /// The account that the journal is bound to; `None` before its first use.
    pub binding: Option<Account>,
    /// Number of requests without a response.
    pub unanswered: u64,
    /// The rows of all requests without a response, whatever the numbers are restricted to: such a row may have left its
    /// file, and nobody would look for it.
    pub unanswered_rows: Vec<UnansweredRow>,
    /// Number of requests that created a measurement.
    pub created: u64,
    /// Number of requests whose measurement existed before.
    pub existing: u64,
    /// Number of requests that the service refused.
    pub refused: u64,
    /// Number of requests whose external id belongs to another house.
    pub conflict: u64,
    /// Number of measurements by newest status, in the order of [`Status::ALL`].
    pub by_status: Vec<(Status, u64)>,
    /// Number of measurements for which the service answers 404.
    pub not_found: u64,
    /// Number of measurements that a sealed export billed.
    pub billed: u64,
    /// Number of complete measurements that no bill has.
    pub unbilled: u64,
    /// Number of sealed exports.
    pub sealed: u64,
    /// The sealed exports whose files were never written.
    pub undelivered: Vec<SealedExport>,
    /// Number of measurements whose adjustments wait for the next workbook, as the last bill counted them.
    pub waiting_adjustments: u64,
    /// When the service was last asked about the open measurement that was asked about longest ago.
    pub open_asked_at: Option<Timestamp>,
    /// Whether the last billing export was refused because it is not declared what was billed elsewhere.
    pub has_billing_question: bool,
    /// Number of measurements that are declared as billed elsewhere.
    pub billed_elsewhere: u64,
    /// The declarations of what was billed elsewhere.
    pub declarations: Vec<BilledElsewhereDeclaration>,
    /// Warnings about responses.
    pub warnings: Vec<WarnedRow>,
    /// The newest import of each file.
    pub last_runs: Vec<LastRun>,
    /// The limits of the newest import that sent rows.
    pub run_limits: Option<RunLimits>,
    /// The refusal of the token, if the newest response was that.
    pub token_refusal: Option<TokenRefusal>,
}

impl JournalOverview {
    /// Returns the number of measurements.
    pub fn measurements(&self) -> u64 {
        self.by_status.iter().map(|(_, count)| count).sum()
    }

    /// Returns the number of measurements with a status.
    pub fn with_status(&self, status: Status) -> u64 {
        let mut counts = self.by_status.iter();
        counts
            .find(|(found, _)| *found == status)
            .map_or(0, |(_, count)| *count)
    }
}

/// A row whose request has no response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnansweredRow {
    /// The row's external id.
    pub external_id: String,
    /// The table that it was submitted from.
    pub source: TableSource,
    /// The number that it had there.
    pub row: RowNumber,
}

/// A warning about the response to a row.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct WarnedRow {
    /// The row's external id.
    pub external_id: String,
    /// The public name of the kind of warning.
    pub kind: String,
    /// The message.
    pub message: String,
}

/// Reads the numbers; `None` if there is no journal. `of` restricts them to these external ids, and the imports to
/// those of this table and of its rejects; if it was never imported, to those that requested the ids.
///
/// # Errors
/// Returns [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for a file that cannot be used, or another
/// [`Error`] if it cannot be read.
pub fn overview(
    path: &Path,
    of: Option<(&TableSource, &[String])>,
) -> Result<Option<JournalOverview>, Error> {
    let Some(connection) = journal_file::open_read_only(path)? else {
        return Ok(None);
    };
    let ids = of.map(|(_, ids)| serde_json::Value::from(ids).to_string());
    let mut overview = JournalOverview {
        binding: binding::read_binding(&connection)?,
        ..JournalOverview::default()
    };
    count_requests(&connection, ids.as_deref(), &mut overview)?;
    overview.unanswered_rows = unanswered_rows(&connection)?;
    count_measurements(&connection, ids.as_deref(), &mut overview)?;
    let mut seals = sealed_exports(&connection)?;
    overview.sealed = seals.len() as u64;
    // A run may be writing one; one that is there is reported by the next one.
    let is_writing = lock_holder(&journal_file::resolve_path(path)?).is_some();
    seals.retain(|seal| !is_writing && seal.is_undelivered());
    overview.undelivered = seals;
    overview.waiting_adjustments = waiting_adjustments(&connection)?;
    overview.has_billing_question = billed_elsewhere::has_question(&connection)?;
    let sql =
        "SELECT count(*) FROM foreign_measurements f WHERE billed_elsewhere = 1 AND NOT EXISTS (
        SELECT 1 FROM sealed_items i WHERE i.measurement_id = f.measurement_id AND kind = 'billed'
    )";
    overview.billed_elsewhere = connection.query_row(sql, [], |row| row.get(0))?;
    overview.declarations = billed_elsewhere::declarations(&connection)?;
    overview.warnings = warnings(&connection, ids.as_deref())?;
    let table = of.map(|(table, _)| table);
    overview.last_runs = read_last_runs(&connection, table, ids.as_deref())?;
    // The runs are sorted: the newest of those that have not ended is the one that may still run.
    let mut runs = overview.last_runs.iter_mut();
    if let Some(run) = runs.find(|run| run.unfinished.is_some()) {
        let holder = importing_holder(path, run.started_at);
        if let Some(unfinished) = &mut run.unfinished {
            unfinished.holder = holder;
        }
    }
    overview.run_limits = read_run_limits(&connection)?;
    overview.token_refusal = read_refusal(&connection)?;
    Ok(Some(overview))
}

/// Describes the import that uses the journal and began a run at `started_at`. An export may use it as well, or an
/// import that has not begun to submit, after a run that was killed.
fn importing_holder(path: &Path, started_at: Timestamp) -> Option<String> {
    let (holder, taken_at) = lock_holder(&journal_file::resolve_path(path).ok()?)?;
    let is_import = holder == UNKNOWN_HOLDER || holder.contains(" import ");
    let began_later =
        Timestamp::try_from(taken_at).ok()?.as_millisecond() <= started_at.as_millisecond();
    (is_import && began_later).then_some(holder)
}

/// SQL condition that restricts rows to the ids of `?1`, a list as JSON. Without ids it names no column, so that an
/// index suffices for counting.
fn id_filter(ids: Option<&str>) -> &'static str {
    match ids {
        Some(_) => "external_id IN (SELECT value FROM json_each(?1))",
        None => "?1 IS NULL",
    }
}

fn count_requests(
    connection: &Connection,
    ids: Option<&str>,
    overview: &mut JournalOverview,
) -> rusqlite::Result<()> {
    let of_ids = id_filter(ids);
    // Unlike GROUP BY, this sorts nothing. Nearly all requests are in the first state, so the others are counted.
    let counts = ["existing", "refused", "conflict"]
        .map(|state| format!("count(*) FILTER (WHERE state = '{state}'), "))
        .concat();
    let sql = format!(
        "SELECT {counts} count(*) FILTER (WHERE {IS_UNANSWERED}) FROM requests WHERE state <> 'created' AND {of_ids}"
    );
    connection.query_row(&sql, [ids], |row| {
        overview.existing = row.get(0)?;
        overview.refused = row.get(1)?;
        overview.conflict = row.get(2)?;
        overview.unanswered = row.get(3)?;
        Ok(())
    })?;
    // Each created request has its measurement.
    let sql = format!("{NOT_CREATED_HERE} AND {of_ids}");
    let others: u64 = connection.query_row(&sql, [ids], |row| row.get(0))?;
    overview.created = all_measurements(connection, ids)?.saturating_sub(others);
    Ok(())
}

const NOT_CREATED_HERE: &str = "SELECT count(*) FROM requests CROSS JOIN measurements USING (external_id) WHERE state <> 'created'";

/// The number of measurements. None is ever deleted, so without ids it is the largest number of a row, which need not be
/// counted.
fn all_measurements(connection: &Connection, ids: Option<&str>) -> rusqlite::Result<u64> {
    let sql = match ids {
        Some(_) => format!("SELECT count(*) FROM measurements WHERE {}", id_filter(ids)),
        None => "SELECT coalesce(max(rowid), 0) FROM measurements WHERE ?1 IS NULL".to_owned(),
    };
    connection.query_row(&sql, [ids], |row| row.get(0))
}

fn unanswered_rows_sql() -> String {
    format!(
        "SELECT path, sheet, external_id, source_row FROM requests INDEXED BY requests_not_created
        CROSS JOIN sources ON sources.id = source WHERE {IS_UNANSWERED} ORDER BY path, sheet, source_row"
    )
}

fn unanswered_rows(connection: &Connection) -> rusqlite::Result<Vec<UnansweredRow>> {
    query_rows(connection, &unanswered_rows_sql(), [], |row| {
        Ok(UnansweredRow {
            source: column_source(row, 0)?,
            external_id: row.get(2)?,
            row: RowNumber(row.get(3)?),
        })
    })
}

fn count_measurements(
    connection: &Connection,
    ids: Option<&str>,
    overview: &mut JournalOverview,
) -> rusqlite::Result<()> {
    let of_ids = id_filter(ids);
    let count = |sql: &str| connection.query_row(sql, [ids], |row| row.get::<_, u64>(0));
    overview.by_status = Status::ALL.map(|status| (status, 0)).to_vec();
    let mut complete = all_measurements(connection, ids)?;
    let mut statement = connection.prepare(&format!("{OPEN} AND {of_ids} GROUP BY status"))?;
    let mut rows = statement.query([ids])?;
    while let Some(row) = rows.next()? {
        let status = row.get_ref(0)?.as_str()?;
        complete = complete.saturating_sub(row.get(1)?);
        let counts = overview.by_status.iter_mut();
        for (status, count) in counts.filter(|(one, _)| one.name() == status) {
            *count = row.get(1)?;
            if let Status::Pending | Status::InProgress = status {
                let asked_at = column_time(row, 2)?;
                let earliest = overview.open_asked_at.get_or_insert(asked_at);
                *earliest = asked_at.min(*earliest);
            }
        }
    }
    let counts = overview.by_status.iter_mut();
    let counts = counts.filter(|(status, _)| *status == Status::Complete);
    counts.for_each(|(_, count)| *count = complete);
    overview.not_found = count(&format!(
        "SELECT count(*) FROM measurements WHERE not_found_since IS NOT NULL AND {of_ids}"
    ))?;
    overview.billed = count(&match ids {
        Some(_) => format!("SELECT count(*) FROM measurements WHERE {IS_BILLED} AND {of_ids}"),
        None => BILLED.to_owned(),
    })?;
    let open_again = count(&format!("{OPEN_AGAIN} AND {IS_BILLED} AND {of_ids}"))?;
    let left_out = count(&format!("{LEFT_OUT} AND NOT {IS_BILLED} AND {of_ids}"))?;
    overview.unbilled = (complete + open_again).saturating_sub(overview.billed + left_out);
    Ok(())
}

/// The measurements that are not complete: an index has all that this reads, because responses are large.
const OPEN: &str =
    "SELECT status, count(*), min(fetched_at) FROM measurements WHERE status <> 'complete'";

const IS_BILLED: &str = "EXISTS (
        SELECT 1 FROM sealed_items i WHERE i.measurement_id = measurements.id AND kind = 'billed'
    )";

/// The journal has every billed measurement, unless it adopted the sealed export from the record beside it.
const BILLED: &str = "SELECT count(*) - (
        SELECT count(*) FROM sealed s CROSS JOIN sealed_items i ON i.number = s.number
        WHERE s.number NOT IN (SELECT number FROM sealed_files) AND kind = 'billed'
        AND NOT EXISTS (SELECT 1 FROM measurements m WHERE m.id = i.measurement_id)
    ) FROM sealed_items WHERE kind = 'billed' AND ?1 IS NULL";

/// The measurements that may be billed and are open again.
const OPEN_AGAIN: &str = "SELECT count(*) FROM measurements WHERE status <> 'complete'
    AND EXISTS (SELECT 1 FROM sealed_items)";

/// The complete measurements that no bill will have.
const LEFT_OUT: &str = "SELECT count(*) FROM measurements WHERE id IN (
        SELECT id FROM measurements INDEXED BY measurements_not_found WHERE not_found_since IS NOT NULL
        UNION ALL SELECT measurement_id FROM foreign_measurements WHERE billed_elsewhere = 1
        UNION ALL SELECT id FROM warnings CROSS JOIN measurements USING (external_id) WHERE kind = 'address_differs'
    ) AND status = 'complete'";

fn warnings(connection: &Connection, ids: Option<&str>) -> rusqlite::Result<Vec<WarnedRow>> {
    let of_ids = id_filter(ids);
    // CROSS JOIN makes SQLite begin with the warnings, which are few.
    let sql = format!(
        "SELECT external_id, kind, warnings.message FROM warnings CROSS JOIN requests USING (external_id)
         WHERE {of_ids} ORDER BY source, source_row, kind"
    );
    query_rows(connection, &sql, [ids], |row| {
        Ok(WarnedRow {
            external_id: row.get(0)?,
            kind: row.get(1)?,
            message: row.get(2)?,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::schema;

    #[test]
    fn counting_measurements_reads_no_response() {
        let all = id_filter(None);
        let plan = schema::query_plan(&format!("{OPEN} AND {all} GROUP BY status"));
        let is_counted = plan[0].contains("measurements USING COVERING INDEX");
        assert!(plan.len() == 1 && is_counted, "{plan:?}");
        let plan = schema::query_plan(&format!("{NOT_CREATED_HERE} AND {all}"));
        let is_first = plan[0].contains("requests USING INDEX requests_not_created");
        assert!(is_first && plan[1].contains("(external_id=?)"), "{plan:?}");
    }

    #[test]
    fn billed_measurements_are_not_read_to_count_the_others() {
        let plan = schema::query_plan(BILLED);
        let scan = "SCAN sealed_items USING COVERING INDEX billed_once";
        assert!(plan.iter().any(|step| step == scan), "{plan:?}");
        for (sql, negation) in [(OPEN_AGAIN, ""), (LEFT_OUT, "NOT")] {
            let plan = schema::query_plan(&format!("{sql} AND {negation} {IS_BILLED}"));
            let mut read = plan.iter().filter(|step| step.contains(" measurements"));
            let few = [
                "measurements_open",
                "measurements_not_found",
                "(id=?)",
                "(external_id=?)",
            ];
            let is_few = |step: &String| few.iter().any(|few| step.contains(few));
            assert!(read.all(is_few), "{plan:?}");
        }
    }

    #[test]
    fn unanswered_rows_are_found_without_the_others() {
        let plan = schema::query_plan(&unanswered_rows_sql());
        let found = |step: &String| step.contains("requests USING INDEX requests_not_created");
        assert!(plan.iter().any(found), "{plan:?}");
    }

    #[test]
    fn a_journal_that_is_just_being_created_has_no_numbers() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let mut connection = Connection::open(&path).unwrap();
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .unwrap();
        assert!(std::fs::metadata(&path).unwrap().len() > 0);
        assert_eq!(overview(&path, None).unwrap(), None);
        schema::create(&mut connection).unwrap();
        let overview = overview(&path, None).unwrap().unwrap();
        assert_eq!((overview.created, overview.declarations), (0, Vec::new()));
    }
}
