//! Exports in a history, and what holds after each of them: whose numbers they show, and what was billed how often.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;

use gutterbatch::export::RefreshPolicy;

use super::checks::{Writer, is_expected};
use super::computer::Ending;
use super::exports::{ExportCommand, ExportKind, ExportResult};
use super::figures::is_same;
use super::loopback::{Network, TroubleKind};
use super::results::{
    SealedWorkbook, ShownAdjustment, canceled_measurements, sealed_workbook, shown_measurements,
};
use super::service::MeasurementRecord;
use super::shown_numbers::{Coverage, is_named};
use super::steps::{Fate, NEW_DOCUMENT, NEW_WORKBOOK};
use super::virtual_time;
use super::world::{Held, World, require};

impl World {
    /// Exports over one of the files, or to a new one.
    pub(super) fn export_over(&mut self, over: usize, own: Option<usize>, fate: Fate) -> Held {
        let mut names: Vec<String> = self.files().into_keys().collect();
        let own = own.map(|file| self.sheet_name(file));
        if own.is_some() {
            // The command line refuses other formats than that of the sheet.
            names.retain(|name| is_named(name, "csv"));
        }
        names.push(
            if own.is_some() {
                "results.csv"
            } else {
                "results.json"
            }
            .to_owned(),
        );
        let out = match over {
            NEW_WORKBOOK => "results.xlsx".to_owned(),
            NEW_DOCUMENT => "results.json".to_owned(),
            over => names[over % names.len()].clone(),
        };
        let kind = own.map_or(ExportKind::Everything, ExportKind::For);
        let command = ExportCommand {
            out,
            kind,
            refresh: RefreshPolicy::Auto,
        };
        self.export(&command, fate).map(drop)
    }

    /// Exports to a new file.
    pub(super) fn export_everything(&mut self) -> Held {
        let command = ExportCommand {
            out: format!("results {}.json", self.fresh()),
            kind: ExportKind::Everything,
            refresh: RefreshPolicy::Auto,
        };
        self.export(&command, Fate::default()).map(drop)
    }

    /// Exports the results of a sheet into a copy of it.
    pub(super) fn export_for_sheet(&mut self) -> Held {
        let command = ExportCommand {
            out: format!("own {}.csv", self.fresh()),
            kind: ExportKind::For(self.sheet_name(0)),
            refresh: RefreshPolicy::Never,
        };
        self.export(&command, Fate::default())?;
        self.export_for_short_row()
    }

    /// The results stand under their headers also in a row that lacks its last cells.
    fn export_for_short_row(&self) -> Held {
        let sheet = self.read(&self.sheet_name(0));
        fs::write(self.path("short.csv"), sheet.text_with_short_row()).unwrap();
        let command = ExportCommand {
            out: "short own.csv".to_owned(),
            kind: ExportKind::For("short.csv".to_owned()),
            refresh: RefreshPolicy::Never,
        };
        let Ending::Ended(_) = self.office().computer.export(&command, Fate::default()) else {
            return Ok(());
        };
        let content = fs::read(self.path(&command.out)).unwrap();
        let mut written = csv::ReaderBuilder::new();
        let mut written = written.flexible(true).from_reader(&content[..]);
        let width = written.headers().unwrap().len();
        let mut widths = written.records().map(|record| record.unwrap().len());
        require(widths.all(|of_row| of_row == width), || {
            "a short row has its results under other headers".to_owned()
        })
    }

    pub(super) fn export(
        &mut self,
        command: &ExportCommand,
        fate: Fate,
    ) -> Result<Ending<ExportResult>, String> {
        let before = self.files();
        let open = self.network().observer.open_measurements();
        self.begin(fate);
        let began = virtual_time::time();
        let ending = self.office().computer.export(command, fate);
        virtual_time::die_after(None);
        // It may have written the file of an earlier seal before.
        let is_own = |(name, content): (&String, &Vec<u8>)| {
            before.get(name) == Some(content) || *name == command.out
        };
        if matches!(ending, Ending::Died) && self.files().iter().all(is_own) {
            self.undo_rename(fate, &before);
        }
        self.network().observer.command_ended();
        let end = match &ending {
            Ending::Died => "the process dies".to_owned(),
            Ending::Unusable(reason) => reason.clone(),
            Ending::Ended(result) => format!("{result:?}"),
        };
        let requests = self.network().requests;
        let words = command.words();
        self.tell(format!("{words}{fate}: {end}; {requests} requests"));
        let changed = self.files_are_kept(&before, Writer::Export)?;
        self.nothing_forbidden_happened()?;
        if fate.is_quiet() {
            let passed = virtual_time::time().duration_since(began);
            // Not only what this command is told: a limit that was lowered before costs some seconds more.
            let most = 60 * self.network().observer.pauses_now.max(1) + 30;
            require(passed.as_secs() <= most, || {
                format!("the export waits {passed:?}")
            })?;
        }
        // What a dead process sealed came first, whatever its name.
        let unfinished = self.network().observer.journal.unfinished_seal.clone();
        self.note_unfinished_seal(&before)?;
        let mut written: Vec<_> = changed.iter().collect();
        written.sort_by_key(|(name, _)| Some(*name) != unfinished.as_ref());
        for (_, content) in written {
            self.sealed_once(content)?;
        }
        self.note_newest_seals(&changed);
        self.note_recorded_seals(&ending);
        if matches!(ending, Ending::Died) {
            self.died();
            let is_billing = matches!(command.kind, ExportKind::New { .. });
            self.network().observer.journal.unfinished_seal =
                is_billing.then(|| command.out.clone());
        }
        match &ending {
            Ending::Died => {}
            Ending::Unusable(reason) if reason == "Service" => {
                let is_expected = !fate.is_quiet() || !self.is_connected();
                require(is_expected, || "the service ended the export".to_owned())?;
                self.reconnect();
            }
            // The token that was just connected is looked up first.
            Ending::Unusable(reason) if reason == "OtherAccount" => {
                let kind = fate.trouble.map(|trouble| trouble.kind);
                require(kind == Some(TroubleKind::OtherTeam), || {
                    "the export is refused as another team's".to_owned()
                })?;
            }
            Ending::Unusable(reason) => is_expected(reason)?,
            Ending::Ended(result) => {
                if command.is_declared() {
                    self.note_recorded_adjustments();
                }
                if result.is_partial && !self.is_connected() {
                    self.reconnect();
                }
                let coverage = if fate.is_quiet() && !result.is_partial {
                    Coverage::Whole
                } else {
                    Coverage::Partial
                };
                if coverage == Coverage::Whole {
                    self.has_asked_again(command, result, &open)?;
                    if unfinished.is_none() {
                        self.all_of_its_month_are_billed(command, result)?;
                    }
                }
                if let Some(content) = changed.get(&command.out) {
                    self.is_of_its_month(command, content)?;
                    self.shows_the_right_numbers(command, content, coverage)?;
                }
            }
        }
        Ok(ending)
    }

    /// If the content is a sealed workbook that was not seen before, each of its measurements is billed for the first
    /// time.
    fn sealed_once(&mut self, content: &[u8]) -> Held {
        let Some(workbook) = sealed_workbook(content) else {
            return Ok(());
        };
        let journal = self.network().observer.journal.clone();
        if let Some(bytes) = journal.sealed.get(&workbook.number) {
            let number = workbook.number;
            return require(bytes == content, || {
                format!("sealed export {number} has changed")
            });
        }
        for adjustment in &workbook.adjustments {
            self.is_adjusted_to_what_it_was(adjustment)?;
        }
        for line in &workbook.lines {
            self.is_of_its_house(line)?;
            let id = &line.measurement;
            require(line.figures.is_some(), || {
                format!("{id} is billed without numbers")
            })?;
            require(!journal.billed.contains_key(id), || {
                format!("{id} is billed twice")
            })?;
            // By a clock that was set back, it is completed after the journal learned of it.
            let was_billed =
                self.office().billed.contains(id) && !self.network().observer.is_clock_changed;
            require(!was_billed, || {
                format!("{id} was billed from an earlier journal, and is billed again")
            })?;
        }
        self.note_seal(&workbook, content)
    }

    /// A measurement is adjusted to nothing once it is withdrawn, and else to numbers that it had.
    fn is_adjusted_to_what_it_was(&self, adjustment: &ShownAdjustment) -> Held {
        let id = &adjustment.measurement;
        let network = self.network();
        let measurement = network.service.with_id(id);
        let is_nothing = adjustment.new == [Some(0.0); 4];
        let is_right = measurement.is_some_and(|one| {
            one.had(&adjustment.new) || is_nothing && MeasurementRecord::is_canceled(one)
        });
        require(is_right, || {
            format!("{id} is adjusted to {:?}", adjustment.new)
        })
    }

    /// In a copy of a journal, the billing export that a dead process left may be finished by the other journal.
    fn note_unfinished_seal(&mut self, files: &BTreeMap<String, Vec<u8>>) -> Held {
        let mut network = self.network();
        let journal = &mut network.observer.journal;
        let unfinished = journal.unfinished_seal.take();
        let Some(content) = unfinished.and_then(|name| files.get(&name)) else {
            return Ok(());
        };
        let workbook = sealed_workbook(content);
        let unknown = workbook.filter(|workbook| !journal.sealed.contains_key(&workbook.number));
        drop(network);
        unknown.map_or(Ok(()), |workbook| self.note_seal(&workbook, content))
    }

    /// Notes the number of the newest seal that the journal knew when it wrote a workbook.
    fn note_newest_seals(&mut self, written: &BTreeMap<String, Vec<u8>>) {
        let journal = self.network().observer.journal.clone();
        let sealed = journal.sealed.last_key_value().map(|(number, _)| *number);
        let newest = sealed.unwrap_or_default().max(journal.newest_restored_seal);
        for (_, content) in written.iter().filter(|(name, _)| is_named(name, "xlsx")) {
            // A file that a dead process had sealed is written with those of later seals.
            let mut sealed = journal.sealed.iter();
            let own = sealed.find(|(_, bytes)| *bytes == content);
            let newest = own.map_or(newest, |(number, _)| *number);
            let office = self.office_mut();
            office.newest_seals.entry(content.clone()).or_insert(newest);
        }
    }

    fn note_seal(&mut self, workbook: &SealedWorkbook, content: &[u8]) -> Held {
        let newest = self.network().observer.journal.newest_restored_seal;
        require(workbook.number > newest, || {
            format!("sealed export {} comes after {newest}", workbook.number)
        })?;
        let recorded = self.recorded_adjustments();
        let network = Arc::clone(&self.network);
        let mut network = network.lock().unwrap();
        let history = &mut network.observer.journal;
        for line in &workbook.lines {
            let figures = line.figures.unwrap_or_default();
            history.billed.insert(line.measurement.clone(), figures);
            self.office_mut().billed.insert(line.measurement.clone());
        }
        for adjustment in &workbook.adjustments {
            let id = &adjustment.measurement;
            let mut recorded = recorded.iter();
            let is_twice =
                recorded.any(|earlier| earlier.measurement == *id && earlier.new == adjustment.new);
            require(!is_twice, || format!("{id} is adjusted twice"))?;
            let Some(billed) = history.billed.get_mut(id) else {
                continue;
            };
            let before = *billed;
            for (figure, old) in adjustment.old.iter().enumerate() {
                let is_right = old.is_none_or(|old| is_same(&[old], &[before[figure]]));
                require(is_right, || {
                    format!("{id} was billed with {before:?} and is adjusted from {old:?}")
                })?;
                billed[figure] = adjustment.new[figure].unwrap_or(before[figure]);
            }
        }
        history.sealed.insert(workbook.number, content.to_vec());
        drop(network);
        let seals = &mut self.office_mut().seals;
        let earlier = seals.insert(workbook.number, content.to_vec());
        require(earlier.is_none_or(|earlier| earlier == content), || {
            format!("two sealed exports have the number {}", workbook.number)
        })
    }

    /// A billing export of a month bills what was completed in it.
    fn is_of_its_month(&self, command: &ExportCommand, content: &[u8]) -> Held {
        let ExportKind::New {
            month: Some(month), ..
        } = &command.kind
        else {
            return Ok(());
        };
        for line in sealed_workbook(content)
            .into_iter()
            .flat_map(|sealed| sealed.lines)
        {
            let network = self.network();
            let billed = network.service.with_id(&line.measurement);
            let completed_at = billed.and_then(|billed| billed.completed_at);
            let completed = completed_at.map(virtual_time::month_of);
            require(completed.as_ref() == Some(month), || {
                format!("{} was completed in {completed:?}", line.measurement)
            })?;
        }
        Ok(())
    }

    pub(super) fn again(&mut self, which: usize) -> Held {
        let sealed = self.network().observer.journal.sealed.clone();
        let Some((number, bytes)) = sealed.iter().nth(which % sealed.len().max(1)) else {
            return Ok(());
        };
        let out = format!("again {}.xlsx", self.fresh());
        let before = self.files();
        let written = self.office().computer.export_again(*number, &out);
        self.tell(format!(
            "gutterbatch export '{out}' --again {number}: {written:?}"
        ));
        self.files_are_kept(&before, Writer::Export)?;
        match written {
            Ok(()) => require(fs::read(self.path(&out)).unwrap() == *bytes, || {
                format!("sealed export {number} is written with other bytes")
            }),
            Err(reason) => is_expected(&reason),
        }
    }

    pub(super) fn restore(&mut self, which: usize) -> Held {
        let files = self.files();
        let books: Vec<&String> = files.keys().filter(|name| is_named(name, "xlsx")).collect();
        let Some(name) = books.get(which % books.len().max(1)) else {
            return Ok(());
        };
        let restored = self.office().computer.restore(name);
        self.tell(format!(
            "gutterbatch import --restore '{name}': {restored:?}"
        ));
        match restored {
            Ok(()) => {
                let known = shown_measurements(&files[*name]);
                let sealed = sealed_workbook(&files[*name]);
                let lines = sealed.into_iter().flat_map(|sealed| sealed.lines);
                let billed = lines.filter_map(|line| Some((line.measurement, line.figures?)));
                let newest = self.office().newest_seals.get(&files[*name]).copied();
                let mut network = self.network();
                let Network {
                    service, observer, ..
                } = &mut *network;
                let journal = &mut observer.journal;
                let canceled = canceled_measurements(&files[*name]);
                let canceled = canceled.iter().filter_map(|id| service.with_id(id));
                let canceled = canceled.map(|one| (one.id(), one.clone()));
                journal.shown.extend(canceled);
                journal.known.extend(known.clone());
                journal.restored.extend(known.clone());
                journal.learned.extend(known);
                // What was billed or adjusted since that workbook stays so.
                let is_older = journal.sealed.keys().next_back() > newest.as_ref();
                for (id, figures) in billed {
                    if !is_older || !journal.billed.contains_key(&id) {
                        journal.billed.insert(id, figures);
                    }
                }
                let newest = newest.unwrap_or_default();
                journal.newest_restored_seal = newest.max(journal.newest_restored_seal);
                Ok(())
            }
            // A workbook of a journal that never requested anything.
            Err(reason) if reason == "NotResults" => {
                require(shown_measurements(&files[*name]).is_empty(), || {
                    format!("{name} has measurements, and is refused")
                })
            }
            Err(reason) => is_expected(&reason),
        }
    }
}
