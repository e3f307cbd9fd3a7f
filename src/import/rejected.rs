//! The rejected rows of a run, as the journal stores them.

use std::collections::BTreeMap;

use crate::import::{CheckedFile, ImportInput, RowCells, RowOutcomes, summary};
use crate::journal::NewRejection;
use crate::sheet;

/// The rejected rows of a run, with their cells. The file is read again for customer and address of invalid rows.
///
/// If the file or the findings cannot be read any more, the rows lack customer and address, or the findings of the check,
/// and the second value is the error.
pub fn rejected(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
    cells: &BTreeMap<usize, RowCells>,
) -> (Vec<NewRejection>, Result<(), sheet::Error>) {
    let mut read = Ok(());
    let messages = summary::problems_by_row(checked).unwrap_or_else(|error| {
        read = Err(error);
        BTreeMap::default()
    });
    let lacks_customer = |index: &usize| {
        let rejection = rows.rejection(*index);
        rejection.is_none_or(|rejection| rejection.customer.is_none())
    };
    let wanted = rows
        .rejected()
        .map(|(index, _)| index)
        .filter(lacks_customer);
    let described = checked.described(input, &wanted.collect());
    let mut described = described.unwrap_or_else(|error| {
        read = Err(error);
        BTreeMap::default()
    });
    let rejected = rows.rejected().map(|(index, outcome)| {
        let row = &checked.rows[index];
        let rejection = rows.rejection(index);
        let read = described.remove(&index).unwrap_or_default();
        NewRejection {
            row: row.number,
            external_id: row.external_id().map(str::to_owned),
            customer: rejection
                .and_then(|rejection| rejection.customer.clone())
                .or(read.customer),
            address: rejection
                .and_then(|rejection| rejection.address.clone())
                .or(read.address),
            outcome,
            error: rejection.map_or_else(
                || messages.get(&row.number).cloned().unwrap_or_default(),
                |rejection| rejection.text(checked),
            ),
            cells: cells.get(&index).map(RowCells::json),
        }
    });
    (rejected.collect(), read)
}
