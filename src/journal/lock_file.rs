//! The lock file beside the journal, which allows one run at a time, even if links lead to the journal.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::journal::Error;
use crate::journal::journal_file::path_beside;
use crate::sheet::open_regular;

/// The start of every lock file. A file with another start is not a lock file and is never written.
const SIGNATURE: &[u8] = b"gutterbatch";

/// The text before the description of the run.
const PREFIX: &str = "gutterbatch lock: ";

/// The description of a run whose lock file cannot be read, as on Windows.
pub(super) const UNKNOWN_HOLDER: &str = "another run";

/// Maximum number of bytes of a lock file that are read.
const MAX_READ_BYTES: u64 = 64 * 1024;

/// The lock of a journal, held until it is dropped.
#[derive(Debug)]
pub(super) struct JournalLock(File);

impl Drop for JournalLock {
    /// Closing the file alone would leave it locked while a process that another thread starts still has a copy of it.
    fn drop(&mut self) {
        // Closing it follows.
        let _ = self.0.unlock();
    }
}

/// Locks the lock file beside the journal at `path`, which must not be a link. `holder` describes this run to others.
/// The system releases the lock when the process ends in any way.
pub(super) fn acquire_lock(path: &Path, holder: &str) -> Result<JournalLock, Error> {
    let lock = lock_path(path);
    let opening = |source| Error::Lock {
        lock: lock.clone(),
        source,
    };
    let unusable = |reason| Error::ForeignLock {
        lock: lock.clone(),
        reason,
    };
    // Checked before it is opened, so that the error can say what is there; the flags protect against a race.
    match std::fs::symlink_metadata(&lock) {
        Ok(there) if there.is_symlink() => return Err(unusable("it is a link")),
        Ok(there) if !there.is_file() => return Err(unusable("it is not a regular file")),
        _ => {}
    }
    let mut file = options().open(&lock).map_err(opening)?;
    if !file.metadata().map_err(opening)?.is_file() {
        return Err(unusable("it is not a regular file"));
    }
    let is_locked = match file.try_lock() {
        Ok(()) => false,
        Err(TryLockError::WouldBlock) => true,
        Err(TryLockError::Error(source)) => return Err(opening(source)),
    };
    let mut content = Vec::new();
    (&file)
        .take(MAX_READ_BYTES)
        .read_to_end(&mut content)
        .map_err(opening)?;
    // The start may be incomplete, if the disk was full in an earlier run.
    if !content.starts_with(SIGNATURE) && !SIGNATURE.starts_with(&content) {
        return Err(unusable("another program wrote it"));
    }
    if is_locked {
        let content = String::from_utf8_lossy(&content);
        return Err(Error::Locked {
            path: path.to_owned(),
            holder: content.strip_prefix(PREFIX).unwrap_or(&content).to_owned(),
        });
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| file.write_all(format!("{PREFIX}{holder}").as_bytes()))
        .map_err(opening)?;
    Ok(JournalLock(file))
}

/// Describes the run that holds the lock of the journal at `path`, and says when it took it; `None` if no run does.
pub(super) fn lock_holder(path: &Path) -> Option<(String, SystemTime)> {
    let file = open_regular(&lock_path(path)).ok()?;
    match file.try_lock_shared() {
        Err(TryLockError::WouldBlock) => {}
        _ => return None,
    }
    let taken_at = file.metadata().and_then(|metadata| metadata.modified());
    let mut content = String::new();
    // On Windows a locked file cannot be read.
    let _ = file.take(MAX_READ_BYTES).read_to_string(&mut content);
    let holder = content.strip_prefix(PREFIX).unwrap_or(UNKNOWN_HOLDER);
    Some((holder.to_owned(), taken_at.ok()?))
}

fn lock_path(path: &Path) -> PathBuf {
    path_beside(path, ".lock")
}

fn options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;

        use rustix::fs::OFlags;
        let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
        options.mode(0o600).custom_flags(flags.bits().cast_signed());
    }
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(path: &Path) -> &'static str {
        match acquire_lock(path, "a run") {
            Err(Error::ForeignLock { reason, .. }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_file_that_another_program_wrote_is_no_lock_and_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("Cargo");
        std::fs::write(lock_path(&path), "version = 4\n").unwrap();
        assert_eq!(reason(&path), "another program wrote it");
        assert_eq!(
            std::fs::read_to_string(lock_path(&path)).unwrap(),
            "version = 4\n"
        );
    }

    #[test]
    fn a_lock_that_a_full_disk_cut_off_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        for cut in ["", "gutter", "gutterbatch lock: import"] {
            std::fs::write(lock_path(&path), cut).unwrap();
            drop(acquire_lock(&path, "a run").unwrap());
        }
        let written = std::fs::read_to_string(lock_path(&path)).unwrap();
        assert_eq!(written, "gutterbatch lock: a run");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_place_of_the_lock_file_does_not_change_its_target() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal.db");
        let target = folder.path().join("target");
        std::fs::write(&target, "gutterbatch notes").unwrap();
        std::os::unix::fs::symlink(&target, lock_path(&path)).unwrap();
        assert_eq!(reason(&path), "it is a link");
        assert_eq!(
            std::fs::read_to_string(&target).unwrap(),
            "gutterbatch notes"
        );
    }
}
