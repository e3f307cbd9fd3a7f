//! Headers of another table among the rows.

use crate::model::Field;
use crate::table::columns::Columns;
use crate::table::synonyms::{fold, meaning};

/// Minimum number of known headers in a row of headers.
const MIN_HEADERS: usize = 3;

impl Columns {
    /// Whether the cells of a row are headers that stand over other columns than those of this table.
    pub fn are_headers_of_another_table<'c>(&self, cells: impl Iterator<Item = &'c str>) -> bool {
        let own: Vec<String> = self.headers.iter().map(|header| fold(header)).collect();
        let (mut filled, mut known, mut has_moved) = (0, 0, false);
        for (column, cell) in cells.enumerate() {
            let folded = fold(cell);
            if folded.is_empty() {
                continue;
            }
            filled += 1;
            if own.get(column) == Some(&folded) {
                known += 1;
            } else if let Some(from) = own.iter().position(|header| *header == folded) {
                known += 1;
                has_moved |= self.field_of(column).is_some() || self.field_of(from).is_some();
            } else if let Some(field) = meaning(cell).map(|meaning| meaning.field) {
                known += 1;
                has_moved |= self.field_of(column).is_some_and(|own| own != field);
            }
        }
        has_moved && known >= MIN_HEADERS && known * 2 >= filled
    }

    /// The field that a header means, or that its column feeds.
    fn field_of(&self, column: usize) -> Option<Field> {
        let meant = meaning(self.headers.get(column)?).map(|meaning| meaning.field);
        let mut fields = Field::ALL.into_iter();
        meant.or_else(|| fields.find(|field| self.of(*field).contains(&column)))
    }
}
