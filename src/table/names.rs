//! Names in the form `Patel, Chloé`: whether all names of a column have it, and how they are sent.
//!
//! A single name is ambiguous (`Acme, Inc.`), so all names of the column must have this form. Names of companies are
//! sent unchanged.

use crate::model::{Field, WordList};
use crate::sheet::stream::RowStream;
use crate::sheet::{Row, SheetError};
use crate::table::columns::{Columns, NameFrom, NameOrder};
use crate::table::options::TableOptions;
use crate::table::synonyms::fold_cell;
use crate::table::table_head::CandidateRow;

/// Minimum number of names for this decision.
const MIN_NAMES: u64 = 3;

/// The form of the names: the requested one, or that of all rows, which `open_rows` opens again. The rows are not read
/// if the first ones suffice.
///
/// # Errors
/// If the rows cannot be opened.
pub(super) fn name_order(
    columns: &Columns,
    first_rows: &[CandidateRow],
    options: &TableOptions,
    open_rows: impl FnOnce() -> Result<RowStream, SheetError>,
) -> Result<NameOrder, SheetError> {
    match options.name_order {
        Some(given) => Ok(given),
        None if may_be_last_first(columns, first_rows) => {
            Ok(order_of_all_names(columns, open_rows()?))
        }
        None => Ok(NameOrder::AsWritten),
    }
}

/// Whether the first rows allow that all names of the column have the form `Patel, Chloé`.
fn may_be_last_first(columns: &Columns, below: &[CandidateRow]) -> bool {
    let Some(column) = name_column(columns) else {
        return false;
    };
    let mut order = ColumnOrder::default();
    // A heading between the rows, such as `--- October ---`, and a total are not names.
    let rows = below.iter().filter(|row| {
        let cell = |column: usize| row.cells.get(column);
        columns.has_address_in(|column| cell(column).is_some_and(|cell| !cell.trim().is_empty()))
    });
    let names = rows.filter_map(|row| row.cells.get(column));
    names.for_each(|name| order.add(name));
    order.people > 0 && order.others == 0
}

fn order_of_all_names(columns: &Columns, mut stream: RowStream) -> NameOrder {
    let Some(column) = name_column(columns) else {
        return NameOrder::AsWritten;
    };
    let mut order = ColumnOrder::default();
    // Errors are reported when the rows are read.
    while let Ok(true) = stream.advance() {
        let row: Row<'_> = stream.row();
        if columns.has_address(&row) {
            order.add(row.cell(column).text);
        }
        if order.others > 0 {
            break;
        }
    }
    if order.others == 0 && order.people >= MIN_NAMES && order.companies <= order.people {
        NameOrder::LastFirst
    } else {
        NameOrder::AsWritten
    }
}

/// The column of whole names; `None` if first and last name have their own columns.
fn name_column(columns: &Columns) -> Option<usize> {
    match columns.name_from {
        NameFrom::Whole | NameFrom::Mapped => columns.indexes_of(Field::Name).first().copied(),
        NameFrom::Parts => None,
    }
}

/// `Chloé Patel` for `Patel, Chloé`; `None` for a name in another form. A title or suffix at the end goes to its place; a
/// name with one elsewhere, as in `Reed, Carl Mr. and Mrs`, stays as it is.
pub fn first_last(name: &str) -> Option<String> {
    let (last, first) = name.split_once(',')?;
    if kind(name) != NameKind::LastFirst {
        return None;
    }
    let (first, last) = (first.trim(), last.trim());
    let is_title = |word: &str| TITLES.has(&fold_cell(word));
    let is_suffix = |word: &str| SUFFIXES.has(&fold_cell(word));
    let (given, end) = first.rsplit_once(' ').unwrap_or((first, ""));
    let given = given.trim_end();
    let mut others = given.split_whitespace().skip(1);
    if others.any(|word| is_title(word) || is_suffix(word)) {
        None
    } else if is_title(end) {
        Some(format!("{end} {given} {last}"))
    } else if is_suffix(end) {
        Some(format!("{given} {last} {end}"))
    } else {
        Some(format!("{first} {last}"))
    }
}

#[derive(Debug, Default)]
struct ColumnOrder {
    people: u64,
    companies: u64,
    others: u64,
}

impl ColumnOrder {
    fn add(&mut self, name: &str) {
        match kind(name) {
            NameKind::Nothing => {}
            NameKind::LastFirst => self.people += 1,
            NameKind::Company => self.companies += 1,
            NameKind::Other => self.others += 1,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NameKind {
    Nothing,
    LastFirst,
    Company,
    Other,
}

fn kind(name: &str) -> NameKind {
    let name = name.trim();
    if name.is_empty() {
        return NameKind::Nothing;
    }
    if name_words(name).any(|word| COMPANIES.has(&word)) {
        return NameKind::Company;
    }
    let Some((last, first)) = name.split_once(',') else {
        return NameKind::Other;
    };
    let is_suffix = name_words(first).all(|word| SUFFIXES.has(&word));
    if is_suffix || !is_name(last, 3) || !is_name(first, 5) {
        return NameKind::Other;
    }
    NameKind::LastFirst
}

static COMPANIES: WordList = WordList::new("companies");
static SUFFIXES: WordList = WordList::new("name_suffixes");
static TITLES: WordList = WordList::new("titles");

fn is_name(text: &str, most_words: usize) -> bool {
    let text = text.trim();
    let is_letter = |c: char| c.is_alphabetic() || c.is_whitespace() || "'’-.&()".contains(c);
    let is_mark = |c: char| ('\u{300}'..='\u{36f}').contains(&c);
    text.contains(char::is_alphabetic)
        && text.chars().all(|c| is_letter(c) || is_mark(c))
        && text.split_whitespace().count() <= most_words
}

fn name_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    words.map(fold_cell).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_last_name_and_a_first_name_are_turned() {
        for (written, sent) in [
            ("Patel, Chloé", "Chloé Patel"),
            ("O'Brien, Mary Ann", "Mary Ann O'Brien"),
            ("St. John-Smythe, J.", "J. St. John-Smythe"),
            ("Smith, John & Jane", "John & Jane Smith"),
            ("Conant, Loring Jr", "Loring Conant Jr"),
            ("Dunlap, George H Mr.", "Mr. George H Dunlap"),
            ("Reed, Dr. Ann", "Dr. Ann Reed"),
        ] {
            assert_eq!(first_last(written).as_deref(), Some(sent));
        }
    }

    #[test]
    fn companies_suffixes_and_other_names_stay() {
        for name in [
            "Acme, Inc.",
            "Smith & Sons, LLC",
            "Gouttières Roy, Ltée.",
            "John Smith, Jr.",
            "Ada Lovelace",
            "Smith, John, Jane",
            "Unit 4, Smith",
            "Parsons, Charles Mr. and Mrs",
            "",
        ] {
            assert_eq!(first_last(name), None, "{name}");
        }
    }
}
