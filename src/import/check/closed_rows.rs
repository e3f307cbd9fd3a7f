//! Recognizes rows that their own system marks as closed: canceled, lost, done, or not to be contacted. They are sent like
//! all others, because the mark may mean something else there; a warning says so.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::LazyLock;

use crate::model::{Field, RowNumber, WordList, counted, excerpt, group_digits};
use crate::sheet::{Row, cell_address};
use crate::table::{Columns, FIRST_RESULT, fold};

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

/// Checked and not checked, folded.
const CHECKED: [&str; 6] = ["true", "yes", "y", "x", "1", "oui"];
const UNCHECKED: [&str; 5] = ["false", "no", "n", "0", "non"];

/// Headers of columns that mark a row by a box that is not checked, folded.
const OPEN: [&str; 3] = ["active", "isactive", "actif"];

/// Maximum length of a value that is compared with the list.
const LONGEST: usize = 60;
/// Maximum number of values, and of their cells, that a warning names.
const VALUES: usize = 4;
const CELLS: usize = 2;
/// Maximum number of different values of a column that are kept apart.
const DISTINCT: usize = 1000;

/// The columns by which rows are marked as closed, each with the values of its checkbox that do so.
#[derive(Clone, Debug)]
pub(super) struct ClosingColumns(Vec<(usize, &'static [&'static str])>);

/// The cell that marks a row as closed.
#[derive(Debug)]
pub(super) struct ClosedCell {
    column: usize,
    text: Box<str>,
}

impl ClosingColumns {
    /// Those that feed no field, and the notes, in front of the columns with results.
    pub(super) fn find(columns: &Columns) -> Self {
        let unused = columns.unused_columns();
        let unused = unused.take_while(|(_, header)| *header != FIRST_RESULT);
        let unused = unused.map(|(column, header)| {
            let header = fold(header);
            let values: &[&str] = match header.as_str() {
                header if WORDS.contains(header) => &CHECKED,
                header if OPEN.contains(&header) => &UNCHECKED,
                _ => &[],
            };
            (column, values)
        });
        let notes = columns.of(Field::Notes).iter();
        let notes = notes.map(|&column| (column, [].as_slice()));
        Self(unused.chain(notes).collect())
    }

    /// The first cell that marks the row as closed.
    pub(super) fn of_row(&self, row: &Row<'_>) -> Option<ClosedCell> {
        let text_of = |column: usize| row.cell(column).text.trim();
        let is_marked = |(column, values): &&(usize, &[&str])| {
            let text = text_of(*column);
            is_closed(text) || !values.is_empty() && values.contains(&fold(text).as_str())
        };
        let &(column, _) = self.0.iter().find(is_marked)?;
        let text = excerpt(text_of(column)).into();
        Some(ClosedCell { column, text })
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
    text.len() <= LONGEST && WORDS.contains(&fold(text))
}

/// The rows that are marked as closed, by column and value.
#[derive(Debug, Default)]
pub(super) struct ClosedRows(BTreeMap<usize, BTreeMap<Box<str>, Vec<RowNumber>>>);

impl ClosedRows {
    pub(super) fn add(&mut self, number: RowNumber, cell: ClosedCell) {
        let values = self.0.entry(cell.column).or_default();
        // Notes may all be different.
        let is_pooled = values.len() >= DISTINCT && !values.contains_key(&cell.text);
        let text = if is_pooled {
            "others".into()
        } else {
            cell.text
        };
        values.entry(text).or_default().push(number);
    }

    /// The columns that mark rows, each with the first row.
    pub(super) fn columns(&self) -> impl Iterator<Item = (usize, RowNumber)> {
        let first = |values: &BTreeMap<_, Vec<RowNumber>>| values.values().flatten().min().copied();
        self.0
            .iter()
            .filter_map(move |(&column, values)| Some((column, first(values)?)))
    }

    /// The rows of all columns.
    pub(super) fn rows(&self) -> impl Iterator<Item = RowNumber> {
        let values = self.0.values().flat_map(BTreeMap::values);
        values.flatten().copied()
    }

    /// How many of these rows a column marks with which value, the most frequent first: ``9 rows are marked `Lost` (C6, C9,
    /// …), 1 `Dead` (C7)``; none if it marks none of them.
    pub(super) fn message(
        &self,
        column: usize,
        is_included: impl Fn(RowNumber) -> bool,
    ) -> Option<String> {
        let values = self.0.get(&column)?.iter();
        let mut values: Vec<(&str, Vec<RowNumber>)> = values
            .map(|(text, rows)| {
                let rows = rows.iter().copied().filter(|row| is_included(*row));
                (text.as_ref(), rows.collect())
            })
            .filter(|(_, rows): &(_, Vec<_>)| !rows.is_empty())
            .collect();
        values.sort_by_key(|(_, rows)| Reverse(rows.len()));
        let named = values.iter().take(VALUES).enumerate();
        let mut parts: Vec<String> = named
            .map(|(index, (text, rows))| {
                let rows_are = match (index, rows.len() as u64) {
                    (0, 1) => "1 row is marked".to_owned(),
                    (0, count) => format!("{} are marked", counted(count, "row")),
                    (_, count) => group_digits(count),
                };
                format!("{rows_are} `{}` ({})", excerpt(text), cells(column, rows))
            })
            .collect();
        let others = values.iter().skip(VALUES).map(|(_, rows)| rows.len());
        match others.sum::<usize>() {
            0 => {}
            count => parts.push(format!("{} with other words", group_digits(count as u64))),
        }
        (!parts.is_empty()).then(|| {
            let parts = parts.join(", ");
            format!("{parts}: sent like all others; delete what should not be requested")
        })
    }
}

/// The first cells of a column in these rows.
fn cells(column: usize, rows: &[RowNumber]) -> String {
    let shown = rows
        .iter()
        .take(CELLS)
        .map(|&row| cell_address(column, row));
    let more = (rows.len() > CELLS).then(|| "…".to_owned());
    shown.chain(more).collect::<Vec<_>>().join(", ")
}
