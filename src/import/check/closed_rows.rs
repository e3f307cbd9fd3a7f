//! Recognizes rows that their own system marks as closed: canceled, lost, done, or not to be contacted. They are sent like
//! all others, because the mark may mean something else there; a warning says so.

use crate::model::Field;
use crate::sheet::Row;
use crate::table::{Columns, fold};

/// Headers of columns with a state, folded.
const STATES: [&str; 9] = [
    "status",
    "leadstatus",
    "jobstatus",
    "customerstatus",
    "accountstatus",
    "stage",
    "dealstage",
    "disposition",
    "statut",
];

/// States that close a row, folded.
const CLOSED: [&str; 21] = [
    "cancelled",
    "canceled",
    "annule",
    "lost",
    "closedlost",
    "perdu",
    "dead",
    "donotcontact",
    "donotcall",
    "dnc",
    "inactive",
    "declined",
    "notinterested",
    "disqualified",
    "archived",
    "deleted",
    "done",
    "complete",
    "completed",
    "duplicate",
    "onhold",
];

/// How notes of a closed row begin.
const CLOSING_NOTES: [&str; 3] = ["cancelled", "canceled", "do not measure"];

/// Headers of columns that mark a row by a checkbox, folded.
const FLAGS: [&str; 5] = ["donotcontact", "donotcall", "dnc", "canceled", "cancelled"];

/// Checked, folded.
const CHECKED: [&str; 6] = ["true", "yes", "y", "x", "1", "oui"];

/// The columns by which rows are marked as closed; those of state and checkbox feed no field.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ClosingColumns {
    state: Option<usize>,
    flag: Option<usize>,
    notes: Option<usize>,
}

impl ClosingColumns {
    pub(super) fn find(columns: &Columns) -> Self {
        let unused = |names: &[&str]| {
            let mut columns = columns.unused_columns();
            columns
                .find(|(_, header)| names.contains(&fold(header).as_str()))
                .map(|(column, _)| column)
        };
        Self {
            state: unused(&STATES),
            flag: unused(&FLAGS),
            notes: columns.of(Field::Notes).first().copied(),
        }
    }

    /// The column that marks a row as closed.
    pub(super) fn of_row(self, row: &Row<'_>) -> Option<u32> {
        let is_marked = |column: &usize, words: &[&str]| {
            let text = row.cell(*column).text;
            !text.is_empty() && words.contains(&fold(text).as_str())
        };
        let state = self.state.filter(|column| is_marked(column, &CLOSED));
        let is_noted = |column: &usize| {
            let notes = row.cell(*column).text.trim_start();
            let begins = |start: &&str| {
                let head = notes.get(..start.len());
                head.is_some_and(|head| head.eq_ignore_ascii_case(start))
            };
            CLOSING_NOTES.iter().any(begins)
        };
        let flag = self.flag.filter(|column| is_marked(column, &CHECKED));
        let column = state.or(flag).or_else(|| self.notes.filter(is_noted));
        u32::try_from(column?).ok()
    }
}
