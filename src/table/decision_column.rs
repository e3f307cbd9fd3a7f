//! The column of rejects in which the user decides about rows rejected as the same house.

use crate::model::HouseDecision;
use crate::sheet::Row;
use crate::table::rejects_columns::{DECISION, is_decision_header};
use crate::table::{Columns, DetectedLayout};

/// The column `same_house`; in a table without headers, the cells that begin with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionColumn {
    /// There is none.
    Absent,
    /// Below its header, by the zero-based number of the first such column and of the last, usually the same.
    At([usize; 2]),
    /// `same_house: send` in any cell.
    InCells,
}

impl DecisionColumn {
    /// Finds the column.
    pub fn find(columns: &Columns, layout: &DetectedLayout) -> Self {
        if layout.header_row.is_none() {
            return Self::InCells;
        }
        let is_own = |header: &String| is_decision_header(header);
        let headers = columns.headers();
        let first = headers.iter().position(is_own);
        let ends = first.zip(headers.iter().rposition(is_own));
        ends.map_or(Self::Absent, |(first, last)| Self::At([first, last]))
    }

    /// The decision's column and text in a row, trimmed. Of two, the one that is not to send the row.
    pub fn cell<'a>(self, row: &Row<'a>) -> Option<(usize, &'a str)> {
        match self {
            Self::Absent => None,
            Self::At(columns) => {
                let texts = columns.map(|column| (column, row.cell(column).text.trim()));
                let is_send = |text: &str| text.eq_ignore_ascii_case(HouseDecision::Send.name());
                let mut filled = texts.into_iter().filter(|(_, text)| !text.is_empty());
                let first = filled.next()?;
                filled.find(|_| is_send(first.1)).or(Some(first))
            }
            Self::InCells => (0..row.width()).find_map(|column| {
                let text = row.cell(column).text.trim().strip_prefix(DECISION)?;
                Some((column, text.strip_prefix(':')?.trim()))
            }),
        }
    }
}
