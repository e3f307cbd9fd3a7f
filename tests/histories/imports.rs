//! Imports in a history, and what holds after each of them.

use std::collections::{BTreeMap, BTreeSet};

use gutterbatch::import::ImportOptions;
use gutterbatch::model::Outcome;
use serde_json::json;

use super::checks::{Writer, is_expected};
use super::computer::{Ending, ImportCommand, ImportResult};
use super::kept_houses::{KeptHouses, MissingIds};
use super::loopback::Network;
use super::promises::{
    decisions_are_in_the_rejects, links_and_notes_are_told, rows_of_one_id_are_invalid,
};
use super::reruns::sent_rows_are_sent_again;
use super::sheet::Sheet;
use super::steps::{Fate, ImportFlags};
use super::virtual_time;
use super::world::{Advice, Held, World, require};

/// Ends of an import that need no trouble: the quota, and a service that asked for a pause before.
const PAUSES: [&str; 2] = ["QuotaUsedUp", "RateLimited"];

/// Why an import does nothing with its rows until it has other flags.
pub(super) const STOPS: [&str; 2] = ["OtherPrefix", "UnknownRejects"];

impl World {
    pub(super) fn import_with(&mut self, file: String, flags: ImportFlags, fate: Fate) -> Held {
        let mut command = ImportCommand {
            file,
            forget_reading: flags.forget_reading,
            no_wait: flags.no_wait,
            options: ImportOptions {
                limit: flags.limit,
                ..ImportOptions::default()
            },
            ..ImportCommand::default()
        };
        let mut words = vec![format!("gutterbatch import '{}'", command.file)];
        let reading = &mut command.reading;
        let options = &mut command.options;
        if let Some(prefix) = flags.id_prefix {
            words.push(format!("--id-prefix '{prefix}'"));
            reading.insert("id-prefix".to_owned(), json!(prefix));
        }
        if flags.derive_id {
            words.push("--derive-id".to_owned());
            reading.insert("derive-id".to_owned(), json!(true));
        }
        if flags.forget_reading {
            words.push("--forget-reading".to_owned());
        }
        if let Some(limit) = flags.limit {
            words.push(format!("--limit {limit}"));
        }
        if flags.no_wait {
            words.push("--no-wait".to_owned());
        }
        if flags.retry_refused {
            words.push("--retry-refused".to_owned());
            options.retry_refused = true;
        }
        if flags.allow_same_house {
            words.push("--allow-same-house".to_owned());
            options.allow_same_house = true;
        }
        if flags.all_or_nothing {
            words.push("--all-or-nothing".to_owned());
            options.all_or_nothing = true;
        }
        self.import(command, words.join(" "), fate)
    }

    /// An import; where it comes to its end, each row is with the service or among the rejects.
    pub(super) fn import(&mut self, command: ImportCommand, words: String, fate: Fate) -> Held {
        let sheet = self.read(&command.file);
        let before = self.files();
        let reading = self.office_mut().readings.remove(&command.file);
        let finished = self.finished.take();
        self.begin(fate);
        let unanswered = self.network().observer.journal.unanswered.clone();
        self.note_wishes(&sheet, &command.options);
        let began = virtual_time::time();
        let mut ending = self.office().computer.import(&command);
        virtual_time::die_after(None);
        if self.undo_rename(fate, &before) {
            ending = Ending::Died;
        }
        self.network().observer.command_ended();
        self.advice = None;
        let requests = self.network().requests;
        let end = match &ending {
            Ending::Died => "the process dies".to_owned(),
            Ending::Unusable(reason) => reason.clone(),
            Ending::Ended(result) => {
                let outcomes = result.outcomes.iter().filter(|(_, count)| **count > 0);
                let outcomes: Vec<_> = outcomes
                    .map(|(name, count)| format!("{count} {name}"))
                    .collect();
                format!(
                    "{:?}, {}, {:?}",
                    result.ended,
                    outcomes.join(", "),
                    result.rejects
                )
            }
        };
        self.tell(format!("{words}{fate}: {end}; {requests} requests"));
        self.note_unanswered(&sheet);
        let written = self.files_are_kept(&before, Writer::Import)?;
        self.only_copies_are_kept(&command.file, &before)?;
        self.nothing_forbidden_happened()?;
        match ending {
            Ending::Died => {
                self.died();
                let mut network = self.network();
                let journal = &mut network.observer.journal;
                journal.perhaps_read(&command.file, &sheet);
                let inputs = written.into_keys().map(|name| (name, command.file.clone()));
                journal.inputs.extend(inputs);
                drop(network);
                self.remembers_reading_after_death(&command);
                self.uncertain.extend(sheet.houses());
            }
            Ending::Unusable(reason) => is_expected(&reason)?,
            Ending::Ended(result) => {
                if let Some(name) = &result.rejects {
                    let (name, file) = (name.clone(), command.file.clone());
                    self.network().observer.journal.inputs.insert(name, file);
                }
                sent_rows_are_sent_again(&sheet, &unanswered, &result)?;
                self.flags_are_obeyed(&command, &sheet, &result)?;
                rows_of_one_id_are_invalid(&sheet, &result)?;
                if command.no_wait && fate.is_quiet() {
                    let passed = virtual_time::time().duration_since(began);
                    let most = 60 * self.network().observer.pauses_now.max(1);
                    require(passed.as_secs() <= most, || "it waits".to_owned())?;
                }
                self.is_read_as_before(&command, reading, &result)?;
                self.imported(&command, &sheet, &result, fate)?;
                let content = before[&command.file].clone();
                self.is_still_settled(&command, &content, &result)?;
                self.costs_nothing_again(command, content, finished, &result)?;
            }
        }
        Ok(())
    }

    /// Houses that the person wants to be requested again, or not at all.
    fn note_wishes(&mut self, sheet: &Sheet, options: &ImportOptions) {
        let houses = sheet.houses();
        let is_skipped = |row: &usize| sheet.cell(*row, "same_house") == "skip";
        let (skipped, others): (Vec<_>, Vec<_>) = (0..houses.len()).partition(is_skipped);
        let skipped = skipped.into_iter().map(|row| houses[row].clone());
        let is_only = |house: &String| !others.iter().any(|row| houses[*row] == *house);
        self.network().observer.skipped_now = skipped.filter(is_only).collect();
        for (row, house) in houses.into_iter().enumerate() {
            match sheet.cell(row, "same_house") {
                "skip" => {
                    self.given_up.insert(house);
                }
                "send" => {
                    self.network().observer.wanted_again.insert(house);
                }
                _ if options.allow_same_house => {
                    self.network().observer.wanted_again.insert(house);
                }
                _ => {}
            }
        }
    }

    /// Notes the rows that were sent and not answered.
    fn note_unanswered(&self, sheet: &Sheet) {
        let mut network = self.network();
        let observer = &mut network.observer;
        let mut rows_of: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (row, house) in sheet.houses().into_iter().enumerate() {
            rows_of.entry(house).or_default().push(row);
        }
        for sent in std::mem::take(&mut observer.sent_now) {
            let has_id = |row: &&usize| {
                let id = sheet.cell(**row, "id");
                !id.is_empty() && sent.external_id.ends_with(id)
            };
            let rows = rows_of.get(&sent.house).into_iter().flatten();
            let mut rows = rows.filter(has_id).copied();
            let row = rows.next().filter(|_| rows.next().is_none());
            if let Some(row) = row.filter(|_| !observer.is_answered(&sent.external_id)) {
                let (id, cells) = (sent.external_id.clone(), sheet.typed(row));
                observer.journal.unanswered.insert(id, cells);
            } else {
                observer.journal.unanswered.remove(&sent.external_id);
            }
            observer.sent_now.push(sent);
        }
    }

    fn imported(
        &mut self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
        fate: Fate,
    ) -> Held {
        self.advice = match (&result.earlier_prefix, &result.rejects) {
            (Some(prefix), _) => {
                let content = sheet.text().into_bytes();
                Some(Advice::Prefix(
                    command.file.clone(),
                    prefix.clone(),
                    content,
                ))
            }
            (None, Some(rejects)) => Some(Advice::Rejects(rejects.clone())),
            (None, None) => None,
        };
        self.note_requested_rows(&command.file, sheet, result);
        self.measurements_are_of_their_houses(command, sheet, result)?;
        self.advised_prefix_is_of_most_rows(sheet, result)?;
        self.rows_are_sent_with_their_prefix(command, sheet, result)?;
        self.pending_rows_are_missed(command, sheet, result)?;
        let sum: u64 = result.outcomes.values().sum();
        require(sum == sheet.rows.len() as u64, || format!("{sum} outcomes"))?;
        if let Err(reason) = &result.ended {
            self.uncertain.extend(sheet.houses());
            if let Some(name) = &result.rejects {
                // Which rows those are was not compared.
                self.office_mut().rejected.remove(name);
            }
            let is_connected = self.is_connected();
            if reason == "Service" {
                self.reconnect();
            }
            let may_stop = fate.may_stop()
                || reason == "Service" && !is_connected
                || STOPS.contains(&reason.as_str())
                || PAUSES.contains(&reason.as_str());
            return require(may_stop, || format!("it stopped: {reason}"));
        }
        self.skipped_rows_are_requested(sheet, result)?;
        let is_limited = command.options.limit.is_some()
            || command.options.all_or_nothing && result.outcomes["invalid"] > 0;
        if result.outcomes["pending"] > 0 {
            self.uncertain.extend(sheet.houses());
            // The answers of this run may have freed rows, which the next run sends.
            let may_continue = self.network().requests > 0;
            return require(is_limited || fate.may_stop() || may_continue, || {
                "rows are pending".to_owned()
            });
        }
        let rejects = result
            .rejects
            .as_ref()
            .map_or_else(Sheet::empty, |name| self.read(name));
        let rejected: u64 = ["invalid", "refused", "conflict", "same_house"]
            .into_iter()
            .map(|outcome| result.outcomes[outcome])
            .sum();
        require(rejected == rejects.rows.len() as u64, || {
            format!(
                "{rejected} rows are rejected; rejects are\n{}",
                rejects.text()
            )
        })?;
        decisions_are_in_the_rejects(sheet, &rejects)?;
        self.rejects_are_of_the_sheet(command, sheet, &rejects, result)?;
        self.corrected_rows_are_known(command, sheet, result)?;
        self.decisions_stay(sheet, result)?;
        let requested: BTreeSet<String> = self.requested().into_keys().collect();
        let withdrawn = self.withdrawn_of(&requested);
        let perhaps_requested = self.network().observer.journal.perhaps_requested();
        let houses = KeptHouses {
            requested: &requested,
            withdrawn: &withdrawn,
            perhaps_requested: &perhaps_requested,
            given_up: &self.given_up,
            missing_ids: if result.reading.contains_key("derive-id") {
                MissingIds::Derived
            } else {
                MissingIds::Invalid
            },
        };
        houses.hold_all_rows(sheet, &rejects)
    }

    /// A row that counts as requested has a measurement under its id, of its own house.
    fn measurements_are_of_their_houses(
        &mut self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let knows_table = self.knows_table(&command.file);
        let mut corrected = Vec::new();
        let mut network = self.network();
        let Network {
            service, observer, ..
        } = &mut *network;
        for (row, (outcome, id)) in result.rows.iter().enumerate() {
            let is_requested = matches!(
                outcome,
                Outcome::Created | Outcome::Existing | Outcome::Known
            );
            let house = sheet.house(row);
            if *outcome == Outcome::Conflict {
                let mut sent = observer.sent_now.iter().rev();
                let sent = sent.find(|sent| Some(&sent.external_id) == id.as_ref());
                let sent = sent.map(|sent| (sent.external_id.clone(), sent.body.clone()));
                observer.journal.conflicts.extend(sent);
            }
            let measurement = id.as_deref().and_then(|id| service.with_external_id(id));
            let is_deceived =
                measurement.is_some_and(|one| observer.deceived_now.contains(&one.id()));
            require(!is_requested || !is_deceived, || {
                format!("{house} is {outcome:?} although its answer was of another house")
            })?;
            // A row may have been corrected in the rejects to be another house's.
            if observer.journal.deceived.contains(&house) || self.given_up.contains(&house) {
                continue;
            }
            if let Some(measurement) = measurement.filter(|_| *outcome == Outcome::Conflict) {
                let town = sheet.cell(row, "postal_code").get(..5);
                let is_elsewhere = town != measurement.postal_code().get(..5);
                let is_same = measurement.house == house && !observer.renumbered.contains(&house);
                require(!is_same || is_elsewhere, || {
                    format!("{house} is in conflict with itself")
                })?;
                // The journal was told of that house, which perhaps an earlier version of the row was sent for.
                observer.journal.told_of(measurement);
                let sent = (id.clone().unwrap_or_default(), measurement.house.clone());
                if observer.journal.sent_houses.contains(&sent) {
                    observer.journal.learned.insert(measurement.id());
                }
            }
            if *outcome == Outcome::Refused {
                let refused = id.as_ref().and_then(|id| observer.journal.refused.get(id));
                let is_refused = refused.is_some_and(|name| name == sheet.cell(row, "name"));
                require(is_refused, || {
                    format!("the service never refused {house} as it is")
                })?;
            }
            if !is_requested {
                continue;
            }
            let Some(measurement) = measurement else {
                return Err(format!(
                    "{house} is {outcome:?}, and the service has no {id:?}"
                ));
            };
            observer.journal.learned.insert(measurement.id());
            // The person corrected it in rejects of a lost journal, with its id and customer.
            let is_corrected = !knows_table
                && result.corrected.contains(&row)
                && measurement.customer_text("name") == sheet.cell(row, "name");
            if measurement.house != house && is_corrected {
                corrected.push(house);
                continue;
            }
            require(measurement.house == house, || {
                format!(
                    "{house} is {outcome:?} with the measurement of {}",
                    measurement.house
                )
            })?;
            let is_unknown = observer.journal.restored.contains(&measurement.id());
            let units = [measurement.unit(), sheet.cell(row, "line2")];
            let is_same = units[0] == units[1] || units.contains(&"");
            let is_told = ["line1", "line2"]
                .iter()
                .any(|name| result.tells_edit_of(row, name));
            require(is_same || is_told, || {
                format!("nobody is told that the unit of {house} was {}", units[0])
            })?;
            for name in ["name", "email", "phone"] {
                let text = sheet.cell(row, name);
                let sent = (measurement.id(), name, text.to_owned());
                let was_told =
                    *outcome == Outcome::Known && observer.journal.sent_texts.contains(&sent);
                let is_same = measurement.customer_text(name) == text;
                // A workbook has neither email nor phone.
                let is_unknown = is_unknown && name != "name";
                let is_told = result.tells_edit_of(row, name);
                require(is_same || is_told || was_told || is_unknown, || {
                    format!("nobody is told that the {name} of {house} was edited")
                })?;
            }
            if !is_unknown {
                links_and_notes_are_told(sheet, row, measurement, result)?;
            }
        }
        drop(network);
        self.given_up.extend(corrected);
        Ok(())
    }

    /// Those of the houses whose measurements are all withdrawn, as far as the journal knows.
    fn withdrawn_of(&self, houses: &BTreeSet<String>) -> BTreeSet<String> {
        let network = self.network();
        let is_withdrawn = |house: &&String| network.observer.is_withdrawn(house, &network.service);
        houses.iter().filter(is_withdrawn).cloned().collect()
    }

    /// How many measurements the service has for each house.
    fn requested(&self) -> BTreeMap<String, usize> {
        let mut requested = BTreeMap::new();
        for measurement in &self.network().service.measurements {
            *requested.entry(measurement.house.clone()).or_default() += 1;
        }
        requested
    }

    pub(super) fn reconnect(&mut self) {
        let token = self.network().service.new_token();
        self.office_mut().computer.token = token;
        self.tell("gutterbatch connect");
    }
}
