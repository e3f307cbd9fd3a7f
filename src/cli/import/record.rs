//! What is written down after the rows were submitted: the rows that became no measurement, what was corrected, and the
//! rejects file.

use std::collections::{BTreeMap, BTreeSet};

use crate::cli::failure::unsynced_folder;
use crate::cli::import::course::{ImportJob, ImportRun};
use crate::cli::{CommandError, clock};
use crate::import::{self, Origins, RowCells, RowOutcomes, SubmissionPlan};
use crate::journal::{
    self, Journal, NewRejection, RejectsOrigin, RememberedReading, RunId, SourceId, WrittenRejects,
};
use crate::model::RowNumber;
use crate::sheet;
use crate::table::rejects::RejectsPath;

/// A run that has submitted what it could.
pub(super) struct RunRecorder<'a> {
    pub(super) job: &'a ImportJob<'a>,
    pub(super) journal: &'a Journal,
    pub(super) run: (RunId, SourceId),
    pub(super) origin: Option<RejectsOrigin>,
}

impl RunRecorder<'_> {
    /// Writes everything down.
    pub(super) fn record(
        &self,
        plan: SubmissionPlan,
        course: &mut ImportRun,
    ) -> Result<(), CommandError> {
        let (input, checked) = (self.job.input, self.job.checked);
        let wanted: BTreeSet<usize> = match self.origin {
            Some(_) => (0..checked.rows.len()).collect(),
            None => plan.rows.rejected().map(|(index, _)| index).collect(),
        };
        // The file may be gone after hours of sending; the run is recorded all the same.
        let read = import::cells_of_rows(input, checked, &wanted).map_err(CommandError::from);
        let nothing = BTreeMap::new();
        let cells = read.as_ref().unwrap_or(&nothing);
        let origin = self.origin.as_ref();
        let origins =
            origin.map_or_else(Origins::new, |origin| import::origins(cells, &origin.rows));
        let recorded = self.record_rows(&plan, cells, &origins);
        course.rows = plan.rows;
        recorded?;
        self.write_rejects(&read?, &origins, course)
    }

    fn record_rows(
        &self,
        plan: &SubmissionPlan,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
    ) -> Result<(), CommandError> {
        let (input, checked) = (self.job.input, self.job.checked);
        let (mut rejected, read) = import::rejected(input, checked, &plan.rows, cells);
        if let Some(origin) = &self.origin {
            let corrections = import::corrections(checked, plan, origins);
            let remaining = self.take_remaining(&mut rejected, origins);
            self.journal
                .record_corrections(origin.source, corrections, remaining)?;
        }
        let outcomes = plan.rows.outcomes();
        self.journal
            .end_run(self.run, clock::now(), &outcomes, rejected)?;
        self.journal.correct_in_copies(import::is_corrected_by)?;
        Ok(read?)
    }

    /// Takes the rows out that the original has rejected already: each is listed once, as a row of the original.
    fn take_remaining(
        &self,
        rejected: &mut Vec<NewRejection>,
        origins: &Origins,
    ) -> Vec<(String, NewRejection)> {
        let rows = &self.job.checked.rows;
        let before: BTreeMap<RowNumber, &String> = origins
            .iter()
            .map(|(index, (_, cells))| (rows[*index].number, cells))
            .collect();
        let mut remaining = Vec::new();
        rejected.retain(|row| match before.get(&row.row) {
            Some(cells) => {
                remaining.push(((*cells).clone(), row.clone()));
                false
            }
            None => true,
        });
        remaining
    }

    fn write_rejects(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
        course: &mut ImportRun,
    ) -> Result<(), CommandError> {
        let (job, console) = (self.job, &self.job.context.console);
        // A person may have opened and saved the rejects while the run went on.
        let place = job.rejects_place(self.journal)?;
        let rows = &job.checked.rows;
        let source_rows = origins
            .iter()
            .map(|(index, (source_row, _))| (rows[*index].number, *source_row));
        let written = import::write_rejects(
            job.input,
            job.checked,
            &course.rows,
            &place,
            &source_rows.collect(),
            |sha256| self.record_rejects(&place, sha256, cells, origins, &course.rows),
        )?;
        let gone = place.stale().iter().map(|path| absolute(path));
        let mut gone: Vec<_> = gone.collect();
        let edited = place.edited().iter();
        let edited = edited.map(|path| (path, "was edited since it was written"));
        let of_others = place.of_others().iter();
        let of_others = of_others.map(|path| (path, "has the rejects of another table"));
        for (path, why) in edited.chain(of_others) {
            let path = path.display().to_string();
            match &written {
                Some(written) => console.warn(&format!(
                    "{path} {why}, so it is kept; the rejected rows are in {}",
                    written.path.display()
                )),
                None => console.say(&format!("{path} {why}, so it is kept")),
            }
        }
        let Some(written) = written else {
            gone.push(absolute(place.path()));
            return Ok(self.journal.remove_written(gone)?);
        };
        self.journal.remove_written(gone)?;
        for note in &written.notes {
            console.warn(&format!("in the rejects, {}", note.sentence()));
        }
        if let Some(unsynced) = &written.unsynced {
            console.warn(&unsynced_folder(unsynced));
        }
        course.rejects = Some(written.path.display().to_string());
        Ok(())
    }

    /// Records the rejects that are about to stand in their place: their digest, which rows they are of, and how they are
    /// read. Also where nothing was sent: they may be corrected first.
    fn record_rejects(
        &self,
        place: &RejectsPath,
        sha256: String,
        cells: &BTreeMap<usize, RowCells>,
        origins: &Origins,
        rows: &RowOutcomes,
    ) -> Result<(), journal::Error> {
        let job = self.job;
        let path = absolute(place.path());
        let rejected = rows.rejected().filter_map(|(index, _)| match self.origin {
            Some(_) => origins.get(&index).cloned(),
            None => Some((job.checked.rows[index].number, cells.get(&index)?.json())),
        });
        let origin = self.origin.as_ref();
        self.journal.record_rejects(WrittenRejects {
            path: path.clone(),
            sha256,
            replaced_sha256: sheet::file_sha256(&path).ok(),
            input: job.checked.source.path.clone(),
            source: origin.map_or(self.run.1, |origin| origin.source),
            rows: rejected.collect(),
        })?;
        self.journal.remember_reading_blocking(&RememberedReading {
            path,
            flags: job.args.reading.of_rejects().flags(),
            imported_at: clock::now(),
            headers: None,
        })
    }
}

fn absolute(path: &std::path::Path) -> std::path::PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
