//! A consistent copy of a journal, also while a run writes it.

use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use tempfile::NamedTempFile;

use crate::journal::{Error, copy, file, schema};
use crate::sheet::{self, UnsyncedFolder};

/// Whether a copy may take the place of a file that is not a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacing {
    /// Only an earlier copy is replaced.
    Journals,
    /// Any file.
    Anything,
}

/// A copy that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Its size.
    pub bytes: u64,
    /// Its folder, where it could not be synced.
    pub unsynced: Option<UnsyncedFolder>,
}

/// Copies the journal at `path` to `to`, readable by its owner alone; what was there before stays until the copy is
/// whole.
///
/// # Errors
/// [`Error::Missing`], [`Error::Damaged`] and [`Error::Newer`] for the journal, [`Error::NotACopy`] for a file that is
/// not replaced, [`Error::Copy`] where the system refuses.
pub fn backup(
    path: &Path,
    to: &Path,
    replacing: Replacing,
    now: Timestamp,
) -> Result<Copied, Error> {
    let failed = |source| Error::Copy {
        path: to.to_owned(),
        source,
    };
    let Some(connection) = file::look(path)? else {
        return Err(Error::Missing {
            path: path.to_owned(),
        });
    };
    let to = target(path, to, replacing)?;
    let file = NamedTempFile::new_in(sheet::folder_of(&to)).map_err(failed)?;
    let name = file
        .path()
        .to_str()
        .ok_or_else(|| failed(ErrorKind::InvalidFilename.into()))?;
    // One read transaction: what commits meanwhile is not in the copy.
    connection
        .execute("VACUUM INTO ?1", [name])
        .and_then(|_| copy::mark(file.path(), now))
        .map_err(|error| failed(std::io::Error::other(error)))?;
    let written = File::open(file.path()).map_err(failed)?;
    written.sync_all().map_err(failed)?;
    let bytes = written.metadata().map_err(failed)?.len();
    let unsynced = sheet::put(file, &to).map_err(failed)?;
    Ok(Copied { bytes, unsynced })
}

/// Where the copy goes: what a link points to is replaced, and not the link.
fn target(path: &Path, to: &Path, replacing: Replacing) -> Result<PathBuf, Error> {
    let Ok(there) = to.canonicalize() else {
        return Ok(to.to_owned());
    };
    let refused = |reason| Error::NotACopy {
        path: to.to_owned(),
        reason,
    };
    if path.canonicalize().is_ok_and(|journal| journal == there) {
        return Err(refused("it is the journal itself"));
    }
    if !there.is_file() {
        return Err(refused("it is not a file"));
    }
    if replacing == Replacing::Journals && !is_journal(&there) {
        return Err(refused(
            "another file is there, which is not a copy of a journal",
        ));
    }
    Ok(there)
}

/// Whether a file has the header of a journal.
fn is_journal(path: &Path) -> bool {
    /// Where SQLite keeps the application's id: <https://www.sqlite.org/fileformat.html#application_id>.
    const AT: usize = 68;
    let mut header = [0; AT + 4];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut header));
    read.is_ok() && header[AT..] == schema::APPLICATION_ID.to_be_bytes()
}
