//! Messages and hints for command lines that the program does not accept.

use std::path::Path;

use clap::Command;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::cli::failure::file_names::{with_quoted_file, with_quoted_output};
use crate::cli::nearest::nearest;
use crate::cli::wrap::in_one_line;
use crate::cli::{CommandError, ErrorKind as Kind, shell};

impl CommandError {
    /// The failure of a command line that the program does not accept: clap's sentence, and the nearest right word or
    /// where the flags are described. `words` are the arguments as typed.
    pub(in crate::cli) fn from_usage(
        error: &clap::Error,
        words: &[String],
        program: &Command,
    ) -> Self {
        let mut names = words.iter();
        let command = names.find_map(|word| program.find_subcommand(word));
        let reason = reason(error);
        let hint = quoted_command(error, words)
            .or_else(|| advice_on_dashed_file(error, words))
            .or_else(|| advice_on_second_file(error))
            .or_else(|| advice_on_flags(error));
        let billing = || is_billing(error).then(|| EXPORT_NEW.to_owned());
        let hint = hint.or_else(billing);
        let hint = hint.unwrap_or_else(|| match (&reason, nearest_word(error, program), command) {
            (Some((_, Some(advice))), ..) => advice.clone(),
            (_, Some(near), _) => format!("did you mean `{near}`?"),
            (_, None, Some(command))
                if is_value_missing(error)
                    && let Some(example) = example(command, words) =>
            {
                format!("for instance: {example}")
            }
            (_, None, Some(command)) => format!(
                "`{}` describes its flags",
                shell::command([command.get_name(), "--help"])
            ),
            (_, None, None) => {
                "`gutterbatch --help` lists the commands and their common flags".to_owned()
            }
        });
        let message = reason.map_or_else(|| message(error), |(reason, _)| reason);
        Self::new(Kind::Usage, message).hinted(hint)
    }
}

/// What bills, for users who type `bill` or `--bill`.
const EXPORT_NEW: &str = "a bill is a sealed export: gutterbatch export billing.xlsx --new";

/// Whether the command line has a command or flag for bills.
fn is_billing(error: &clap::Error) -> bool {
    let kinds = [ContextKind::InvalidSubcommand, ContextKind::InvalidArg];
    let is_unknown = matches!(
        error.kind(),
        ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument
    );
    let typed = kinds.iter().find_map(|kind| context(error, *kind));
    is_unknown && typed.is_some_and(|typed| BILLING.contains(&typed.trim_start_matches('-')))
}

const BILLING: [&str; 4] = ["bill", "billing", "invoice", "seal"];

/// The arguments that the command lacks.
fn missing_arguments(error: &clap::Error) -> &[String] {
    match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::Strings(missing))
            if error.kind() == ErrorKind::MissingRequiredArgument =>
        {
            missing
        }
        _ => &[],
    }
}

/// Whether the command lacks a file or another value, or one of several flags, and not a certain flag.
fn is_value_missing(error: &clap::Error) -> bool {
    let missing = missing_arguments(error);
    !missing.is_empty() && !missing.iter().any(|argument| argument.starts_with("--"))
}

/// What to do about a flag that another one needs, or that contradicts it.
fn advice_on_flags(error: &clap::Error) -> Option<String> {
    if error.kind() == ErrorKind::ArgumentConflict {
        return Some("leave one of them out".to_owned());
    }
    let missing = missing_arguments(error);
    let is_flag = |argument: &&String| argument.starts_with("--");
    missing
        .iter()
        .find(is_flag)
        .map(|flag| format!("add {flag}"))
}

/// The first example of the command's help with a flag that was typed, otherwise the first one.
fn example(command: &Command, words: &[String]) -> Option<String> {
    let help = command.get_after_long_help()?.to_string();
    let is_example = |line: &&str| line.starts_with("  ") && line.contains("gutterbatch ");
    let examples = || help.lines().filter(is_example);
    let flags = || words.iter().filter(|word| word.starts_with("--"));
    let has_flag = |line: &&str| flags().any(|flag| line.contains(flag.as_str()));
    let example = examples().find(has_flag).or_else(|| examples().next())?;
    Some(example.trim().to_owned())
}

/// The command with quotes around the name of a file, where the words of that name are arguments too many.
fn quoted_command(error: &clap::Error, words: &[String]) -> Option<String> {
    let is_surplus = error.kind() == ErrorKind::UnknownArgument;
    let quoted = || with_quoted_file(words).or_else(|| with_quoted_output(words));
    let quoted = is_surplus.then(quoted)??;
    Some(format!("quote the name of the file: {quoted}"))
}

/// What to write for a file whose name begins like a flag.
fn advice_on_dashed_file(error: &clap::Error, words: &[String]) -> Option<String> {
    let is_file = |word: &&String| word.starts_with('-') && Path::new(word).is_file();
    let file = words.iter().find(is_file);
    let file = file.filter(|_| error.kind() == ErrorKind::UnknownArgument)?;
    let path = format!("./{file}");
    Some(format!(
        "if the file {file} is meant, write {}",
        shell::quoted(&path)
    ))
}

/// What to do about a file too many.
fn advice_on_second_file(error: &clap::Error) -> Option<String> {
    let is_surplus = error.kind() == ErrorKind::UnknownArgument;
    let typed = context(error, ContextKind::InvalidArg).filter(|_| is_surplus)?;
    let is_file = Path::new(typed).is_file();
    is_file.then(|| "one file at a time".to_owned())
}

/// The first paragraph of clap's text, on one line.
fn message(error: &clap::Error) -> String {
    let text = error.to_string();
    let text = text.trim_start_matches("error: ");
    let ends = ["\n\n  tip:", "\n\nUsage:", "\n\nFor more information"];
    let end = ends.iter().filter_map(|end| text.find(end)).min();
    in_one_line(&text[..end.unwrap_or(text.len())]).replace('\'', "`")
}

/// Why the value of a flag is refused, and what to write instead. A reason of our parsers quotes the value, and the
/// advice follows; any other reason is the advice.
fn reason(error: &clap::Error) -> Option<(String, Option<String>)> {
    let flag = context(error, ContextKind::InvalidArg)?.split(' ').next()?;
    let source = std::error::Error::source(error)?;
    let reason = source.to_string();
    if !reason.contains('`') {
        let value = context(error, ContextKind::InvalidValue)?;
        return Some((
            format!("{flag}: invalid value `{value}`"),
            Some(advice(source)),
        ));
    }
    let (reason, advice) = without_advice(&reason);
    Some((format!("{flag}: {reason}"), advice.map(str::to_owned)))
}

/// A reason of our parsers, and the advice that follows the value that it quotes.
pub(in crate::cli) fn without_advice(reason: &str) -> (&str, Option<&str>) {
    let quoted = reason.match_indices('`').nth(1).map_or(0, |(at, _)| at);
    let marks = [": ", "; "].iter();
    let advice = marks.filter_map(|mark| reason[quoted..].find(mark)).min();
    let (reason, advice) = reason.split_at(advice.map_or(reason.len(), |at| quoted + at));
    (reason, advice.get(2..))
}

/// What to write instead of a value that the standard library or clap refuses.
pub(in crate::cli) fn advice(refusal: &(dyn std::error::Error + 'static)) -> String {
    let text = refusal.to_string();
    if refusal.is::<std::net::AddrParseError>() {
        return "write an address with a port, for instance 127.0.0.1:8787".to_owned();
    }
    let range = text.split_once(" is not in ").map(|(_, range)| range);
    match range.and_then(|range| range.split_once("..")) {
        // A range that ends with its type has no end for a person.
        Some((first, last)) if last.starts_with('=') && last.len() < 9 => {
            format!("write a whole number from {first} to {}", &last[1..])
        }
        Some((first, _)) => format!("write a whole number, {first} or more"),
        None if refusal.is::<std::num::ParseIntError>() => "write a whole number".to_owned(),
        None => text,
    }
}

/// The command, or the flag or value that clap suggests, for a mistyped one, if it is near.
fn nearest_word<'a>(error: &'a clap::Error, program: &'a Command) -> Option<&'a str> {
    if let Some(typed) = context(error, ContextKind::InvalidSubcommand) {
        return nearest(typed, program.get_subcommands().map(Command::get_name));
    }
    if let Some(ContextValue::Strings(known)) = error.get(ContextKind::ValidValue) {
        let typed = context(error, ContextKind::InvalidValue)?;
        return nearest(typed, known.iter().map(String::as_str));
    }
    let suggested = context(error, ContextKind::SuggestedArg)?;
    let typed = context(error, ContextKind::InvalidArg)?;
    let typed = typed.split('=').next()?.trim_start_matches('-');
    nearest(typed, [suggested.trim_start_matches('-')])?;
    Some(suggested)
}

fn context(error: &clap::Error, kind: ContextKind) -> Option<&str> {
    match error.get(kind)? {
        ContextValue::String(text) => Some(text),
        ContextValue::Strings(texts) => texts.last().map(String::as_str),
        _ => None,
    }
}
