//! Rows that were not taken, in the user's own layout, with what is wrong with them.
//!
//! The file is ours and is written anew on every run, so a file of that name which is not ours must never be lost: it
//! is ours when our two columns stand at the end of its headers, and only then it is replaced or removed.

use std::collections::BTreeMap;
use std::path::Path;

use crate::model::{Field, RowNumber};
use crate::table::address::column_of;
use crate::table::echo::{Addition, Extra, echo, row_number};
use crate::table::options::Options;
use crate::table::{Columns, Document, Error, Fault, open};

/// Our columns, at the end.
const HEADERS: [&str; 2] = ["error", "source_row"];

/// A row that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// The row.
    pub row: RowNumber,
    /// What is wrong with it.
    pub reasons: Vec<Reason>,
}

/// One thing that is wrong with a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// The field, where it is one field's fault.
    pub field: Option<Field>,
    /// The cell, for instance `F22`; without it the field's first column is marked.
    pub cell: Option<String>,
    /// What is wrong.
    pub message: String,
}

/// Writes the rejected rows, replacing those of an earlier run; without any, removes the file.
///
/// # Errors
/// [`Fault::NotOurs`] when a file of that name is not ours, [`Fault::Write`] when it cannot be written, and what makes
/// the input unreadable by now.
pub fn write(
    document: &Document,
    options: &Options,
    path: &Path,
    rejected: Vec<Rejected>,
) -> Result<u64, Error> {
    if rejected.is_empty() {
        remove(path).map_err(|fault| fault.of(&document.name()))?;
        return Ok(0);
    }
    refuse_foreign(path).map_err(|fault| fault.of(&document.name()))?;
    let columns = open(document, options)?.columns().clone();
    let mut rejected: BTreeMap<RowNumber, Vec<Reason>> = rejected
        .into_iter()
        .map(|rejected| (rejected.row, rejected.reasons))
        .collect();
    echo(document, options, path, &HEADERS, &mut |row| {
        let reasons = rejected.remove(&row.number)?;
        Some(Addition {
            extras: vec![Extra::Text(joined(&reasons)), row_number(row.number)],
            marks: marks(&reasons, &columns),
        })
    })
}

/// Removes the rejected rows of an earlier run; a file that is not ours stays.
fn remove(path: &Path) -> Result<(), Fault> {
    if !path.exists() || !is_ours(path) {
        return Ok(());
    }
    std::fs::remove_file(path).map_err(|source| Fault::Write {
        path: path.to_owned(),
        source,
    })
}

fn refuse_foreign(path: &Path) -> Result<(), Fault> {
    if !path.exists() || is_ours(path) {
        return Ok(());
    }
    Err(Fault::NotOurs {
        path: path.to_owned(),
    })
}

/// Whether our columns stand at the end of a file's headers.
fn is_ours(path: &Path) -> bool {
    crate::table::opened::headers(&Document::at(path)).is_ok_and(|headers| {
        let ours = headers.len().checked_sub(HEADERS.len());
        ours.is_some_and(|own| headers[own..] == HEADERS)
    })
}

/// All messages, each with its field.
fn joined(reasons: &[Reason]) -> String {
    let reasons: Vec<String> = reasons
        .iter()
        .map(|reason| match reason.field {
            Some(field) => format!("{field}: {}", reason.message),
            None => reason.message.clone(),
        })
        .collect();
    reasons.join("; ")
}

fn marks(reasons: &[Reason], columns: &Columns) -> Vec<(usize, String)> {
    let mut marks: Vec<(usize, String)> = Vec::new();
    for reason in reasons {
        let Some(column) = marked_column(reason, columns) else {
            continue;
        };
        match marks.iter_mut().find(|(marked, _)| *marked == column) {
            Some((_, text)) => {
                text.push('\n');
                text.push_str(&reason.message);
            }
            None => marks.push((column, reason.message.clone())),
        }
    }
    marks
}

fn marked_column(reason: &Reason, columns: &Columns) -> Option<usize> {
    let letters = reason
        .cell
        .as_deref()
        .map(|cell| cell.trim_end_matches(|c: char| c.is_ascii_digit()));
    letters
        .and_then(column_of)
        .or_else(|| columns.of(reason.field?).first().copied())
}
