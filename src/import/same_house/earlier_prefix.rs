//! The prefix with which the rows of a file were requested before, if it was probably forgotten.

use std::collections::BTreeMap;

use crate::import::plan_input::PlanInput;
use crate::import::{CheckedFile, Error, ImportInput, ImportStop, RowOutcomes, RowWarning};
use crate::journal::SheetPrefix;
use crate::model::{Field, Outcome, derived_id_prefix, is_derived_id};

/// With fewer rows of one prefix, the others need not have it.
const MIN_ROWS: u64 = 2;

/// The prefix of the earlier ids with the number of rows that had it, if most rows that are not sent because of their id
/// or their house were requested under ids that differ only by it, and they are more than those that are known with the
/// present prefix.
pub(in crate::import) fn earlier_prefix(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> Option<(String, u64)> {
    let held = rows.same_house_rows().iter();
    let held = held.map(|(row, earlier)| (*row, earlier.external_id.as_str()));
    // A row that was corrected in the rejects is known under the prefix of these.
    let corrected = rows.corrected().iter().map(|(row, id)| (*row, id.as_str()));
    let earlier_ids = held.chain(rows.earlier_ids_of_conflicts()).chain(corrected);
    let present = input.rules.id_prefix.as_deref().unwrap_or_default();
    let (mut by_prefix, mut total) = (BTreeMap::new(), 0);
    for (row, earlier) in earlier_ids {
        total += 1;
        let external_id = checked.rows[row].external_id();
        let prefix = external_id.and_then(|id| input.other_prefix(id, earlier));
        // A derived id depends on what was corrected.
        let of_derived = derived_id_prefix(earlier).filter(|prefix| *prefix != present);
        let of_derived = of_derived.filter(|_| external_id.is_none_or(is_derived_id));
        if let Some(prefix) = prefix.or(of_derived) {
            *by_prefix.entry(prefix).or_insert(0) += 1;
        }
    }
    let (prefix, count) = by_prefix.into_iter().max_by_key(|(_, count)| *count)?;
    let sent = [Outcome::Created, Outcome::Existing].map(|outcome| rows.outcomes().count(outcome));
    let accepted = rows.known_by_own_ids() + sent.iter().sum::<u64>();
    let are_most = count >= MIN_ROWS && count * 2 > total && count > accepted;
    are_most.then(|| (prefix.to_owned(), count))
}

/// Why no row is sent with the present prefix beside rows that had an earlier one; none if a row was accepted or refused
/// with the present one. If the user gave it, the first row that is sent has a warning instead.
pub(in crate::import) fn prefix_stop(
    input: &ImportInput,
    (before, count): &(String, u64),
    first_sent: Option<usize>,
    rows: &mut RowOutcomes,
) -> Option<ImportStop> {
    let outcomes = rows.outcomes();
    if rows.known_by_own_ids() + outcomes.count(Outcome::Refused) > 0 {
        return None;
    }
    let stop = ImportStop::OtherPrefix {
        before: before.clone(),
        now: input.rules.id_prefix.clone().unwrap_or_default(),
        rows: *count,
    };
    if !input.is_prefix_given {
        return Some(stop);
    }
    if let Some(index) = first_sent {
        rows.warn(RowWarning {
            index,
            field: Some(Field::Id),
            message: stop.to_string(),
        });
    }
    None
}

/// The prefix of another sheet of the workbook.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownPrefix {
    /// The prefix, and the sheet.
    pub of_sheet: SheetPrefix,
    /// Whether other rows were requested under ids of the present sheet with it.
    pub is_taken: bool,
}

/// Returns the prefix with which another sheet of the workbook was imported; it is taken if the first row that would be
/// sent, or is in conflict, has an id that was requested with it.
pub(in crate::import) fn known_prefix(
    plan_input: PlanInput<'_>,
    rows: &RowOutcomes,
) -> Result<Option<KnownPrefix>, Error> {
    let (checked, index) = (plan_input.checked, plan_input.index);
    let Some(of_sheet) = index.prefix_of_other_sheet(&checked.source)? else {
        return Ok(None);
    };
    let is_open = |row: &usize| matches!(rows.outcome(*row), Outcome::Pending | Outcome::Conflict);
    let first = (0..checked.rows.len()).find(is_open);
    let is_taken = match first.and_then(|row| checked.rows[row].external_id()) {
        Some(id) => {
            let bare = plan_input.input.bare_id(id);
            index
                .entry(&format!("{}{bare}", of_sheet.prefix))?
                .is_some()
        }
        None => false,
    };
    Ok(Some(KnownPrefix { of_sheet, is_taken }))
}

/// Why no row of a new sheet is sent without a prefix, if another sheet of the workbook has one.
pub(in crate::import) fn sheet_prefix_stop(
    input: &ImportInput,
    known: &KnownPrefix,
) -> Option<ImportStop> {
    let is_given = input.is_prefix_given || input.rules.id_prefix.is_some();
    let of_sheet = &known.of_sheet;
    (of_sheet.is_of_new_sheet && !is_given).then(|| ImportStop::PrefixOfSheet {
        prefix: of_sheet.prefix.clone(),
        sheet: of_sheet.sheet.clone(),
        is_taken: known.is_taken,
    })
}
