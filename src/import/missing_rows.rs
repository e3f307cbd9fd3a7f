//! Rows that an earlier import of the same path left pending or rejected, and that are not in its file any more: another
//! sheet may have taken its place, such as the next night's leads.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;

use jiff::Timestamp;

use crate::import::corrections::cells_of_rows;
use crate::import::plan::PlanInput;
use crate::import::{CheckedFile, Error, ImportContext};
use crate::journal::{OriginalTable, PendingRow, PendingRows};
use crate::model::{Field, HouseHash};
use crate::sheet;

/// Number of rows that are compared with the rejects.
const MAX_COMPARED: usize = 10_000;

/// The fields that differ between customers.
const OF_ONE_CUSTOMER: [Field; 6] = [
    Field::Id,
    Field::Name,
    Field::Email,
    Field::Phone,
    Field::Line1,
    Field::Address,
];

/// The number of rows that the previous run left pending, that are not in the file and were never requested. `fresh` are
/// the indices of the rows that cannot be at the service.
///
/// # Errors
/// If the journal cannot be read.
pub(super) fn missing_rows(plan: PlanInput<'_>, fresh: &[usize]) -> Result<u64, Error> {
    let checked = plan.checked;
    let new = || pending_rows(checked, &mut fresh.iter().copied());
    let all = || pending_rows(checked, &mut (0..checked.rows.len()));
    Ok(plan.index.unsent_rows(&checked.source, &new, &all)?)
}

/// The digests of the rows at these indices of [`CheckedFile::rows`], as far as they have an id.
pub(super) fn pending_rows(
    checked: &CheckedFile,
    indices: &mut dyn Iterator<Item = usize>,
) -> PendingRows {
    let mut indices = indices.peekable();
    if indices.peek().is_none() {
        return PendingRows::default();
    }
    let houses = checked.houses.iter();
    let houses: HashMap<u32, HouseHash> = houses.map(|one| (one.row, one.house_hash)).collect();
    let row = |index: usize| {
        let house = u32::try_from(index).ok().and_then(|row| houses.get(&row));
        let id = checked.rows[index].external_id()?;
        Some(PendingRow::new(id, house.copied()))
    };
    indices.filter_map(row).collect()
}

/// Whether the unedited rejects at a path, which an import of the same path wrote, may be replaced: each of their rows is
/// in the file, by one of its customer's values, or was corrected; or the file has no new row, so that the user only
/// removed some. Other rejects have the only copy of their rows.
///
/// # Errors
/// If the file, the rejects or the journal cannot be read.
pub(super) fn are_all_settled(context: &ImportContext<'_>, rejects: &Path) -> Result<bool, Error> {
    let (checked, journal) = (context.checked, context.journal);
    let stored = sheet::stored_path(rejects);
    let Some(OriginalTable { source, rows, .. }) =
        journal.original_of_rejects(&stored, |_| false)?
    else {
        return Ok(false);
    };
    let before: Vec<BTreeMap<String, String>> = rows
        .values()
        .map(|cells| serde_json::from_str(cells).unwrap_or_default())
        .collect();
    let first: BTreeSet<usize> = (0..checked.rows.len().min(MAX_COMPARED)).collect();
    let cells = cells_of_rows(context.input, checked, &first)?;
    let now: BTreeSet<&str> = cells
        .values()
        .flat_map(|cells| of_one_customer(&cells.fields))
        .collect();
    let mut is_settled = true;
    for (cells, fields) in rows.values().zip(&before) {
        let is_there = of_one_customer(fields).any(|value| now.contains(value));
        is_settled &= is_there || journal.is_corrected(source, cells)?;
    }
    let written = rejects.metadata().and_then(|found| found.modified());
    let written = written.ok().and_then(|time| Timestamp::try_from(time).ok());
    let (false, Some(written)) = (is_settled, written) else {
        return Ok(is_settled);
    };
    let before: BTreeSet<&str> = before.iter().flat_map(of_one_customer).collect();
    let others = cells.iter().filter(|(_, cells)| {
        let mut values = of_one_customer(&cells.fields);
        !values.any(|value| before.contains(value))
    });
    let others = others.map(|(index, _)| checked.rows[*index].external_id());
    let Some(others) = others.collect::<Option<Vec<&str>>>() else {
        return Ok(false);
    };
    Ok(journal.were_requested_before(written, &mut others.into_iter())?)
}

fn of_one_customer(fields: &BTreeMap<String, String>) -> impl Iterator<Item = &str> {
    let values = OF_ONE_CUSTOMER.map(|field| fields.get(field.name()));
    values.into_iter().flatten().map(String::as_str)
}
