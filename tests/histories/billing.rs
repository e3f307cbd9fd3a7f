//! Exports in a history, and what holds after each of them: whose numbers they show, and what was billed how often.

use std::collections::BTreeSet;
use std::fs;
use std::sync::Arc;
use std::time::Duration;

use gutterbatch::export::RefreshPolicy;

use super::computer::Ending;
use super::exports::{BilledUntil, ExportCommand, ExportKind, ExportResult};
use super::results::{ResultLine, json_lines, sealed_workbook, shown_measurements};
use super::service::house_of;
use super::sheet::Sheet;
use super::steps::Fate;
use super::virtual_time::{self, time};
use super::world::{Held, World, require};

impl World {
    /// Exports over one of the files, or to a new one.
    pub(super) fn export_over(&mut self, over: usize, own: Option<usize>, fate: Fate) -> Held {
        let mut names: Vec<String> = self.files().into_keys().collect();
        let own = own.map(|file| self.sheet_name(file));
        names.push(
            if own.is_some() {
                "results.csv"
            } else {
                "results.json"
            }
            .to_owned(),
        );
        let out = names[over % names.len()].clone();
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

    /// `export --new`. Where the program asks what was billed elsewhere, the person answers truthfully.
    pub(super) fn seal(&mut self, of_month: bool, fate: Fate) -> Held {
        let fresh = self.fresh();
        let last_month = time() - Duration::from_secs(30 * 24 * 3600);
        let mut command = ExportCommand {
            out: format!("billing {fresh}.xlsx"),
            kind: ExportKind::New {
                month: of_month.then(|| last_month.strftime("%Y-%m").to_string()),
                billed_until: None,
            },
            refresh: if fresh % 2 == 0 {
                RefreshPolicy::Auto
            } else {
                RefreshPolicy::All
            },
        };
        let ended = self.export(&command, fate)?;
        if let Ending::Unusable(reason) = ended
            && matches!(reason.as_str(), "Undeclared" | "MissingSeals")
        {
            self.declare(&mut command);
            self.export(&command, Fate::default())?;
        }
        Ok(())
    }

    /// Adds what the person knows of earlier bills.
    fn declare(&mut self, command: &mut ExportCommand) {
        let has_billed = !self.office().billed.is_empty();
        let now = time();
        let until = now + Duration::from_secs(24 * 3600);
        let answer = if has_billed {
            BilledUntil::Before(until)
        } else {
            BilledUntil::Never
        };
        if has_billed {
            let mut network = self.network();
            let complete = network
                .service
                .measurements
                .iter()
                .filter(|one| one.completed_at.is_some());
            let ids: Vec<String> = complete
                .map(super::service::MeasurementRecord::id)
                .collect();
            network.observer.journal.declared.extend(ids);
        }
        if let ExportKind::New { billed_until, .. } = &mut command.kind {
            *billed_until = Some(answer);
        }
    }

    fn export(
        &mut self,
        command: &ExportCommand,
        fate: Fate,
    ) -> Result<Ending<ExportResult>, String> {
        let before = self.files();
        self.network().begin(fate.trouble);
        virtual_time::die_after(fate.dies_after);
        let ending = self.office().computer.export(command);
        virtual_time::die_after(None);
        let fated = if fate.is_quiet() {
            String::new()
        } else {
            format!(" ({fate:?})")
        };
        let end = match &ending {
            Ending::Died => "the process dies".to_owned(),
            Ending::Unusable(reason) => reason.clone(),
            Ending::Ended(result) => format!("{result:?}"),
        };
        let requests = self.network().requests;
        let words = format!(
            "gutterbatch export '{}' {:?} --refresh {:?}",
            command.out, command.kind, command.refresh
        );
        self.tell(format!("{words}{fated}: {end}; {requests} requests"));
        let changed = self.files_are_kept(&before, true)?;
        self.nothing_forbidden_happened()?;
        for content in changed.values() {
            self.sealed_once(content)?;
        }
        match &ending {
            Ending::Died => {}
            Ending::Unusable(reason) if reason == "Refresh" => self.reconnect(),
            Ending::Unusable(reason) => self.is_expected(reason)?,
            Ending::Ended(result) => {
                if result.is_partial && !self.is_connected() {
                    self.reconnect();
                }
                if let Some(content) = changed.get(&command.out) {
                    self.shows_the_right_numbers(
                        command,
                        content,
                        fate.is_quiet() && !result.is_partial,
                    )?;
                }
            }
        }
        Ok(ending)
    }

    fn shows_the_right_numbers(
        &self,
        command: &ExportCommand,
        content: &[u8],
        is_whole: bool,
    ) -> Held {
        match &command.kind {
            ExportKind::Everything if command.out.ends_with(".json") => {
                let lines = json_lines(content);
                let ids: BTreeSet<&str> =
                    lines.iter().map(|line| line.measurement.as_str()).collect();
                require(ids.len() == lines.len(), || {
                    "a measurement has two lines".to_owned()
                })?;
                for line in &lines {
                    self.is_of_its_house(line)?;
                }
                if is_whole {
                    self.every_result_is_there(&lines)?;
                }
                Ok(())
            }
            ExportKind::For(_) => self.rows_have_their_numbers(&Sheet::parse(content)),
            ExportKind::Everything | ExportKind::New { .. } => Ok(()),
        }
    }

    /// The gutter length of a line is one that the service showed for this measurement.
    fn is_of_its_house(&self, line: &ResultLine) -> Held {
        let network = self.network();
        let mut all = network.service.measurements.iter();
        let Some(measurement) = all.find(|one| one.id() == line.measurement) else {
            return Err(format!("there is no {}", line.measurement));
        };
        let Some(length) = line.gutter_length else {
            return Ok(());
        };
        let is_right =
            house_of(length) == measurement.house && length <= measurement.gutter_length();
        require(is_right, || {
            format!(
                "{} of {} has the gutter length {length}",
                line.measurement, measurement.house
            )
        })
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
            let is_known = network.observer.journal.learned.contains(&id)
                && !network.observer.deceived.contains(&measurement.house);
            let has_numbers = lines
                .iter()
                .any(|line| line.measurement == id && line.gutter_length.is_some());
            require(!is_known || has_numbers, || {
                format!("{id} of {} has no numbers", measurement.house)
            })?;
        }
        Ok(())
    }

    /// No row of the user's sheet has the numbers of another house.
    fn rows_have_their_numbers(&self, sheet: &Sheet) -> Held {
        for row in 0..sheet.rows.len() {
            let length = sheet.cell(row, "Gutter length (ft)");
            let Ok(length) = length.parse::<f64>() else {
                continue;
            };
            let house = sheet.house(row);
            let is_right = house_of(length) == house || self.given_up.contains(&house);
            require(is_right, || {
                format!("the row of {house} has the gutter length {length}")
            })?;
        }
        Ok(())
    }

    /// If the content is a sealed workbook that was not seen before, each of its measurements is billed for the first time.
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
        for line in &workbook.lines {
            self.is_of_its_house(line)?;
            let id = &line.measurement;
            require(line.gutter_length.is_some(), || {
                format!("{id} is billed without numbers")
            })?;
            require(!journal.billed.contains_key(id), || {
                format!("{id} is billed twice")
            })?;
            require(!self.office().billed.contains(id), || {
                format!("{id} was billed from an earlier journal, and is billed again")
            })?;
        }
        let network = Arc::clone(&self.network);
        let mut network = network.lock().unwrap();
        let history = &mut network.observer.journal;
        for line in &workbook.lines {
            let length = line.gutter_length.unwrap_or_default();
            history.billed.insert(line.measurement.clone(), length);
            self.office_mut().billed.insert(line.measurement.clone());
        }
        for adjustment in &workbook.adjustments {
            let id = &adjustment.measurement;
            let old = history.billed.insert(id.clone(), adjustment.new);
            require(old.is_none_or(|old| old == adjustment.old), || {
                format!(
                    "{id} was billed with {old:?} and is adjusted from {}",
                    adjustment.old
                )
            })?;
        }
        history.sealed.insert(workbook.number, content.to_vec());
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
        self.files_are_kept(&before, true)?;
        match written {
            Ok(()) => require(fs::read(self.path(&out)).unwrap() == *bytes, || {
                format!("sealed export {number} is written with other bytes")
            }),
            Err(reason) => self.is_expected(&reason),
        }
    }

    pub(super) fn restore(&mut self, which: usize) -> Held {
        let files = self.files();
        let books: Vec<&String> = files
            .keys()
            .filter(|name| name.ends_with(".xlsx"))
            .collect();
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
                let mut network = self.network();
                network.observer.journal.known.extend(known.clone());
                network.observer.journal.learned.extend(known);
                Ok(())
            }
            Err(reason) => self.is_expected(&reason),
        }
    }

    /// In the end everything is complete and billed.
    pub(super) fn bill_everything(&mut self) -> Held {
        self.month();
        for _ in 0..8 {
            let mut command = ExportCommand {
                out: format!("billing {}.xlsx", self.fresh()),
                kind: ExportKind::New {
                    month: None,
                    billed_until: None,
                },
                refresh: RefreshPolicy::All,
            };
            let mut ending = self.export(&command, Fate::default())?;
            if let Ending::Unusable(reason) = &ending
                && matches!(reason.as_str(), "Undeclared" | "MissingSeals")
            {
                self.declare(&mut command);
                ending = self.export(&command, Fate::default())?;
            }
            match ending {
                Ending::Unusable(reason) if reason == "NothingImported" => return Ok(()),
                Ending::Ended(result) if !result.is_partial => return self.each_is_billed_once(),
                _ => {}
            }
            virtual_time::pass(Duration::from_secs(3 * 3600));
        }
        Err("the billing comes to no end".to_owned())
    }

    /// Every completed measurement of the journal is billed with its present numbers, except where the person said that
    /// it was billed elsewhere.
    fn each_is_billed_once(&self) -> Held {
        let network = self.network();
        let journal = &network.observer.journal;
        for measurement in network
            .service
            .measurements
            .iter()
            .filter(|one| one.is_complete())
        {
            let id = measurement.id();
            let is_known = journal.learned.contains(&id)
                && !network.observer.deceived.contains(&measurement.house);
            let is_elsewhere = journal.declared.contains(&id) || self.office().billed.contains(&id);
            match journal.billed.get(&id) {
                None => require(!is_known || is_elsewhere, || {
                    format!("{id} of {} is complete and never billed", measurement.house)
                })?,
                Some(length) => require(*length == measurement.gutter_length(), || {
                    format!(
                        "{id} is billed with {length}, and has {}",
                        measurement.gutter_length()
                    )
                })?,
            }
        }
        Ok(())
    }
}
