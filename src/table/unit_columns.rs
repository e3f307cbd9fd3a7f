//! The columns of units: those of several kinds, such as apartment and building, are used together.

use crate::model::{Field, WordList, bare_unit, has_digit, has_house_number, is_unit_text};
use crate::table::synonyms::{
    HeaderMeaning, fold_cell, header_meaning, is_further_street, listed_qualifier, unit_word,
};
use crate::table::table_head::TableHead;

static MEASURES: WordList = WordList::new("measures");
static WEEKDAYS: WordList = WordList::new("weekdays");

/// The zero-based line of `line2` with second lines, which may have any unit.
const SECOND_LINE: usize = 0;

/// Maximum length of a lot's, building's or the like's number or letters; a longer one is a size or a type.
const MAX_UNIT_LENGTH: usize = 3;

/// Answers to whether there is a trailer or the like.
const MARKS: [&str; 3] = ["y", "n", "x"];

/// Headers, folded, beside which a lot is that of a tax map.
const BLOCKS: [&str; 4] = ["block", "blk", "taxblock", "bbl"];

/// What kind of unit a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitKind {
    /// The word in front of a bare number.
    pub word: &'static str,
    /// Whether the word is needed even without another unit, as in `Lot 4`.
    pub is_worded: bool,
}

/// The kind of unit that a header names; `None` for one that may have any.
pub(super) fn unit_kind(header: &str) -> Option<UnitKind> {
    let meaning = header_meaning(header).filter(|one| one.field == Field::Line2)?;
    (meaning.rank != SECOND_LINE).then(|| UnitKind {
        word: unit_word(meaning.rank),
        is_worded: meaning.is_conditional(),
    })
}

/// Whether at least half of the filled cells of a column are units with their words.
pub(super) fn are_units(head: &TableHead, column: usize) -> bool {
    head.are_mostly(column, 5, is_unit_text)
}

/// Whether a cell is a unit of measure or an appointment: `LF`, `sq ft`, `10/2 9am`, `Tue 9am`. A whole date, with or
/// without a time, is what a spreadsheet makes of a unit.
pub(super) fn is_measure_or_time(cell: &str) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_time = |word: &str| {
        let word = word.to_lowercase();
        let behind = word.trim_start_matches(|c: char| is_digit(c) || c == ':');
        let is_clock = behind.is_empty() && word.contains(':');
        is_clock || word.starts_with(is_digit) && matches!(behind, "am" | "pm")
    };
    let first = cell.split(' ').next().unwrap_or_default();
    let is_date = first.matches(['/', '-']).count() > 1;
    let is_appointment = || WEEKDAYS.has(&fold_cell(first)) || cell.split([' ', '-']).any(is_time);
    MEASURES.has(&fold_cell(cell)) || !is_date && is_appointment()
}

/// Whether a column is of appointments, some with dates alone. `Appt` is French for an apartment too.
pub(super) fn are_appointments(head: &TableHead, column: usize) -> bool {
    let is_appointment = |cell: &str| {
        let first = cell.split(' ').next().unwrap_or_default();
        first.contains('/') || first.matches('-').count() > 1 || is_measure_or_time(cell)
    };
    fold_cell(&head.names[column]) == "appt" && head.are_mostly(column, 9, is_appointment)
}

/// Whether a column is of a further address that has a street: Google exports `Address 2 - Extended Address` beside
/// `Address 2 - Street`.
pub(super) fn is_beside_further_street(headers: &[String], column: usize) -> bool {
    let front = |header: &str| Some(fold_cell(header.split_once(" - ")?.0));
    let own = front(&headers[column]);
    let is_street = |header: &&String| front(header) == own && is_further_street(header);
    own.is_some() && headers.iter().any(|header| is_street(&header))
}

/// Removes the meaning of a column of lots, buildings and the like whose cells are not units: a lot has a size too, a
/// building a type, and a floor without its word may be the number of floors. Beside a block, a lot is a piece of land.
pub(super) fn drop_other_numbers(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let has_block = head
        .names
        .iter()
        .any(|name| BLOCKS.contains(&fold_cell(name).as_str()));
    for (column, one) in meanings.iter_mut().enumerate() {
        let is_worded = |one: &HeaderMeaning| one.field == Field::Line2 && one.is_conditional();
        one.take_if(|one| {
            if !is_worded(one) {
                return false;
            }
            let word = unit_word(one.rank);
            if has_block && word == "Lot" {
                return true;
            }
            // Units may begin below the first rows.
            let is_empty = word != "Floor" && head.filled(column).next().is_none();
            !is_empty && !head.are_mostly(column, 8, |cell| is_unit(cell, word))
        });
    }
    take_units_of_streets(head, meanings);
}

/// Makes streets that are units the second line of the address whose streets stand beside them: Leap exports `Address`
/// and `Address Line 1`.
fn take_units_of_streets(head: &TableHead, meanings: &mut [Option<HeaderMeaning>]) {
    let found: &[Option<HeaderMeaning>] = meanings;
    let of = |field: Field| {
        let columns = 0..found.len();
        columns.filter(move |one| found[*one].is_some_and(|one| one.field == field))
    };
    let words = |column: usize| head.qualifiers().of(column);
    let has_street = |unit: &usize| {
        let mut streets = of(Field::Line1).filter(|street| words(*street) == words(*unit));
        streets.any(|street| {
            street.abs_diff(*unit) == 1 && head.are_mostly(street, 5, has_house_number)
        })
    };
    let mut units = of(Field::Line1).filter(|column| are_units(head, *column));
    let unit = units
        .find(has_street)
        .filter(|_| of(Field::Line2).next().is_none());
    if let Some(unit) = unit {
        let (field, rank) = (Field::Line2, SECOND_LINE);
        meanings[unit] = Some(HeaderMeaning { field, rank });
    }
}

/// Whether a cell is a unit, in a column whose header names units with this word in front.
pub(super) fn is_unit(cell: &str, word: &str) -> bool {
    let is_name = |name: &str| {
        let is_numbered = has_digit(name);
        let is_letter = name.chars().count() == 1 && !MARKS.contains(&fold_cell(name).as_str());
        name.len() <= MAX_UNIT_LENGTH && (is_numbered || is_letter)
    };
    // A number in a spreadsheet may be read as `4.0`.
    let bare = bare_unit(cell.strip_suffix(".0").unwrap_or(cell));
    let behind_word = || {
        let (front, name) = cell.split_once(' ')?;
        (fold_cell(front) == fold_cell(word)).then(|| bare_unit(name))?
    };
    is_unit_text(cell) || word != "Floor" && bare.is_some_and(is_name) || behind_word().is_some()
}

/// Sorts the columns of units that the user named as those that are found: the order of flags makes no other house.
pub(super) fn sort_units(headers: &[String], units: &mut [usize]) {
    let rank = |column: usize| {
        let meaning = header_meaning(&headers[column]).filter(|one| one.field == Field::Line2);
        meaning.map_or(SECOND_LINE, |one| one.rank)
    };
    units.sort_by_key(|&column| (rank(column), column));
}

/// Of the columns of units, sorted by rank, those that are used together: one of each kind.
///
/// # Errors
/// The columns of which the user has to choose.
pub(super) fn units_of_all_kinds(
    headers: &[String],
    found: &[(usize, usize)],
) -> Result<Vec<usize>, Vec<usize>> {
    type Unit = (usize, usize);
    let qualifier = |column: usize| listed_qualifier(&headers[column]);
    let first = found.first().and_then(|(_, column)| qualifier(*column));
    let is_home = |(rank, _): &Unit| {
        let (field, rank) = (Field::Line2, *rank);
        !HeaderMeaning { field, rank }.is_conditional()
    };
    let (homes, others): (Vec<Unit>, Vec<Unit>) = found.iter().partition(|unit| is_home(unit));
    let clash = |one: &Unit, other: &Unit| {
        let is_any = one.0.min(other.0) == SECOND_LINE;
        one.1 != other.1 && (is_any || one.0 == other.0 || qualifier(one.1) != qualifier(other.1))
    };
    let clashing = |one: &&Unit| homes.iter().any(|other| clash(one, other));
    let column = |(_, column): &Unit| *column;
    let same: Vec<usize> = homes.iter().filter(clashing).map(column).collect();
    if !same.is_empty() {
        return Err(same);
    }
    let others = others
        .iter()
        .map(column)
        .filter(|column| qualifier(*column).is_none() || qualifier(*column) == first);
    Ok(homes.iter().map(column).chain(others).collect())
}
