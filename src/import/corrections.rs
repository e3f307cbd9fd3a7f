//! Rows that were corrected in the rejects of a file stand for the rows of the original: once they are accepted, the
//! original is done.
//!
//! A row of the original counts as corrected only while its cells are those that were rejected then; an edit is looked at
//! afresh.

use std::collections::{BTreeMap, BTreeSet};

use crate::import::{
    CheckResult, CheckedFile, Error, ImportInput, Origins, RowOutcomes, SubmissionPlan,
};
use crate::journal::{Correction, Corrections, SubmissionIndex, SubmissionState};
use crate::model::{Outcome, RowNumber};
use crate::sheet;
use crate::table::{self, rejects};

/// The cells of a row that feed fields, by field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCells {
    pub(super) fields: BTreeMap<String, String>,
    pub(super) source_row: Option<RowNumber>,
}

impl RowCells {
    /// The cells as the journal keeps them.
    ///
    /// # Panics
    /// Never: a map of texts is JSON.
    pub fn json(&self) -> String {
        serde_json::to_string(&self.fields).expect("a map of texts is JSON")
    }
}

/// The cells of the rows at these indices of [`CheckedFile::rows`]; none where the file is no longer the one that was
/// checked. Reads as far as the last of them.
///
/// # Errors
/// When the file cannot be read any more.
pub fn cells_of_rows(
    input: &ImportInput,
    checked: &CheckedFile,
    wanted: &BTreeSet<usize>,
) -> Result<BTreeMap<usize, RowCells>, sheet::Error> {
    let mut found = BTreeMap::new();
    let Some(&last) = wanted.last() else {
        return Ok(found);
    };
    let mut table = table::open(&input.document, &input.options)?;
    if table.fingerprint() != checked.fingerprint {
        return Ok(found);
    }
    let columns = table.columns().clone();
    let mut all = checked.rows.iter().enumerate().take(last + 1);
    while let Some(row) = table.next_row()? {
        if checked.is_skipped(row.number) {
            continue;
        }
        let Some((index, _)) = all.next().filter(|(_, known)| known.number == row.number) else {
            break;
        };
        if !wanted.contains(&index) {
            continue;
        }
        let mut cells = RowCells {
            source_row: rejects::source_row(&row, &columns),
            ..RowCells::default()
        };
        for (field, column) in columns.mapped() {
            let text = row.cell(column.index).text.trim();
            if !text.is_empty() {
                let cell = cells.fields.entry(field.name().to_owned()).or_default();
                cell.push_str(if cell.is_empty() { "" } else { "\n" });
                cell.push_str(text);
            }
        }
        found.insert(index, cells);
    }
    Ok(found)
}

/// What the rows of rejects that were accepted correct in the original.
pub fn corrections(
    checked: &CheckedFile,
    plan: &SubmissionPlan,
    origins: &Origins,
) -> Vec<Correction> {
    let ids: BTreeMap<RowNumber, &str> = checked
        .rows
        .iter()
        .filter_map(|row| Some((row.number, row.external_id()?)))
        .collect();
    let is_accepted = |index: usize| match plan.rows.outcome(index) {
        // A duplicate is of a row that is accepted, or else the journal does not know the id as one that is.
        Outcome::Created | Outcome::Existing | Outcome::Known | Outcome::Duplicate => true,
        Outcome::Invalid
        | Outcome::Refused
        | Outcome::Conflict
        | Outcome::SameHouse
        | Outcome::Pending => false,
    };
    let accepted = origins.iter().filter(|(index, _)| is_accepted(**index));
    let correction = |(index, (source_row, before)): (&usize, &(RowNumber, String))| {
        let row = &checked.rows[*index];
        let external_id = match &row.standing {
            CheckResult::Duplicate { of } => *ids.get(of)?,
            CheckResult::Valid { .. } | CheckResult::Invalid { .. } => row.external_id()?,
        };
        Some(Correction {
            row: *source_row,
            cells: before.clone(),
            external_id: external_id.to_owned(),
        })
    };
    accepted.filter_map(correction).collect()
}

/// Settles the rows that were corrected elsewhere as known, and takes them out of the rows to send.
pub(super) fn apply(
    input: &ImportInput,
    checked: &CheckedFile,
    index: &SubmissionIndex,
    rows: &mut RowOutcomes,
    send: &mut Vec<usize>,
) -> Result<(), Error> {
    let Corrections {
        own: mut corrections,
        others: mut of_others,
    } = index.corrections(&checked.source)?;
    let is_accepted = |correction: &Correction| {
        let entry = index.entry(&correction.external_id);
        entry.is_ok_and(|entry| entry.is_some_and(|entry| entry.state == SubmissionState::Measured))
    };
    corrections.retain(is_accepted);
    of_others.retain(is_accepted);
    if corrections.is_empty() && of_others.is_empty() {
        return Ok(());
    }
    let rejected = rows.rejected().map(|(index, _)| index);
    let changed = rows.changed().keys().copied();
    let wanted = rejected.chain(changed).chain(send.iter().copied());
    let cells = cells_of_rows(input, checked, &wanted.collect())?;
    let cells: BTreeMap<usize, String> =
        cells.iter().map(|(i, cells)| (*i, cells.json())).collect();
    // Each correction stands for one row. Where the file was sorted, the number is another one.
    for is_at_its_number in [true, false] {
        for (index, json) in &cells {
            let number = checked.rows[*index].number;
            let position = corrections.iter().position(|correction| {
                correction.cells == *json && (correction.row == number || !is_at_its_number)
            });
            let Some(position) = position.filter(|_| !rows.corrected().contains_key(index)) else {
                continue;
            };
            let correction = corrections.swap_remove(position);
            rows.correct(*index, correction.external_id);
        }
    }
    // A copy of the table has the same rows: the same cells, the id among them.
    for (index, json) in &cells {
        let own_id = checked.rows[*index].external_id();
        let is_of_row = |correction: &&Correction| {
            correction.cells == *json && own_id == Some(&correction.external_id)
        };
        let correction = of_others.iter().find(is_of_row);
        if let Some(correction) = correction.filter(|_| !rows.corrected().contains_key(index)) {
            rows.correct(*index, correction.external_id.clone());
        }
    }
    send.retain(|index| !rows.corrected().contains_key(index));
    Ok(())
}
