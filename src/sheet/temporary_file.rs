//! Temporary files beside the files that they become, and temporary folders.

use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::sheet::open_regular;

/// The prefix of their names.
pub const TEMPORARY_PREFIX: &str = ".gutterbatch-";

/// A file that was modified more recently may belong to a run that has not locked it yet.
const FRESH: Duration = Duration::from_secs(60);

/// How often the removal of a folder is tried.
const REMOVALS: usize = 20;

/// The paths of all temporary files and folders that this process created.
static CREATED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a temporary file that only the user can read, since it contains customers' data and a killed run leaves it
/// behind. It is locked while it is open, and files that killed runs left behind in the folder are removed.
///
/// # Errors
/// If the system refuses to create it.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let file = Builder::new()
        .prefix(TEMPORARY_PREFIX)
        .tempfile_in(folder)?;
    // Some network file systems have no locks; then nothing is removed. On Windows a locked file could not be read.
    if cfg!(unix) && file.as_file().try_lock().is_ok() {
        remove_leftovers(folder, file.as_file().metadata()?.modified()?);
    }
    register(file.path());
    Ok(file)
}

/// Creates a folder among the system's temporary files that only the user can read.
///
/// # Errors
/// If the system refuses to create it.
pub fn temporary_folder() -> io::Result<TempDir> {
    let folder = Builder::new().prefix(TEMPORARY_PREFIX).tempdir()?;
    register(folder.path());
    Ok(folder)
}

fn register(path: &Path) {
    let mut created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    created.push(path.to_owned());
}

/// Removes the temporary files and folders that this process created and has neither renamed nor removed, and returns
/// the folder of the newest. A program that does not unwind calls it in its panic hook.
pub fn remove_temporary_files() -> Option<PathBuf> {
    let created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*created {
        // Other threads may still create files in a folder.
        let mut attempts = (0..REMOVALS).map(|_| fs::remove_dir_all(path));
        let _ = fs::remove_file(path).is_ok() || attempts.any(|removed| removed.is_ok());
    }
    Some(created.last()?.parent()?.to_owned())
}

/// Whether a name has the form of a temporary file's: the prefix and six random characters.
fn is_temporary(name: &str) -> bool {
    let random = name.strip_prefix(TEMPORARY_PREFIX).unwrap_or_default();
    random.len() == 6 && random.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Removes temporary files of killed runs: those that are neither locked nor recent. Failures are ignored.
fn remove_leftovers(folder: &Path, now: SystemTime) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let has_form = |entry: &DirEntry| is_temporary(&entry.file_name().to_string_lossy());
    for entry in entries.filter(has_form) {
        if is_leftover(&entry, now).unwrap_or(false) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_leftover(entry: &DirEntry, now: SystemTime) -> io::Result<bool> {
    if !entry.file_type()?.is_file() {
        return Ok(false);
    }
    let file = open_regular(&entry.path())?;
    let touched = file.metadata()?.modified()?;
    let is_old = now.duration_since(touched).is_ok_and(|age| age > FRESH);
    Ok(is_old && file.try_lock().is_ok())
}
