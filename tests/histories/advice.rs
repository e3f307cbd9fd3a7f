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
