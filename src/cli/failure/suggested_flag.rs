//! Reading flags that a command lacks, for hints that are whole commands.

use crate::cli::shell;
use crate::model::Field;

/// A flag that the command needs, or needs with another value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) struct SuggestedFlag {
    name: &'static str,
    /// None for a flag without a value.
    value: Option<String>,
}

impl SuggestedFlag {
    pub(in crate::cli) fn new(name: &'static str, value: &str) -> Self {
        let value = Some(value.to_owned());
        Self { name, value }
    }

    pub(super) fn derive_id() -> Self {
        let name = "--derive-id";
        Self { name, value: None }
    }

    pub(super) fn map(field: Field, header: &str) -> Self {
        Self::new("--map", &format!("{field}={header}"))
    }

    /// Whether this flag takes the place of a given one.
    fn replaces(&self, name: &str, value: &str) -> bool {
        let own = self.value.as_deref();
        own.is_some_and(|own| subject(self.name, own) == subject(name, value))
    }
}

/// What a flag is about: the field of `--map`, `--id-column` and `--address`, otherwise the flag itself.
fn subject<'a>(name: &'a str, value: &'a str) -> &'a str {
    match name {
        "--map" => value.split('=').next().unwrap_or_default().trim(),
        "--id-column" => Field::Id.name(),
        "--address" => Field::Address.name(),
        name => name,
    }
}

/// The command of these words, with the flags added or in the place of those that it has.
pub(in crate::cli) fn command_with(words: &[String], flags: &[SuggestedFlag]) -> String {
    let mut line: Vec<&str> = Vec::new();
    let mut rest = words;
    while let [word, after @ ..] = rest {
        let (name, value, after_value) = match (word.split_once('='), after) {
            (Some((name, value)), _) => (name, value, after),
            (None, [value, after_value @ ..]) => (word.as_str(), value.as_str(), after_value),
            (None, []) => (word.as_str(), "", after),
        };
        if flags.iter().any(|flag| flag.replaces(name, value)) {
            rest = after_value;
        } else {
            line.push(word);
            rest = after;
        }
    }
    let line: Vec<String> = line.into_iter().map(str::to_owned).collect();
    let added = flags.iter().flat_map(|SuggestedFlag { name, value }| {
        let words = match value {
            Some(value) if value.starts_with('-') => [Some(format!("{name}={value}")), None],
            value => [Some((*name).to_owned()), value.clone()],
        };
        words.into_iter().flatten()
    });
    shell::command(shell::with_words(&line, added))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_keeps_its_flags_but_those_that_are_replaced() {
        let words = [
            "check",
            "a b.csv",
            "--map",
            "line1=Stret",
            "--map=city=Town",
            "--derive-id",
        ];
        let flags = [
            SuggestedFlag::map(Field::Line1, "Street"),
            SuggestedFlag::new("--address", "Home"),
        ];
        assert_eq!(
            command_with(&words.map(str::to_owned), &flags),
            "gutterbatch check 'a b.csv' --map=city=Town --derive-id --map line1=Street --address Home"
        );
        let words = ["check", "a.csv", "--map", "id=Kye", "--address", "Hme"];
        let flags = [
            SuggestedFlag::new("--id-column", "Key"),
            SuggestedFlag::new("--address", "Home"),
        ];
        assert_eq!(
            command_with(&words.map(str::to_owned), &flags),
            "gutterbatch check a.csv --id-column Key --address Home"
        );
    }
}
