//! The newest import of each file, for `status`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use rusqlite::{Connection, params};
use serde::{Serialize, Serializer};

use crate::journal::column_values::{column_json, column_optional_time, column_time, query_rows};
use crate::journal::pending_rows::unsent_rows;
use crate::journal::rejects_copies::find_rejects;
use crate::journal::{Error, FlagsByName, JournalSnapshot};
use crate::model::{
    Outcome, OutcomeCounts, TableSource, serialize_json_time, serialize_known_time,
};
use crate::sheet;

/// The newest import of a file or, in a workbook, of a sheet. Its fields are public keys of `status --json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LastRun {
    /// The absolute path of the file.
    pub file: String,
    /// The sheet of a workbook.
    pub sheet: Option<String>,
    /// When it began.
    #[serde(serialize_with = "serialize_json_time")]
    pub started_at: Timestamp,
    /// When it ended; `None` if it was killed or still runs.
    #[serde(serialize_with = "serialize_known_time")]
    pub ended_at: Option<Timestamp>,
    /// The outcomes of its rows; `None` if it was killed or still runs. Pending rows that were requested
    /// since are known.
    pub outcomes: Option<OutcomeCounts>,
    /// How far it is, if it was killed or still runs.
    pub unfinished: Option<UnfinishedRun>,
    /// The original, if the file has rejects of another one.
    pub rejects_of: Option<String>,
    /// The rows that are still rejected: without those that were corrected or requested from another file since, or that
    /// the user decided not to send.
    #[serde(skip)]
    pub rejected: OutcomeCounts,
    /// The rejects files that the program wrote for it, whether they still exist or not.
    #[serde(skip)]
    pub rejects: Vec<PathBuf>,
    /// Those of them that were not imported as they are, and have rows that it did not read any more and that were never
    /// requested.
    #[serde(skip)]
    pub left_rejects: Vec<PathBuf>,
    /// The reading flags that the next import of the file needs, because they are not remembered.
    #[serde(skip)]
    pub unproven_flags: FlagsByName,
    /// Number of rows that were rejected and are corrected since; those of rejects are rows of their original.
    pub corrected: u64,
}

/// Where the rows are that an import rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RejectedRowsPlace<'a> {
    /// In these rejects.
    Rejects(&'a Path),
    /// In none: a later import of these rejects, the only ones, accepted all of their rows.
    Nowhere(&'a Path),
    /// In rejects that are not known: none exist, or several.
    Unknown,
}

/// An import that has no recorded end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnfinishedRun {
    /// The import that uses the journal, as it describes itself; `None` if this one was killed.
    #[serde(rename = "running", serialize_with = "is_known")]
    pub holder: Option<String>,
    /// Number of rows that it began to submit.
    pub rows: u64,
    /// Number of these rows without a response.
    pub pending: u64,
}

/// The newest import of each file or sheet. Rows without an id remain rejected: no other file can have requested them.
const LAST_RUNS: &str = "SELECT path, started_at, ended_at, outcomes, (
        SELECT json_group_object(outcome, rows) FROM (
            SELECT outcome, count(*) AS rows FROM rejected WHERE rejected.source = runs.source
            AND NOT (outcome <> 'conflict' AND EXISTS (
                SELECT 1 FROM requests WHERE requests.external_id = rejected.external_id AND requests.source <> runs.source
                AND state IN ('created', 'existing') AND intended_at > runs.started_at
                AND rejected.customer IS request ->> '$[2][0]'
                AND (rejected.address NOT GLOB '[0-9]*' OR instr(rejected.address, request ->> '$[1][0]') = 1)
            ))
            AND NOT (outcome = 'same_house' AND EXISTS (
                SELECT 1 FROM house_decisions WHERE house_decisions.external_id = rejected.external_id AND decision = 'skip'
                AND (rejected.address NOT GLOB '[0-9]*'
                    OR instr(rejected.address, json_extract(house_decisions.address, '$.line1')) = 1)
            )) GROUP BY outcome
        )
    ), sheet, row_count, CASE WHEN outcomes IS NULL THEN (
        SELECT count(*) FROM requests WHERE requests.source = runs.source AND answered_at >= runs.started_at
    ) END, pending, (
        SELECT json_group_array(written_files.path) FROM written_files
        WHERE kind = 'rejects' AND written_files.source = runs.source AND written_files.path NOT LIKE '-%'
    ), (
        SELECT json_group_object(written_files.path, imported_sha256) FROM written_files
        WHERE kind = 'rejects' AND is_settled = 0 AND written_files.source = runs.source AND EXISTS (
            SELECT cells FROM rejects_rows WHERE rejects_rows.path = written_files.path
            EXCEPT SELECT cells FROM rejected WHERE rejected.source = runs.source
            EXCEPT SELECT cells FROM corrections WHERE corrections.source = runs.source
        )
    ), coalesce(flags, '{}') FROM runs JOIN sources ON sources.id = runs.source
    WHERE (?1 IS NULL OR sources.path = ?2 OR sources.id IN (
        SELECT source FROM requests WHERE external_id IN (SELECT value FROM json_each(?1))
    ))
    AND runs.id IN (SELECT max(id) FROM runs GROUP BY source) ORDER BY runs.id DESC";

#[expect(clippy::ref_option, reason = "serde passes a reference to the field")]
fn is_known<S: Serializer>(holder: &Option<String>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(holder.is_some())
}

impl JournalSnapshot {
    /// Returns the newest import of each file or sheet, the newest first.
    ///
    /// # Errors
    /// Returns an [`Error`] if the file cannot be read.
    pub fn last_runs(&self) -> Result<Vec<LastRun>, Error> {
        Ok(read_last_runs(&self.connection(), None, None)?)
    }
}

impl LastRun {
    /// Whether it imported a table.
    pub fn is_of(&self, table: &TableSource) -> bool {
        Path::new(&self.file) == table.path && self.sheet == table.sheet
    }

    /// Where its rejected rows are, among the newest imports of all files. Rows of rejects that are rejected again are in
    /// newer rejects.
    pub fn rejected_rows_place<'a>(&'a self, runs: &[Self]) -> RejectedRowsPlace<'a> {
        let import_of = |path: &Path| runs.iter().find(|run| Path::new(&run.file) == path);
        let exist = |path: &&PathBuf| path.exists() && !self.left_rejects.contains(path);
        let mut rejects: Vec<&PathBuf> = self.rejects.iter().filter(exist).collect();
        if rejects.len() > 1 {
            rejects.retain(|path| import_of(path).is_none());
        }
        let [path] = rejects[..] else {
            return RejectedRowsPlace::Unknown;
        };
        let later = import_of(path).filter(|run| run.started_at > self.started_at);
        let outcomes = later.and_then(|run| run.outcomes.as_ref());
        let is_accepted =
            |outcomes: &OutcomeCounts| outcomes.rejected() + outcomes.count(Outcome::Pending) == 0;
        if outcomes.is_some_and(is_accepted) {
            RejectedRowsPlace::Nowhere(path)
        } else {
            RejectedRowsPlace::Rejects(path)
        }
    }

    /// The number of rows that this import left to the next one.
    pub fn pending(&self) -> u64 {
        match (&self.outcomes, &self.unfinished) {
            (Some(outcomes), _) => outcomes.count(Outcome::Pending),
            (None, unfinished) => unfinished.as_ref().map_or(0, |run| run.pending),
        }
    }
}

pub(super) fn read_last_runs(
    connection: &Connection,
    table: Option<&TableSource>,
    ids: Option<&str>,
) -> rusqlite::Result<Vec<LastRun>> {
    let path = table.map(|table| table.path.to_string_lossy());
    let is_of_table = |run: &LastRun| table.is_some_and(|table| run.is_of(table));
    let mut runs: Vec<LastRun> = query_rows(connection, LAST_RUNS, params![ids, path], |row| {
        let file: String = row.get(0)?;
        let rejects_of = find_rejects(connection, Path::new(&file), || Some(Vec::new()))?
            .one()
            .map(|rejects| rejects.original)
            .filter(|original| *original != file);
        let rejected = outcomes(&row.get::<_, String>(4)?).unwrap_or_default();
        let rows: u64 = row.get(6)?;
        let mut answered: Option<u64> = row.get(7)?;
        let sheet: Option<String> = row.get(5)?;
        let mut outcomes_at_end = row
            .get::<_, Option<String>>(3)?
            .and_then(|text| outcomes(&text));
        let unsent = || {
            let pending: Option<Vec<u8>> = row.get(8)?;
            unsent_rows(connection, &pending.unwrap_or_default())
        };
        // A run was killed, and its file was moved: nobody can run it again.
        let is_moved = answered.is_some() && !Path::new(&file).exists();
        if is_moved && unsent()? == 0 {
            answered = None;
            let outcomes = outcomes_at_end.insert(OutcomeCounts::default());
            outcomes.add_many(Outcome::Known, rows);
        }
        // Its rows may have been requested from another file.
        if let Some(outcomes) = &mut outcomes_at_end
            && outcomes.count(Outcome::Pending) > 0
        {
            for _ in unsent()?..outcomes.count(Outcome::Pending) {
                outcomes.reclassify(Outcome::Pending, Outcome::Known);
            }
        }
        Ok(LastRun {
            unfinished: answered.map(|answered| UnfinishedRun {
                holder: None,
                rows,
                pending: rows.saturating_sub(answered),
            }),
            corrected: match (&rejects_of, outcomes_at_end) {
                (None, Some(outcomes)) => outcomes.rejected().saturating_sub(rejected.total()),
                _ => 0,
            },
            rejects: column_json(row, 9)?,
            left_rejects: not_imported(column_json(row, 10)?),
            unproven_flags: column_json(row, 11)?,
            rejects_of,
            rejected,
            sheet: sheet.filter(|sheet| !sheet.is_empty()),
            file,
            started_at: column_time(row, 1)?,
            ended_at: column_optional_time(row, 2)?,
            outcomes: outcomes_at_end,
        })
    })?;
    if runs.iter().any(is_of_table) {
        // Its rows may have been requested from another file.
        runs.retain(|run| is_of_table(run) || run.rejects_of.as_deref() == path.as_deref());
    }
    Ok(runs)
}

/// The files that are there and were not imported with the content that they have; each with the digest of the content
/// that was.
fn not_imported(files: BTreeMap<PathBuf, Option<String>>) -> Vec<PathBuf> {
    let is_left = |(path, imported): &(PathBuf, Option<String>)| {
        sheet::file_sha256(path).is_ok_and(|found| Some(found) != *imported)
    };
    let left = files.into_iter().filter(is_left);
    left.map(|(path, _)| path).collect()
}

fn outcomes(text: &str) -> Option<OutcomeCounts> {
    let counts: BTreeMap<String, u64> = serde_json::from_str(text).ok()?;
    let mut outcomes = OutcomeCounts::default();
    for (name, rows) in counts {
        outcomes.add_many(Outcome::from_name(&name)?, rows);
    }
    Some(outcomes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::schema;

    #[test]
    fn a_rejected_row_is_looked_up_by_its_id() {
        let plan = schema::query_plan(LAST_RUNS);
        assert!(
            plan.iter().any(|step| step.contains("SEARCH requests"))
                && !plan.iter().any(|step| step.contains("SCAN requests")),
            "{plan:?}"
        );
    }
}
