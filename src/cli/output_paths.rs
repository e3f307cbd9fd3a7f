//! The paths that a command line names for writing. A file that the program needs is not written.

use std::path::Path;

use crate::cli::common_args::CommonArgs;
use crate::cli::{CliError, CommandError};
use crate::connect::HomeFolders;
use crate::sheet::resolved_path;

/// A path as typed that the command line names for writing, after its flag or argument.
pub(super) type NamedOutput<'a> = (&'static str, &'a Path);

/// The ends of the names of the files that SQLite and the program write beside a journal, which may be lost.
const BESIDE_JOURNAL: [&str; 5] = ["-wal", "-shm", "-journal", ".seals", ".lock"];

/// Fails for paths that must not be written, whether or not a file is there.
///
/// # Errors
/// `ExitStatus::Files` for a file that the program needs.
pub(super) fn require_writable(
    outputs: &[NamedOutput<'_>],
    common: &CommonArgs,
    home: &HomeFolders,
) -> Result<(), CommandError> {
    let default = home.journal(&common.profile);
    for (flag, path) in outputs {
        let place = resolved_path(path);
        let is = |needed: &Path| place == resolved_path(needed);
        let name = place.to_string_lossy();
        let what = if is(&home.config_file()) {
            "the settings file"
        } else if place.parent() == Some(&resolved_path(&home.secrets())) {
            "a stored token"
        } else if is(&default) || common.journal.as_deref().is_some_and(is) {
            "the journal"
        } else if BESIDE_JOURNAL.iter().any(|end| name.ends_with(end)) {
            "a file beside a journal"
        } else {
            continue;
        };
        let (flag, path) = (*flag, (*path).to_owned());
        return Err(CliError::NeededFile { flag, path, what }.into());
    }
    Ok(())
}
