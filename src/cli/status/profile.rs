//! Whether the profile is one at all: a name with a slip in it has no journal, and would be told that nothing was sent.

use std::collections::BTreeSet;
use std::ffi::OsStr;

use crate::cli::context::Context;
use crate::cli::settings::profile_names;
use crate::cli::{CommandError, ExitStatus, shell};

/// # Errors
/// [`ExitStatus::Usage`] for a profile without settings and without a journal, which names those that there are. The default
/// one is always there.
pub(super) fn refuse_unknown(context: &Context) -> Result<(), CommandError> {
    let profile = &context.common.profile;
    let mut names: BTreeSet<String> = profile_names(&context.home.config_file())
        .into_iter()
        .collect();
    if profile == "default" || names.contains(profile) || context.journal_path().exists() {
        return Ok(());
    }
    names.extend(with_journals(context));
    let known: Vec<String> = names.into_iter().collect();
    let hint = if known.is_empty() {
        let connect = shell::command(["connect", "--profile", profile]);
        format!("there is none yet besides `default`; {connect} makes it")
    } else {
        format!("the profiles are {}", known.join(", "))
    };
    Err(CommandError::new(
        ExitStatus::Usage,
        format!("there is no profile `{profile}`"),
    )
    .hinted(hint))
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
