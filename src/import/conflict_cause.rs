//! The likely cause of many conflicts in one file, from the submitted addresses and those in the rows now.

use std::collections::{BTreeMap, HashSet};

use crate::import::plan::PlanInput;
use crate::import::{CheckedFile, Error, ImportInput};
use crate::model::{Address, Field};
use crate::sheet::{self, column_letters};
use crate::table;

/// Minimum number of conflicts for which a cause is looked for.
const MANY: usize = 5;

/// A row whose id was submitted for another house.
#[derive(Clone, Debug)]
pub(super) struct Conflicting {
    /// Its index.
    pub(super) row: usize,
    pub(super) external_id: String,
    pub(super) before: Address,
    pub(super) now: Address,
}

/// Why many rows of a file are in conflict at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConflictCause {
    /// The submitted addresses are in other rows of the file now.
    Reordered,
    /// The submitted addresses are in another column, given by its letters.
    OtherColumn(String),
    /// The ids were submitted from other files; the name of the one with most of them.
    OtherFile(String),
}

/// The cause that explains at least four fifths of the conflicts; none for fewer than [`MANY`] conflicts.
pub(super) fn conflict_cause(
    plan: PlanInput<'_>,
    conflicts: &[Conflicting],
) -> Result<Option<ConflictCause>, Error> {
    let (input, checked, index) = (plan.input, plan.checked, plan.index);
    if conflicts.len() < MANY {
        return Ok(None);
    }
    let are_most = |rows: usize| rows * 5 >= conflicts.len() * 4;
    let now: HashSet<String> = conflicts.iter().map(|one| key(&one.now)).collect();
    // A row that has its own address still was not moved, for instance where only its city was edited.
    let moved = conflicts.iter().filter(|one| {
        let before = key(&one.before);
        before != key(&one.now) && now.contains(&before)
    });
    if are_most(moved.count()) {
        return Ok(Some(ConflictCause::Reordered));
    }
    if let Some((column, rows)) = column_of_submitted(input, checked, conflicts)?
        && are_most(rows)
    {
        return Ok(Some(ConflictCause::OtherColumn(column_letters(column))));
    }
    // A few corrected addresses in the file that was imported before are no sign of new ids; most of its rows are.
    let is_replaced = conflicts.len() * 5 >= checked.rows.len() * 4;
    let mut files: BTreeMap<String, usize> = BTreeMap::new();
    for one in conflicts {
        if let Some(source) = index.source(&one.external_id)?
            && (is_replaced || source.path != checked.source.path)
        {
            *files.entry(source.file_name()).or_default() += 1;
        }
    }
    if !are_most(files.values().sum()) {
        return Ok(None);
    }
    let most = files.into_iter().max_by_key(|(_, rows)| *rows);
    Ok(most.map(|(file, _)| ConflictCause::OtherFile(file)))
}

/// The letters and digits of street, unit and postal code, in lower case.
fn key(address: &Address) -> String {
    let unit = address.line2.as_deref().unwrap_or_default();
    let text = [&address.line1, unit, &address.postal_code].concat();
    let text = text.chars().filter(|c| c.is_alphanumeric());
    text.flat_map(char::to_lowercase).collect()
}

/// The column, other than that of the street, in which most rows have the submitted street, and in how many rows.
fn column_of_submitted(
    input: &ImportInput,
    checked: &CheckedFile,
    conflicts: &[Conflicting],
) -> Result<Option<(usize, usize)>, sheet::Error> {
    let submitted: BTreeMap<_, &str> = conflicts
        .iter()
        .map(|one| (checked.rows[one.row].number, one.before.line1.as_str()))
        .collect();
    let mut table = table::reopen(&input.document, &input.options, &checked.layout)?;
    let columns = table.columns().clone();
    let mut rows_of_column: BTreeMap<usize, usize> = BTreeMap::new();
    while let Some(row) = table.next_row()? {
        let Some(street) = submitted.get(&row.number) else {
            continue;
        };
        for column in 0..columns.headers().len() {
            let is_other = !columns.of(Field::Line1).contains(&column);
            if is_other && row.cell(column).text.trim().eq_ignore_ascii_case(street) {
                *rows_of_column.entry(column).or_default() += 1;
            }
        }
    }
    Ok(rows_of_column.into_iter().max_by_key(|(_, rows)| *rows))
}
