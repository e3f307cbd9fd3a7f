//! The profiles of this user: those with a section in `config.toml`, and those with a journal.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::PathBuf;

use crate::cli::context::Context;
use crate::cli::nearest::nearest;
use crate::cli::settings::profile_names;
use crate::cli::{CliError, CommandError};

/// The names of the profiles, in alphabetical order.
pub(super) fn known(context: &Context) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = profile_names(&context.home.config_file())
        .into_iter()
        .collect();
    let journals = journals(context).into_iter();
    names.extend(journals.filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned())));
    names
}

/// Fails for a misspelled profile, whose journal would be reported as empty.
///
/// # Errors
/// `ExitStatus::Usage` for a profile without settings and without a journal, except for `default`.
pub(super) fn require_known(context: &Context) -> Result<(), CommandError> {
    known_without(context).map_or(Ok(()), |known| Err(unknown(context, known)))
}

/// Fails for an unknown profile that is named nearly like another. With address and token from elsewhere, a new profile
/// needs no settings.
///
/// # Errors
/// `ExitStatus::Usage`.
pub(super) fn refuse_mistyped(context: &Context) -> Result<(), CommandError> {
    let profile = &context.common.profile;
    let is_near = |known: &BTreeSet<String>| {
        let names = known.iter().map(String::as_str);
        // `acme-2` is a new profile beside `acme`.
        nearest(profile, names).is_some_and(|near| !profile.starts_with(near))
    };
    let mistyped = known_without(context).filter(is_near);
    mistyped.map_or(Ok(()), |known| Err(unknown(context, known)))
}

/// The names of the profiles, if that of the context is none of them.
fn known_without(context: &Context) -> Option<BTreeSet<String>> {
    let profile = &context.common.profile;
    if profile == "default" || context.journal_path().exists() {
        return None;
    }
    Some(known(context)).filter(|names| !names.contains(profile))
}

fn unknown(context: &Context, known: BTreeSet<String>) -> CommandError {
    let (profile, known) = (context.common.profile.clone(), known.into_iter().collect());
    CliError::NoProfile { profile, known }.into()
}

/// Warns before a journal is created for a profile that is neither in the settings nor in use, although others are.
pub(super) fn warn_of_unknown(context: &Context) {
    if let Some(known) = known_without(context).filter(|known| !known.is_empty()) {
        let unknown = unknown(context, known);
        let hint = unknown.hint().unwrap_or_default();
        let message = unknown.message();
        context.console.warn(&format!("{message} yet; {hint}"));
    }
}

/// The journals of the other profiles.
pub(super) fn other_journals(context: &Context) -> Vec<PathBuf> {
    let mut journals = journals(context);
    journals.retain(|path| *path != context.journal_path());
    journals
}

fn journals(context: &Context) -> Vec<PathBuf> {
    let journal = context.home.journal("default");
    let folder = journal.parent().and_then(|folder| folder.read_dir().ok());
    let entries = folder.into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| path.extension() == Some(OsStr::new("db")))
        .collect()
}
