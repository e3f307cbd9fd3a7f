//! Atomic replacement of a file: a temporary file in the same folder is synced, renamed, and the folder synced.
//!
//! Once the rename has succeeded, the file exists under its name, even if a later step fails. That a folder cannot be
//! synced, as on some network file systems, is therefore no error: only a power cut could undo the rename.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::sheet::temporary_file;

/// Replaces a file by one with this content that only its owner can read.
///
/// # Errors
/// If it cannot be written or renamed; an existing file is unchanged then.
pub fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = temporary_file(folder_of(path))?;
    file.write_all(content)?;
    sync_and_rename(file, path)
}

/// Writes a file with this content that only its owner can read, unless there is one of that name.
///
/// # Errors
/// If it cannot be written or renamed; of kind [`io::ErrorKind::AlreadyExists`] if there is one.
pub fn create_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = temporary_file(folder_of(path))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist_noclobber(path).map_err(|error| error.error)?;
    sync_folder(folder_of(path));
    Ok(())
}

/// Syncs the file, then does as [`rename_into_place`].
///
/// # Errors
/// Where the system refuses; what was there before still is, and nothing is left behind.
pub fn sync_and_rename(file: NamedTempFile, to: &Path) -> io::Result<()> {
    file.as_file().sync_all()?;
    rename_into_place(file, to)
}

/// Renames a synced file into its place and syncs the folder.
///
/// # Errors
/// Where the rename is refused; what was there before still is, and nothing is left behind.
pub fn rename_into_place(file: NamedTempFile, to: &Path) -> io::Result<()> {
    file.persist(to).map_err(|error| error.error)?;
    sync_folder(folder_of(to));
    Ok(())
}

/// Makes the names in a folder durable. Windows does so by itself, and some network file systems cannot.
pub fn sync_folder(folder: &Path) {
    if !cfg!(windows) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
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
    fn a_file_is_put_in_its_place() {
        let home = tempfile::tempdir().unwrap();
        let to = home.path().join("results.csv");
        let file = NamedTempFile::new_in(home.path()).unwrap();
        fs::write(file.path(), "new").unwrap();
        sync_and_rename(file, &to).unwrap();
        assert_eq!(fs::read_to_string(&to).unwrap(), "new");
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
        sync_and_rename(file, &to).unwrap_err();
        assert_eq!(fs::read_to_string(to.join("inside")).unwrap(), "old");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
