//! Addresses side by side whose headers do not tell all of them apart, as in `Bill To, City, State, Ship To, City, State`:
//! the order of the columns does.

use std::ops::Range;

use crate::model::Field;
use crate::table::address_blocks::{AddressBlock, AddressBlocks};
use crate::table::address_sets::AddressSets;
use crate::table::analyzed_headers::Headers;
use crate::table::parts_without_words::is_only_region_behind;
use crate::table::street_columns::{STREET_ADDITIONS, has_house_numbers};
use crate::table::synonyms::{Meaning, unlisted_set_of};

/// The columns of one of several addresses.
pub(super) struct AddressRange {
    pub(super) street: Option<usize>,
    columns: Range<usize>,
}

/// The addresses by the order of their columns; none unless there are several. `meanings` are those of the headers.
pub(super) fn side_by_side(
    around: &Headers,
    sets: &AddressSets,
    meanings: &[Option<Meaning>],
) -> Vec<AddressRange> {
    let places = places(meanings);
    let has_whole = fields(meanings).any(|(_, field)| field == Field::Address);
    if places.len() < 2 || has_whole {
        return Vec::new();
    }
    // The columns in front of each place, and behind the last one.
    let ends = std::iter::once(0).chain(places.iter().map(|place| place.end));
    let starts = places.iter().map(|place| place.start);
    let starts = starts.chain([meanings.len()]);
    let gaps: Vec<Range<usize>> = ends.zip(starts).map(|(end, start)| end..start).collect();
    let street = |gap: usize, place: usize| {
        let set = sets.set_of(&around.names[places[place].start]);
        street_in(around, meanings, &gaps[gap]).or_else(|| {
            lines_in(meanings, &gaps[gap])
                .find(|line| set.is_some() && sets.set_of(&around.names[*line]) == set)
        })
    };
    let last = places.len() - 1;
    let is_behind = street(0, 0).is_none() && street(last + 1, last).is_some();
    let streets: Vec<Option<usize>> = (0..places.len())
        .map(|place| street(place + usize::from(is_behind), place))
        .collect();
    let start_of = |place: usize| {
        let street = streets[place].filter(|_| !is_behind);
        let mut start = street.unwrap_or(places[place].start);
        while street.is_some() && start > gaps[place].start && is_addition(meanings, start - 1) {
            start -= 1;
        }
        start
    };
    let end_of = |place: usize| {
        if place == last {
            meanings.len()
        } else {
            start_of(place + 1)
        }
    };
    (0..places.len())
        .map(|place| AddressRange {
            street: streets[place],
            columns: start_of(place)..end_of(place),
        })
        .collect()
}

fn fields(meanings: &[Option<Meaning>]) -> impl Iterator<Item = (usize, Field)> {
    let meanings = meanings.iter().enumerate();
    meanings.filter_map(|(column, meaning)| Some((column, meaning.as_ref()?.field)))
}

/// The columns from the first to the last of each city with its region or postal code.
fn places(meanings: &[Option<Meaning>]) -> Vec<Range<usize>> {
    let mut places: Vec<Vec<(usize, Field)>> = vec![Vec::new()];
    for (column, field) in fields(meanings) {
        let place = places.last().map_or(&[][..], Vec::as_slice);
        let has = |wanted| place.iter().any(|(_, field)| *field == wanted);
        let is_part = matches!(field, Field::City | Field::Region | Field::PostalCode);
        let is_whole = has(Field::City) && place.len() > 1;
        if has(field) || (field == Field::Line1 && is_whole) {
            places.push(Vec::new());
        }
        if is_part {
            places
                .last_mut()
                .expect("there is one")
                .push((column, field));
        }
    }
    let is_whole = |place: &&Vec<(usize, Field)>| {
        place.len() > 1 && place.iter().any(|(_, field)| *field == Field::City)
    };
    let places = places.iter().filter(is_whole);
    places
        .map(|place| place[0].0..place[place.len() - 1].0 + 1)
        .collect()
}

fn lines_in(meanings: &[Option<Meaning>], gap: &Range<usize>) -> impl Iterator<Item = usize> {
    fields(meanings)
        .filter(|(column, field)| *field == Field::Line1 && gap.contains(column))
        .map(|(column, _)| column)
}

/// The only street among columns; without any, the last column that is one by its cells or by the end of its header.
fn street_in(around: &Headers, meanings: &[Option<Meaning>], gap: &Range<usize>) -> Option<usize> {
    let mut lines = lines_in(meanings, gap);
    match (lines.next(), lines.next()) {
        (Some(line), None) => return Some(line),
        (Some(_), Some(_)) => return None,
        (None, _) => {}
    }
    let is_street = |column: &usize| {
        let unlisted = unlisted_set_of(&around.names[*column]);
        unlisted.is_some_and(|(_, meaning)| meaning.field == Field::Line1)
            || has_house_numbers(around, *column)
    };
    let mut unknown = gap.clone().filter(|column| meanings[*column].is_none());
    unknown.rfind(is_street)
}

fn is_addition(meanings: &[Option<Meaning>], column: usize) -> bool {
    meanings[column].is_some_and(|meaning| STREET_ADDITIONS.contains(&meaning.field))
}

impl AddressBlocks {
    /// Groups the address columns by their order, where more addresses are told apart by it than by words.
    pub(super) fn group_by_order(
        &mut self,
        around: &Headers,
        sets: &AddressSets,
        meanings: &[Option<Meaning>],
    ) {
        let ranges = side_by_side(around, sets, meanings);
        if self.addresses().count() >= ranges.len() {
            return;
        }
        let parts = || fields(meanings).filter(|(_, field)| field.is_address_part());
        // One country behind all addresses is that of each.
        let countries = parts()
            .filter(|(_, field)| *field == Field::Country)
            .count();
        let mut blocks: Vec<AddressBlock> = Vec::new();
        for range in &ranges {
            let is_own = |(column, field): &(usize, Field)| match field {
                Field::Line1 => range.street == Some(*column),
                Field::Country => countries >= ranges.len() && range.columns.contains(column),
                Field::Region if is_only_region_behind(*column, parts()) => false,
                _ => range.columns.contains(column),
            };
            let columns: Vec<(usize, Field)> = parts().filter(is_own).collect();
            let set = range
                .street
                .and_then(|street| sets.set_of(&around.names[street]));
            blocks.push(AddressBlock {
                title: String::new(),
                set: set.map(str::to_owned),
                name: String::new(),
                columns,
                is_ordered: true,
            });
        }
        // A street of neither address must not complete one of them.
        let is_of_none = |(column, field): &(usize, Field)| {
            *field == Field::Line1 && ranges.iter().all(|range| range.street != Some(*column))
        };
        let others = parts().filter(is_of_none);
        blocks.extend(others.map(|column| AddressBlock {
            title: String::new(),
            set: None,
            name: String::new(),
            columns: vec![column],
            is_ordered: false,
        }));
        self.blocks = blocks;
    }
}
