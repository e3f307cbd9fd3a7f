//! Checks the values of a profile's section with the parsers of the flags that they set, whichever command runs.

use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use toml_edit::Table;

use crate::cli::failure::{advice, without_advice};
use crate::cli::settings::values_of;
use crate::cli::{CliError, CommandError};

/// The place of a setting: the file, the section and the key.
pub(super) fn setting_place(file: &Path, profile: &str, key: &str) -> String {
    format!("{}: [profile.{profile}] {key}", file.display())
}

/// Fails for a value that its flag does not accept.
///
/// # Errors
/// `ExitStatus::Usage`, with the place of the setting.
pub(super) fn require_valid(
    section: &Table,
    program: &Command,
    place: impl Fn(&str) -> String,
) -> Result<(), CommandError> {
    for (key, item) in section {
        let mut arguments = program
            .get_subcommands()
            .flat_map(Command::get_arguments)
            .filter(|argument| argument.get_action().takes_values());
        let Some(argument) = arguments.find(|argument| argument.get_long() == Some(key)) else {
            continue;
        };
        if let Some(reason) = values_of(item)
            .iter()
            .find_map(|value| refusal(argument, value))
        {
            let (reason, advice) = without_advice(&reason);
            let (place, reason) = (place(key), reason.to_owned());
            let error = CommandError::from(CliError::InvalidSetting { place, reason });
            return Err(match advice {
                Some(advice) => error.hinted(advice),
                None => error,
            });
        }
    }
    Ok(())
}

/// Why the argument does not accept the value; `None` if it does.
fn refusal(argument: &Arg, value: &str) -> Option<String> {
    let parser = argument.get_value_parser().clone();
    let only = Command::new("value")
        .no_binary_name(true)
        .arg(Arg::new("value").value_parser(parser).required(true));
    let error = only.try_get_matches_from(["--", value]).err()?;
    let allowed = argument.get_possible_values();
    if !allowed.is_empty() {
        let allowed: Vec<&str> = allowed.iter().map(PossibleValue::get_name).collect();
        return Some(format!("`{value}` is not one of {}", allowed.join(", ")));
    }
    Some(match std::error::Error::source(&error).map(advice) {
        Some(reason) if reason.contains('`') => reason,
        Some(advice) => format!("invalid value `{value}`; {advice}"),
        None => format!("invalid value `{value}`"),
    })
}
