//! What is written down after the rows were submitted: the rows that became no measurement, what was corrected, and the
//! rejects file.

use std::collections::{BTreeMap, BTreeSet};

use crate::cli::failure::unsynced_folder;
use crate::cli::import::course::{Course, Job};
use crate::cli::{Failure, clock};
use crate::import::{self, Plan, RowCells};
use crate::journal::{
    Journal, Rejected, RejectsOrigin, RememberedReading, RunId, SourceId, WrittenFile,
    WrittenRejects,
};
use crate::model::RowNumber;
use crate::sheet;

/// A run that has submitted what it could.
pub(super) struct Afterwards<'a> {
    pub(super) job: &'a Job<'a>,
    pub(super) journal: &'a Journal,
    pub(super) run: (RunId, SourceId),
    pub(super) origin: Option<RejectsOrigin>,
}

impl Afterwards<'_> {
    /// Writes everything down.
    pub(super) fn record(&self, plan: Plan, course: &mut Course) -> Result<(), Failure> {
        let (input, checked) = (self.job.input, self.job.checked);
        let wanted: BTreeSet<usize> = match self.origin {
            Some(_) => (0..checked.rows.len()).collect(),
            None => plan.rows.rejected().map(|(index, _)| index).collect(),
        };
        // The file may be gone after hours of sending; the run is recorded all the same.
        let read = import::cells_of(input, checked, &wanted).map_err(Failure::from);
        let nothing = BTreeMap::new();
        let recorded = self.record_rows(&plan, read.as_ref().unwrap_or(&nothing));
        course.rows = plan.rows;
        recorded?;
        self.write_rejects(&read?, course)
    }

    fn record_rows(&self, plan: &Plan, cells: &BTreeMap<usize, RowCells>) -> Result<(), Failure> {
        let (input, checked) = (self.job.input, self.job.checked);
        let (mut rejected, read) = import::rejected(input, checked, &plan.rows, cells);
        if let Some(origin) = &self.origin {
            let corrections = import::corrections(checked, plan, cells, origin);
            let remaining = self.take_remaining(&mut rejected, cells, origin);
            self.journal
                .record_corrections(origin.source, corrections, remaining)?;
        }
        let outcomes = plan.rows.outcomes();
        self.journal
            .end_run(self.run, clock::now(), &outcomes, rejected)?;
        Ok(read?)
    }

    /// Takes the rows out that the original has rejected already: each is listed once, as a row of the original.
    fn take_remaining(
        &self,
        rejected: &mut Vec<Rejected>,
        cells: &BTreeMap<usize, RowCells>,
        origin: &RejectsOrigin,
    ) -> Vec<(String, Rejected)> {
        let rows = &self.job.checked.rows;
        let before: BTreeMap<RowNumber, &str> = cells
            .iter()
            .filter_map(|(index, cells)| Some((rows[*index].number, cells.origin(origin)?.1)))
            .collect();
        let mut remaining = Vec::new();
        rejected.retain(|row| match before.get(&row.row) {
            Some(cells) => {
                remaining.push(((*cells).to_owned(), row.clone()));
                false
            }
            None => true,
        });
        remaining
    }

    fn write_rejects(
        &self,
        cells: &BTreeMap<usize, RowCells>,
        course: &mut Course,
    ) -> Result<(), Failure> {
        let (job, console) = (self.job, &self.job.context.console);
        // A person may have opened and saved the rejects while the run went on.
        let place = job.rejects_place(self.journal)?;
        let origins = self.origins(cells);
        let source_rows = origins
            .iter()
            .map(|(row, (source_row, _))| (*row, *source_row));
        let written = import::write_rejects(
            job.input,
            job.checked,
            &course.rows,
            &place,
            &source_rows.collect(),
        )?;
        let gone = place.stale().iter().map(|path| absolute(path));
        let mut gone: Vec<_> = gone.collect();
        for path in place.edited() {
            let path = path.display().to_string();
            match &written {
                Some(written) => console.warn(&format!(
                    "{path} was edited since it was written, so it is kept; the rejected rows are in {}",
                    written.path.display()
                )),
                None => console.say(&format!("{path} was edited since it was written, so it is kept")),
            }
        }
        let Some(written) = written else {
            gone.push(absolute(place.path()));
            return Ok(self.journal.forget_written(gone)?);
        };
        self.journal.forget_written(gone)?;
        for note in &written.notes {
            console.warn(&format!("in the rejects, {}", note.sentence()));
        }
        if let Some(unsynced) = &written.unsynced {
            console.warn(&unsynced_folder(unsynced));
        }
        course.rejects = Some(written.path.display().to_string());
        self.remember(&written.path, cells, &origins, course)
    }

    /// The row of the original for each row of rejects that come back, with its cells there.
    fn origins(
        &self,
        cells: &BTreeMap<usize, RowCells>,
    ) -> BTreeMap<RowNumber, (RowNumber, String)> {
        let Some(origin) = &self.origin else {
            return BTreeMap::new();
        };
        let rows = &self.job.checked.rows;
        let origins = cells.iter().filter_map(|(index, cells)| {
            let (row, before) = cells.origin(origin)?;
            Some((rows[*index].number, (row, before.to_owned())))
        });
        origins.collect()
    }

    /// Remembers the rejects: what was written, which rows they are of, and how they are read. Also where nothing was
    /// sent: they may be corrected first.
    fn remember(
        &self,
        path: &std::path::Path,
        cells: &BTreeMap<usize, RowCells>,
        origins: &BTreeMap<RowNumber, (RowNumber, String)>,
        course: &Course,
    ) -> Result<(), Failure> {
        let job = self.job;
        let sha256 =
            sheet::file_sha256(path).map_err(|error| Failure::file("read", path, &error))?;
        let path = absolute(path);
        let rejected = course.rows.rejected().filter_map(|(index, _)| {
            let number = job.checked.rows[index].number;
            match (&self.origin, origins.get(&number)) {
                (Some(_), origin) => origin.cloned(),
                (None, _) => Some((number, cells.get(&index)?.json())),
            }
        });
        self.journal.record_rejects(WrittenRejects {
            path: path.clone(),
            file: WrittenFile {
                sha256,
                input: Some(job.checked.source.path.clone()),
            },
            source: self
                .origin
                .as_ref()
                .map_or(self.run.1, |origin| origin.source),
            rows: rejected.collect(),
        })?;
        Ok(self.journal.remember_reading_blocking(&RememberedReading {
            path,
            flags: job.args.reading.of_rejects().flags(),
            imported_at: clock::now(),
            headers: None,
        })?)
    }
}

fn absolute(path: &std::path::Path) -> std::path::PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
