//! The column of rejects in which the user decides about rows rejected as the same house.

use crate::model::HouseDecision;
use crate::sheet::Row;
use crate::table::rejects_columns::{DECISION, HEADERS, is_decision_header};
use crate::table::{Columns, DetectedLayout};

/// The column `same_house`; in a table without headers, the cells that begin with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecisionColumn {
    /// There is none.
    Absent,
    /// Below its header, by the zero-based number of the first such column and of the last, usually the same.
    At([usize; 2]),
    /// As before, where the program wrote the last one, in front of `error`, beside one that the input had.
    BesideOwn([usize; 2]),
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
        let Some((first, last)) = first.zip(headers.iter().rposition(is_own)) else {
            return Self::Absent;
        };
        let is_written = headers.get(last + 1).is_some_and(|next| next == HEADERS[0]);
        if first < last && is_written {
            Self::BesideOwn([first, last])
        } else {
            Self::At([first, last])
        }
    }

    /// The decision's column and text in a row, trimmed. Of two, the one that is not to send the row. Beside the column that
    /// asks, `send` in one of the input's own was there before, and is no answer.
    pub fn cell<'a>(self, row: &Row<'a>) -> Option<(usize, &'a str)> {
        let is_send = |text: &str| text.eq_ignore_ascii_case(HouseDecision::Send.name());
        match self {
            Self::Absent => None,
            Self::BesideOwn([first, last]) if is_send(row.cell(first).text.trim()) => {
                Self::At([last, last]).cell(row)
            }
            Self::At(columns) | Self::BesideOwn(columns) => {
                let texts = columns.map(|column| (column, row.cell(column).text.trim()));
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
