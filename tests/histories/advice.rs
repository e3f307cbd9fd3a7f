//! What an import advises, done word for word.

use serde_json::json;

use super::computer::ImportCommand;
use super::steps::{Fate, ImportFlags};
use super::world::{Advice, Held, World, require};

impl World {
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
        if is_as_it_was && self.path(&file).is_file() {
            // The flag is remembered.
            self.import_with(file, ImportFlags::default(), Fate::default())?;
        }
        let is_advised_again = matches!(self.advice, Some(Advice::Prefix(..)));
        require(!is_as_it_was || !is_advised_again, || {
            "the advised prefix is not the right one".to_owned()
        })
    }
}
