//! The rejects file: rows that became no measurement of theirs, in the user's own layout, each with all that is wrong.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::import::{CheckedFile, Error, ImportInput, RowOutcomes};
use crate::journal::{self, Journal};
use crate::model::RowNumber;
use crate::sheet;
use crate::table::rejects::{
    self, ExistingFile, RejectMessage, RejectsFile, RejectsPath, RowRejection,
};

/// Where the rejects of this input go; proved before anything is sent. Rejects that were edited since they were written,
/// those of another run that are still needed, and those of another table are passed over.
///
/// # Errors
/// When another file stands there, when it is the input itself, or when no program would open such a name.
pub fn rejects_place(
    input: &ImportInput,
    checked: &CheckedFile,
    asked: Option<&Path>,
    journal: &Journal,
) -> Result<RejectsPath, Error> {
    let own = &checked.source;
    let origin = journal.rejects_origin(&own.path, rejects::has_both_columns)?;
    let occupant = |path: &Path| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let Ok(Some(written)) = journal.written_file(&absolute) else {
            return ExistingFile::Unknown;
        };
        let Some(original) = &written.original else {
            return ExistingFile::Unknown;
        };
        let sha256 = sheet::file_sha256(path).ok();
        if !sha256.is_some_and(|sha256| written.matches(&sha256)) {
            return ExistingFile::Edited;
        }
        match &origin {
            Some(_) if written.input.as_ref() == Some(&own.path) => ExistingFile::Replaceable,
            Some(origin) if original.path == origin.path => ExistingFile::Needed,
            // The original has all rows again; rejects of it have some of them.
            None if original == own => ExistingFile::Replaceable,
            _ => ExistingFile::OfAnother,
        }
    };
    Ok(RejectsPath::find(
        &input.document,
        checked.layout.format,
        asked,
        &occupant,
    )?)
}

/// Writes the rejects of a run, or removes those of an earlier one where there is nothing to reject. `source_rows` has
/// the rows of the original that rows of its rejects stand for. `record` is given the digest of the rejects before they are
/// renamed into their place, so that a run that is killed knows them again.
///
/// # Errors
/// When the file cannot be written or recorded, or the input has changed since its rows were judged.
pub fn write_rejects(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
    place: &RejectsPath,
    source_rows: &BTreeMap<RowNumber, RowNumber>,
    record: impl Fn(String) -> Result<(), journal::Error>,
) -> Result<Option<RejectsFile>, Error> {
    let mut found = checked.errors_by_row()?;
    let rejected: Vec<RowRejection> = rows
        .rejected()
        .map(|(index, outcome)| {
            let row = checked.rows[index].number;
            let messages = rows.rejection(index).map_or_else(
                || {
                    let errors = found.remove(&row).unwrap_or_default();
                    errors.iter().map(RejectMessage::from).collect()
                },
                |rejection| rejection.messages.iter().map(message).collect(),
            );
            RowRejection {
                row,
                source_row: source_rows.get(&row).copied().unwrap_or(row),
                outcome,
                messages,
            }
        })
        .collect();
    let (document, options) = (&input.document, &input.options);
    let mut unrecorded = None;
    let mut finished = |path: &Path| {
        record(sheet::file_sha256(path)?).map_err(|error| {
            let told = io::Error::other(error.to_string());
            unrecorded = Some(error);
            told
        })
    };
    let print = checked.fingerprint;
    let written = rejects::update(document, options, &rejected, print, place, &mut finished);
    match unrecorded {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}

fn message((field, text): &(Option<crate::model::Field>, String)) -> RejectMessage {
    RejectMessage {
        field: *field,
        column: None,
        text: text.clone(),
    }
}
