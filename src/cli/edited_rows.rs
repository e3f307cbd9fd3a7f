//! The warnings about rows that were edited after they were submitted, for `check` and `import`.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::cli::shell;
use crate::import::{self, CheckedFile, FieldEdit, RowOutcomes};
use crate::model::{Field, Outcome, counted, printable};

/// A line for each set of fields that were edited, with the index of the first row that it is about.
pub(super) fn lines(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<(usize, String)> {
    let mut by_fields: BTreeMap<Vec<Field>, Vec<usize>> = BTreeMap::new();
    for (index, edits) in rows.changed() {
        let fields = edits.iter().map(|edit| edit.field).collect();
        by_fields.entry(fields).or_default().push(*index);
    }
    let lines = by_fields.into_iter().map(|(fields, indices)| {
        let text = changed(checked, rows, &fields, &indices);
        (
            indices[0],
            format!("{}: {text}", numbered(checked, &indices)),
        )
    });
    lines.collect()
}

/// The causes that are likely if most rows are in conflict.
pub(super) fn conflict_causes(rows: &RowOutcomes) -> Option<String> {
    let count = counted(rows.outcomes().count(Outcome::Conflict), "row");
    rows.are_mostly_in_conflict().then(|| {
        format!(
            "{count} in conflict: was another --address, --map or --sheet meant, do ids start again in this file (--id-prefix), or was a column sorted without the others?"
        )
    })
}

/// `row 4`, or `3 rows`.
pub(super) fn numbered(checked: &CheckedFile, indices: &[usize]) -> String {
    match indices {
        [index] => format!("row {}", checked.rows[*index].number),
        indices => counted(indices.len() as u64, "row"),
    }
}

/// How rows differ from what was submitted, and which flag may be missing.
fn changed(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    fields: &[Field],
    indices: &[usize],
) -> String {
    let mut text = import::edited_message(checked, fields);
    let edits = |field: Field| {
        let edits = indices.iter().filter_map(|index| rows.changed().get(index));
        let edits = edits.flatten().filter(move |edit| edit.field == field);
        edits.map(|edit| edit.values.as_ref())
    };
    for field in fields {
        let mut edits = edits(*field);
        let Some(Some((before, now))) = edits.next() else {
            continue;
        };
        let (was, is) = (before.as_deref(), now.as_deref());
        let is_equal = edits.all(|edit| edit == Some(&(before.clone(), now.clone())));
        let example = match field {
            _ if is_equal => Some(""),
            Field::Line1 | Field::Line2 => Some("for instance "),
            _ => None,
        };
        if let Some(example) = example {
            let [was, is] = [was, is].map(|value| printable(value.unwrap_or("none")));
            let name = checked.name_of(*field);
            let _ = write!(text, "; {example}{name} was {was}, now {is}");
        }
        if is.is_none() {
            let flag = match (field, was) {
                (Field::Country, Some(was)) if is_equal => format!("--default-country {was}"),
                (Field::Label, Some(was)) if is_equal => {
                    format!("--external-label {}", shell::quoted(was))
                }
                (Field::Url, Some(_)) => "--external-url".to_owned(),
                _ => continue,
            };
            let _ = write!(text, "; was it {flag}?");
        }
    }
    let edited = indices.iter().filter_map(|index| rows.changed().get(index));
    if edited.flatten().any(FieldEdit::is_of_home) {
        text += "; the address as it is now is not requested";
    }
    text + import::KEEPS
}
