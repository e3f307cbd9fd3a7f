//! Which columns could hold ids: those without missing or repeated values.
//!
//! Only read when a table has no id column, to suggest one; it costs one pass over the file.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::sheet::stream::RowStream;
use crate::sheet::{Missing, RefusedColumn, cell_address};

/// Rows with fewer filled cells are totals and notes below the table, which have no id.
const FILLED_IN_A_ROW: usize = 3;

/// Removes the columns in which a value is missing or occurs twice, and names the first cell of each. All are removed
/// where the rows cannot be read.
pub(super) fn retain_unique(mut stream: RowStream, ids: &mut Missing) {
    let hasher = RandomState::new();
    let mut seen: HashSet<(usize, u64)> = HashSet::new();
    loop {
        match stream.advance() {
            Ok(true) if !ids.near.is_empty() => {}
            Ok(_) => return,
            Err(_) => return ids.near.clear(),
        }
        let row = stream.row();
        if row.cells().filter(|cell| !cell.is_blank()).count() < FILLED_IN_A_ROW {
            continue;
        }
        ids.near.retain(|one| {
            let cell = row.cell(one.column);
            let is_empty = cell.is_blank();
            let hash = hasher.hash_one(cell.text.trim());
            let is_usable = !is_empty && seen.insert((one.column, hash));
            if !is_usable {
                ids.refused.push(RefusedColumn {
                    header: one.header.clone(),
                    cell: cell_address(one.column, row.number),
                    is_empty,
                });
            }
            is_usable
        });
    }
}
