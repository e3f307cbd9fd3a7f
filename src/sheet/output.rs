//! Atomic replacement of a file: a temporary file in the same folder is synced, renamed, and the folder synced.
//!
//! Once the rename has succeeded, the file exists under its name, even if a later step fails. A folder that cannot be
//! synced is therefore not an error: a power cut may undo the rename, and the caller prints a warning.

use std::fmt;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

/// A folder that could not be synced after a file was renamed into it: the file is there, and a power cut may undo that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnsyncedFolder {
    /// The folder.
    pub folder: PathBuf,
    code: Option<i32>,
    kind: io::ErrorKind,
}

impl UnsyncedFolder {
    /// The system's error.
    pub fn reason(&self) -> io::Error {
        self.code
            .map_or_else(|| self.kind.into(), io::Error::from_raw_os_error)
    }
}

impl fmt::Display for UnsyncedFolder {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "cannot sync the folder {}",
            self.folder.display()
        )
    }
}

/// Syncs the file, then does as [`put`].
///
/// # Errors
/// Where the system refuses; what was there before still is, and nothing is left behind.
pub fn replace(file: NamedTempFile, to: &Path) -> io::Result<Option<UnsyncedFolder>> {
    file.as_file().sync_all()?;
    put(file, to)
}

/// Renames a synced file into its place and syncs the folder. Where that last step fails, the folder is returned.
///
/// # Errors
/// Where the rename is refused; what was there before still is, and nothing is left behind.
pub fn put(file: NamedTempFile, to: &Path) -> io::Result<Option<UnsyncedFolder>> {
    file.persist(to).map_err(|error| error.error)?;
    Ok(sync_folder(folder_of(to)))
}

/// Makes the names in a folder durable; returns the folder where that fails. Windows does so by itself.
pub fn sync_folder(folder: &Path) -> Option<UnsyncedFolder> {
    if cfg!(windows) {
        return None;
    }
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.err().map(|error| UnsyncedFolder {
        folder: folder.to_owned(),
        code: error.raw_os_error(),
        kind: error.kind(),
    })
}

/// The folder that contains a path.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_folder_that_cannot_be_synced_is_returned_and_the_file_is_in_its_place() {
        let home = tempfile::tempdir().unwrap();
        let to = home.path().join("results.csv");
        let file = NamedTempFile::new_in(home.path()).unwrap();
        fs::write(file.path(), "new").unwrap();
        assert_eq!(replace(file, &to).unwrap(), None);
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
        let gone = home.path().join("gone");
        let unsynced = sync_folder(&gone).unwrap();
        assert_eq!(unsynced.reason().kind(), io::ErrorKind::NotFound);
        assert_eq!(unsynced.folder, gone);
    }

    #[test]
    fn a_rename_that_is_refused_leaves_what_was_there() {
        let home = tempfile::tempdir().unwrap();
        let to = home.path().join("taken");
        fs::create_dir(&to).unwrap();
        fs::write(to.join("inside"), "old").unwrap();
        let file = NamedTempFile::new_in(home.path()).unwrap();
        assert_eq!(
            fs::metadata(file.path()).unwrap().permissions().mode() & 0o777,
            0o600
        );
        replace(file, &to).unwrap_err();
        assert_eq!(fs::read_to_string(to.join("inside")).unwrap(), "old");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
