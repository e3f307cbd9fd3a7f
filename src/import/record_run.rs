//! What an import stores in the journal: the run, the rejected rows, corrections, how the file was read, and the rejects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use jiff::Timestamp;

use crate::import::corrections::{CorrectedTable, accepted_versions, corrections};
use crate::import::missing_rows::{ReplaceableRejects, pending_rows};
use crate::import::original_rows::original_rows;
use crate::import::rejects_target::RejectsTarget;
use crate::import::row_cells::cells_of_rows;
use crate::import::row_problems::reported_problems;
use crate::import::{
    CheckedFile, EarlierHouse, Error, ImportContext, ImportSummary, OriginalRows, RowCells,
    RowOutcomes, SubmissionPlan,
};
use crate::journal::{
    Correction, FlagsByName, HouseQuestion, NewRejection, OriginalTable, PendingRow,
    RememberedFlags, ReportedProblems, RunId, RunResult, SourceId, StoredDecision, UnsentRows,
};
use crate::model::{ContentHash, HouseDecision, Outcome, RowNumber};
use crate::sheet;
use crate::table::HeaderDigest;

/// The record of a run in the journal.
pub(super) struct RunRecorder<'a> {
    pub(super) context: &'a ImportContext<'a>,
    source: SourceId,
    started_at: Timestamp,
    /// The run, once its start is recorded.
    run: Option<RunId>,
    /// The rows that are missing in the table.
    missing: Vec<PendingRow>,
    /// The decisions in the table.
    decisions: Vec<StoredDecision>,
    /// Whether the plan has rows to send: then the decisions are stored once the person has agreed to that.
    has_rows_to_send: bool,
    are_flags_remembered: bool,
    /// Which existing rejects may be replaced, as the run began.
    pub(super) replaceable: ReplaceableRejects,
    /// The original, where the input is a rejects file.
    pub(super) original: Option<OriginalTable>,
}

impl<'a> RunRecorder<'a> {
    /// A record of a run with this plan, which has not begun.
    ///
    /// # Errors
    /// If the table cannot be added to the journal.
    pub(super) fn new(
        context: &'a ImportContext<'a>,
        plan: &SubmissionPlan,
        original: Option<OriginalTable>,
        replaceable: ReplaceableRejects,
    ) -> Result<Self, Error> {
        let checked = context.checked;
        let started_at = (context.now)();
        let source = context
            .journal
            .add_source(&checked.source, &checked.field_names)?;
        Ok(Self {
            context,
            source,
            started_at,
            run: None,
            missing: plan.missing.clone(),
            decisions: plan.decisions.clone(),
            has_rows_to_send: !plan.send.is_empty(),
            are_flags_remembered: false,
            replaceable,
            original,
        })
    }

    /// The table that is imported.
    pub(super) fn source(&self) -> SourceId {
        self.source
    }

    /// Records that the run begins to submit `send` of the pending rows, before its first request. A run that is killed
    /// earlier did nothing.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub(super) async fn record_start(
        &mut self,
        rows: &RowOutcomes,
        send: u64,
    ) -> Result<(), Error> {
        let (journal, unsent) = (self.context.journal, self.unsent(rows));
        journal.store_decisions(self.decisions.clone()).await?;
        let begun = journal.begin_run(self.source, send, unsent, self.started_at);
        self.run = Some(begun.await?);
        Ok(())
    }

    /// How the file is read, as the journal stores it. Rejects have one sheet.
    pub(super) fn remembered_reading(&self) -> RememberedFlags {
        let checked = self.context.checked;
        let rejects_of = self.original.as_ref().map(|original| original.source);
        RememberedFlags {
            path: checked.source.path.clone(),
            sheet: match rejects_of {
                Some(_) => None,
                None => checked.source.sheet.clone(),
            },
            flags: self.context.reading.clone(),
            imported_at: (self.context.now)(),
            headers: self.context.headers(),
            is_of_headers: checked.layout.header_row.is_some(),
            rejects_of,
            flags_of_rejects: self
                .original
                .as_ref()
                .and_then(|original| original.flags.clone()),
        }
    }

    /// How rejects at a path are read, as the journal stores it.
    pub(super) fn reading_of_rejects(&self, path: PathBuf, flags: FlagsByName) -> RememberedFlags {
        let of_table = self.remembered_reading();
        RememberedFlags {
            path,
            sheet: None,
            flags,
            // Rejects of a table without headers have more columns than it.
            headers: of_table.headers.filter(|_| of_table.is_of_headers),
            is_of_headers: false,
            rejects_of: of_table.rejects_of.or(Some(self.source)),
            flags_of_rejects: None,
            imported_at: of_table.imported_at,
        }
    }

    /// Stores how the file was read, for the next import of it, and if it is rejects, of their original.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub(super) fn remember_flags(&mut self) -> Result<(), Error> {
        self.are_flags_remembered = true;
        let (journal, reading) = (self.context.journal, self.remembered_reading());
        journal.remember_flags_blocking(&reading)?;
        if let Some(original) = &self.original {
            journal.remember_flags_of_original(original.source, &reading)?;
        }
        Ok(())
    }

    /// Stores what became of every row, and writes the rejects.
    ///
    /// # Errors
    /// If the input cannot be read again, or the rejects or the journal cannot be written.
    pub(super) fn finish<E>(&self, summary: &mut ImportSummary<E>) -> Result<(), Error> {
        let (input, checked) = (self.context.input, self.context.checked);
        if !self.has_rows_to_send {
            let decisions = self.decisions.clone();
            self.context.journal.store_decisions_blocking(decisions)?;
        }
        let wanted: BTreeSet<usize> = if self.original.is_some() {
            (0..checked.rows.len()).collect()
        } else {
            let rejected = summary.rows.rejected().map(|(index, _)| index);
            let versions = accepted_versions(checked, &summary.rows);
            rejected.chain(versions.map(|(index, _)| index)).collect()
        };
        // The file may be gone after hours of sending; the run is recorded all the same.
        let read = cells_of_rows(input, checked, &wanted);
        let no_cells = BTreeMap::new();
        let cells = read.as_ref().unwrap_or(&no_cells);
        let original_rows = self.original_rows(&summary.rows, cells)?;
        self.record_rows(&summary.rows, cells, &original_rows)?;
        let is_finished = summary.rows.outcomes().count(Outcome::Pending) == 0
            && (self.context.rejects != RejectsTarget::None
                || summary.rows.rejected().next().is_none());
        let path = &checked.source.path;
        if self.original.is_some()
            && is_finished
            && read.is_ok()
            && let Ok(sha256) = sheet::file_sha256(path)
        {
            let journal = self.context.journal;
            journal.record_imported_rejects(path.clone(), sha256)?;
        }
        let decided = self.replaceable.decided();
        if !decided.is_empty() {
            self.context.journal.record_settled_rejects(decided)?;
        }
        self.write_rejects(&read?, &original_rows, summary)
    }

    /// The rows of the original that the rows of its rejects correct. Of a copy, which may be older, some accepted rows may
    /// be what the rows of the original were before somebody made other houses of them: those that were requested before
    /// this run and earlier ones of the copy that were killed, and those whose rows are in conflict under their id. So may
    /// rows without a number. An older copy may have been saved over the rejects themselves: there these are the former
    /// without the unit of the original.
    fn original_rows(
        &self,
        rows: &RowOutcomes,
        cells: &BTreeMap<usize, RowCells>,
    ) -> Result<OriginalRows, Error> {
        let Some(original) = &self.original else {
            return Ok(OriginalRows::new());
        };
        let journal = self.context.journal;
        let conflicts = journal.conflicts(original.source)?;
        let unfinished = journal.requests_of_unfinished_runs(self.source)?;
        let may_correct = |index: usize, before: &str| {
            let id = self.context.checked.rows[index].external_id();
            let outcome = rows.outcome(index);
            let was_requested =
                outcome == Outcome::Known && !id.is_some_and(|id| unfinished.contains(id));
            let is_accepted = matches!(
                outcome,
                Outcome::Known | Outcome::Created | Outcome::Existing
            );
            let in_conflict = conflicts.get(before).map(String::as_str);
            let is_older = if original.is_copy || cells[&index].source_row.is_none() {
                was_requested || is_accepted && in_conflict.is_some() && in_conflict == id
            } else {
                was_requested && cells[&index].lacks_unit_of(before)
            };
            !is_older
        };
        let refused = journal.refused_cells(original.source)?;
        Ok(original_rows(
            cells,
            (&original.rows, &refused),
            may_correct,
        ))
    }

    fn record_rows(
        &self,
        rows: &RowOutcomes,
        cells: &BTreeMap<usize, RowCells>,
        original_rows: &OriginalRows,
    ) -> Result<(), Error> {
        let (checked, journal) = (self.context.checked, self.context.journal);
        let (mut rejected, read) = new_rejections(checked, rows, cells);
        let version = |(index, external_id): (usize, &str)| {
            Some(Correction {
                source: self.source,
                row: checked.rows[index].number,
                cells: cells.get(&index)?.json(),
                external_id: external_id.to_owned(),
                skipped: None,
            })
        };
        let mut corrected: Vec<Correction> = accepted_versions(checked, rows)
            .filter_map(version)
            .collect();
        let mut remaining = Vec::new();
        if let Some(original) = &self.original {
            let table = CorrectedTable {
                source: original.source,
                has_requests: journal.has_requests_of(original.source)?,
            };
            corrected.extend(corrections(checked, rows, original_rows, (table, cells)));
            remaining = self.take_remaining(&mut rejected, original_rows);
            // The sheet may have been told another reason before, such as an unknown answer. A row that was corrected, too,
            // is rejected no more, and another one may have its cells.
            let skipped = rows.skipped().iter().filter_map(|(index, earlier)| {
                let (_, before) = original_rows.get(index)?;
                let is_unchanged = cells.get(index)?.is_unchanged(before);
                is_unchanged.then(|| (before.clone(), Outcome::SameHouse, earlier.reason()))
            });
            remaining.extend(skipped);
        }
        if !corrected.is_empty() || !remaining.is_empty() {
            let source = self
                .original
                .as_ref()
                .map_or(self.source, |original| original.source);
            journal.record_corrections(source, corrected, remaining)?;
        }
        // Beside a `send` that stood there before, only the rejects ask.
        let is_send = |index: usize| checked.typed_decision(index) == Some(HouseDecision::Send);
        let decided = rows.same_house_rows().iter().chain(rows.skipped());
        let asked = questions(checked, decided.filter(|(index, _)| !is_send(**index)));
        journal.record_questions(checked.source.clone(), asked)?;
        let problems = reported_problems(checked, rows);
        let (problems, reported) = match problems {
            Ok(problems) => (problems, Ok(())),
            Err(error) => (ReportedProblems::default(), Err(error)),
        };
        let result = RunResult {
            started_at: self.started_at,
            outcomes: rows.outcomes(),
            rejected,
            problems,
            unsent: self.unsent(rows),
            other_sheets: checked.layout.other_sheets().map(str::to_owned).collect(),
            unproven_flags: if self.are_flags_remembered {
                FlagsByName::new()
            } else {
                self.context.reading.clone()
            },
        };
        journal.end_run(self.run, self.source, (self.context.now)(), result)?;
        Ok(read.and(reported)?)
    }

    /// The pending rows, and until all rows of the table are sent, those that are missing.
    fn unsent(&self, rows: &RowOutcomes) -> UnsentRows {
        let checked = self.context.checked;
        let is_pending = |index: &usize| rows.outcome(*index) == Outcome::Pending;
        let mut pending = (0..checked.rows.len()).filter(is_pending).peekable();
        if pending.peek().is_none() {
            return UnsentRows::default();
        }
        UnsentRows {
            pending: pending_rows(checked, &mut pending),
            missing: self.missing.clone(),
        }
    }

    /// Removes the rows that were rejected in the original already, and returns them with their cells there: each is
    /// listed once, as a row of the original.
    fn take_remaining(
        &self,
        rejected: &mut Vec<NewRejection>,
        original_rows: &OriginalRows,
    ) -> Vec<(String, Outcome, String)> {
        let rows = &self.context.checked.rows;
        let cells_before: BTreeMap<RowNumber, &String> = original_rows
            .iter()
            .filter(|(_, (row, _))| !row.is_added())
            .map(|(index, (_, cells))| (rows[*index].number, cells))
            .collect();
        let of_original = rejected.extract_if(.., |row| cells_before.contains_key(&row.row));
        of_original
            .map(|row| (cells_before[&row.row].clone(), row.outcome, row.error))
            .collect()
    }
}

/// What a person is asked about rows of the same house as others, which are given with the earlier requests.
pub(super) fn questions<'a>(
    checked: &CheckedFile,
    rows: impl Iterator<Item = (&'a usize, &'a EarlierHouse)>,
) -> Vec<HouseQuestion> {
    let questions = rows.filter_map(|(index, earlier)| {
        Some(HouseQuestion {
            external_id: checked.rows[*index].external_id()?.to_owned(),
            earlier_id: earlier.external_id.clone(),
        })
    });
    questions.collect()
}

impl ImportContext<'_> {
    /// The headers of the table, as the journal stores them.
    fn headers(&self) -> Option<ContentHash> {
        let digest = self.checked.layout.header_digest.as_ref();
        digest.map(HeaderDigest::stored)
    }
}

/// The rejected rows of a run, with their cells. If the file has changed since it was checked, these are missing.
///
/// If the problems cannot be read any more, the rows lack them, and the second value is the error.
fn new_rejections(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    cells: &BTreeMap<usize, RowCells>,
) -> (Vec<NewRejection>, Result<(), sheet::Error>) {
    let (mut found, read) = match checked.errors_by_row() {
        Ok(found) => (found, Ok(())),
        Err(error) => (BTreeMap::new(), Err(error)),
    };
    let rejected = rows.rejected().map(|(index, outcome)| {
        let row = &checked.rows[index];
        let cells = cells.get(&index);
        let problems = found.remove(&row.number).unwrap_or_default().into_iter();
        let problems = problems.map(|problem| (problem.field, problem.message));
        let rejected = rows.rejection(index);
        let reason = rejected.unwrap_or_else(|| problems.collect::<Vec<_>>().into());
        NewRejection {
            row: row.number,
            external_id: row.external_id().map(str::to_owned),
            customer: cells.and_then(|cells| cells.customer.clone()),
            address: cells.and_then(|cells| cells.address.clone()),
            outcome,
            error: reason.text(checked),
            cells: cells.map(RowCells::json),
        }
    });
    (rejected.collect(), read)
}
