//! The paths that a command line names for writing. A file that the program needs is not written.

use std::path::{Path, PathBuf};

use crate::cli::common_args::CommonArgs;
use crate::cli::{CliError, CommandError};
use crate::connect::HomeFolders;
use crate::journal::is_journal;

/// A path that the command line names for writing.
#[derive(Clone, Copy, Debug)]
pub(super) struct NamedOutput<'a> {
    /// The flag or the argument, for messages.
    pub flag: &'static str,
    /// The path as typed.
    pub path: &'a Path,
}

/// What SQLite and the program write beside a journal.
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
    let needed = needed_files(common, home);
    for NamedOutput { flag, path } in outputs {
        let place = resolved(path);
        let of_needed = needed.iter().find(|(_, needed)| *needed == place);
        let what = if let Some((what, _)) = of_needed {
            format!("the path of {what}")
        } else if is_beside_other_journal(&place) {
            "the path of a file of another journal".to_owned()
        } else if place.parent() == Some(&resolved(&home.secrets())) {
            "in the folder of the stored tokens".to_owned()
        } else {
            continue;
        };
        let (flag, path) = (*flag, (*path).to_owned());
        return Err(CliError::NeededFile { flag, path, what }.into());
    }
    Ok(())
}

/// The files of this profile that the program itself writes, with what they are.
fn needed_files(common: &CommonArgs, home: &HomeFolders) -> Vec<(&'static str, PathBuf)> {
    let profile = &common.profile;
    let journals = [common.journal.clone(), Some(home.journal(profile))];
    let mut files = vec![
        ("the settings file", resolved(&home.config_file())),
        ("the stored token", resolved(&home.secret_file(profile))),
    ];
    for journal in journals.into_iter().flatten().map(|path| resolved(&path)) {
        let beside = BESIDE_JOURNAL.map(|suffix| {
            let mut name = journal.clone().into_os_string();
            name.push(suffix);
            ("a file of the journal", PathBuf::from(name))
        });
        files.extend(beside);
        files.push(("the journal", journal));
    }
    files
}

/// Whether a file has the name of one beside a journal, which may be lost: then its record shows what it billed.
fn is_beside_other_journal(path: &Path) -> bool {
    let name = path.to_string_lossy();
    let mut journals = BESIDE_JOURNAL
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    journals.any(|journal| is_journal(Path::new(journal)))
        || name.ends_with(".seals") && path.exists()
}

/// An absolute path without symbolic links, also of a file that does not exist.
fn resolved(path: &Path) -> PathBuf {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    absolute.canonicalize().unwrap_or_else(|_| {
        let folder = absolute
            .parent()
            .and_then(|folder| folder.canonicalize().ok());
        match (folder, absolute.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => absolute.clone(),
        }
    })
}
