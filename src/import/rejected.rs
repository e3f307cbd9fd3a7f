//! The rejected rows of a run, as the journal stores them.

use std::collections::BTreeMap;

use crate::import::{CheckedFile, RowCells, RowOutcomes, RowRejectionReason};
use crate::journal::NewRejection;
use crate::sheet;

/// The rejected rows of a run, with their cells. If the file has changed since it was checked, these are missing.
///
/// If the findings cannot be read any more, the rows lack them, and the second value is the error.
pub fn rejected(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    cells: &BTreeMap<usize, RowCells>,
) -> (Vec<NewRejection>, Result<(), sheet::Error>) {
    let (mut found, read) = match checked.errors_by_row() {
        Ok(found) => (found, Ok(())),
        Err(error) => (BTreeMap::new(), Err(error)),
    };
    let rejected = rows.rejected().map(|(index, outcome)| {
        let row = &checked.rows[index];
        let cells = cells.get(&index);
        let messages = match rows.rejection(index) {
            Some(rejection) => rejection.messages.clone(),
            None => {
                let problems = found.remove(&row.number).unwrap_or_default().into_iter();
                problems
                    .map(|problem| (problem.field, problem.message))
                    .collect()
            }
        };
        NewRejection {
            row: row.number,
            external_id: row.external_id().map(str::to_owned),
            customer: cells.and_then(|cells| cells.customer.clone()),
            address: cells.and_then(|cells| cells.address.clone()),
            outcome,
            error: RowRejectionReason { messages }.text(checked),
            cells: cells.map(RowCells::json),
        }
    });
    (rejected.collect(), read)
}
