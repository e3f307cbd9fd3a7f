//! Rows that the user corrected in a rejects file: once they are accepted, the rows of the original count as known.
//!
//! A row of the original counts as corrected only while its cells are unchanged since they were rejected.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::import::plan_input::PlanInput;
use crate::import::row_cells::{cells_of_rows, fields_from_json, has_contact, is_numbered};
use crate::import::same_house::house_of_request;
use crate::import::{
    CheckResult, CheckedFile, CheckedRow, Error, OriginalRows, RowCells, RowOutcomes,
};
use crate::journal::{
    Correction, SkippedCorrection, SourceId, SubmissionIndex, SubmissionState, TableCorrections,
};
use crate::model::{Field, Outcome, RowNumber, is_derived_id};

/// The table whose rows were corrected in its rejects.
#[derive(Clone, Copy)]
pub(super) struct CorrectedTable {
    pub(super) source: SourceId,
    /// Whether rows of it were requested: by these it is told from the next table at its path, which may have a row with
    /// the cells of one that was skipped.
    pub(super) has_requests: bool,
}

/// The rows of the original that accepted rows of its rejects correct.
pub(super) fn corrections(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    original_rows: &OriginalRows,
    (original, cells): (CorrectedTable, &BTreeMap<usize, RowCells>),
) -> Vec<Correction> {
    let ids: BTreeMap<RowNumber, &str> = checked
        .rows
        .iter()
        .filter_map(|row| Some((row.number, row.external_id()?)))
        .collect();
    // The row that a duplicate repeats was accepted, or the journal does not know its id.
    let is_accepted = |index: usize| {
        matches!(
            rows.outcome(index),
            Outcome::Created | Outcome::Existing | Outcome::Known | Outcome::Duplicate
        )
    };
    let accepted = original_rows
        .iter()
        .filter(|(index, _)| is_accepted(**index));
    let correction = |(index, (source_row, before)): (&usize, &(RowNumber, String))| {
        let row = &checked.rows[*index];
        let known_as = rows.corrected().get(index);
        let skipped = rows.skipped().get(index);
        let external_id = match (skipped, &row.result) {
            _ if known_as.is_some() => known_as?,
            // The original of a row that was only skipped is skipped too. Its id may be another house's later.
            (Some(_), _) if cells.get(index)?.is_unchanged(before) => return None,
            (Some(earlier), _) => &earlier.external_id,
            (_, CheckResult::Duplicate { of }) => *ids.get(of)?,
            (_, CheckResult::Valid { .. } | CheckResult::Invalid { .. }) => row.external_id()?,
        };
        let skipped = match skipped {
            Some(_) if !original.has_requests && !has_id(before) && !identify_house(before) => {
                return None;
            }
            Some(earlier) => Some(SkippedCorrection {
                external_id: row.external_id()?.to_owned(),
                has_other_unit: earlier.has_other_unit,
            }),
            None => None,
        };
        Some(Correction {
            source: original.source,
            row: *source_row,
            cells: before.clone(),
            external_id: external_id.to_owned(),
            skipped,
        })
    };
    accepted.filter_map(correction).collect()
}

/// The rows with derived ids that were accepted under the ids of their earlier versions: each is a correction of itself.
pub(super) fn accepted_versions<'a>(
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
) -> impl Iterator<Item = (usize, &'a str)> {
    let corrected = rows.corrected().iter();
    let corrected = corrected.map(|(index, id)| (*index, id.as_str()));
    corrected.filter(|(index, id)| {
        let own = checked.rows[*index].external_id();
        is_derived_id(id) && own.is_some_and(|own| is_derived_id(own) && own != *id)
    })
}

/// Marks the rows that were corrected in the rejects as known, or as skipped if they were skipped there, and removes them
/// from the rows to send.
pub(super) fn apply(
    plan_input: PlanInput<'_>,
    rows: &mut RowOutcomes,
    send: &mut Vec<usize>,
) -> Result<(), Error> {
    let (input, checked, index) = (plan_input.input, plan_input.checked, plan_input.index);
    let TableCorrections { own, of_others } = index.corrections(&checked.source)?;
    if own.is_empty() && of_others.is_empty() {
        return Ok(());
    }
    let rejected: BTreeSet<usize> = rows.rejected().map(|(index, _)| index).collect();
    let mut wanted = rejected.clone();
    if !own.is_empty() {
        wanted.extend(rows.edited().keys().chain(send.iter()));
    }
    let of_rows = cells_of_rows(input, checked, &wanted)?.into_iter();
    let cells: BTreeMap<usize, String> = of_rows.map(|(i, cells)| (i, cells.json())).collect();
    let known = (0..checked.rows.len()).filter(|row| rows.outcome(*row) == Outcome::Known);
    let known = known.filter(|row| !rows.edited().contains_key(row));
    let known: Vec<&str> = known
        .filter_map(|row| checked.rows[row].external_id())
        .collect();
    let sheet = SheetRows {
        checked,
        index,
        is_new: known.is_empty() && send.is_empty(),
        known,
        ids: checked
            .rows
            .iter()
            .filter_map(CheckedRow::external_id)
            .collect(),
    };
    let used = sheet.apply_own(by_cells(own), &cells, rows)?;
    let rejected_cells = cells.iter().filter(|(index, _)| rejected.contains(*index));
    sheet.apply_those_of_others((by_cells(of_others), used), rejected_cells, rows)?;
    send.retain(|index| !rows.is_corrected_or_skipped(*index));
    Ok(())
}

/// The ids of a sheet, by which corrections of rows without a house are recognized as the sheet's own. Another sheet may
/// have such a row too: last month's `TBD` is another house than this month's.
struct SheetRows<'a> {
    checked: &'a CheckedFile,
    index: &'a SubmissionIndex,
    /// Whether no row is known, and none is to be sent.
    is_new: bool,
    /// The ids of the known rows that were not edited.
    known: Vec<&'a str>,
    ids: BTreeSet<&'a str>,
}

impl SheetRows<'_> {
    /// Applies the corrections of this sheet, and returns the ids of the corrected rows. Each belongs to one row: first by
    /// number; if the file was sorted since, by its cells.
    fn apply_own(
        &self,
        mut own: HashMap<String, Vec<Correction>>,
        cells: &BTreeMap<usize, String>,
        rows: &mut RowOutcomes,
    ) -> Result<BTreeSet<String>, Error> {
        let mut used: BTreeSet<String> = rows.corrected().values().cloned().collect();
        for is_at_its_number in [true, false] {
            for (index, json) in cells {
                let number = self.checked.rows[*index].number;
                let is_of_row = |correction: &Correction| {
                    Ok((correction.row == number || !is_at_its_number)
                        && self.is_accepted(correction)?
                        && (identify_house(json)
                            || self.has_id_of(*index, correction)
                            || (self.is_new
                                || correction.skipped.is_some()
                                || self.is_beside_known(correction)?)
                                && self.has_rows_beside(correction)?))
                };
                if !rows.is_corrected_or_skipped(*index)
                    && let Some(correction) = take(&mut own, json, is_of_row)?
                {
                    used.insert(correction.own_id().to_owned());
                    self.mark(*index, correction, rows)?;
                }
            }
        }
        Ok(used)
    }

    /// Applies the corrections of other sheets to rejected rows: a file that was saved under another name, or a sheet
    /// that was renamed, has the same rows. `used` are the ids of rows that were corrected in this one.
    fn apply_those_of_others<'c>(
        &self,
        (mut of_others, mut used): (HashMap<String, Vec<Correction>>, BTreeSet<String>),
        cells: impl Iterator<Item = (&'c usize, &'c String)>,
        rows: &mut RowOutcomes,
    ) -> Result<(), Error> {
        for (index, json) in cells {
            let is_unused = |correction: &Correction| {
                Ok(!used.contains(correction.own_id())
                    && self.is_accepted(correction)?
                    && (identify_house(json)
                        || has_contact(&fields_from_json(json))
                            && (self.has_id_of(*index, correction)
                                || self.is_beside_known(correction)?
                                    && self.has_rows_beside(correction)?)))
            };
            if !rows.is_corrected_or_skipped(*index)
                && let Some(correction) = take(&mut of_others, json, is_unused)?
            {
                used.insert(correction.own_id().to_owned());
                self.mark(*index, correction, rows)?;
            }
        }
        Ok(())
    }

    /// Marks a row as known by a correction, or as skipped.
    fn mark(
        &self,
        index: usize,
        correction: Correction,
        rows: &mut RowOutcomes,
    ) -> Result<(), Error> {
        let Some(skipped) = correction.skipped else {
            rows.mark_corrected(index, correction.external_id);
            return Ok(());
        };
        let earlier = house_of_request(self.checked, self.index, &correction.external_id)?;
        if let Some(mut earlier) = earlier {
            earlier.has_other_unit = skipped.has_other_unit;
            rows.mark_skipped(index, earlier);
        }
        Ok(())
    }

    /// Whether a row has the id that it had as it was corrected, so that it is that row whatever the sheet has besides.
    fn has_id_of(&self, index: usize, correction: &Correction) -> bool {
        let id = self.checked.rows[index].external_id();
        id.is_some_and(|id| [&correction.external_id, correction.own_id()].contains(&id))
    }

    /// Whether all rows that were submitted beside the corrected one are in the sheet. The corrected row itself may be
    /// in it too, besides a new one that only looks like it did.
    fn has_rows_beside(&self, correction: &Correction) -> Result<bool, Error> {
        let is_in_sheet = |id: &str| self.ids.contains(id);
        let has_all = self.index.has_all_rows(correction.source, is_in_sheet)?;
        // A row that was skipped has no request by which its sheet is known.
        let is_sheet = has_all.unwrap_or(correction.skipped.is_none());
        Ok(is_sheet && !self.known.contains(&correction.own_id()))
    }

    /// Whether a known row was requested before the corrected one.
    fn is_beside_known(&self, correction: &Correction) -> Result<bool, Error> {
        for id in &self.known {
            if self
                .index
                .is_requested_before(id, &correction.external_id)?
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the corrected row has a measurement.
    fn is_accepted(&self, correction: &Correction) -> Result<bool, Error> {
        let entry = self.index.entry(&correction.external_id)?;
        Ok(entry.is_some_and(|entry| entry.state == SubmissionState::Measured))
    }
}

/// The corrections by the cells of the row before.
fn by_cells(corrections: Vec<Correction>) -> HashMap<String, Vec<Correction>> {
    let mut found: HashMap<String, Vec<Correction>> = HashMap::new();
    for correction in corrections {
        let same = found.entry(correction.cells.clone()).or_default();
        same.push(correction);
    }
    found
}

/// Removes the first acceptable correction of a row with these cells.
fn take(
    corrections: &mut HashMap<String, Vec<Correction>>,
    cells: &str,
    is_acceptable: impl Fn(&Correction) -> Result<bool, Error>,
) -> Result<Option<Correction>, Error> {
    let Some(same) = corrections.get_mut(cells) else {
        return Ok(None);
    };
    for position in 0..same.len() {
        if is_acceptable(&same[position])? {
            return Ok(Some(same.remove(position)));
        }
    }
    Ok(None)
}

fn has_id(json: &str) -> bool {
    fields_from_json(json).contains_key(Field::Id.name())
}

/// Whether no two houses have these cells, in any file: they have a house number in a town. Ids and names may be those
/// of another file's customers, and a customer may have several houses.
fn identify_house(json: &str) -> bool {
    let fields = fields_from_json(json);
    let has_town = [Field::City, Field::PostalCode].map(Field::name);
    let has_town = has_town.iter().any(|field| fields.contains_key(*field));
    is_numbered(&fields) && has_town
}
