//! Recognizes rows that their own system marks as closed: canceled, lost, done, or not to be contacted. They are sent
//! like all others, because the mark may mean something else there; a warning says so.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use crate::import::check::table_problem::RowGroup;
use crate::model::{Field, WordList};
use crate::sheet::Row;
use crate::table::{Columns, fold_cell};

static CLOSED: WordList = WordList::new("closed");

/// The words of the list by their folded form.
static WORDS: LazyLock<HashMap<String, &str>> =
    LazyLock::new(|| CLOSED.iter().map(|word| (fold_cell(word), *word)).collect());

/// The first two letters of the words; nearly all cells begin otherwise.
static BEGINNINGS: LazyLock<BTreeSet<[u8; 2]>> = LazyLock::new(|| {
    let words = WORDS.keys().filter_map(|word| beginning(word));
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

/// The columns by which rows are marked as closed, each with the word that a checked box in it stands for.
#[derive(Clone, Debug)]
pub(super) struct ClosingColumns(Vec<(usize, Option<&'static str>)>);

impl ClosingColumns {
    /// Those that feed no field, and the notes, in front of the columns with results.
    pub(super) fn find(columns: &Columns) -> Self {
        let unused = columns
            .unused_columns()
            .take_while(|(column, _)| *column < columns.before_results())
            .map(|(column, header)| (column, word_of(&fold_cell(header))));
        let notes = columns.indexes_of(Field::Notes).iter();
        let notes = notes.map(|&column| (column, None));
        Self(unused.chain(notes).collect())
    }

    /// The first column that marks the row as closed, with the word for it.
    pub(super) fn of_row(&self, row: &Row<'_>) -> Option<(RowGroup, Option<&'static str>)> {
        self.0.iter().find_map(|&(column, of_box)| {
            let text = row.cell(column).text.trim();
            let checked = || of_box.filter(|_| CHECKED.contains(&fold_cell(text).as_str()));
            let word = closing_word(text).or_else(checked)?;
            Some((RowGroup::Closed(u32::try_from(column).ok()?), Some(word)))
        })
    }
}

fn word_of(folded: &str) -> Option<&'static str> {
    WORDS.get(folded).copied()
}

/// The word of the list that a text is, or with which it begins before a sign or a date: `Lost - competitor`,
/// `DONE 9/12`.
fn closing_word(text: &str) -> Option<&'static str> {
    if !beginning(text).is_some_and(|two| BEGINNINGS.contains(&two)) {
        return None;
    }
    let end = text.find(|c: char| !c.is_alphabetic() && c != ' ');
    let first = fold_cell(&text[..end.unwrap_or(text.len())]);
    let mut cancellations = CANCELLATIONS.iter();
    if let Some(start) = cancellations.find(|start| first.starts_with(**start)) {
        return word_of(start);
    }
    // `Completed 3 houses here before` says nothing of this one.
    let mut behind = text[end.unwrap_or(text.len())..]
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .chars();
    let is_set_off = behind.next().is_none_or(|c| c != ' ' && !c.is_alphabetic());
    if end.is_none() {
        return word_of(&first);
    }
    let begins = word_of(&first).filter(|_| first != "closed" && is_set_off);
    begins.or_else(|| word_of(&fold_cell(text)).filter(|_| text.len() <= MAX_VALUE_LENGTH))
}
