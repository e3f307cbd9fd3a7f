//! The rejects file of an import: where it is written, and what it contains.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::import::{CheckedFile, Error, ImportInput, RowOutcomes};
use crate::journal::{self, Journal};
use crate::model::{Outcome, Problem, RowNumber};
use crate::sheet;
use crate::table::rejects::{
    self, ExistingFile, RejectMessage, RejectsFile, RejectsPath, RowRejection,
};

/// The path for the rejects of this input. Skips existing rejects that were edited since they were written, those of another
/// run that are still needed, and those of another table.
///
/// # Errors
/// If another file exists at the path, if it is the input, or if its extension does not fit the format.
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
            // The original has all rows; its rejects have some of them.
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

/// Writes the rejects of a run, or removes those of an earlier run if no row is rejected. `source_rows` maps rows of an
/// imported rejects file to rows of the original. `record` is called with the digest of the rejects before they are renamed
/// into their place, so that they are recognized even if the run is killed.
///
/// # Errors
/// If the file cannot be written or recorded, or if the input has changed since it was checked.
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
            let mut is_asked = outcome == Outcome::SameHouse;
            let messages = rows.rejection(index).map_or_else(
                || {
                    let errors = found.remove(&row).unwrap_or_default();
                    is_asked |= errors.iter().any(is_about_decision);
                    errors.iter().map(RejectMessage::from).collect()
                },
                |rejection| rejection.messages.iter().map(message).collect(),
            );
            RowRejection {
                row,
                source_row: source_rows.get(&row).copied().unwrap_or(row),
                outcome,
                messages,
                is_asked,
            }
        })
        .collect();
    let (document, options) = (&input.document, &input.options);
    let mut unrecorded = None;
    let mut finished = |path: &Path| {
        record(sheet::file_sha256(path)?).map_err(|error| {
            let reported = io::Error::other(error.to_string());
            unrecorded = Some(error);
            reported
        })
    };
    let print = checked.fingerprint;
    let written = rejects::update(document, options, &rejected, print, place, &mut finished);
    match unrecorded {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}

/// Whether a problem is about the word in the column of decisions.
fn is_about_decision(problem: &Problem) -> bool {
    let is_column = |header: &String| rejects::is_decision_header(header);
    problem.column.as_ref().is_some_and(is_column)
}

fn message((field, text): &(Option<crate::model::Field>, String)) -> RejectMessage {
    RejectMessage {
        field: *field,
        column: None,
        text: text.clone(),
    }
}
