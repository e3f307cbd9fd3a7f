//! Which columns could hold ids: those without missing or repeated values that do not count the rows.
//!
//! Only read when a table has no id column, to suggest one; it costs one pass over the file.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};

use crate::model::{Field, RowNumber};
use crate::sheet::stream::RowStream;
use crate::sheet::{Cell, cell_address, column_of};
use crate::table::error::TableError;
use crate::table::field_columns::named;
use crate::table::missing_field::{MissingField, UnsuitableColumn, UnsuitableReason};
use crate::table::table_head::TableHead;
use crate::table::totals::total_label;

/// Rows with fewer filled cells are notes below the table and headings, which have no id.
const FILLED_IN_A_ROW: usize = 3;

/// Minimum number of rows that a column of row numbers counts.
const COUNTED: u64 = 3;

/// Removes the columns in which a value is missing or occurs twice, and those that count the rows, with the reason of
/// each. All are removed where the rows cannot be read.
pub(super) fn retain_unique(mut stream: RowStream, ids: &mut MissingField) {
    let hasher = RandomState::new();
    let mut seen: HashSet<(usize, u64)> = HashSet::new();
    let mut rows = 0;
    let mut other_than_count: HashSet<usize> = HashSet::new();
    loop {
        match stream.advance() {
            Ok(true) if !ids.suggestions.is_empty() => {}
            Ok(_) => break,
            Err(_) => return ids.suggestions.clear(),
        }
        let row = stream.row();
        let filled: Vec<Cell<'_>> = row.cells().filter(|cell| !cell.is_blank()).collect();
        if filled.len() < FILLED_IN_A_ROW || total_label(&filled).is_some() {
            continue;
        }
        rows += 1;
        retain(ids, |column| {
            let cell = row.cell(column);
            let address = || cell_address(column, row.number);
            let text = cell.text.trim();
            if text.parse() != Ok(rows) {
                other_than_count.insert(column);
            }
            if cell.is_blank() {
                return Some(UnsuitableReason::Empty(address()));
            }
            let is_new = seen.insert((column, hasher.hash_one(text)));
            (!is_new).then(|| UnsuitableReason::Repeated(address()))
        });
    }
    if rows >= COUNTED {
        retain(ids, |column| {
            (!other_than_count.contains(&column)).then_some(UnsuitableReason::Counts)
        });
    }
}

/// The error that asks which of several columns has the ids; it names only those whose values could be ids.
pub(super) fn choose_id(
    mut columns: Vec<(String, String)>,
    stream: RowStream,
    head: &TableHead,
) -> TableError {
    let index = |(_, letters): &(String, String)| column_of(letters);
    let indexes: Vec<usize> = columns.iter().filter_map(index).collect();
    let mut ids = MissingField::with_near(Field::Id, &indexes, &head.names);
    retain_unique(stream, &mut ids);
    if ids.suggestions.len() < 2 {
        return TableError::MissingFields {
            missing: vec![ids],
            headers: named(&head.names),
            header_row: head.row.unwrap_or(RowNumber(1)),
            whole_addresses: Box::default(),
            street: None,
            differing: (0, 0),
            country: head.likely_country(),
        };
    }
    columns.retain(|one| {
        ids.suggestions
            .iter()
            .any(|id| Some(id.column) == index(one))
    });
    TableError::Ambiguous {
        field: Field::Id,
        columns,
    }
}

/// Removes the columns that have a cause for it.
fn retain(ids: &mut MissingField, mut refusal: impl FnMut(usize) -> Option<UnsuitableReason>) {
    ids.suggestions.retain(|one| {
        let cause = refusal(one.column);
        let is_kept = cause.is_none();
        ids.refused.extend(cause.map(|cause| UnsuitableColumn {
            header: one.header.clone(),
            cause,
        }));
        is_kept
    });
}
