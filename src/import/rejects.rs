//! The rejects file of an import, and what it contains.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use crate::import::record_run::{RunRecorder, questions};
use crate::import::rejects_target::rejects_path;
use crate::import::{Error, ImportSummary, OriginalRows, RowCells, RowOutcomes, row_problems};
use crate::journal::{self, FlagsByName, WrittenRejects};
use crate::model::{ContentHash, HouseDecision, Outcome, Problem, RowNumber, TableSource};
use crate::sheet::{self, stored_path};
use crate::table::is_decision_header;
use crate::table::rejects::{self, RejectsFile, RejectsPath, RowRejection};

/// A row that a person added to rejects, as the journal stores it: its number is made from its cells, since others may be
/// in its place in the next rejects.
fn added_row(cells: String) -> (RowNumber, String) {
    let [a, b, c, d, ..] = ContentHash::of_bytes(cells.as_bytes()).to_bytes();
    (RowNumber::added(u32::from_le_bytes([a, b, c, d])), cells)
}

impl RunRecorder<'_> {
    /// Writes the rejects, or removes those of an earlier run if no row is rejected.
    ///
    /// # Errors
    /// If the file cannot be written or recorded, or if the input has changed since it was checked.
    pub(super) fn write_rejects<E>(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        original_rows: &OriginalRows,
        summary: &mut ImportSummary<E>,
    ) -> Result<(), Error> {
        // The user may have opened and saved the rejects during the run.
        let Some(path) = rejects_path(self.context, self.original.as_ref(), &self.replaceable)?
        else {
            return Ok(());
        };
        let rows = &summary.rows;
        let rejections = self.rejections(cells, original_rows, rows)?;
        let originals = self.originals_of_rejects(cells, original_rows, rows);
        let mut reading = None;
        summary.rejects = self.replace_rejects(&path, &rejections, |sha256, written| {
            reading = self.context.reading_of_written(written);
            self.record_rejects(&path, sha256, originals.clone())?;
            self.remember_reading(&path, reading.clone())
        })?;
        summary.rejects_reading = reading;
        if summary.rejects.is_some() {
            let path = stored_path(path.path());
            let journal = self.context.journal;
            journal.record_rejects_rows(path.clone(), originals)?;
            let place = TableSource { path, sheet: None };
            let asked = questions(self.context.checked, summary.rows.same_house_rows().iter());
            journal.record_questions(place, asked)?;
        }
        let mut removed: Vec<PathBuf> = path
            .outdated()
            .iter()
            .map(|path| stored_path(path))
            .collect();
        if summary.rejects.is_none() {
            removed.push(stored_path(path.path()));
        }
        summary.rejects_path = Some(path);
        Ok(self.context.journal.remove_written(removed)?)
    }

    fn rejections(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        original_rows: &OriginalRows,
        rows: &RowOutcomes,
    ) -> Result<Vec<RowRejection>, Error> {
        let mut found = self.context.checked.errors_by_row()?;
        // A row of rejects that resembles several rows of the original keeps its number, and one that was added has
        // none: its place in the rejects is none there.
        let written = |index| cells.get(&index).and_then(|cells| cells.source_row);
        let of_file = format!(" of {}", self.context.input.file.name());
        let rejection = |(index, outcome): (usize, Outcome)| {
            let row = self.context.checked.rows[index].number;
            let errors = found.remove(&row).unwrap_or_default();
            let rejected = row_problems::rejection(self.context.checked, rows, index);
            let has_reason = !rejected.is_empty();
            let mut problems = if has_reason { rejected } else { errors };
            for problem in &mut problems {
                // A row has another number in the rejects.
                problem.message = problem.message.replace(" of this file", &of_file);
            }
            let is_asked = outcome == Outcome::SameHouse
                || !has_reason && problems.iter().any(is_about_decision);
            let typed = self.context.checked.decisions.get(&index);
            RowRejection {
                row,
                external_id: self.context.checked.rows[index]
                    .external_id()
                    .map(str::to_owned),
                source_row: match original_rows.get(&index) {
                    Some((row, _)) => Some(*row).filter(|row| !row.is_added()),
                    None if self.original.is_some() => written(index),
                    None => Some(row),
                },
                outcome,
                problems,
                decision_column: typed.map(|typed| typed.column),
                decision: match typed.map(|typed| typed.decision) {
                    // It was no answer to what is asked now.
                    Some(HouseDecision::Send) if outcome == Outcome::SameHouse => Some(""),
                    Some(decision) => Some(decision.name()),
                    // A stored `skip`: the next import of the rejects must not send the row either.
                    None if has_reason && outcome == Outcome::Invalid => {
                        Some(HouseDecision::Skip.name())
                    }
                    None if is_asked => Some(""),
                    None => None,
                },
            }
        };
        Ok(rows.rejected().map(rejection).collect())
    }

    /// `record` is called with the digest of the rejects and the file before it is renamed into its place, so that they
    /// are recognized even if the run is killed.
    fn replace_rejects(
        &self,
        path: &RejectsPath,
        rejections: &[RowRejection],
        mut record: impl FnMut(String, &Path) -> Result<(), journal::Error>,
    ) -> Result<Option<RejectsFile>, Error> {
        let (input, checked) = (self.context.input, self.context.checked);
        let mut unrecorded = None;
        let mut finished = |path: &Path| {
            record(sheet::file_sha256(path)?, path).map_err(|error| {
                let reported = io::Error::other(error.to_string());
                unrecorded = Some(error);
                reported
            })
        };
        let table = checked.table(input);
        let written = rejects::update(table, rejections, path, &mut finished);
        match unrecorded {
            Some(error) => Err(error.into()),
            None => Ok(written?),
        }
    }

    /// The rows of the original that are rejected, each with its cells there by field, as JSON; and those that were added
    /// to its rejects, which no other file has.
    fn originals_of_rejects(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        original_rows: &OriginalRows,
        rows: &RowOutcomes,
    ) -> Vec<(RowNumber, String)> {
        let checked_rows = &self.context.checked.rows;
        let rejected = rows.rejected();
        let originals = rejected.filter_map(|(index, _)| {
            let row = checked_rows[index].number;
            match (&self.original, original_rows.get(&index)) {
                (Some(_), Some(original)) => Some(original.clone()),
                (Some(_), None) => cells.get(&index).map(|cells| added_row(cells.json())),
                (None, _) => Some((row, cells.get(&index)?.json())),
            }
        });
        originals.collect()
    }

    /// Stores which rejects are about to be renamed into their place: their digest, and which rows they are of. Also in
    /// a run that sent nothing, because the user may correct them before the next run.
    fn record_rejects(
        &self,
        path: &RejectsPath,
        sha256: String,
        rows: Vec<(RowNumber, String)>,
    ) -> Result<(), journal::Error> {
        let context = self.context;
        let path = stored_path(path.path());
        let original = self.original.as_ref();
        context.journal.record_rejects(WrittenRejects {
            path: path.clone(),
            sha256,
            replaced_sha256: sheet::file_sha256(&path).ok(),
            input: context.checked.source.path.clone(),
            source: original.map_or(self.source(), |original| original.source),
            rows,
        })
    }

    /// Stores how the rejects are read: with the flags of their table, or with others if these read other columns in
    /// them.
    fn remember_reading(
        &self,
        path: &RejectsPath,
        flags: Option<FlagsByName>,
    ) -> Result<(), journal::Error> {
        let context = self.context;
        let flags = flags.unwrap_or_else(|| context.rejects_reading.clone());
        let reading = self.reading_of_rejects(stored_path(path.path()), flags);
        context.journal.remember_flags_blocking(&reading)
    }
}

/// Whether a problem is about the word in the column of decisions.
fn is_about_decision(problem: &Problem) -> bool {
    let is_column = |header: &String| is_decision_header(header);
    problem.column.as_ref().is_some_and(is_column)
}
