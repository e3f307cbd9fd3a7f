//! Consistent copies of a journal, which can be made while a run writes to it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::journal::{Error, copy_mark, journal_file, schema};
use crate::sheet;

/// Copies the journal at `path` to `to`, readable by its owner only. An existing copy of the same journal that was never
/// opened for writing is replaced when the new one is complete; any other file is not.
///
/// # Errors
/// Returns [`Error::Missing`], [`Error::Damaged`], [`Error::Newer`] or [`Error::Older`] for the journal,
/// [`Error::NotACopy`] if an existing file may not be replaced, and [`Error::Copy`] if the
/// system reports an error.
pub fn backup(path: &Path, to: &Path, now: Timestamp) -> Result<u64, Error> {
    let failed = |source| Error::Copy {
        path: to.to_owned(),
        source,
    };
    let Some(connection) = journal_file::open_read_only(path)? else {
        return Err(Error::Missing {
            path: path.to_owned(),
        });
    };
    let journal = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let to = resolve_target(&journal, to)?;
    let file = sheet::temporary_file(sheet::folder_of(&to)).map_err(failed)?;
    let name = file
        .path()
        .to_str()
        .ok_or_else(|| failed(ErrorKind::InvalidFilename.into()))?;
    // One read transaction: later commits are not in the copy.
    connection
        .execute("VACUUM INTO ?1", [name])
        .and_then(|_| copy_mark::mark_copy(file.path(), &journal, now))
        .map_err(|error| failed(journal_file::system_error(file.path(), &error)))?;
    let bytes = file.as_file().metadata().map_err(failed)?.len();
    sheet::sync_and_rename(file, &to).map_err(failed)?;
    Ok(bytes)
}

/// Returns the path of the copy, with links resolved. A file that has a journal's files beside it is not replaced,
/// because SQLite would apply their log to the copy. The path of the `journal` has its links resolved.
fn resolve_target(journal: &Path, to: &Path) -> Result<PathBuf, Error> {
    let not_replaced = |reason: &str| Error::NotACopy {
        path: to.to_owned(),
        reason: reason.to_owned(),
    };
    let exists = to.exists();
    let there = to.canonicalize().unwrap_or_else(|_| to.to_owned());
    if journal == there {
        return Err(not_replaced("it is the journal itself"));
    }
    if exists && !there.is_file() {
        return Err(not_replaced("it is not a file"));
    }
    if let Some(beside) = companion_file(&there) {
        let reason = format!("{} belongs to a journal of that name", beside.display());
        return Err(not_replaced(&reason));
    }
    if !exists {
        return Ok(there);
    }
    if !is_journal(&there) {
        return Err(not_replaced(
            "another file is there, which is not a copy of a journal",
        ));
    }
    let copy = journal_file::connect_immutable(&there).ok();
    let Some(copy) = copy.filter(|copy| copy_mark::is_unused_copy(copy) == Ok(true)) else {
        return Err(not_replaced("it is a journal, and not an unused backup"));
    };
    if copy_mark::is_of_other_journal(&copy, journal) == Ok(true) {
        return Err(not_replaced("it is a copy of another journal"));
    }
    Ok(there)
}

/// Returns a file that only a journal in use has beside it. SQLite keeps empty logs beside a copy that is read.
fn companion_file(path: &Path) -> Option<PathBuf> {
    let named = |suffix| journal_file::path_beside(path, suffix);
    let is_there = |path: &PathBuf| std::fs::symlink_metadata(path).is_ok();
    let is_filled = |path: &PathBuf| std::fs::metadata(path).is_ok_and(|found| found.len() > 0);
    let mut kept = [".lock", ".seals"].map(named).into_iter();
    let mut logs = ["-wal", "-journal"].map(named).into_iter();
    kept.find(is_there).or_else(|| logs.find(is_filled))
}

/// Whether a file has the header of a journal, wherever it is.
pub fn is_journal(path: &Path) -> bool {
    /// Offset of the application id in a SQLite file: <https://www.sqlite.org/fileformat.html#application_id>.
    const APPLICATION_ID_OFFSET: usize = 68;
    let mut header = [0; APPLICATION_ID_OFFSET + 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[APPLICATION_ID_OFFSET..] == schema::APPLICATION_ID.to_be_bytes()
}
