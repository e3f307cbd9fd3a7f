//! The columns of streets whose house numbers are in another column.

use crate::model::{Field, ends_street, is_street_direction};
use crate::table::street_cells::has_streets;
use crate::table::street_columns::{
    STREET_ADDITIONS, are_house_numbers, has_street_type, names_house_number, names_number,
};
use crate::table::synonyms::{HeaderMeaning, fold_cell, is_street_name};
use crate::table::table_head::TableHead;

/// Lets a name of streets feed the street if there is a house number, and no other street with the same words; and those
/// directly beside house numbers also if other streets are not of the same houses, which are another address then.
pub(super) fn take_numbered_streets(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let qualifier = |column: usize| head.qualifiers().of(column);
    for street in 0..meanings.len() {
        let means = |column: usize, field| meanings[column].is_some_and(|one| one.field == field);
        let is_own = |column: &usize| qualifier(*column) == qualifier(street);
        let is_own_number = |column: usize| {
            means(column, Field::HouseNumber) && (is_own(&column) || column + 1 == street)
        };
        let is_own_street = |column: usize| means(column, Field::Line1) && is_own(&column);
        let is_only = is_street_name(&head.names[street])
            && (0..meanings.len()).any(is_own_number)
            && !(0..meanings.len()).any(is_own_street);
        if is_only || is_of_other_house(head, meanings, street) {
            let (field, rank) = (Field::Line1, 0);
            meanings[street] = Some(HeaderMeaning { field, rank });
        }
    }
}

/// Whether a column without a meaning has streets whose numbers are in the one beside it, and no other streets have these
/// numbers.
fn is_of_other_house(head: &TableHead, meanings: &[Option<HeaderMeaning>], street: usize) -> bool {
    let means = |column: usize, field| meanings[column].is_some_and(|one| one.field == field);
    let header = &head.names[street];
    let is_street = meanings[street].is_none()
        && !head.are_mostly(street, 8, is_street_direction)
        && (is_street_name(header)
            || ends_street(&fold_cell(header))
            || head.are_mostly(street, 5, is_numberless_street));
    let Some(number) = is_street
        .then(|| number_beside(head, meanings, street))
        .flatten()
    else {
        return false;
    };
    let is_other = |column: &usize| {
        *column != street
            && (means(*column, Field::Line1)
                || meanings[*column].is_none() && has_streets(head, *column))
    };
    let others: Vec<usize> = (0..meanings.len()).filter(is_other).collect();
    !others.is_empty()
        && !others
            .iter()
            .any(|other| have_same_numbers(head, number, *other))
}

/// The column of house numbers in front of a street, apart from directions and types, or behind it.
fn number_beside(
    head: &TableHead,
    meanings: &[Option<HeaderMeaning>],
    street: usize,
) -> Option<usize> {
    let field = |column: usize| meanings[column].map(|meaning| meaning.field);
    let is_between = |column: &usize| {
        field(*column)
            .is_some_and(|one| one != Field::HouseNumber && STREET_ADDITIONS.contains(&one))
    };
    let is_number = |column: &usize| {
        let header = &head.names[*column];
        let is_named = match field(*column) {
            Some(field) => field == Field::HouseNumber,
            None => names_house_number(header) || names_number(header),
        };
        is_named && are_house_numbers(head, (*column, street))
    };
    let front = (0..street).rfind(|column| !is_between(column));
    let behind = Some(street + 1).filter(|column| *column < meanings.len());
    [front, behind].into_iter().flatten().find(is_number)
}

fn is_numberless_street(cell: &str) -> bool {
    let mut words = cell.split_whitespace();
    let first = words.next().unwrap_or_default().to_lowercase();
    has_street_type(cell) || words.next().is_some() && ends_street(&first)
}

/// Whether streets begin with these numbers wherever both are filled.
fn have_same_numbers(head: &TableHead, numbers: usize, streets: usize) -> bool {
    let cell = |cells: &[String], column: usize| {
        let cell = cells.get(column).map_or("", |cell| cell.trim());
        let end = cell.find(|c: char| !c.is_ascii_digit());
        (!cell.is_empty()).then(|| cell[..end.unwrap_or(cell.len())].to_owned())
    };
    let rows = head.below.iter();
    let both =
        rows.filter_map(|row| Some((cell(&row.cells, numbers)?, cell(&row.cells, streets)?)));
    let both: Vec<(String, String)> = both.collect();
    !both.is_empty() && both.iter().all(|(number, street)| number == street)
}
