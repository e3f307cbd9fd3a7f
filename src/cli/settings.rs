//! Where each setting comes from: flag, environment, profile, default, in that order.
//!
//! The keys of a profile's section in `config.toml` are spelled like the flags. Its values become the defaults of the
//! flags, and the command line is parsed again.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Command};
use serde::Serialize;
use toml_edit::{DocumentMut, Item, Table, Value};

use crate::cli::CommandError;
use crate::cli::nearest::nearest;
use crate::connect;

macro_rules! settable {
    ($($key:literal $setting_type:ident,)*) => {
        [$(($key, SettingType::$setting_type)),*]
    };
}

/// The flags that a profile may set.
pub(super) const SETTABLE: [(&str, SettingType); 36] = settable! {
    "base-url" Text, "service-version" Text, "client-id" Text, "journal" Text,
    "secrets" Text, "log" Text, "color" Text, "no-progress" Boolean,
    "rate" Text, "reserve" Number, "lock-wait" Text, "max-rps" Number,
    "concurrency" Number, "connect-timeout" Text, "call-timeout" Text, "sheet" TextOrNumber,
    "address" Text, "header-row" Number, "delimiter" Text, "encoding" Text,
    "map" Texts, "id-column" Text, "id-prefix" Text, "derive-id" Boolean,
    "last-name-first" Boolean, "default-country" Text, "external-url" Text, "external-label" Text,
    "as-is" Boolean, "truncate-notes" Boolean, "visible-only" Boolean, "max-refused" TextOrNumber,
    "tz" Text, "excel-safe" Boolean, "images" Text, "port" Number,
};

/// The type of a setting's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SettingType {
    /// A text; a date without quotes is one too.
    Text,
    /// A text or a list of texts.
    Texts,
    /// A number.
    Number,
    /// A text or a number.
    TextOrNumber,
    /// `true` or `false`.
    Boolean,
}

impl SettingType {
    fn admits(self, value: &Value) -> bool {
        let is_text = matches!(value, Value::String(_) | Value::Datetime(_));
        let is_number = matches!(value, Value::Integer(_) | Value::Float(_));
        match (self, value) {
            (Self::Texts, Value::Array(values)) => values.iter().all(|one| Self::Text.admits(one)),
            (Self::Text | Self::Texts, _) => is_text,
            (Self::Number, _) => is_number,
            (Self::TextOrNumber, _) => is_text || is_number,
            (Self::Boolean, _) => value.is_bool(),
        }
    }

    /// Describes the values, with an example.
    fn description(self) -> &'static str {
        match self {
            Self::Text => "a text in quotes",
            Self::Texts => "a text in quotes, or a list of them: [\"…\", \"…\"]",
            Self::Number => "a number without quotes",
            Self::TextOrNumber => "a text in quotes or a number",
            Self::Boolean => "true or false, without quotes",
        }
    }
}

/// A setting in effect, and its origin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct EffectiveSetting {
    /// Spelled like the flag.
    pub key: &'static str,
    /// As text.
    pub value: String,
    /// Where the value comes from.
    pub origin: SettingOrigin,
}

/// Where the value of a setting comes from; an earlier variant overrides a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum SettingOrigin {
    /// The command line.
    Flag,
    /// An environment variable.
    Environment,
    /// The profile's section.
    Profile,
    /// The default.
    Default,
}

impl SettingOrigin {
    /// The name that `status` prints.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Flag => "flag",
            Self::Environment => "environment",
            Self::Profile => "profile",
            Self::Default => "default",
        }
    }
}

/// Every setting that the command accepts or the profile sets, with its origin.
pub(super) fn settings(section: &Table, matches: &ArgMatches) -> Vec<EffectiveSetting> {
    let setting = |key: &'static str| {
        let id = key.replace('-', "_");
        let accepted = matches.try_contains_id(&id).ok();
        let source = accepted.and_then(|_| matches.value_source(&id));
        let origin = match source {
            Some(ValueSource::CommandLine) => SettingOrigin::Flag,
            Some(ValueSource::EnvVariable) => SettingOrigin::Environment,
            _ if section.contains_key(key) => SettingOrigin::Profile,
            Some(_) => SettingOrigin::Default,
            None => return None,
        };
        let value = match (origin, section.get(key)) {
            (SettingOrigin::Profile, Some(value)) => values_of(value).join(", "),
            _ => matches
                .get_raw(&id)?
                .map(|text| text.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
                .join(", "),
        };
        Some(EffectiveSetting { key, value, origin })
    };
    let keys = SETTABLE.into_iter().map(|(key, _)| key);
    keys.filter_map(setting).collect()
}

/// Reads the section of one profile; empty if there is no file or no section.
///
/// # Errors
/// `ExitStatus::Usage` if the file is not TOML or has an unknown key; `ExitStatus::Files` if it cannot be read.
pub(super) fn profile_section(file: &Path, profile: &str) -> Result<Table, CommandError> {
    let text = match connect::read_config(file) {
        Ok(Some(text)) => text,
        Ok(None) => return Ok(Table::new()),
        Err(error) => {
            return Err(CommandError::file("read", file, error).hinted(
                "make it a file that you can read, or move it away to run without settings",
            ));
        }
    };
    let wrong = |reason: String| {
        let path = file.to_owned();
        CommandError::from(connect::Error::Config { path, reason })
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
            .hinted("settings belong in sections named [profile.NAME]"));
    }
    let Some(profiles) = whole.remove("profile") else {
        return Ok(Table::new());
    };
    let Ok(mut profiles) = profiles.into_table() else {
        return Err(wrong("`profile` is not a section".to_owned()));
    };
    match profiles.remove(profile).map(Item::into_table) {
        None => Ok(Table::new()),
        Some(Ok(mut section)) => {
            let wrong_setting = section.iter().find_map(wrong_setting);
            if let Some((reason, hint)) = wrong_setting {
                return Err(wrong(format!("[profile.{profile}] {reason}")).hinted(hint));
            }
            resolve_journal(&mut section, file);
            Ok(section)
        }
        Some(Err(_)) => Err(wrong(format!("`profile.{profile}` is not a section"))),
    }
}

/// Makes the path of the journal relative to the folder of the settings file `file`: a profile has one journal, whatever
/// folder a command runs in.
fn resolve_journal(section: &mut Table, file: &Path) {
    let journal = section.get("journal").and_then(Item::as_str);
    let whole = journal.and_then(|journal| Some(file.parent()?.join(journal)));
    if let Some(whole) = whole.as_deref().and_then(Path::to_str) {
        section.insert("journal", toml_edit::value(whole));
    }
}

/// Why a key or the type of its value is wrong, and what to write instead.
fn wrong_setting((key, item): (&str, &Item)) -> Option<(String, String)> {
    let Some((_, setting_type)) = SETTABLE.iter().find(|(known, _)| *known == key) else {
        return Some((format!("has an unknown key `{key}`"), advice_on_key(key)));
    };
    let is_admitted = item
        .as_value()
        .is_some_and(|value| setting_type.admits(value));
    (!is_admitted).then(|| {
        (
            format!("has a wrong type of value for `{key}`"),
            format!("write {} for `{key}`", setting_type.description()),
        )
    })
}

/// What to write instead of an unknown key.
fn advice_on_key(key: &str) -> String {
    if let Some(near) = nearest(key, SETTABLE.map(|(known, _)| known)) {
        return format!("did you mean `{near}`?");
    }
    if matches!(key, "token" | "client-secret") {
        "secrets do not belong into this file; `gutterbatch connect` stores them".to_owned()
    } else {
        "gutterbatch config --example shows the usual keys".to_owned()
    }
}

/// The profiles that have a section; none if the file is missing or cannot be read.
pub(super) fn profile_names(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let whole: toml_edit::DocumentMut = text.parse().unwrap_or_default();
    let profiles = whole
        .get("profile")
        .and_then(toml_edit::Item::as_table_like);
    let names = profiles.into_iter().flat_map(|profiles| profiles.iter());
    names.map(|(name, _)| name.to_owned()).collect()
}

/// The commands whose `--rate` is the quota of their own stand-in, and not that of the profile's service.
const WITH_OWN_QUOTA: [&str; 2] = ["rehearse", "sandbox"];

/// The command line with the values of a section as the defaults of its flags.
pub(super) fn with_defaults(program: Command, section: &Table) -> Command {
    let with_default = |argument: Arg| {
        let value = argument.get_long().and_then(|key| section.get(key));
        match value.map(values_of) {
            Some(values) => argument.default_values(values),
            None => argument,
        }
    };
    program.mut_args(with_default).mut_subcommands(|command| {
        let has_own_quota = WITH_OWN_QUOTA.contains(&command.get_name());
        command.mut_args(|argument| match argument.get_long() {
            Some("rate") if has_own_quota => argument,
            _ => with_default(argument),
        })
    })
}

/// The values of a key as texts; none for a section, whose type [`profile_section`] does not accept.
pub(super) fn values_of(item: &Item) -> Vec<String> {
    item.as_value().map(value_texts).unwrap_or_default()
}

fn value_texts(value: &Value) -> Vec<String> {
    let text = match value {
        Value::String(text) => text.value().clone(),
        Value::Integer(number) => number.value().to_string(),
        Value::Float(number) => number.value().to_string(),
        Value::Boolean(truth) => truth.value().to_string(),
        // A version is a date, which TOML has a type for.
        Value::Datetime(date) => date.value().to_string(),
        Value::Array(values) => return values.iter().flat_map(value_texts).collect(),
        Value::InlineTable(_) => return Vec::new(),
    };
    vec![text]
}
