//! The column of rejects in which the user decides about rows rejected as the same house.

use crate::sheet::Row;
use crate::table::rejects_columns::DECISION;
use crate::table::{Columns, DetectedLayout};

/// The column `same_house`; in a table without headers, the cells that begin with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionColumn {
    /// There is none.
    Absent,
    /// Below its header, by its zero-based column.
    At(usize),
    /// `same_house: send` in any cell.
    InCells,
}

impl DecisionColumn {
    /// Finds the column.
    pub fn find(columns: &Columns, reading: &DetectedLayout) -> Self {
        if reading.header_row.is_none() {
            return Self::InCells;
        }
        let mut headers = columns.headers().iter();
        headers
            .position(|header| header.trim() == DECISION)
            .map_or(Self::Absent, Self::At)
    }

    /// The decision's column and text in a row, trimmed.
    pub fn cell<'a>(self, row: &Row<'a>) -> Option<(usize, &'a str)> {
        match self {
            Self::Absent => None,
            Self::At(column) => Some((column, row.cell(column).text.trim())),
            Self::InCells => (0..row.width()).find_map(|column| {
                let text = row.cell(column).text.trim().strip_prefix(DECISION)?;
                Some((column, text.strip_prefix(':')?.trim()))
            }),
        }
    }
}
