//! Which existing files an export may replace: unchanged unsealed exports only.
//!
//! The journal recognizes its exports by their digests. A workbook of another journal, for instance of a rehearsal, is
//! recognized by its properties, which spreadsheet programs change when they save it.

use std::fmt;
use std::path::Path;

use crate::export::Error;
use crate::journal::{self, Journal, JournalSnapshot, SealedExport, WrittenFile};
use crate::sheet::{DocumentProperties, file_sha256, resolved_path, same_file};

/// The author in a workbook's properties.
pub(super) const AUTHOR: &str = "gutterbatch";

/// The team of every rehearsal, which is also the company in its workbook's properties.
pub const REHEARSAL_TEAM: &str = "Rehearsal, invented numbers";

/// Why a file is not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtectedFile {
    /// Rows were imported from it.
    Imported,
    /// It is a journal, of whatever profile.
    Journal,
    /// It is a sealed export.
    Sealed {
        /// Its number, if it is one of this journal.
        number: Option<u64>,
        /// Whether the file is in the place of that one and is not the same any more.
        is_edited: bool,
    },
    /// It is an export that was changed.
    Edited,
    /// It is not known to be an export.
    Other,
}

impl fmt::Display for ProtectedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Imported => "is an imported sheet",
            Self::Journal => "is a journal",
            Self::Sealed { number: None, .. } => "is a sealed export",
            Self::Sealed {
                number: Some(number),
                is_edited,
            } => {
                let edited = if *is_edited { ", edited since" } else { "" };
                return write!(formatter, "is sealed export {number}{edited}");
            }
            Self::Edited => "is an export that was changed after it was written",
            Self::Other => "is not known to be an export of this program",
        })
    }
}

/// Returns the subject in a workbook's properties.
pub(super) fn subject(sealed: Option<u64>) -> String {
    match sealed {
        Some(number) => format!("{SEALED} {number}"),
        None => UNSEALED.to_owned(),
    }
}

/// The start of the subject of every export.
const RESULTS: &str = "Gutter measurements";
const UNSEALED: &str = "Gutter measurements, not sealed";
const SEALED: &str = "Gutter measurements for billing, sealed export";

/// Refuses an existing file that an export may not replace. `journal` is the journal of the export; `None` for a
/// rehearsal.
///
/// # Errors
/// [`Error::Protected`] with the reason, and [`Error::Journal`].
pub fn refuse_protected(path: &Path, journal: Option<&Journal>) -> Result<(), Error> {
    let is_empty = std::fs::metadata(path).is_ok_and(|found| found.len() == 0);
    if !path.exists() || is_empty {
        return Ok(());
    }
    let protected = match journal {
        Some(journal) => protected(path, journal)?,
        None => by_properties(path).or_else(|| not_of_a_rehearsal(path)),
    };
    refuse(path, protected)
}

/// Refuses a file that no flag replaces: a journal, an imported sheet, and a sealed export.
///
/// # Errors
/// [`Error::Protected`] with the reason, and [`Error::Journal`].
pub(super) fn refuse_irreplaceable(path: &Path, journal: &Journal) -> Result<(), Error> {
    let sha256 = file_sha256(path).ok();
    refuse(path, irreplaceable(path, sha256.as_deref(), journal)?)
}

fn refuse(path: &Path, protected: Option<ProtectedFile>) -> Result<(), Error> {
    let Some(why) = protected else {
        return Ok(());
    };
    let path = path.to_owned();
    Err(Error::Protected { path, why })
}

fn protected(path: &Path, journal: &Journal) -> Result<Option<ProtectedFile>, Error> {
    // A file that cannot be read cannot be recognized.
    let sha256 = file_sha256(path).ok();
    if let Some(why) = irreplaceable(path, sha256.as_deref(), journal)? {
        return Ok(Some(why));
    }
    if let Some(sha256) = sha256
        && journal.has_exported(&sha256)?
    {
        return Ok(None);
    }
    match (
        by_properties(path),
        journal.written_file(&resolved_path(path))?,
    ) {
        (Some(ProtectedFile::Other), Some(WrittenFile { .. })) => Ok(Some(ProtectedFile::Edited)),
        (known, _) => Ok(known),
    }
}

/// Returns why a file with a digest is never replaced; `None` for one that `--force` replaces.
fn irreplaceable(
    path: &Path,
    sha256: Option<&str>,
    journal: &Journal,
) -> Result<Option<ProtectedFile>, Error> {
    if journal::is_journal(path) {
        return Ok(Some(ProtectedFile::Journal));
    }
    if is_imported(path, &journal.snapshot()?)? {
        return Ok(Some(ProtectedFile::Imported));
    }
    let is_as_sealed = |export: &&SealedExport| sha256 == Some(export.sha256.as_str());
    let is_written_there = |export: &&SealedExport| same_file(&export.path, path);
    let exports = journal.sealed_exports()?;
    let mut as_sealed = exports.iter().filter(is_as_sealed);
    // An unsealed export may have the bytes of a sealed one, or the path of one that was moved away.
    if let Some(sha256) = sha256
        && is_unsealed_there(path, sha256, journal)?
        && !as_sealed.clone().any(|export| is_written_there(&export))
    {
        return Ok(None);
    }
    // Several may have been written to one path: an edited file there is most likely the newest.
    let newest_there = || exports.iter().rfind(is_written_there);
    if let Some(export) = as_sealed.next().or_else(newest_there) {
        return Ok(Some(ProtectedFile::Sealed {
            number: Some(export.number),
            is_edited: sha256.is_some_and(|sha256| sha256 != export.sha256),
        }));
    }
    let is_sealed = |why: &ProtectedFile| matches!(why, ProtectedFile::Sealed { .. });
    Ok(by_properties(path).filter(is_sealed))
}

/// Whether the last file that the program wrote at a path, other than a sealed export, is an unsealed one with a digest.
fn is_unsealed_there(path: &Path, sha256: &str, journal: &Journal) -> Result<bool, Error> {
    let written = journal.written_file(&resolved_path(path))?;
    let is_there = written.is_some_and(|written| written.sha256 == sha256);
    Ok(is_there && journal.has_exported(sha256)?)
}

fn is_imported(path: &Path, snapshot: &JournalSnapshot) -> Result<bool, Error> {
    let mut sources = snapshot.sources()?.into_iter();
    Ok(sources.any(|source| same_file(&source.path, path)))
}

/// Returns why a file is protected, according to its properties.
fn by_properties(path: &Path) -> Option<ProtectedFile> {
    let Some(properties) = DocumentProperties::read(path) else {
        return Some(ProtectedFile::Other);
    };
    let is_results = properties.subject.starts_with(RESULTS);
    if properties.creator != AUTHOR || !is_results {
        return Some(ProtectedFile::Other);
    }
    if properties.subject.starts_with(SEALED) {
        return Some(ProtectedFile::Sealed {
            number: None,
            is_edited: false,
        });
    }
    let is_as_written = properties.subject == UNSEALED && !properties.is_saved_again();
    (!is_as_written).then_some(ProtectedFile::Edited)
}

/// Returns why a rehearsal may not replace a file: its numbers are invented, so it replaces only workbooks of rehearsals.
fn not_of_a_rehearsal(path: &Path) -> Option<ProtectedFile> {
    let properties = DocumentProperties::read(path)?;
    (properties.company != REHEARSAL_TEAM).then_some(ProtectedFile::Other)
}

/// Whether a file is the workbook of a rehearsal.
pub fn is_of_a_rehearsal(path: &Path) -> bool {
    DocumentProperties::read(path).is_some_and(|properties| properties.company == REHEARSAL_TEAM)
}
