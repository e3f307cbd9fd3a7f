//! Where each setting comes from: flag, environment, profile, default, in that order.
//!
//! The profile's section of `config.toml` spells its keys like the flags, so it is read as flags: what the command line
//! and the environment leave open is completed from the section, and the whole is parsed again by the same rules.

use std::ffi::OsString;
use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use serde::Serialize;
use toml_edit::{DocumentMut, Item, Table, Value};

use crate::cli::{CommandError, ExitStatus};
use crate::connect;

/// The flags that may stand in a profile.
pub(super) const KEPT: [&str; 33] = [
    "base-url",
    "service-version",
    "client-id",
    "journal",
    "secrets",
    "color",
    "no-progress",
    "rate",
    "reserve",
    "max-rps",
    "concurrency",
    "connect-timeout",
    "call-timeout",
    "sheet",
    "address",
    "header-row",
    "delimiter",
    "encoding",
    "map",
    "id-column",
    "id-prefix",
    "derive-id",
    "default-country",
    "external-url",
    "external-label",
    "as-is",
    "truncate-notes",
    "visible-only",
    "max-refused",
    "tz",
    "excel-safe",
    "images",
    "port",
];

/// A setting as it stands, and who said so.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct EffectiveSetting {
    /// Spelled like the flag.
    pub key: &'static str,
    /// As text.
    pub value: String,
    /// Who said so.
    pub origin: SettingOrigin,
}

/// Who said a setting; the first of these wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SettingOrigin {
    /// The command line.
    Flag,
    /// A variable.
    Environment,
    /// The profile's section.
    Profile,
    /// Nobody.
    Default,
}

impl SettingOrigin {
    /// The word that people read.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::Profile => "profile",
            Self::Default => "default",
        }
    }
}

/// Every setting that a command has or its profile holds, with who said so. `typed` is the command line alone,
/// `whole` what it became with the profile's section.
pub(super) fn settings(
    section: &Table,
    typed: &ArgMatches,
    whole: &ArgMatches,
) -> Vec<EffectiveSetting> {
    let setting = |key: &'static str| {
        let id = key.replace('-', "_");
        let source = whole
            .try_contains_id(&id)
            .ok()
            .and_then(|_| typed.value_source(&id));
        let origin = match source {
            Some(ValueSource::CommandLine) => SettingOrigin::Flag,
            Some(ValueSource::EnvVariable) => SettingOrigin::Environment,
            _ if section.contains_key(key) => SettingOrigin::Profile,
            Some(_) => SettingOrigin::Default,
            None => return None,
        };
        let value = match (origin, section.get(key)) {
            (SettingOrigin::Profile, Some(value)) => values_of(key, value).ok()?.join(", "),
            _ => whole
                .get_raw(&id)?
                .map(|text| text.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(", "),
        };
        Some(EffectiveSetting { key, value, origin })
    };
    KEPT.into_iter().filter_map(setting).collect()
}

/// Reads the section of one profile; empty where there is no file or no section.
///
/// # Errors
/// [`ExitStatus::Usage`] for a file that is no TOML and for an unknown key, which names the nearest; [`ExitStatus::Files`] where the
/// file cannot be read.
pub(super) fn profile_section(file: &Path, profile: &str) -> Result<Table, CommandError> {
    let text = match connect::read_config(file) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(Table::new()),
        Err(error) => {
            return Err(CommandError::file("read", file, &error).hinted(
                "make it a file that you can read, or move it away to run without settings",
            ));
        }
    };
    let wrong = |reason: String| {
        CommandError::new(ExitStatus::Usage, format!("{}: {reason}", file.display()))
    };
    let mut whole: DocumentMut = text.parse().map_err(|error: toml_edit::TomlError| {
        let line = error
            .span()
            .map(|span| text[..span.start].matches('\n').count() + 1)
            .map_or_else(String::new, |line| format!("line {line}: "));
        wrong(format!("{line}{}", error.message()))
    })?;
    if let Some((key, _)) = whole.iter().find(|(key, _)| *key != "profile") {
        return Err(wrong(format!("unknown section or key `{key}`"))
            .hinted("settings stand in sections [profile.NAME]"));
    }
    let Some(profiles) = whole.remove("profile") else {
        return Ok(Table::new());
    };
    let Ok(mut profiles) = profiles.into_table() else {
        return Err(wrong("`profile` is not a section".to_owned()));
    };
    match profiles.remove(profile).map(Item::into_table) {
        None => Ok(Table::new()),
        Some(Ok(section)) => known_keys(section).map_err(|(key, nearest)| {
            wrong(format!("[profile.{profile}] has an unknown key `{key}`"))
                .hinted(format!("did you mean `{nearest}`?"))
        }),
        Some(Err(_)) => Err(wrong(format!("`profile.{profile}` is not a section"))),
    }
}

/// The profiles that have a section; none where the file is missing or cannot be read.
pub(super) fn profile_names(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let whole: toml_edit::DocumentMut = text.parse().unwrap_or_default();
    let profiles = whole
        .get("profile")
        .and_then(toml_edit::Item::as_table_like);
    let names = profiles.into_iter().flat_map(|profiles| profiles.iter());
    names.map(|(name, _)| name.to_owned()).collect()
}

fn known_keys(section: Table) -> Result<Table, (String, &'static str)> {
    let unknown = section.iter().find(|(key, _)| !KEPT.contains(key));
    let unknown = unknown.map(|(key, _)| key.to_owned());
    match unknown {
        None => Ok(section),
        Some(key) => {
            let nearest = nearest(&key);
            Err((key, nearest))
        }
    }
}

fn nearest(key: &str) -> &'static str {
    let likeness = |kept: &&str| strsim::jaro_winkler(kept, key);
    KEPT.into_iter()
        .max_by(|one, other| likeness(one).total_cmp(&likeness(other)))
        .expect("the list is not empty")
}

/// The flags that a section adds to a command line: those that `command` takes and that were not given.
///
/// # Errors
/// [`ExitStatus::Usage`] for a value that is no text, number, date, truth value or list of them.
pub(super) fn flags_of(
    section: &Table,
    command: &Command,
    given: &ArgMatches,
) -> Result<Vec<OsString>, CommandError> {
    let mut flags = Vec::new();
    for (key, value) in section {
        let Some(argument) = command
            .get_arguments()
            .find(|argument| argument.get_long() == Some(key))
        else {
            continue;
        };
        if conflicts_with(command, given, argument) {
            continue;
        }
        let texts = values_of(key, value)?;
        let takes_value = argument.get_action().takes_values();
        flags.extend(
            texts
                .into_iter()
                .filter_map(|text| match (takes_value, text.as_str()) {
                    (true, _) => Some(format!("--{key}={text}").into()),
                    (false, "true") => Some(format!("--{key}").into()),
                    (false, _) => None,
                }),
        );
    }
    Ok(flags)
}

/// Whether the argument was given, or another one that it cannot stand beside. Either of the two may declare that.
fn conflicts_with(command: &Command, given: &ArgMatches, argument: &Arg) -> bool {
    let mut present = command
        .get_arguments()
        .filter(|other| is_given(given, other.get_id().as_str()));
    let against = |one: &Arg, other: &Arg| {
        let conflicts = command.get_arg_conflicts_with(one);
        conflicts
            .iter()
            .any(|conflict| conflict.get_id() == other.get_id())
    };
    present.any(|other| {
        other.get_id() == argument.get_id() || against(other, argument) || against(argument, other)
    })
}

fn is_given(given: &ArgMatches, id: &str) -> bool {
    let source = given
        .try_contains_id(id)
        .ok()
        .and_then(|_| given.value_source(id));
    matches!(
        source,
        Some(ValueSource::CommandLine | ValueSource::EnvVariable)
    )
}

fn values_of(key: &str, item: &Item) -> Result<Vec<String>, CommandError> {
    item.as_value().and_then(value_texts).ok_or_else(|| {
        CommandError::new(
            ExitStatus::Usage,
            format!("config.toml: `{key}` takes a text, a number, a date, true, false or a list"),
        )
    })
}

fn value_texts(value: &Value) -> Option<Vec<String>> {
    let text = match value {
        Value::String(text) => text.value().clone(),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(truth) => truth.value().to_string(),
        // A version is a date, and TOML has dates of its own.
        Value::Datetime(date) => date.value().to_string(),
        Value::Array(values) => {
            let texts = values.iter().map(value_texts);
            return Some(texts.collect::<Option<Vec<_>>>()?.concat());
        }
        Value::InlineTable(_) => return None,
    };
    Some(vec![text])
}

/// Puts flags into a command line: before a `--` that ends them, else at its end.
pub(super) fn with_flags(mut line: Vec<OsString>, flags: Vec<OsString>) -> Vec<OsString> {
    let end = line
        .iter()
        .position(|word| word == "--")
        .unwrap_or(line.len());
    line.splice(end..end, flags);
    line
}
