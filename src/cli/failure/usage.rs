//! Messages and hints for command lines that the grammar refuses.

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::cli::nearest::nearest;
use crate::cli::{CommandError, ExitStatus, shell};

impl CommandError {
    /// The failure of a command line that the grammar refuses: clap's sentence, and a hint with the nearest right word and
    /// the corrected command. `words` are the arguments as typed.
    pub(in crate::cli) fn from_usage(
        error: &clap::Error,
        words: &[String],
        grammar: &Command,
    ) -> Self {
        let mut grammar = grammar.clone();
        grammar.build();
        let mut names = words.iter();
        let command = names.find_map(|word| grammar.find_subcommand(word));
        let line = RefusedLine {
            error,
            words,
            grammar: &grammar,
            command,
        };
        let hint = line.hint().unwrap_or_else(|| line.help());
        Self::new(ExitStatus::Usage, line.message()).hinted(hint)
    }
}

/// A command line that the grammar refuses.
struct RefusedLine<'a> {
    error: &'a clap::Error,
    words: &'a [String],
    grammar: &'a Command,
    /// The command, if its name is right.
    command: Option<&'a Command>,
}

impl RefusedLine<'_> {
    /// The first paragraph of clap's text, on one line.
    fn message(&self) -> String {
        let text = self.error.to_string();
        let text = text.trim_start_matches("error: ");
        let ends = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
        let end = ends.iter().filter_map(|end| text.find(end)).min();
        let message = one_line(&text[..end.unwrap_or(text.len())]);
        // A reason that quotes the value needs only the flag in front.
        let value = self.context(ContextKind::InvalidValue).unwrap_or_default();
        let reason = std::error::Error::source(self.error).map(ToString::to_string);
        match (reason, self.flag()) {
            (Some(reason), Some(flag)) if reason.contains(&format!("`{value}`")) => {
                format!("{flag}: {reason}")
            }
            _ => message,
        }
    }

    /// What to type instead, if that is known.
    fn hint(&self) -> Option<String> {
        match self.error.kind() {
            ErrorKind::InvalidSubcommand => {
                let wrong = self.context(ContextKind::InvalidSubcommand)?;
                let commands = self.grammar.get_subcommands().map(Command::get_name);
                Some(self.with_word(wrong, nearest(wrong, commands)?))
            }
            ErrorKind::UnknownArgument => self.unknown_argument(),
            ErrorKind::InvalidValue => {
                let wrong = self.context(ContextKind::InvalidValue)?;
                let Some(ContextValue::Strings(known)) = self.error.get(ContextKind::ValidValue)
                else {
                    return None;
                };
                let near = nearest(wrong, known.iter().map(String::as_str))?;
                Some(self.with_word(wrong, near))
            }
            ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand => {
                let usage = self.error.get(ContextKind::Usage)?.to_string();
                Some(one_line(usage.trim_start_matches("Usage: ")))
            }
            ErrorKind::ArgumentConflict => self.conflict(),
            _ => None,
        }
    }

    fn unknown_argument(&self) -> Option<String> {
        let wrong = self.context(ContextKind::InvalidArg)?;
        let wrong = wrong.split('=').next().unwrap_or_default();
        let name = wrong.strip_prefix("--")?;
        let flags = |command: &Command| -> Vec<String> {
            let shown = command.get_arguments().filter(|flag| !flag.is_hide_set());
            shown.filter_map(Arg::get_long).map(str::to_owned).collect()
        };
        let known = flags(self.command.unwrap_or(self.grammar));
        if let Some(near) = nearest(name, known.iter().map(String::as_str)) {
            return Some(self.with_word(wrong, &format!("--{near}")));
        }
        let mut commands = self.grammar.get_subcommands();
        let owner = commands.find(|command| flags(command).iter().any(|flag| flag == name))?;
        let owner = shell::command([owner.get_name()]);
        Some(format!("`{wrong}` is a flag of `{owner}`"))
    }

    /// The command without the one flag, or without the other.
    fn conflict(&self) -> Option<String> {
        let one = self.context(ContextKind::InvalidArg)?;
        let other = self.context(ContextKind::PriorArg)?;
        let commands = [self.without(one)?, self.without(other)?];
        Some(commands.join("\nor "))
    }

    /// The command without a flag, which clap names with its value: `--for <FILE>`.
    fn without(&self, flag: &str) -> Option<String> {
        let (name, takes_value) = match flag.split_once([' ', '=']) {
            Some((name, _)) => (name, true),
            None => (flag, false),
        };
        let at = self.words.iter().position(|word| word == name)?;
        let end = at + 1 + usize::from(takes_value);
        let (before, after) = (&self.words[..at], self.words.get(end..)?);
        Some(shell::command(before.iter().chain(after)))
    }

    /// The nearest right word, and the command with it. A word that may be a secret is not repeated.
    fn with_word(&self, wrong: &str, near: &str) -> String {
        let asked = format!("did you mean `{near}`?");
        if ["secret", "token"].iter().any(|word| near.contains(word)) {
            return asked;
        }
        let corrected = self
            .words
            .iter()
            .map(|word| match (word.split_once('='), word == wrong) {
                (_, true) => near.to_owned(),
                (Some((flag, value)), _) if flag == wrong => format!("{near}={value}"),
                (Some((flag, value)), _) if value == wrong => format!("{flag}={near}"),
                _ => word.clone(),
            });
        format!("{asked} {}", shell::command(corrected.collect::<Vec<_>>()))
    }

    /// Where the flags are described.
    fn help(&self) -> String {
        match self.command {
            Some(command) => format!(
                "`{}` describes its flags",
                shell::command([command.get_name(), "--help"])
            ),
            None => "`gutterbatch --help` lists the commands and their common flags".to_owned(),
        }
    }

    /// The flag whose value is refused, without the name of its value.
    fn flag(&self) -> Option<&str> {
        self.context(ContextKind::InvalidArg)?.split(' ').next()
    }

    fn context(&self, kind: ContextKind) -> Option<&str> {
        match self.error.get(kind)? {
            ContextValue::String(text) => Some(text),
            ContextValue::Strings(texts) => texts.first().map(String::as_str),
            _ => None,
        }
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
