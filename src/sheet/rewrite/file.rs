//! Writes a file that is complete or absent and that only its owner can read.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::{self, UnsyncedFolder};

/// Writes into a private temporary file in the target's folder, syncs it, and renames it to the target. `finished` is given
/// the temporary file before that.
pub(crate) fn whole<T>(
    to: &Path,
    write: impl FnOnce(&mut File) -> Result<T, RewriteError>,
    finished: &mut dyn FnMut(&Path) -> io::Result<()>,
) -> Result<(T, Option<UnsyncedFolder>), RewriteError> {
    let mut file = sheet::temporary_file(sheet::folder_of(to))?;
    let written = write(file.as_file_mut())?;
    finished(file.path())?;
    Ok((written, sheet::replace(file, to)?))
}

/// Whether two paths lead to one file.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other || is_linked(&one, &other),
        _ => false,
    }
}

#[cfg(unix)]
fn is_linked(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    match (one.metadata(), other.metadata()) {
        (Ok(one), Ok(other)) => one.dev() == other.dev() && one.ino() == other.ino(),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_linked(_: &Path, _: &Path) -> bool {
    false
}
