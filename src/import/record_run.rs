//! What an import stores in the journal: the run, the rejected rows, corrections, how the file was read, and the rejects.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::import::row_problems::reported_problems;
use crate::import::{
    self, Error, ImportContext, ImportOutcome, Origins, RejectsTarget, RowCells, RowOutcomes,
    SubmissionPlan,
};
use crate::journal::{
    self, FlagsByName, NewRejection, ReadAhead, RejectsOrigin, RememberedReading, ReportedProblems,
    RunId, RunResult, SourceId, WrittenRejects,
};
use crate::model::{ContentHash, RowNumber};
use crate::sheet;
use crate::table::rejects::{self, RejectsPath};

/// A run that the journal knows.
pub(super) struct RunRecorder<'a> {
    context: &'a ImportContext<'a>,
    run: (RunId, SourceId),
    /// The original, where the input is a rejects file.
    origin: Option<RejectsOrigin>,
}

impl<'a> RunRecorder<'a> {
    /// Plans the run and stores that it has begun.
    ///
    /// # Errors
    /// If the path of the rejects cannot be used, or the file or the journal cannot be read or written.
    pub(super) fn begin(
        context: &'a ImportContext<'a>,
        read_ahead: Option<ReadAhead>,
    ) -> Result<(SubmissionPlan, Self), Error> {
        let (checked, journal) = (context.checked, context.journal);
        if context.rejects != RejectsTarget::None {
            rejects_path(context)?;
        }
        let origin = journal.rejects_origin(&checked.source.path, rejects::has_both_columns)?;
        let index = journal.submission_index(read_ahead)?;
        let plan = import::plan(context.input, checked, &index, &context.options)?;
        drop(index);
        journal.store_decisions(&plan.decisions, (context.now)())?;
        let names = &checked.field_names;
        let run = journal.begin_run(&checked.source, names, (context.now)())?;
        let recorder = Self {
            context,
            run,
            origin,
        };
        Ok((plan, recorder))
    }

    /// The table that is imported.
    pub(super) fn source(&self) -> SourceId {
        self.run.1
    }

    /// Stores how the file was read, for the next import of it.
    ///
    /// # Errors
    /// If the journal cannot be written.
    pub(super) fn remember_reading(&self) -> Result<(), Error> {
        Ok(self
            .context
            .journal
            .remember_reading_blocking(&self.context.remembered_reading())?)
    }

    /// Stores what became of every row, and writes the rejects.
    ///
    /// # Errors
    /// If the input cannot be read again, or the rejects or the journal cannot be written.
    pub(super) fn finish<E>(&self, outcome: &mut ImportOutcome<E>) -> Result<(), Error> {
        let (input, checked) = (self.context.input, self.context.checked);
        let wanted: BTreeSet<usize> = match self.origin {
            Some(_) => (0..checked.rows.len()).collect(),
            None => outcome.rows.rejected().map(|(index, _)| index).collect(),
        };
        // The file may be gone after hours of sending; the run is recorded all the same.
        let read = import::cells_of_rows(input, checked, &wanted);
        let no_cells = BTreeMap::new();
        let cells = read.as_ref().unwrap_or(&no_cells);
        let origin = self.origin.as_ref();
        let origins =
            origin.map_or_else(Origins::new, |origin| import::origins(cells, &origin.rows));
        self.record_rows(&outcome.rows, cells, &origins)?;
        self.write_rejects(&read?, &origins, outcome)
    }

    fn record_rows(
        &self,
        rows: &RowOutcomes,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
    ) -> Result<(), Error> {
        let (checked, journal) = (self.context.checked, self.context.journal);
        let (mut rejected, read) = import::rejected(checked, rows, cells);
        if let Some(origin) = &self.origin {
            let corrections = import::corrections(checked, rows, origins);
            let remaining = self.take_remaining(&mut rejected, origins);
            journal.record_corrections(origin.source, corrections, remaining)?;
        }
        let problems = reported_problems(checked, rows);
        let (problems, reported) = match problems {
            Ok(problems) => (problems, Ok(())),
            Err(error) => (ReportedProblems::default(), Err(error)),
        };
        let result = RunResult {
            outcomes: rows.outcomes(),
            rejected,
            problems,
        };
        journal.end_run(self.run, (self.context.now)(), result)?;
        Ok(read.and(reported)?)
    }

    /// Removes the rows that were rejected in the original already, and returns them with their cells there: each is
    /// listed once, as a row of the original.
    fn take_remaining(
        &self,
        rejected: &mut Vec<NewRejection>,
        origins: &Origins,
    ) -> Vec<(String, NewRejection)> {
        let rows = &self.context.checked.rows;
        let cells_before: BTreeMap<RowNumber, &String> = origins
            .iter()
            .map(|(index, (_, cells))| (rows[*index].number, cells))
            .collect();
        let of_original = rejected.extract_if(.., |row| cells_before.contains_key(&row.row));
        of_original
            .map(|row| (cells_before[&row.row].clone(), row))
            .collect()
    }

    fn write_rejects<E>(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
        outcome: &mut ImportOutcome<E>,
    ) -> Result<(), Error> {
        let (context, journal) = (self.context, self.context.journal);
        if context.rejects == RejectsTarget::None {
            return Ok(());
        }
        // The user may have opened and saved the rejects during the run.
        let path = rejects_path(context)?;
        let rows = &context.checked.rows;
        let source_rows = origins
            .iter()
            .map(|(index, (source_row, _))| (rows[*index].number, *source_row));
        outcome.rejects = import::write_rejects(
            context.input,
            context.checked,
            &outcome.rows,
            &path,
            &source_rows.collect(),
            |sha256| self.record_rejects(&path, sha256, cells, origins, &outcome.rows),
        )?;
        let mut removed: Vec<PathBuf> = path.stale().iter().map(|path| absolute(path)).collect();
        if outcome.rejects.is_none() {
            removed.push(absolute(path.path()));
        }
        outcome.rejects_path = Some(path);
        Ok(journal.remove_written(removed)?)
    }

    /// Stores which rejects are about to be renamed into their place: their digest, which rows they are of, and how they
    /// are read. Also in a run that sent nothing, because the user may correct them before the next run.
    fn record_rejects(
        &self,
        path: &RejectsPath,
        sha256: String,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
        rows: &RowOutcomes,
    ) -> Result<(), journal::Error> {
        let context = self.context;
        let path = absolute(path.path());
        let rejected = rows.rejected().filter_map(|(index, _)| match self.origin {
            Some(_) => origins.get(&index).cloned(),
            None => Some((
                context.checked.rows[index].number,
                cells.get(&index)?.json(),
            )),
        });
        let origin = self.origin.as_ref();
        context.journal.record_rejects(WrittenRejects {
            path: path.clone(),
            sha256,
            replaced_sha256: sheet::file_sha256(&path).ok(),
            input: context.checked.source.path.clone(),
            source: origin.map_or(self.source(), |origin| origin.source),
            rows: rejected.collect(),
        })?;
        let reading = context.reading_at(path, context.rejects_reading.clone(), None);
        context.journal.remember_reading_blocking(&reading)
    }
}

impl ImportContext<'_> {
    /// How the file is read, as the journal stores it.
    pub(super) fn remembered_reading(&self) -> RememberedReading {
        let path = self.checked.source.path.clone();
        self.reading_at(path, self.reading.clone(), self.checked.headers)
    }

    fn reading_at(
        &self,
        path: PathBuf,
        flags: FlagsByName,
        headers: Option<ContentHash>,
    ) -> RememberedReading {
        RememberedReading {
            path,
            flags,
            imported_at: (self.now)(),
            headers,
        }
    }
}

/// The path for the rejects of a run that writes them.
fn rejects_path(context: &ImportContext<'_>) -> Result<RejectsPath, Error> {
    let named = match context.rejects {
        RejectsTarget::File(path) => Some(path),
        RejectsTarget::BesideInput | RejectsTarget::None => None,
    };
    import::rejects_place(context.input, context.checked, named, context.journal)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
