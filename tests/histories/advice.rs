//! What an import advises, done word for word.

use gutterbatch::model::Outcome;
use serde_json::json;

use super::computer::{ImportCommand, ImportResult};
use super::sheet::Sheet;
use super::steps::{Fate, ImportFlags};
use super::world::{Advice, Held, World, require};

impl World {
    /// With the advised prefix, most rows that are held have the ids under which their houses were requested.
    pub(super) fn advised_prefix_is_of_most_rows(
        &self,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let Some(prefix) = &result.earlier_prefix else {
            return Ok(());
        };
        let own = result.reading.get("id-prefix");
        let own = own.and_then(|own| own.as_str()).unwrap_or_default();
        let network = self.network();
        let (mut of_prefix, mut others) = (0, Vec::new());
        for (row, (outcome, id)) in result.rows.iter().enumerate() {
            let of_corrected = id.as_deref().filter(|_| result.corrected.contains(&row));
            let of_corrected = of_corrected.and_then(|id| id.strip_prefix(prefix.as_str()));
            let is_of_row = |bare: &str| bare == sheet.cell(row, "id") || bare.starts_with("gb-");
            if of_corrected.is_some_and(is_of_row) {
                of_prefix += 1;
                continue;
            }
            let bare = id.as_deref().and_then(|id| id.strip_prefix(own));
            let is_held = [Outcome::SameHouse, Outcome::Conflict].contains(outcome);
            let Some(bare) = bare.filter(|_| is_held) else {
                continue;
            };
            let (earlier, house) = (format!("{prefix}{bare}"), sheet.house(row));
            let measurement = network.service.with_external_id(&earlier);
            let is_measured = measurement.is_some_and(|measurement| measurement.house == house);
            let sent = (earlier, house);
            // A derived id is another one where a unit moved to another cell.
            let is_of_house = |(id, of): &(String, String)| {
                let derived = id.strip_prefix(prefix.as_str());
                *of == sent.1 && derived.is_some_and(|derived| derived.starts_with("gb-"))
            };
            let attempted = &network.observer.journal.attempted;
            let is_sent = attempted.contains(&sent)
                || bare.starts_with("gb-") && attempted.iter().any(is_of_house);
            // A process may have died after it recorded a request, and before that left.
            let is_uncertain = self.uncertain.contains(&sent.1);
            if is_measured || is_sent || is_uncertain {
                of_prefix += 1;
            } else if *outcome == Outcome::SameHouse {
                others.push(format!("{} was never {}", sent.1, sent.0));
            }
        }
        require(of_prefix > others.len() || others.is_empty(), || {
            format!("{prefix} is advised, and {}", others.join(", "))
        })
    }

    /// No new row is sent without the prefix under which most other rows of its sheet were requested, unless the person
    /// types one. Rows that were corrected in rejects count too.
    pub(super) fn rows_are_sent_with_their_prefix(
        &self,
        command: &ImportCommand,
        sheet: &Sheet,
        result: &ImportResult,
    ) -> Held {
        let network = self.network();
        let journal = &network.observer.journal;
        let rows = || result.rows.iter().map(|(outcome, _)| *outcome).enumerate();
        // These have shown that the present prefix is right.
        let is_accepted = |(row, outcome): (usize, Outcome)| {
            let is_own = [Outcome::Known, Outcome::Existing, Outcome::Refused].contains(&outcome);
            is_own && !result.corrected.contains(&row)
        };
        let sent = &network.observer.sent_now;
        let has_begun = sent
            .iter()
            .any(|sent| sent.is_repeated || journal.begun.contains(&sent.house));
        let is_typed = command.reading.contains_key("id-prefix");
        if is_typed || sheet.is_rejects() || has_begun || rows().any(is_accepted) {
            return Ok(());
        }
        let own = result.reading.get("id-prefix");
        let own = own.and_then(|own| own.as_str()).unwrap_or_default();
        let is_left = |row: usize, outcome: Outcome| {
            let is_held = [Outcome::SameHouse, Outcome::Conflict].contains(&outcome);
            is_held || result.corrected.contains(&row)
        };
        let left = rows().filter(|(row, outcome)| is_left(*row, *outcome));
        let left: Vec<usize> = left.map(|(row, _)| row).collect();
        let has_prefix = |row: usize, prefix: &str| {
            let (id, house) = (sheet.cell(row, "id"), sheet.house(row));
            let earlier = network.service.with_external_id(&format!("{prefix}{id}"));
            // Which of several requests counts depends on their order.
            let is_only = network.service.of_house(&house).count() == 1;
            let is_of_house = |id: &str| journal.learned.contains(id);
            !id.is_empty()
                && is_only
                && earlier.is_some_and(|one| one.house == house && is_of_house(&one.id()))
        };
        let others = ["acme-", "b-", ""]
            .into_iter()
            .filter(|prefix| *prefix != own);
        for prefix in others {
            let count = left.iter().filter(|row| has_prefix(**row, prefix)).count();
            let are_most = count >= 2 && count * 2 > left.len();
            require(!are_most || sent.is_empty(), || {
                let house = &sent[0].house;
                format!(
                    "{house} is sent as {}, and {count} rows were with {prefix:?}",
                    sent[0].external_id
                )
            })?;
        }
        Ok(())
    }

    pub(super) fn follow_advice(&mut self) -> Held {
        let Some(advice) = self.advice.take() else {
            return Ok(());
        };
        let (file, prefix, content) = match advice {
            Advice::Prefix(file, prefix, content) => (file, Some(prefix), Some(content)),
            Advice::Rejects(file) => (file, None, None),
        };
        if !self.path(&file).is_file() {
            return Ok(());
        }
        let is_as_it_was = content == Some(self.read(&file).text().into_bytes());
        let mut command = ImportCommand {
            file,
            ..ImportCommand::default()
        };
        let flags = prefix
            .as_ref()
            .map(|prefix| format!(" --id-prefix '{prefix}'"));
        let flags = flags.unwrap_or_default();
        let words = format!("gutterbatch import '{}'{flags}", command.file);
        if let Some(prefix) = prefix {
            command
                .reading
                .insert("id-prefix".to_owned(), json!(prefix));
        }
        self.tell("as advised:");
        let file = command.file.clone();
        self.import(command, words, Fate::default())?;
        if !is_as_it_was {
            return Ok(());
        }
        self.advises_no_other_prefix()?;
        // Unless a row is another house than before, the flag is remembered.
        if self.office().readings.contains_key(&file) && self.path(&file).is_file() {
            self.import_with(file, ImportFlags::default(), Fate::default())?;
        }
        self.advises_no_other_prefix()
    }

    fn advises_no_other_prefix(&self) -> Held {
        let is_advised_again = matches!(self.advice, Some(Advice::Prefix(..)));
        require(!is_advised_again, || {
            "the advised prefix is not the right one".to_owned()
        })
    }
}
