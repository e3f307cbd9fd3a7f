//! Rows that an earlier import of this path left pending or rejected and that the file no longer contains, for instance
//! because a newer export replaced it.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use crate::import::check::RowRereader;
use crate::import::plan_input::PlanInput;
use crate::import::row_cells::{fields_from_json, fields_of_row};
use crate::import::{CheckedFile, Error, ImportContext, UnansweredRequest};
use crate::journal::{OriginalTable, PendingRow};
use crate::model::{Field, RowNumber};
use crate::sheet;

/// The fields that differ between customers and houses.
const OF_ONE_CUSTOMER: [Field; 7] = [
    Field::Id,
    Field::Name,
    Field::Email,
    Field::Phone,
    Field::Line1,
    Field::Line2,
    Field::Address,
];

/// The rows that earlier runs left pending, that are not in the file and that the service did not answer. The
/// `unanswered` requests are sent again. Rows of a sheet that the workbook no longer has are named if there are
/// `is_new` rows.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn missing_rows<'a>(
    plan_input: PlanInput<'_>,
    is_new: &[bool],
    unanswered: impl Iterator<Item = &'a UnansweredRequest> + Clone,
) -> Result<Vec<PendingRow>, Error> {
    let checked = plan_input.checked;
    let all = || {
        let mut all = pending_rows(checked, &mut (0..checked.rows.len()));
        let earlier = unanswered.clone();
        all.extend(earlier.map(|earlier| PendingRow::from_request(&earlier.request)));
        all
    };
    let others: Vec<&str> = checked.layout.other_sheets().collect();
    let others = is_new.contains(&true).then_some(others.as_slice());
    Ok(plan_input
        .index
        .missing_rows(&checked.source, others, &all)?)
}

/// The digests of the rows at these indices of [`CheckedFile::rows`], as far as they have an id.
pub(super) fn pending_rows(
    checked: &CheckedFile,
    indices: &mut dyn Iterator<Item = usize>,
) -> Vec<PendingRow> {
    let mut houses = vec![None; checked.rows.len()];
    for house in &checked.houses {
        houses[house.row as usize] = Some((house.house_digest, house.customer));
    }
    let row = |index: usize| {
        let id = checked.rows[index].external_id()?;
        Some(PendingRow::new(id, houses[index]))
    };
    indices.filter_map(row).collect()
}

/// Which existing rejects may be replaced; decided once in a run, because the run replaces what the journal knows of
/// them.
#[derive(Debug, Default)]
pub(super) struct ReplaceableRejects(RefCell<BTreeMap<PathBuf, bool>>);

impl ReplaceableRejects {
    /// Whether the unedited rejects at a path, which an import of the same path wrote, may be replaced: each of their
    /// rows is in the file, or in the rejects of `original` that the file has, or needs no request any more; or the file
    /// has no new row, so that the user only removed some. Other rejects have the only copy of their rows.
    ///
    /// # Errors
    /// If the file, the rejects or the journal cannot be read.
    pub(super) fn contains_all(
        &self,
        context: &ImportContext<'_>,
        original: Option<&OriginalTable>,
        path: &Path,
    ) -> Result<bool, Error> {
        if let Some(settled) = self.0.borrow().get(path) {
            return Ok(*settled);
        }
        let settled = are_all_settled(context, original, path)?;
        self.0.borrow_mut().insert(path.to_owned(), settled);
        Ok(settled)
    }

    /// The absolute paths of the rejects that were decided about.
    pub(super) fn decided(&self) -> Vec<(PathBuf, bool)> {
        let decided = self.0.borrow();
        let decided = decided.iter();
        decided
            .map(|(path, settled)| (sheet::stored_path(path), *settled))
            .collect()
    }
}

fn are_all_settled(
    context: &ImportContext<'_>,
    original: Option<&OriginalTable>,
    rejects: &Path,
) -> Result<bool, Error> {
    let (checked, journal) = (context.checked, context.journal);
    let stored = sheet::stored_path(rejects);
    let Some(OriginalTable { source, rows, .. }) = journal.original_of_rejects(&stored, || None)?
    else {
        return Ok(false);
    };
    let is_of_input = |(row, cells): &(&RowNumber, &String)| {
        original.is_some_and(|original| original.rows.get(row) == Some(*cells))
    };
    let others = rows.iter().filter(|row| !is_of_input(row));
    let before: Vec<RejectedCells> = others.map(|(_, cells)| RejectedCells::new(cells)).collect();
    let FoundRows {
        found,
        likely,
        others,
    } = FoundRows::find(context, &before)?;
    let mut with_left_rows = Vec::new();
    for (row, cells) in before.iter().enumerate() {
        if !found.contains(&row) && !journal.needs_no_request(source, cells.json)? {
            with_left_rows.push(cells.json);
        }
    }
    if with_left_rows.is_empty() {
        return Ok(true);
    }
    let rows = if others.is_empty() { likely } else { others };
    let ids = rows.iter().map(|row| checked.rows[*row].external_id());
    match ids.collect::<Option<Vec<&str>>>() {
        Some(ids) if !ids.is_empty() => Ok(journal.is_same_table(source, &with_left_rows, &ids)?),
        _ => Ok(false),
    }
}

/// A row of rejects, as it was in the file.
struct RejectedCells<'a> {
    json: &'a str,
    fields: BTreeMap<String, String>,
}

impl<'a> RejectedCells<'a> {
    fn new(json: &'a str) -> Self {
        let fields = fields_from_json(json);
        Self { json, fields }
    }

    fn value(&self, field: Field) -> Option<&str> {
        self.fields.get(field.name()).map(String::as_str)
    }

    /// Whether a row with these equal fields is this one, corrected or not; `None` if that depends on whether the sheet
    /// is the same: ids may begin again in another sheet, and customers may share a name, a building or the contact of
    /// an office.
    fn is_row_with(&self, equal: &[Field], now: &BTreeMap<String, String>) -> Option<bool> {
        let is_filled = |field: &Field| self.value(*field).is_some();
        let filled = OF_ONE_CUSTOMER.iter().filter(|field| is_filled(field));
        let filled = filled.count();
        if equal.len() < filled.min(2) {
            return Some(false);
        }
        let is_other = |field: Field| is_filled(&field) && !equal.contains(&field);
        let has_id = equal.contains(&Field::Id);
        let has_street = equal.contains(&Field::Line1) || equal.contains(&Field::Address);
        let of_home = [Field::Line1, Field::Address, Field::Line2];
        let of_customer = [Field::Name, Field::Email, Field::Phone];
        let has_customer = of_customer.iter().any(|field| equal.contains(field));
        // A property manager has many houses: notes may be all that tells two rows without a street apart.
        let has_all = || {
            self.fields
                .iter()
                .all(|(field, value)| now.get(field) == Some(value))
        };
        let is_row = has_id && has_customer || has_street || equal.len() == filled && has_all();
        let differs = |field: Field| {
            let values = self.value(field).zip(now.get(field.name()));
            values.is_some_and(|(before, now)| before != now)
        };
        let is_other_town = [Field::City, Field::PostalCode].into_iter().all(differs)
            || differs(Field::City) && self.value(Field::PostalCode).is_none();
        if is_row && !is_other_town && !of_home.into_iter().any(is_other) {
            return Some(true);
        }
        (!has_id && !has_street).then_some(false)
    }
}

/// The rows of rejects that are in the file, the rows of the file that may be one of them, and those that are none.
struct FoundRows {
    found: BTreeSet<usize>,
    likely: Vec<usize>,
    others: Vec<usize>,
}

impl FoundRows {
    fn find(context: &ImportContext<'_>, before: &[RejectedCells<'_>]) -> Result<Self, Error> {
        let mut by_value: HashMap<&str, Vec<(Field, usize)>> = HashMap::new();
        let mut unchanged: BTreeMap<&BTreeMap<String, String>, Vec<usize>> = BTreeMap::new();
        for (row, cells) in before.iter().enumerate() {
            unchanged.entry(&cells.fields).or_default().push(row);
            for field in OF_ONE_CUSTOMER {
                if let Some(value) = cells.value(field) {
                    by_value.entry(value).or_default().push((field, row));
                }
            }
        }
        let (mut found, mut likely, mut others) = (BTreeSet::new(), Vec::new(), Vec::new());
        let checked = context.checked;
        let mut rows = RowRereader::open(checked, context.input)?;
        // If every row was found, the remaining rows are not needed.
        while found.len() < before.len()
            && let Some(index) = rows.advance()?
        {
            let fields = fields_of_row(&rows.row(), rows.columns());
            if let Some(unchanged) = unchanged.get(&fields) {
                found.extend(unchanged);
                continue;
            }
            let mut equal: BTreeMap<usize, Vec<Field>> = BTreeMap::new();
            for field in OF_ONE_CUSTOMER {
                let value = fields.get(field.name()).map(String::as_str);
                let named = value
                    .and_then(|value| by_value.get(value))
                    .into_iter()
                    .flatten();
                for (_, row) in named.filter(|(other, _)| *other == field) {
                    equal.entry(*row).or_default().push(field);
                }
            }
            let matches = equal
                .iter()
                .map(|(row, equal)| (*row, before[*row].is_row_with(equal, &fields)));
            let matches: Vec<(usize, Option<bool>)> = matches.collect();
            let same = matches.iter().filter(|(_, is_row)| *is_row == Some(true));
            let same: Vec<usize> = same.map(|(row, _)| *row).collect();
            if same.is_empty() {
                let may_be = matches.iter().any(|(_, is_row)| is_row.is_none());
                let rows = if may_be { &mut likely } else { &mut others };
                rows.push(index);
            }
            found.extend(same);
        }
        Ok(Self {
            found,
            likely,
            others,
        })
    }
}
