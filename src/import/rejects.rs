//! The rejects file: rows that became no measurement of theirs, in the user's own layout, each with all that is wrong.

use std::path::Path;

use crate::import::{Checked, Input, Rows};
use crate::table;
use crate::table::rejects::{self, Message, Place, Rejected, Written};

/// Where the rejects of this input go; proved before anything is sent.
///
/// # Errors
/// When another file stands there, when it is the input itself, or when no program would open such a name.
pub fn rejects_place(
    input: &Input,
    checked: &Checked,
    asked: Option<&Path>,
) -> Result<Place, table::Error> {
    Place::find(&input.document, checked.layout.form, asked)
}

/// Writes the rejects of a run, or removes those of an earlier one where there is nothing to reject.
///
/// # Errors
/// When the file cannot be written, or the input has changed since its rows were judged.
pub fn write_rejects(
    input: &Input,
    checked: &Checked,
    rows: &Rows,
    place: &Place,
) -> Result<Option<Written>, table::Error> {
    let mut found = checked.errors_by_row()?;
    let rejected: Vec<Rejected> = rows
        .rejected()
        .map(|(index, outcome)| {
            let row = checked.rows[index].number;
            let messages = rows.rejection(index).map_or_else(
                || {
                    let errors = found.remove(&row).unwrap_or_default();
                    errors.iter().map(Message::from).collect()
                },
                |rejection| rejection.messages.iter().map(message).collect(),
            );
            Rejected {
                row,
                outcome,
                messages,
            }
        })
        .collect();
    let (document, options) = (&input.document, &input.options);
    rejects::update(document, options, &rejected, checked.fingerprint, place)
}

fn message((field, text): &(Option<crate::model::Field>, String)) -> Message {
    Message {
        field: *field,
        column: None,
        text: text.clone(),
    }
}
