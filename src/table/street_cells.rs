//! Streets recognized by their cells, whatever the header is.

use crate::model::{AddressKey, Field, ends_street, has_house_number};
use crate::table::address_names::is_of_customer;
use crate::table::synonyms::fold;
use crate::table::table_head::{CandidateRow, TableHead};

/// Words of a long street, such as `12 Martin Luther King Jr Blvd NW`.
const MOST_WORDS: usize = 7;

/// The columns of streets whose header has no meaning, apart from those with the houses of a street that has one.
pub(super) fn streets_by_cells(head: &TableHead) -> impl Iterator<Item = usize> {
    let meanings = head.meanings();
    let means_street =
        |column: &usize| meanings[*column].is_some_and(|meaning| meaning.field == Field::Line1);
    let known: Vec<usize> = (0..meanings.len()).filter(means_street).collect();
    let is_open =
        |column: &usize| meanings[*column].is_none() && !head.names[*column].trim().is_empty();
    let columns = (0..meanings.len()).filter(is_open);
    let streets = columns.filter(|column| has_streets(head, *column));
    streets.filter(move |column| !known.iter().any(|known| are_same(head, *known, *column)))
}

/// Whether the cells of a column are streets: at least half of those that are filled, in at least half of the rows, or in a
/// quarter if the header names an address. A note such as `2 miles past the mill` is not one.
fn has_streets(head: &TableHead, column: usize) -> bool {
    let rows = head.below.iter().filter(|row| !row.is_blank());
    let cells: Vec<&str> = rows.map(|row| text(row, column)).collect();
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    let streets = cells.iter().filter(|cell| is_street(cell)).count();
    let is_named =
        head.qualifiers().is_named(column, Field::Line1) || is_of_customer(&head.names[column]);
    let share = if is_named { 4 } else { 2 };
    streets > 0 && streets * 2 >= filled && streets * share >= cells.len()
}

/// Whether two columns have the same houses wherever both are filled.
fn are_same(head: &TableHead, one: usize, other: usize) -> bool {
    let rows = head.below.iter();
    let texts = rows.map(|row| [text(row, one), text(row, other)]);
    let mut both = texts
        .filter(|texts| texts.iter().all(|text| !text.is_empty()))
        .map(|texts| texts.map(|text| AddressKey::new(text, "", None)))
        .peekable();
    both.peek().is_some() && both.all(|[one, other]| one.matches(&other))
}

fn text(row: &CandidateRow, column: usize) -> &str {
    row.cells.get(column).map_or("", |cell| cell.trim())
}

/// Whether a text is a street and nothing else: a number, and a type at its end, as in `12 Elm St NW`, or behind the
/// number, as in `12 rue Maple`; or a box.
pub(crate) fn is_street(cell: &str) -> bool {
    if fold(cell).starts_with("pobox") {
        return true;
    }
    let street = cell.split(',').next().unwrap_or_default();
    let words: Vec<String> = street
        .split_whitespace()
        .map(|word| word.trim_end_matches('.').to_lowercase())
        .collect();
    let is_type = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .is_some_and(|word| ends_street(word))
    };
    let last = words.len().checked_sub(1);
    let before_last = words.len().checked_sub(2);
    let is_direction_or_unit = words
        .last()
        .is_some_and(|word| word.len() <= 2 || word.bytes().any(|byte| byte.is_ascii_digit()));
    has_house_number(cell)
        && words.len() <= MOST_WORDS
        && (is_type(Some(1)) || is_type(last) || is_direction_or_unit && is_type(before_last))
}
