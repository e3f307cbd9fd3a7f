//! Streets recognized by their cells, whatever the header is.

use crate::model::{
    AddressKey, AddressMatch, Field, StreetAddress, WholeAddress, WordList, ends_street, has_digit,
    has_house_number, is_canadian_postal_code,
};
use crate::table::address_names::is_of_customer;
use crate::table::street_columns::has_no_other_digits;
use crate::table::synonyms::{HeaderMeaning, fold_cell, unlisted_front};
use crate::table::table_head::{CandidateRow, TableHead};

static NUMBERED_BOXES: WordList = WordList::new("numbered_boxes");

/// Words of a long street, such as `12 Martin Luther King Jr Blvd NW`.
const MOST_WORDS: usize = 7;

/// The columns of streets whose header has no meaning, apart from those with the houses of a street that has one.
pub(super) fn streets_by_cells(head: &TableHead) -> impl Iterator<Item = usize> {
    let meanings = head.meanings();
    let is_open =
        |column: &usize| meanings[*column].is_none() && !head.names[*column].trim().is_empty();
    let columns = (0..meanings.len()).filter(is_open);
    let streets = columns.filter(|column| has_streets(head, *column));
    streets.filter(|column| !repeats_known_street(head, *column))
}

/// Whether a column has the houses of a street whose header has a meaning.
fn repeats_known_street(head: &TableHead, column: usize) -> bool {
    let mut meanings = head.meanings().iter().enumerate();
    meanings.any(|(known, meaning)| {
        meaning.is_some_and(|one| one.field == Field::Line1) && are_same(head, known, column)
    })
}

/// Drops a street that repeats, in all rows, another one of its address and the unit beside that: `Street` beside
/// `Address1` and `Address2`.
pub(super) fn drop_joined_streets(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let qualifiers = head.qualifiers();
    let means = |column: usize, field| meanings[column].is_some_and(|one| one.field == field);
    let repeats = |joined: usize, street: usize| {
        let rows = head.below.iter().filter(|row| !row.is_blank());
        let mut texts = rows.map(|row| {
            let parts = [street, street + 1].map(|part| text(row, part));
            (fold_cell(text(row, joined)), fold_cell(&parts.concat()))
        });
        texts.clone().any(|(joined, _)| !joined.is_empty())
            && texts.all(|(one, other)| one == other)
    };
    let streets = (0..meanings.len()).filter(|column| means(*column, Field::Line1));
    let (with_unit, alone): (Vec<usize>, Vec<usize>) =
        streets.partition(|street| street + 1 < meanings.len() && means(street + 1, Field::Line2));
    let is_of_one = |joined: usize, street: usize| {
        let mut parts = [street, street + 1].into_iter();
        parts.all(|part| qualifiers.of(part) == qualifiers.of(joined)) && repeats(joined, street)
    };
    let repeats_one = |joined: &usize| with_unit.iter().any(|street| is_of_one(*joined, *street));
    let joined: Vec<usize> = alone.into_iter().filter(repeats_one).collect();
    for column in joined {
        meanings[column] = None;
    }
}

/// Whether the cells of a column are streets: at least half of those that are filled, in at least half of the rows, or
/// in a quarter if the header names an address. A note such as `2 miles past the mill` is not one, but below
/// `Owner Address`, which ends in the name of a street, any words with a digit are.
pub(super) fn has_streets(head: &TableHead, column: usize) -> bool {
    let rows = head.below.iter().filter(|row| !row.is_blank());
    let cells: Vec<&str> = rows.map(|row| text(row, column)).collect();
    let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
    let is_named = head.qualifiers().is_named(column, Field::Line1);
    let header = &head.names[column];
    let is_address =
        is_named && (unlisted_front(header).is_some() || fold_cell(header).starts_with("adresse"));
    let fits = |cell: &&&str| is_street(cell) || is_address && may_be_street(cell);
    let streets = cells.iter().filter(fits).count();
    let has_enough = match is_named || is_of_customer(header) {
        _ if is_address => true,
        true => streets * 4 >= cells.len(),
        false => streets * 2 >= cells.len(),
    };
    streets > 0 && streets * 2 >= filled && has_enough
}

/// Whether a cell has several words and a number that is not of a name, or is `c/o Roy`, and is neither a whole address
/// nor a postal code.
fn may_be_street(cell: &str) -> bool {
    cell.split_whitespace().nth(1).is_some()
        && (cell.contains('/') || !has_no_other_digits(cell))
        && !WholeAddress::is_likely(cell)
        && !is_canadian_postal_code(cell)
}

/// Whether two columns have the same houses wherever both are filled, some of them in the same spelling of the street.
fn are_same(head: &TableHead, one: usize, other: usize) -> bool {
    let rows = head.below.iter();
    let texts = rows.map(|row| [text(row, one), text(row, other)]);
    let mut both = texts.filter(|texts| texts.iter().all(|text| !text.is_empty()));
    let key = |text| AddressKey::new(text, "", None);
    let is_house = |[one, other]: [&str; 2]| {
        let [one, other] = [one, other].map(|text| StreetAddress::parse(text, None, "", None));
        one.compare(&other) < AddressMatch::SameNumber
    };
    both.clone().any(is_house) && both.all(|[one, other]| key(one).matches(&key(other)))
}

fn text(row: &CandidateRow, column: usize) -> &str {
    row.cells.get(column).map_or("", |cell| cell.trim())
}

/// Whether a text is a street and nothing else: a number, and a type at its end, as in `12 Elm St NW`, or behind the
/// number, as in `12 rue Maple`; or a box.
pub(crate) fn is_street(cell: &str) -> bool {
    let folded = fold_cell(cell);
    let is_box = |name: &&str| {
        let number = folded.strip_prefix(*name).unwrap_or_default();
        number.starts_with(|c: char| c.is_ascii_digit())
    };
    if folded.starts_with("pobox") || NUMBERED_BOXES.iter().any(is_box) {
        return true;
    }
    // In Quebec, a comma stands behind the number.
    let name = cell.find(char::is_alphabetic).unwrap_or_default();
    let end = cell[name..].find(',').map_or(cell.len(), |end| name + end);
    let words: Vec<String> = cell[..end]
        .split_whitespace()
        .map(|word| word.trim_end_matches(['.', ',']).to_lowercase())
        .collect();
    let is_type = |at: Option<usize>| {
        at.and_then(|at| words.get(at))
            .is_some_and(|word| ends_street(word))
    };
    let last = words.len().checked_sub(1);
    let before_last = words.len().checked_sub(2);
    let is_direction_or_unit = words
        .last()
        .is_some_and(|word| word.len() <= 2 || has_digit(word));
    has_house_number(cell)
        && words.len() <= MOST_WORDS
        && (is_type(Some(1)) || is_type(last) || is_direction_or_unit && is_type(before_last))
}
