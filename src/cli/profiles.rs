//! The profiles of this user: those with a section in `config.toml`, and those with a journal.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use crate::cli::context::Context;
use crate::cli::settings::profile_names;
use crate::cli::{CliError, CommandError};

/// The names of the profiles, in alphabetical order.
pub(super) fn known(context: &Context) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = profile_names(&context.home.config_file())
        .into_iter()
        .collect();
    names.extend(with_journals(context));
    names
}

/// Fails for a misspelled profile, whose journal would be reported as empty.
///
/// # Errors
/// `ExitStatus::Usage` for a profile without settings and without a journal, except for `default`.
pub(super) fn require_known(context: &Context) -> Result<(), CommandError> {
    let profile = &context.common.profile;
    if profile == "default" || context.journal_path().exists() {
        return Ok(());
    }
    let names = known(context);
    if names.contains(profile) {
        return Ok(());
    }
    Err(CliError::NoProfile {
        profile: profile.to_owned(),
        known: names.into_iter().collect(),
    }
    .into())
}

/// Warns before a journal is created for a profile that is neither in the settings nor in use, although others are.
pub(super) fn warn_of_unknown(context: &Context) {
    if let Err(unknown) = require_known(context)
        && !known(context).is_empty()
    {
        let hint = unknown.hint().unwrap_or_default();
        let message = unknown.message();
        context.console.warn(&format!("{message} yet; {hint}"));
    }
}

fn with_journals(context: &Context) -> Vec<String> {
    let journal = context.home.journal("default");
    let folder = journal.parent().and_then(|folder| folder.read_dir().ok());
    let entries = folder.into_iter().flatten().flatten();
    let paths = entries.map(|entry| entry.path());
    paths
        .filter(|path| path.extension() == Some(OsStr::new("db")))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect()
}
