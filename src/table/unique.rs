//! Which columns could hold ids: those without missing or repeated values.
//!
//! Only read when a table has no id column, to suggest one; it costs one pass over the file.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::sheet::NearHeader;
use crate::sheet::stream::RowStream;

/// Rows with fewer filled cells are totals and notes below the table, which have no id.
const FILLED_IN_A_ROW: usize = 3;

/// Removes the columns in which a value is missing or occurs twice. All are removed where the rows cannot be read.
pub(super) fn retain_unique(mut stream: RowStream, near: &mut Vec<NearHeader>) {
    let hasher = RandomState::new();
    let mut seen: HashSet<(usize, u64)> = HashSet::new();
    loop {
        match stream.advance() {
            Ok(true) if !near.is_empty() => {}
            Ok(_) => return,
            Err(_) => return near.clear(),
        }
        let row = stream.row();
        if row.cells().filter(|cell| !cell.is_blank()).count() < FILLED_IN_A_ROW {
            continue;
        }
        near.retain(|one| {
            let cell = row.cell(one.column);
            !cell.is_blank() && seen.insert((one.column, hasher.hash_one(cell.text.trim())))
        });
    }
}
