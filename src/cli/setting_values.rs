//! Checks the values of a profile's section with the parsers of the flags that they set, whichever command runs.

use std::path::Path;

use clap::builder::PossibleValue;
use clap::{Arg, Command};
use toml_edit::Table;

use crate::cli::settings::{EffectiveSetting, SettingOrigin, values_of};
use crate::cli::{CliError, CommandError, ErrorKind, ExitStatus};

/// The place of a setting: the file, the section and the key.
pub(super) fn setting_place(file: &Path, profile: &str, key: &str) -> String {
    format!("{}: [profile.{profile}] {key}", file.display())
}

/// Fails for a value that its flag does not accept. `grammar` is built.
///
/// # Errors
/// [`ExitStatus::Usage`], with the place of the setting.
pub(super) fn require_valid(
    section: &Table,
    grammar: &Command,
    place: impl Fn(&str) -> String,
) -> Result<(), CommandError> {
    for (key, item) in section {
        let mut arguments = grammar
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
            let place = place(key);
            return Err(CliError::InvalidSetting { place, reason }.into());
        }
    }
    Ok(())
}

/// Names the setting in a failure whose reason is its value, if the value comes from the profile.
pub(super) fn explain(
    failure: CommandError,
    settings: &[EffectiveSetting],
    (key, place): (&str, &str),
) -> CommandError {
    let is_from_profile = settings
        .iter()
        .any(|setting| setting.key == key && setting.origin == SettingOrigin::Profile);
    if is_from_profile {
        in_setting(failure, place)
    } else {
        failure
    }
}

/// Names the place of each setting of the profile whose flag a failure mentions: the user did not type that flag.
pub(super) fn name_places(
    failure: CommandError,
    settings: &[EffectiveSetting],
    place: impl Fn(&str) -> String,
) -> CommandError {
    let of_profile = settings
        .iter()
        .filter(|setting| setting.origin == SettingOrigin::Profile);
    of_profile.fold(failure, |failure, EffectiveSetting { key, .. }| {
        let flag = format!("--{key}");
        // The message about a locked journal quotes the command of another run.
        let is_quoted = failure.exit() == ExitStatus::Locked;
        let message = if is_quoted {
            String::new()
        } else {
            failure.message().to_owned()
        };
        if mentions(&message, &flag)
            && let Some(reason) = message.strip_prefix(&flag)
        {
            let reason = reason.trim_start_matches([':', ' ']).to_owned();
            return in_setting(failure.with_message(reason), &place(key));
        }
        let hint = failure.hint().unwrap_or_default().to_owned();
        if mentions(&message, &flag) || mentions(&hint, &flag) {
            let line = format!("`{key}` is set in {}", place(key));
            return failure.hinted(format!("{hint}\n{line}").trim().to_owned());
        }
        failure
    })
}

/// Whether a text has this flag, and not just a longer one that begins with it.
fn mentions(text: &str, flag: &str) -> bool {
    let is_of_flag = |c: char| c.is_ascii_lowercase() || c == '-';
    text.match_indices(flag)
        .any(|(at, _)| !text[at + flag.len()..].starts_with(is_of_flag))
}

fn in_setting(failure: CommandError, place: &str) -> CommandError {
    let failure = match failure.exit() {
        ExitStatus::Usage => failure.of_kind(ErrorKind::Settings),
        _ => failure,
    };
    failure
        .within(place)
        .hinted("correct the value in that file, or remove the line")
}

/// Why the argument does not accept the value; none if it does.
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
    let reason = std::error::Error::source(&error).map(ToString::to_string);
    Some(reason.unwrap_or_else(|| format!("invalid value `{value}`")))
}
