//! Replacing a file as a whole: written beside its place, private from birth, synced, renamed.

use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::table::Fault;

/// Writes a file that only its owner can read, and puts it in place at once or not at all.
pub(super) fn replace<T>(
    path: &Path,
    write: impl FnOnce(&mut NamedTempFile) -> Result<T, Fault>,
) -> Result<T, Fault> {
    let failed = |source| Fault::Write {
        path: path.to_owned(),
        source,
    };
    let folder = folder_of(path);
    let mut file = NamedTempFile::new_in(&folder).map_err(failed)?;
    let written = write(&mut file)?;
    file.as_file().sync_all().map_err(failed)?;
    file.persist(path).map_err(|error| failed(error.error))?;
    sync_folder(&folder);
    Ok(written)
}

/// The folder in which a file stands.
pub(super) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// Makes the rename durable where the system can; where it cannot, the file is whole all the same.
fn sync_folder(folder: &Path) {
    if let Ok(folder) = std::fs::File::open(folder) {
        let _ = folder.sync_all();
    }
}
