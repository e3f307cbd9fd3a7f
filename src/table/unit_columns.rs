//! The columns of units: those of several kinds, such as apartment and building, are used together.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::table::address_sets::AddressSets;
use crate::table::analyzed_headers::Headers;
use crate::table::columns::Columns;
use crate::table::synonyms::{Meaning, listed_set_of, meaning, unit_word};
use crate::table::unit_cells::{UnitCells, has_worded, is_filled, unit_cells};

/// The zero-based line of `line2` with second lines, which may have any unit.
const SECOND_LINE: usize = 0;

/// The zero-based line of `line2` with floors.
const FLOOR: usize = 11;

/// The zero-based line of `line2` from which on a unit is never sent without its word.
const WORDED_FROM: usize = 6;

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
/// and of one of bare floors without another unit, which may be their number.
pub(super) fn drop_other_numbers(around: &Headers, meanings: &mut [Option<Meaning>]) {
    for (column, one) in meanings.iter_mut().enumerate() {
        let cells = worded_rank(*one).map(|rank| unit_cells(around, column, unit_word(rank)));
        if cells.is_some_and(|cells| cells != UnitCells::Units) {
            *one = None;
        }
    }
    let is_unit = |one: &Option<Meaning>| one.is_some_and(|one| one.field == Field::Line2);
    let is_floor = |one: &Option<Meaning>| worded_rank(*one) == Some(FLOOR);
    let mut units = meanings.iter().enumerate();
    let has_other =
        units.any(|(column, one)| is_unit(one) && !is_floor(one) && is_filled(around, column));
    if !has_other {
        for (column, one) in meanings.iter_mut().enumerate() {
            one.take_if(|floor| is_floor(&Some(*floor)) && !has_worded(around, column));
        }
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

/// The rank of a column of lots, buildings and the like.
fn worded_rank(meaning: Option<Meaning>) -> Option<usize> {
    let meaning = meaning.filter(|one| one.field == Field::Line2)?;
    (meaning.rank >= WORDED_FROM).then_some(meaning.rank)
}

/// The columns of lots, buildings and the like that are not used: those of which some cells are units and some are not, and
/// those without units in the first rows. Columns of another address than the street's are not among them.
pub(super) fn unused_units(
    around: &Headers,
    sets: &AddressSets,
    fields: &BTreeMap<Field, Vec<usize>>,
) -> (Vec<usize>, Vec<usize>) {
    let set = |column: usize| sets.set_of(&around.names[column]);
    let streets = [Field::Line1, Field::Address].iter();
    let mut streets = streets.filter_map(|field| fields.get(field)?.first());
    let of_street = streets.next().and_then(|street| set(*street));
    let rank = |column: usize| worded_rank(sets.meaning(&around.names[column]));
    let is_own = |column: usize| set(column).is_none() || set(column) == of_street;
    let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
    let is_unclear = |column: &usize| {
        let word = rank(*column).map(unit_word);
        word.is_some_and(|word| unit_cells(around, *column, word) == UnitCells::Mixed)
    };
    let columns = 0..around.names.len();
    columns
        .filter(|&column| rank(column).is_some() && is_own(column) && !is_used(column))
        .partition(is_unclear)
}

/// Sorts the columns of units that the user named as those that are found: the order of flags makes no other house.
pub(super) fn sort_units(headers: &[String], units: &mut [usize]) {
    let rank = |column: usize| {
        let meaning = meaning(&headers[column]).filter(|one| one.field == Field::Line2);
        meaning.map_or(SECOND_LINE, |one| one.rank)
    };
    units.sort_by_key(|&column| (rank(column), column));
}

/// Columns of units of which the user has to choose.
#[derive(Debug)]
pub(super) struct UnitClash {
    /// Those of one kind.
    pub(super) same: Vec<usize>,
    /// All that can be used together; empty if the columns are of different addresses.
    pub(super) joined: Vec<usize>,
}

/// Of the columns of units by rank, those that are used together.
///
/// # Errors
/// Columns of one kind, of which the user has to choose.
pub(super) fn units_of_all_kinds(
    headers: &[String],
    found: &[(usize, usize)],
) -> Result<Vec<usize>, UnitClash> {
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
        let is_one_address = same.iter().all(|column| set(*column) == set(same[0]));
        let mut joined = columns(&mut found.iter().filter(|_| is_one_address));
        joined.sort_unstable();
        Err(UnitClash { same, joined })
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
        assert_eq!(word("Suite"), Some(("Suite", false)));
        assert_eq!(word("Rm #"), Some(("Room", true)));
        assert_eq!(unit_word(FLOOR), "Floor");
    }
}
