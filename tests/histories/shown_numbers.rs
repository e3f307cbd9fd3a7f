//! Whose numbers an export shows.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use gutterbatch::export::RefreshPolicy;
use gutterbatch::journal::FlagsByName;
use gutterbatch::model::Outcome;

use super::computer::{ImportCommand, ImportResult};
use super::exports::{ExportCommand, ExportKind, ExportResult};
use super::figures::FIGURES;
use super::results::{ResultLine, json_lines, sealed_workbook};
use super::sheet::Sheet;
use super::world::{Held, World, require};

/// The rows of an import that are with the service.
#[derive(Clone, Debug)]
pub(super) struct RequestedRows {
    /// The flags with which they were read.
    reading: FlagsByName,
    /// The external ids by the cells of the rows.
    ids: BTreeMap<Vec<String>, String>,
}

impl RequestedRows {
    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }
}

/// Whether every measurement was requested again before an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    Whole,
    Partial,
}

impl World {
    /// Each line of an export has the numbers of its own house, and none lacks numbers that the journal knows.
    pub(super) fn shows_the_right_numbers(
        &self,
        command: &ExportCommand,
        content: &[u8],
        coverage: Coverage,
    ) -> Held {
        match &command.kind {
            ExportKind::Everything if is_named(&command.out, "json") => {
                let lines = json_lines(content);
                let ids: BTreeSet<&str> =
                    lines.iter().map(|line| line.measurement.as_str()).collect();
                require(ids.len() == lines.len(), || {
                    "a measurement has two lines".to_owned()
                })?;
                for line in &lines {
                    self.is_of_its_house(line)?;
                    self.is_newest(line)?;
                }
                if coverage == Coverage::Whole {
                    self.every_result_is_there(&lines)?;
                }
                Ok(())
            }
            ExportKind::For(file) => {
                let shown = Sheet::parse(content);
                if *file != command.out {
                    let sheet = self.read(file);
                    let typed =
                        |sheet: &Sheet| (0..sheet.rows.len()).map(|row| sheet.typed(row)).collect();
                    let (before, after): (Vec<_>, Vec<_>) = (typed(&sheet), typed(&shown));
                    require(before == after, || {
                        format!("{} has other rows than {file}", command.out)
                    })?;
                }
                self.rows_have_their_numbers(&shown)?;
                self.no_row_lacks_its_numbers(file, &shown)
            }
            // What was sealed by a process that died keeps its numbers.
            ExportKind::New { .. } if self.network().requests > 0 => {
                let seal = sealed_workbook(content).into_iter();
                seal.flat_map(|seal| seal.lines)
                    .try_for_each(|line| self.is_newest(&line))
            }
            ExportKind::Everything | ExportKind::New { .. } => Ok(()),
        }
    }

    /// Each measurement that was not final before an export was requested again. One that only writes a file which was
    /// sealed before makes no request.
    pub(super) fn has_asked_again(
        &self,
        command: &ExportCommand,
        result: &ExportResult,
        open: &BTreeSet<String>,
    ) -> Held {
        let network = self.network();
        let is_delivery = result.sealed.is_some() && network.requests == 0;
        let is_of_all = !matches!(command.kind, ExportKind::For(_));
        let is_meant = command.refresh != RefreshPolicy::Never && is_of_all && !is_delivery;
        let mut missing = open.difference(&network.observer.shown_now);
        match missing.next().filter(|_| is_meant) {
            Some(id) => Err(format!("{id} is not final, and is not requested again")),
            None => Ok(()),
        }
    }

    /// The figures of a line are those that the service once showed for this measurement.
    pub(super) fn is_of_its_house(&self, line: &ResultLine) -> Held {
        let network = self.network();
        let Some(measurement) = network.service.with_id(&line.measurement) else {
            return Err(format!("there is no {}", line.measurement));
        };
        let Some(figures) = line.figures else {
            return Ok(());
        };
        require(measurement.had(&figures.map(Some)), || {
            format!(
                "{} of {} has the figures {figures:?}",
                line.measurement, measurement.house
            )
        })
    }

    /// The figures of a line are the last ones that the service showed.
    fn is_newest(&self, line: &ResultLine) -> Held {
        let id = &line.measurement;
        let shown = self.network().observer.journal.figures.get(id).copied();
        let is_newest = shown.is_none_or(|shown| line.figures == Some(shown));
        let is_in_conflict = line.figures.is_none() && self.may_be_of_a_conflict(line);
        require(is_newest || is_in_conflict, || {
            format!(
                "{} was shown with {shown:?}, and is exported with {:?}",
                line.measurement, line.figures
            )
        })
    }

    /// Whether the answer of the service may have been lost for a row that has the id of this measurement and another
    /// house: then the row may have created it.
    fn may_be_of_a_conflict(&self, line: &ResultLine) -> bool {
        let network = self.network();
        let journal = &network.observer.journal;
        let measurement = network.service.with_id(&line.measurement);
        let id = measurement.and_then(|one| one.external_id.as_ref());
        let mut created = journal.perhaps_created();
        // A row that was begun may have been sent by a later run in place of another one, whose result tells nothing.
        let is_told = journal.sent_before.contains_key(&line.measurement);
        let attempted = journal.attempted.iter();
        let mut begun = attempted.filter(|(_, house)| is_told && journal.begun.contains(house));
        id.is_some_and(|id| {
            created.any(|(created, _)| created == id) || begun.any(|one| one.0 == *id)
        }) && !journal.learned.contains(&line.measurement)
    }

    /// Every completed measurement that the journal knows has numbers.
    fn every_result_is_there(&self, lines: &[ResultLine]) -> Held {
        let network = self.network();
        let complete = network
            .service
            .measurements
            .iter()
            .filter(|one| one.is_complete());
        for measurement in complete {
            let id = measurement.id();
            let journal = &network.observer.journal;
            let is_known = journal.learned.contains(&id)
                && !journal.deceived.contains(&measurement.house)
                || journal.created_as_others.contains(&id);
            let has_numbers = lines
                .iter()
                .any(|line| line.measurement == id && line.figures.is_some());
            require(!is_known || has_numbers, || {
                format!("{id} of {} has no numbers", measurement.house)
            })?;
        }
        Ok(())
    }

    /// Notes the rows of an import that are with the service.
    pub(super) fn note_requested_rows(&self, file: &str, sheet: &Sheet, result: &ImportResult) {
        let mut ids = BTreeMap::new();
        let mut seen = BTreeSet::new();
        for (row, (outcome, id)) in result.rows.iter().enumerate() {
            let cells = sheet.typed(row);
            let is_requested = matches!(
                outcome,
                Outcome::Created | Outcome::Existing | Outcome::Known
            );
            // Of a row that is there twice, one may be skipped.
            if !seen.insert(cells.clone()) {
                ids.remove(&cells);
            } else if let Some(id) = id.clone().filter(|_| is_requested) {
                ids.insert(cells, id);
            }
        }
        let reading = result.reading.clone();
        let rows = RequestedRows { reading, ids };
        let requested = &mut self.network().observer.journal.requested_rows;
        requested.insert(file.to_owned(), rows);
    }

    /// A row that is with the service has the numbers of its measurement once the journal knows that it is complete.
    fn no_row_lacks_its_numbers(&self, file: &str, shown: &Sheet) -> Held {
        let command = ImportCommand {
            file: file.to_owned(),
            ..ImportCommand::default()
        };
        let reading = self.office().computer.recalled(&command);
        let network = self.network();
        let journal = &network.observer.journal;
        let requested = journal.requested_rows.get(file);
        let Some(requested) = requested.filter(|rows| rows.reading == reading) else {
            return Ok(());
        };
        for row in 0..shown.rows.len() {
            let id = requested.ids.get(&shown.typed(row));
            let measurement = id.and_then(|id| network.service.with_external_id(id));
            let known = measurement.and_then(|one| journal.shown.get(&one.id()));
            let Some(known) = known.filter(|known| known.is_complete()) else {
                continue;
            };
            // Of two versions of a row, both of which were imported by themselves, one has the numbers.
            let id = shown.cell(row, "id");
            let is_version =
                |other: &usize| *other == row || !id.is_empty() && shown.cell(*other, "id") == id;
            let versions: Vec<usize> = (0..shown.rows.len()).filter(is_version).collect();
            // One that was edited since is not told from the row that was submitted.
            let is_imported = |version: &usize| requested.ids.contains_key(&shown.typed(*version));
            if !versions.iter().all(is_imported) {
                continue;
            }
            let lacking = FIGURES.iter().find(|header| {
                let mut versions = versions.iter();
                versions.all(|version| shown.cell(*version, header).is_empty())
            });
            require(lacking.is_none(), || {
                format!("{} is complete, and {file} has no {lacking:?}", known.id())
            })?;
        }
        Ok(())
    }

    /// No row of the user's sheet has the numbers of another house.
    fn rows_have_their_numbers(&self, sheet: &Sheet) -> Held {
        let network = self.network();
        for row in 0..sheet.rows.len() {
            let figures = FIGURES.map(|header| sheet.cell(row, header).parse::<f64>().ok());
            if figures.iter().all(Option::is_none) {
                continue;
            }
            let house = sheet.house(row);
            let mut of_house = network.service.of_house(&house);
            let is_right = of_house.any(|one| one.had(&figures)) || self.given_up.contains(&house);
            require(is_right, || {
                format!("the row of {house} has the figures {figures:?}")
            })?;
        }
        Ok(())
    }
}

pub(super) fn is_named(file: &str, extension: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|found| found == extension)
}
