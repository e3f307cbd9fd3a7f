//! Recognizes rows that their own system marks as closed: canceled, lost, done, or not to be contacted. They are sent like
//! all others, because the mark may mean something else there; a warning says so.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::import::check::table_problem::CountedRow;
use crate::model::{Field, WordList};
use crate::sheet::Row;
use crate::table::{Columns, fold};

static CLOSED: WordList = WordList::new("closed");

/// The words of the list, folded.
static WORDS: LazyLock<HashSet<String>> =
    LazyLock::new(|| CLOSED.iter().map(|word| fold(word)).collect());

/// The first two letters of the words; nearly all cells begin otherwise.
static BEGINNINGS: LazyLock<BTreeSet<[u8; 2]>> = LazyLock::new(|| {
    let words = WORDS.iter().filter_map(|word| beginning(word));
    words.collect()
});

/// The first two bytes of a text, in lower case.
fn beginning(text: &str) -> Option<[u8; 2]> {
    let bytes = text.as_bytes().first_chunk::<2>()?;
    Some(bytes.map(|byte| byte.to_ascii_lowercase()))
}

/// What a cancellation begins with, whatever follows, folded.
const CANCELLATIONS: [&str; 3] = ["canceled", "cancelled", "donotmeasure"];

/// A checked box, folded.
const CHECKED: [&str; 6] = ["true", "yes", "y", "x", "1", "oui"];

/// Maximum length of a value that is compared with the list.
const MAX_VALUE_LENGTH: usize = 60;

/// The columns by which rows are marked as closed, each with whether it has a box that is checked for it.
#[derive(Clone, Debug)]
pub(super) struct ClosingColumns(Vec<(usize, bool)>);

impl ClosingColumns {
    /// Those that feed no field, and the notes, in front of the columns with results.
    pub(super) fn find(columns: &Columns) -> Self {
        let unused = columns
            .unused_columns()
            .take_while(|(column, _)| *column < columns.before_results())
            .map(|(column, header)| (column, WORDS.contains(&fold(header))));
        let notes = columns.indexes_of(Field::Notes).iter();
        let notes = notes.map(|&column| (column, false));
        Self(unused.chain(notes).collect())
    }

    /// The first column that marks the row as closed.
    pub(super) fn of_row(&self, row: &Row<'_>) -> Option<CountedRow> {
        let text_of = |column: usize| row.cell(column).text.trim();
        let is_marked = |(column, is_box): &&(usize, bool)| {
            let text = text_of(*column);
            is_closed(text) || *is_box && CHECKED.contains(&fold(text).as_str())
        };
        let &(column, _) = self.0.iter().find(is_marked)?;
        Some(CountedRow::Closed(u32::try_from(column).ok()?))
    }
}

/// Whether a text is in the list, or begins with words of it before a sign or a date: `Lost - competitor`, `DONE 9/12`.
fn is_closed(text: &str) -> bool {
    if !beginning(text).is_some_and(|two| BEGINNINGS.contains(&two)) {
        return false;
    }
    let end = text.find(|c: char| !c.is_alphabetic() && c != ' ');
    let first = fold(&text[..end.unwrap_or(text.len())]);
    if CANCELLATIONS.iter().any(|start| first.starts_with(start)) {
        return true;
    }
    // `Completed 3 houses here before` says nothing of this one.
    let mut behind = text[end.unwrap_or(text.len())..]
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .chars();
    let is_set_off = behind.next().is_none_or(|c| c != ' ' && !c.is_alphabetic());
    if end.is_none() || first != "closed" && is_set_off && WORDS.contains(&first) {
        return WORDS.contains(&first);
    }
    text.len() <= MAX_VALUE_LENGTH && WORDS.contains(&fold(text))
}
