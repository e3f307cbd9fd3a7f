//! The rejects file: rows that became no measurement of theirs, in the user's own layout, each with all that is wrong.

use std::collections::BTreeMap;
use std::path::Path;

use crate::import::{Checked, Error, Input, Rows};
use crate::journal::Journal;
use crate::model::RowNumber;
use crate::sheet;
use crate::table::rejects::{
    self, ExistingFile, RejectMessage, RejectsFile, RejectsPath, RowRejection,
};

/// Where the rejects of this input go; proved before anything is sent. Rejects that were edited since they were written,
/// and those of another run that are still needed, are passed over.
///
/// # Errors
/// When another file stands there, when it is the input itself, or when no program would open such a name.
pub fn rejects_place(
    input: &Input,
    checked: &Checked,
    asked: Option<&Path>,
    journal: &Journal,
) -> Result<RejectsPath, Error> {
    let own = &checked.source.path;
    let is_rejects = journal.rejects_origin(own)?.is_some();
    let occupant = |path: &Path| {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let Ok(Some(written)) = journal.written_file(&absolute) else {
            return ExistingFile::Unknown;
        };
        if sheet::file_sha256(path).ok() != Some(written.sha256) {
            return ExistingFile::Edited;
        }
        // The original has all rows again; rejects of it have some of them.
        if is_rejects && written.input.as_ref() != Some(own) {
            return ExistingFile::Needed;
        }
        ExistingFile::Replaceable
    };
    Ok(RejectsPath::find(
        &input.document,
        checked.layout.format,
        asked,
        &occupant,
    )?)
}

/// Writes the rejects of a run, or removes those of an earlier one where there is nothing to reject. `source_rows` has
/// the rows of the original that rows of its rejects stand for.
///
/// # Errors
/// When the file cannot be written, or the input has changed since its rows were judged.
pub fn write_rejects(
    input: &Input,
    checked: &Checked,
    rows: &Rows,
    place: &RejectsPath,
    source_rows: &BTreeMap<RowNumber, RowNumber>,
) -> Result<Option<RejectsFile>, sheet::Error> {
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
    rejects::update(document, options, &rejected, checked.fingerprint, place)
}

fn message((field, text): &(Option<crate::model::Field>, String)) -> RejectMessage {
    RejectMessage {
        field: *field,
        column: None,
        text: text.clone(),
    }
}
