//! Messages and hints for command lines that the grammar does not accept.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, Command};

use crate::cli::nearest::nearest;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind as Kind, shell};

impl CommandError {
    /// The failure of a command line that the grammar does not accept: clap's sentence, and a hint with the nearest right word and
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
        let line = InvalidCommandLine {
            error,
            words,
            grammar: &grammar,
            command,
        };
        let hint = line.hint().unwrap_or_else(|| line.help());
        Self::new(Kind::Usage, line.message()).hinted(hint)
    }
}

/// A command line that the grammar does not accept.
struct InvalidCommandLine<'a> {
    error: &'a clap::Error,
    words: &'a [String],
    grammar: &'a Command,
    /// The command, if its name is right.
    command: Option<&'a Command>,
}

impl InvalidCommandLine<'_> {
    /// The first paragraph of clap's text, on one line.
    fn message(&self) -> String {
        if self.error.kind() == ErrorKind::MissingSubcommand {
            return "the command is missing".to_owned();
        }
        let text = self.error.to_string();
        let text = text.trim_start_matches("error: ");
        let ends = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
        let end = ends.iter().filter_map(|end| text.find(end)).min();
        let message = in_one_line(&text[..end.unwrap_or(text.len())]);
        match (self.reason(), self.flag(), self.missing()) {
            (_, _, Some(missing)) => {
                format!("{} is missing", missing.join(" and ").replace('|', " or "))
            }
            (Some((reason, _)), Some(flag), _) => format!("{flag}: {reason}"),
            _ => message,
        }
    }

    /// Why one of our parsers refuses a value, and what to write instead. Such a reason quotes the value or a part of it, and
    /// the advice follows.
    fn reason(&self) -> Option<(String, Option<String>)> {
        let value = format!("`{}`", self.context(ContextKind::InvalidValue)?);
        let reason = std::error::Error::source(self.error)?.to_string();
        let quoted = reason.find(&value).map(|at| at + value.len());
        // The value itself may have a colon.
        let end = quoted.or_else(|| Some(reason.match_indices('`').nth(1)?.0))?;
        let marks = [": ", "; "].iter();
        let advice = marks.filter_map(|mark| reason[end..].find(mark)).min();
        Some(match advice {
            Some(at) => {
                let (reason, advice) = reason.split_at(end + at);
                (reason.to_owned(), Some(advice[2..].to_owned()))
            }
            None => (reason, None),
        })
    }

    /// What to type instead, if that is known.
    fn hint(&self) -> Option<String> {
        match self.error.kind() {
            ErrorKind::InvalidSubcommand => {
                let wrong = self.context(ContextKind::InvalidSubcommand)?;
                let commands = || -> Vec<&str> {
                    self.grammar
                        .get_subcommands()
                        .map(Command::get_name)
                        .collect()
                };
                match nearest(wrong, commands()) {
                    Some(near) => Some(self.with_word(wrong, near)),
                    None if self.words.first()? == "help" => {
                        Some(format!("the commands are {}", commands().join(", ")))
                    }
                    None => None,
                }
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
            ErrorKind::MissingRequiredArgument => {
                let mut lines = vec![Vec::new()];
                for missing in self.missing()? {
                    let choices = choices(&missing);
                    let with_each = |line: &Vec<String>| {
                        let choices = choices.iter();
                        choices
                            .map(|words| [&line[..], words].concat())
                            .collect::<Vec<_>>()
                    };
                    lines = lines.iter().flat_map(with_each).collect();
                }
                let lines = lines.into_iter();
                let commands =
                    lines.map(|added| shell::command(shell::with_words(self.words, added)));
                Some(commands.collect::<Vec<_>>().join("\nor "))
            }
            ErrorKind::ValueValidation => self.reason()?.1,
            _ => None,
        }
    }

    fn unknown_argument(&self) -> Option<String> {
        let wrong = self.context(ContextKind::InvalidArg)?;
        if !wrong.starts_with('-') {
            return self.superfluous(wrong);
        }
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

    /// The command without the words too many; with them as the end of the word before, if that may be the start of a path
    /// with spaces.
    fn superfluous(&self, wrong: &str) -> Option<String> {
        let at = self.words.iter().position(|word| word == wrong)?;
        let (before, after) = self.words.split_at(at);
        let more = after.iter().take_while(|word| !word.starts_with('-'));
        let (superfluous, after) = after.split_at(more.count());
        let without = shell::command(before.iter().chain(after));
        let takes_path = self.command?.get_positionals().next().is_some();
        let may_continue = |last: &str| takes_path && !last.starts_with('-');
        let last = before.split_last().filter(|(last, _)| may_continue(last));
        let Some((last, before)) = last else {
            return Some(without);
        };
        let one = format!("one at a time: {without}");
        if Path::new(last).extension().is_some() {
            return Some(one);
        }
        let path = format!("{last} {}", superfluous.join(" "));
        let quoted = shell::command(before.iter().chain([&path]).chain(after));
        Some(format!("{one}\nif the name has a space: {quoted}"))
    }

    /// The names of the arguments that are missing.
    fn missing(&self) -> Option<Vec<String>> {
        let is_missing = self.error.kind() == ErrorKind::MissingRequiredArgument;
        match self.error.get(ContextKind::InvalidArg)? {
            ContextValue::Strings(names) if is_missing => {
                let names = names.iter().map(|name| name.replace(['<', '>'], ""));
                Some(names.collect())
            }
            _ => None,
        }
    }

    /// The nearest right word, and the command with it. A word that may be a secret is not repeated.
    fn with_word(&self, wrong: &str, near: &str) -> String {
        let asked = format!("did you mean `{near}`?");
        if ["secret", "token"].iter().any(|word| near.contains(word)) {
            return asked;
        }
        let is_there = self.words.iter().any(|word| word == near);
        let words = self.words.iter();
        let corrected = words
            .filter(|word| !(is_there && *word == wrong))
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

/// What to write for a missing argument, as words: one of several flags or arguments, or a flag with one of several values.
fn choices(missing: &str) -> Vec<Vec<String>> {
    let (flag, choices) = match missing.split_once(' ') {
        Some((flag, values)) if flag.starts_with('-') && !flag.contains('|') => {
            (Some(flag), values)
        }
        _ => (None, missing),
    };
    let words = |choice| {
        flag.into_iter()
            .chain([choice])
            .map(str::to_owned)
            .collect()
    };
    choices.split('|').map(words).collect()
}
