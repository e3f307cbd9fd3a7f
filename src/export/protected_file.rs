//! What an export may replace: its own earlier exports, as they were written, and nothing else.
//!
//! The journal knows what it exported and sealed by its digest. A workbook of another journal, as a rehearsal writes one,
//! is known by its properties, which every spreadsheet program changes when it saves.

use std::path::{Path, PathBuf};

use crate::export::Error;
use crate::journal::{Journal, JournalSnapshot, WrittenFile};
use crate::sheet::{DocumentProperties, file_sha256};

/// Whom a workbook's properties name as its author.
pub(super) const AUTHOR: &str = "gutterbatch";

/// The team of every rehearsal, which its workbook shows and names as the company.
pub const REHEARSAL_TEAM: &str = "Rehearsal, invented numbers";

/// Why a file is not replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtectedFile {
    /// Rows were imported from it.
    Imported,
    /// It is a sealed export.
    Sealed {
        /// Which, where it is one of this journal.
        number: Option<u64>,
    },
    /// It was an export, and somebody has changed it.
    Edited,
    /// It is nothing that the program is known to have exported.
    Other,
}

/// What a workbook says in its properties of what it is.
pub(super) fn subject(sealed: Option<u64>) -> String {
    match sealed {
        Some(number) => format!("{SEALED} {number}"),
        None => UNSEALED.to_owned(),
    }
}

/// How the subject of every export begins.
const RESULTS: &str = "Gutter measurements";
const UNSEALED: &str = "Gutter measurements, not sealed";
const SEALED: &str = "Gutter measurements for billing, sealed export";

/// Shows that nothing stands at a path but an unsealed export as it was written; `journal` is whose export is about to be
/// written there, where there is one.
///
/// # Errors
/// [`Error::Protected`] with the reason, and those of the journal.
pub fn refuse_protected(path: &Path, journal: Option<&Journal>) -> Result<(), Error> {
    let is_empty = std::fs::metadata(path).is_ok_and(|found| found.len() == 0);
    if !path.exists() || is_empty {
        return Ok(());
    }
    let protected = match journal {
        Some(journal) => protected(path, journal)?,
        None => of_another_journal(path).or_else(|| of_a_real_team(path)),
    };
    match protected {
        None => Ok(()),
        Some(why) => Err(Error::Protected {
            path: path.to_owned(),
            why,
        }),
    }
}

fn protected(path: &Path, journal: &Journal) -> Result<Option<ProtectedFile>, Error> {
    let snapshot = journal.snapshot()?;
    if is_imported(path, &snapshot)? {
        return Ok(Some(ProtectedFile::Imported));
    }
    // A file that cannot be read cannot be known.
    let Ok(sha256) = file_sha256(path) else {
        return Ok(Some(ProtectedFile::Other));
    };
    for export in snapshot.sealed_exports()? {
        let is_its_place = same(&export.path, path);
        if export.sha256 == sha256 && is_its_place && export.delivered_at.is_none() {
            // A run was cut off before it noted the delivery; it is for this one to do.
            return Ok(None);
        }
        if export.sha256 == sha256 || is_its_place {
            let number = Some(export.number);
            return Ok(Some(ProtectedFile::Sealed { number }));
        }
    }
    if journal.has_exported(&sha256)? {
        return Ok(None);
    }
    match (
        of_another_journal(path),
        journal.written_file(&absolute(path))?,
    ) {
        (Some(ProtectedFile::Other), Some(WrittenFile { .. })) => Ok(Some(ProtectedFile::Edited)),
        (known, _) => Ok(known),
    }
}

fn is_imported(path: &Path, snapshot: &JournalSnapshot) -> Result<bool, Error> {
    let mut sources = snapshot.sources()?.into_iter();
    Ok(sources.any(|source| same(&source.path, path)))
}

/// What can be said of a file without the journal that exported it.
fn of_another_journal(path: &Path) -> Option<ProtectedFile> {
    let Some(properties) = DocumentProperties::read(path) else {
        return Some(ProtectedFile::Other);
    };
    let is_results = properties.subject.starts_with(RESULTS);
    if properties.creator != AUTHOR || !is_results {
        return Some(ProtectedFile::Other);
    }
    if properties.subject.starts_with(SEALED) {
        return Some(ProtectedFile::Sealed { number: None });
    }
    let is_as_written = properties.subject == UNSEALED && !properties.is_saved_again();
    (!is_as_written).then_some(ProtectedFile::Edited)
}

/// A rehearsal replaces the workbook of a rehearsal alone: its numbers are invented.
fn of_a_real_team(path: &Path) -> Option<ProtectedFile> {
    let company = DocumentProperties::read(path)?.company;
    (company != REHEARSAL_TEAM).then_some(ProtectedFile::Other)
}

fn same(one: &Path, other: &Path) -> bool {
    let canonical = |path: &Path| path.canonicalize().ok();
    canonical(one)
        .zip(canonical(other))
        .is_some_and(|(one, other)| one == other)
}

/// A path as the journal records it.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let canonical = path.canonicalize().or_else(|_| std::path::absolute(path));
    canonical.unwrap_or_else(|_| path.to_owned())
}
