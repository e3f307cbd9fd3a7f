//! Whether the file of an import is the sheet of an earlier import at its path, or another sheet in its place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;

use crate::import::corrections::cells_of_rows;
use crate::import::{Error, ImportContext};
use crate::journal::OriginalTable;
use crate::model::Field;
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

/// Whether the unedited rejects at a path, which an import of the same path wrote, are of this sheet, which may have been
/// edited since. They are if a row of it was requested before they were written, or if no row was and it has a value of
/// one of their customers. Other rejects have the only copy of their rows.
///
/// # Errors
/// If the file, the rejects or the journal cannot be read.
pub(super) fn is_of_this_sheet(context: &ImportContext<'_>, rejects: &Path) -> Result<bool, Error> {
    let (checked, journal) = (context.checked, context.journal);
    let stored = sheet::stored_path(rejects);
    let Some(OriginalTable { source, rows, .. }) =
        journal.original_of_rejects(&stored, |_| false)?
    else {
        return Ok(false);
    };
    let written = rejects.metadata().and_then(|found| found.modified());
    let written = written.ok().and_then(|time| Timestamp::try_from(time).ok());
    let Some(written) = written else {
        return Ok(false);
    };
    if journal.has_requests_before(source, written)? {
        let mut ids = checked.rows.iter().filter_map(|row| row.external_id());
        return Ok(journal.was_requested_before(source, written, &mut ids)?);
    }
    let first: BTreeSet<usize> = (0..checked.rows.len().min(MAX_COMPARED)).collect();
    let now = cells_of_rows(context.input, checked, &first)?;
    let now: BTreeSet<&str> = now
        .values()
        .flat_map(|cells| of_one_customer(&cells.fields))
        .collect();
    Ok(rows.values().any(|before| {
        let before: BTreeMap<String, String> = serde_json::from_str(before).unwrap_or_default();
        of_one_customer(&before).any(|value| now.contains(value))
    }))
}

fn of_one_customer(fields: &BTreeMap<String, String>) -> impl Iterator<Item = &str> {
    let values = OF_ONE_CUSTOMER.map(|field| fields.get(field.name()));
    values.into_iter().flatten().map(String::as_str)
}
