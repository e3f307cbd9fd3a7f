//! The columns of units: those of several kinds, such as apartment and building, are used together.

use crate::model::{Field, bare_unit, is_unit_text};
use crate::table::columns::Columns;
use crate::table::headers::Headers;
use crate::table::synonyms::{Meaning, fold, listed_set_of, meaning, unit_word};

/// The zero-based line of `line2` with second lines, which may have any unit.
const SECOND_LINE: usize = 0;

/// The zero-based line of `line2` with floors.
const FLOOR: usize = 6;

/// The zero-based line of `line2` from which on a unit is never sent without its word.
const WORDED_FROM: usize = FLOOR;

/// What kind of unit a column has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnitKind {
    /// The word in front of a bare number.
    pub word: &'static str,
    /// Whether the word is needed even without another unit, as in `Lot 4`.
    pub is_worded: bool,
}

/// The kind of unit that a header names; none for one that may have any.
pub(super) fn unit_kind(header: &str) -> Option<UnitKind> {
    let rank = meaning(header)
        .filter(|one| one.field == Field::Line2)?
        .rank;
    (rank != SECOND_LINE).then(|| UnitKind {
        word: unit_word(rank),
        is_worded: rank >= WORDED_FROM,
    })
}

/// Removes the meaning of a column of lots, buildings and the like whose cells are not units, but sizes, types or marks;
/// and of one of floors without another unit, which may be their number.
pub(super) fn drop_other_numbers(around: &Headers, meanings: &mut [Option<Meaning>]) {
    let is_unit = |meaning: &&Meaning| meaning.field == Field::Line2;
    for (column, one) in meanings.iter_mut().enumerate() {
        let is_worded = one.is_some_and(|one| is_unit(&&one) && one.rank >= WORDED_FROM);
        if is_worded && !has_units(around, column) {
            *one = None;
        }
    }
    let units = meanings.iter().flatten().filter(is_unit);
    if units.clone().all(|unit| unit.rank == FLOOR) {
        let floors = meanings.iter_mut();
        let floors = floors.filter(|one| one.is_some_and(|one| is_unit(&&one)));
        floors.for_each(|floor| *floor = None);
    }
}

impl Columns {
    /// The headers of the columns of units, if their cells decided which of them are used; none if one is not unique.
    pub(super) fn units_by_cells(&self) -> Vec<String> {
        let mut headers = self.headers().iter();
        let has_decided =
            headers.any(|header| unit_kind(header).is_some_and(|kind| kind.is_worded));
        let units = self.of(Field::Line2);
        if !has_decided || units.iter().any(|unit| self.repeated.contains(unit)) {
            return Vec::new();
        }
        let headers = units.iter().map(|unit| self.headers()[*unit].clone());
        headers.collect()
    }
}

/// Whether the filled cells of a column are units, apart from a few.
fn has_units(around: &Headers, column: usize) -> bool {
    let cells = around.below.iter().filter_map(|row| row.cells.get(column));
    let cells = cells.map(|cell| cell.trim());
    let is_empty = |cell: &&str| ["", "0", "00", "na", "none"].contains(&fold(cell).as_str());
    let filled: Vec<&str> = cells.filter(|cell| !is_empty(cell)).collect();
    let units = filled
        .iter()
        .filter(|cell| bare_unit(cell).is_some() || is_unit_text(cell));
    let is_mark = |cell: &&str| ["y", "n", "x", "no"].contains(&fold(cell).as_str());
    let are_marks = !filled.is_empty() && filled.iter().all(is_mark);
    !are_marks && units.count() * 10 >= filled.len() * 9
}

/// Of the columns of units by rank, those that are used together; an error with those of one kind, of which the user has
/// to choose.
pub(super) fn units_of_all_kinds(
    headers: &[String],
    found: &[(usize, usize)],
) -> Result<Vec<usize>, Vec<usize>> {
    let set = |column: usize| listed_set_of(&headers[column]);
    let first = found.first().and_then(|(_, column)| set(*column));
    // A lot of another address is not asked for.
    let is_own = |(rank, column): &&(usize, usize)| {
        *rank < WORDED_FROM || set(*column).is_none() || set(*column) == first
    };
    let found: Vec<(usize, usize)> = found.iter().filter(is_own).copied().collect();
    let clash = |one: &(usize, usize), other: &(usize, usize)| {
        let are_plain = one.0.max(other.0) < WORDED_FROM;
        let is_any = one.0.min(other.0) == SECOND_LINE;
        one.1 != other.1
            && (one.0 == other.0 || are_plain && (is_any || set(one.1) != set(other.1)))
    };
    let columns = |units: &mut dyn Iterator<Item = &(usize, usize)>| -> Vec<usize> {
        units.map(|(_, column)| *column).collect()
    };
    let clashing = |one: &&(usize, usize)| found.iter().any(|other| clash(one, other));
    let same = columns(&mut found.iter().filter(clashing));
    if same.is_empty() {
        Ok(columns(&mut found.iter()))
    } else {
        Err(same)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_the_kinds_of_units_in_their_order() {
        let word = |header: &str| unit_kind(header).map(|kind| (kind.word, kind.is_worded));
        assert_eq!(word("Address 2"), None);
        assert_eq!(word("Unit #"), Some(("Unit", false)));
        assert_eq!(word("Bureau"), Some(("Bureau", false)));
        assert_eq!(word("Floor"), Some(("Floor", true)));
        assert_eq!(word("Property Building"), Some(("Bldg", true)));
        assert_eq!(unit_word(FLOOR), "Floor");
    }
}
