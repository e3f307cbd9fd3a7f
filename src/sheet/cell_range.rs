//! Rectangles of cells: merged cells, tables, filters.

use crate::model::RowNumber;
use crate::sheet::cell_address::{cell_address, place_of};

/// A rectangle of cells. Of merged ones, only the cell at the top left holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CellRange {
    /// Its first row.
    pub top: RowNumber,
    /// Its last row.
    pub bottom: RowNumber,
    /// Its first column, zero-based.
    pub left: usize,
    /// Its last column, zero-based.
    pub right: usize,
}

impl CellRange {
    /// The range as a sheet's part names it: `G2:G3`; `None` for what names none.
    pub(super) fn parse(range: &str) -> Option<Self> {
        let (first, last) = range.split_once(':')?;
        let ((left, top), (right, bottom)) = (place_of(first)?, place_of(last)?);
        (left <= right && top <= bottom).then_some(Self {
            top,
            bottom,
            left,
            right,
        })
    }

    /// The range as Excel names it: `G2:G3`.
    pub fn address(&self) -> String {
        format!(
            "{}:{}",
            self.value_cell(),
            cell_address(self.right, self.bottom)
        )
    }

    /// The cell that holds the value.
    pub fn value_cell(&self) -> String {
        cell_address(self.left, self.top)
    }

    pub(super) fn overlaps(&self, other: &Self) -> bool {
        self.left <= other.right
            && other.left <= self.right
            && self.top <= other.bottom
            && other.top <= self.bottom
    }

    /// Whether a cell belongs to it without holding its value.
    pub fn covers(&self, row: RowNumber, column: usize) -> bool {
        let is_inside =
            (self.top..=self.bottom).contains(&row) && (self.left..=self.right).contains(&column);
        is_inside && (row, column) != (self.top, self.left)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_covers_all_but_its_first_cell() {
        let merge = CellRange::parse("G2:H3").unwrap();
        assert_eq!(
            (merge.address().as_str(), merge.value_cell().as_str()),
            ("G2:H3", "G2")
        );
        assert!(!merge.covers(RowNumber(2), 6));
        for (row, column) in [(2, 7), (3, 6), (3, 7)] {
            assert!(merge.covers(RowNumber(row), column));
        }
        assert!(!merge.covers(RowNumber(4), 6) && !merge.covers(RowNumber(3), 8));
    }

    #[test]
    fn what_names_no_range_is_none() {
        for text in ["", "G2", "G2:", ":G3", "H3:G2", "2:3"] {
            assert_eq!(CellRange::parse(text), None, "{text}");
        }
    }
}
