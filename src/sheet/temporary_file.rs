//! Temporary files beside the files that they become, and temporary folders.

use std::fs::{self, DirEntry};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use tempfile::{Builder, NamedTempFile, TempDir};

use crate::sheet::open_regular;

/// The prefix of their names.
const TEMPORARY_PREFIX: &str = ".gutterbatch-";

/// A file that was modified more recently may belong to a run that has not locked it yet.
const FRESH: Duration = Duration::from_secs(60);

/// The paths of all temporary files and folders that this process created. Locked while one is created.
static CREATED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Creates a temporary file that only the user can read, since it contains customers' data and a killed run leaves it
/// behind. It is locked while it is open, and files that killed runs left behind in the folder are removed.
///
/// # Errors
/// If the system refuses to create it.
pub fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let create = || Builder::new().prefix(TEMPORARY_PREFIX).tempfile_in(folder);
    let file = register(create, NamedTempFile::path)?;
    // Some network file systems have no locks; then nothing is removed. On Windows a locked file could not be read.
    if cfg!(unix) && file.as_file().try_lock().is_ok() {
        remove_leftovers(folder, file.as_file().metadata()?.modified()?);
    }
    Ok(file)
}

/// Creates an empty temporary file that, as every new file under the user's umask, others may read.
///
/// # Errors
/// If the system refuses to create it.
pub fn shared_temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(TEMPORARY_PREFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    register(|| builder.tempfile_in(folder), NamedTempFile::path)
}

/// Creates a folder among the system's temporary files that only the user can read.
///
/// # Errors
/// If the system refuses to create it.
pub fn temporary_folder() -> io::Result<TempDir> {
    let create = || Builder::new().prefix(TEMPORARY_PREFIX).tempdir();
    register(create, TempDir::path)
}

fn register<T>(create: impl FnOnce() -> io::Result<T>, path: fn(&T) -> &Path) -> io::Result<T> {
    let mut paths = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    let created = create()?;
    paths.push(path(&created).to_owned());
    Ok(created)
}

/// Removes the temporary files and folders that this process created and has neither renamed nor removed, and returns
/// the folder of the newest. No thread can create another one afterwards: a program that does not unwind calls this in
/// its panic hook, and ends.
pub fn remove_temporary_files() -> Option<PathBuf> {
    let created = CREATED.lock().unwrap_or_else(PoisonError::into_inner);
    for path in &*created {
        // Under another name no other thread creates files in a folder while it is removed.
        let renamed = path.with_extension("removed");
        if path.is_dir() && fs::rename(path, &renamed).is_ok() {
            let _ = fs::remove_dir_all(renamed);
        } else {
            let _ = fs::remove_file(path);
        }
    }
    let newest = created.last().and_then(|path| path.parent());
    let folder = newest.map(Path::to_owned);
    mem::forget(created);
    folder
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
