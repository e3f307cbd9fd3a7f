//! Rows that became no measurement of theirs, as the journal keeps them: who, where and why.

use std::collections::BTreeMap;

use crate::import::{CheckedFile, ImportInput, RowCells, RowOutcomes, summary};
use crate::journal::NewRejection;
use crate::sheet;

/// The rejected rows of a run, with their cells. Those that were never made into a request are read again for customer and address.
///
/// A run may take hours, and the file may be gone at its end: then they stand there without customer and address, or
/// without what the check found, and the error says why. The run itself is recorded all the same.
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
    let is_untold = |index: &usize| {
        let rejection = rows.rejection(*index);
        rejection.is_none_or(|rejection| rejection.customer.is_none())
    };
    let untold = rows.rejected().map(|(index, _)| index).filter(is_untold);
    let described = checked.described(input, &untold.collect());
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
