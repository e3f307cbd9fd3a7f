//! Chooses the columns of the address: one for each part or one for all, of one of several addresses.

use std::collections::BTreeMap;

use crate::model::{Field, WholeAddress};
use crate::sheet::column_letters;
use crate::sheet::{Fault, Missing};
use crate::table::address_blocks::AddressBlocks;
use crate::table::columns::{Columns, PARTS};
use crate::table::headers::Headers;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::synonyms::set_of;

/// The columns of the other addresses, which must not be mixed with the chosen one.
pub(super) fn other_addresses(
    headers: &Headers,
    options: &TableOptions,
    asked: &BTreeMap<Field, Vec<usize>>,
) -> Result<Vec<usize>, Fault> {
    let blocks = AddressBlocks::find(headers);
    let line1 = asked.get(&Field::Line1).and_then(|columns| columns.first());
    match &options.address {
        Some(title) => blocks.without(title),
        None if asked.contains_key(&Field::Address) => Ok(Vec::new()),
        None => blocks.without_unasked(line1.copied()),
    }
}

/// Keeps either the columns of the parts or the column of whole addresses; the parts win if they are complete and the
/// column was not requested.
pub(super) fn keep_one_form_of_address(
    headers: &[String],
    fields: &mut BTreeMap<Field, Vec<usize>>,
    options: &TableOptions,
) {
    if !fields.contains_key(&Field::Address) {
        return;
    }
    let is_asked = |field: Field| options.map.iter().any(|(asked, _)| *asked == field);
    if !is_asked(Field::Address) && PARTS.iter().all(|part| fields.contains_key(part)) {
        fields.remove(&Field::Address);
        return;
    }
    // A column of units or countries may supplement whole addresses, unless it belongs to another address.
    let of_set = |columns: &[usize]| {
        columns
            .iter()
            .any(|&column| set_of(&headers[column]).is_some())
    };
    fields.retain(|field, columns| {
        !field.is_address_part() || is_asked(*field) || (!PARTS.contains(field) && !of_set(columns))
    });
}

/// Whether a fault is about missing or ambiguous parts of an address.
pub(super) fn is_about_address(fault: &Fault) -> bool {
    match fault {
        Fault::MissingFields { missing, .. } => {
            missing.iter().any(|one| PARTS.contains(&one.field))
        }
        Fault::Ambiguous { field, .. } => field.is_address_part(),
        Fault::TwoAddresses { .. } => true,
        _ => false,
    }
}

/// The columns at least half of whose cells read like whole addresses.
pub(super) fn whole_addresses(headers: &Headers, options: &TableOptions) -> Vec<usize> {
    if options.header_row == HeaderRow::Absent {
        return Vec::new();
    }
    let is_whole = |column: usize| {
        let cells = headers.below.iter().filter_map(|row| row.cells.get(column));
        let filled: Vec<&String> = cells.filter(|cell| !cell.trim().is_empty()).collect();
        let whole = filled.iter().filter(|cell| WholeAddress::is_likely(cell));
        !filled.is_empty() && whole.count() * 2 >= filled.len()
    };
    (0..headers.names.len())
        .filter(|&column| !headers.names[column].trim().is_empty() && is_whole(column))
        .collect()
}

/// What is missing once a column feeds whole addresses.
pub(super) fn missing_besides(
    headers: &Headers,
    options: &TableOptions,
    column: usize,
) -> Vec<Missing> {
    let mut options = options.clone();
    options.map.push((Field::Address, column_letters(column)));
    match Columns::of_headers(headers, &options) {
        Err(Fault::MissingFields { missing, .. }) => missing,
        _ => Vec::new(),
    }
}
