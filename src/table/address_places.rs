//! Groups address columns, a city with its region or postal code and its street, by the order of the columns, for headers
//! such as `Bill To, City, State, Ship To, City, State` that do not name the address.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::model::Field;
use crate::table::address_sets::AddressSets;
use crate::table::street_columns::{STREET_ADDITIONS, has_house_numbers};
use crate::table::synonyms::{Meaning, unlisted_set_of};
use crate::table::table_head::TableHead;

/// The columns of a city with its region or postal code.
pub(super) struct AddressPlace {
    pub(super) street: Option<usize>,
    /// From the first to the last column, without the street.
    pub(super) place: Range<usize>,
    /// With the street, and everything up to the next address.
    pub(super) columns: Range<usize>,
}

/// The places from left to right. `meanings` are those of the headers.
pub(super) fn address_places(
    head: &TableHead,
    sets: &AddressSets,
    meanings: &[Option<Meaning>],
) -> Vec<AddressPlace> {
    let places = places(head, sets, meanings);
    let ends = std::iter::once(0).chain(places.iter().map(|place| place.end));
    let ends: Vec<usize> = ends.collect();
    let streets = streets((head, sets), meanings, &places);
    let last = places.len().saturating_sub(1);
    let start_of = |at: usize| {
        let gap = ends[at]..places[at].start;
        let street = streets[at].filter(|street| gap.contains(street));
        let mut start = street.unwrap_or(places[at].start);
        while street.is_some() && start > ends[at] && is_addition(meanings, start - 1) {
            start -= 1;
        }
        start
    };
    let end_of = |at: usize| {
        if at == last {
            meanings.len()
        } else {
            start_of(at + 1)
        }
    };
    let found = (0..places.len()).map(|at| AddressPlace {
        street: streets[at],
        place: places[at].clone(),
        columns: start_of(at)..end_of(at),
    });
    found.collect()
}

/// The street of each place: the one with its words, otherwise the nearest in front, or behind if none is in front of the
/// first place.
fn streets(
    (head, sets): (&TableHead, &AddressSets),
    meanings: &[Option<Meaning>],
    places: &[Range<usize>],
) -> Vec<Option<usize>> {
    let set = |column: usize| sets.set_of(&head.names[column]);
    let lines = fields(meanings).filter(|(_, field)| *field == Field::Line1);
    let lines: Vec<usize> = lines.map(|(line, _)| line).collect();
    let by_words = |place: &Range<usize>| {
        let of_place = place.clone().find_map(set);
        let own = lines
            .iter()
            .copied()
            .filter(|line| of_place.is_some() && set(*line) == of_place);
        own.min_by_key(|line| line.abs_diff(place.start))
    };
    let of_words: Vec<usize> = places.iter().filter_map(by_words).collect();
    let from = |at: usize| at.checked_sub(1).map_or(0, |before| places[before].end);
    // A street without words is of a place without words as long as one has none in front.
    let is_open = |at: usize| {
        let gap = from(at)..places[at].end;
        places[at].clone().find_map(set).is_none() && !lines.iter().any(|line| gap.contains(line))
    };
    let has_open = (0..places.len()).any(is_open);
    let has_place = |words: &str| {
        let is_place = |field| matches!(field, Field::City | Field::Region | Field::PostalCode);
        fields(meanings).any(|(column, field)| is_place(field) && set(column) == Some(words))
    };
    // `Installation Address` has the words of `Install City`.
    let is_free = |line: usize, place: &Range<usize>| {
        let is_own = match (set(line), place.clone().find_map(set)) {
            (None, Some(_)) => !has_open,
            (Some(one), Some(other)) => one.starts_with(other) || other.starts_with(one),
            // `Service Street` beside a `Service Zip` is of no city without these words.
            (Some(one), None) => !has_place(one),
            (None, None) => true,
        };
        !of_words.contains(&line) && is_own
    };
    let unknown =
        |gap: Range<usize>| (places.len() > 1).then(|| unknown_street(head, meanings, gap))?;
    let in_front = |at: usize| {
        let (from, place) = (from(at), &places[at]);
        let mut near = lines.iter().rev().copied();
        let near = near.find(|line| (from..place.end).contains(line) && is_free(*line, place));
        by_words(place)
            .or(near)
            .or_else(|| unknown(from..place.start))
    };
    let behind = |at: usize| {
        let to = places.get(at + 1).map_or(meanings.len(), |next| next.start);
        let gap = places[at].end..to;
        let near = lines
            .iter()
            .copied()
            .find(|line| gap.contains(line) && is_free(*line, &places[at]));
        by_words(&places[at]).or(near).or_else(|| unknown(gap))
    };
    let last = places.len().saturating_sub(1);
    let is_behind = !places.is_empty() && in_front(0).is_none() && behind(last).is_some();
    let street = |at| if is_behind { behind(at) } else { in_front(at) };
    let mut streets: Vec<Option<usize>> = (0..places.len()).map(street).collect();
    for at in 0..places.len() {
        if streets[at].is_none() && is_open(at) {
            streets[at] = behind(at).filter(|line| !streets.contains(&Some(*line)));
        }
    }
    streets
}

/// The columns that feed a field, each with it.
pub(super) fn fields(meanings: &[Option<Meaning>]) -> impl Iterator<Item = (usize, Field)> {
    let meanings = meanings.iter().enumerate();
    meanings.filter_map(|(column, meaning)| Some((column, meaning.as_ref()?.field)))
}

/// The columns from the first to the last of each city with its region or postal code.
fn places(head: &TableHead, sets: &AddressSets, meanings: &[Option<Meaning>]) -> Vec<Range<usize>> {
    let mut places: Vec<Vec<(usize, Field)>> = vec![Vec::new()];
    let parts: BTreeSet<(&str, Field)> = fields(meanings)
        .filter_map(|(column, field)| Some((sets.set_of(&head.names[column])?, field)))
        .collect();
    for (column, field) in fields(meanings) {
        let place = places.last().map_or(&[][..], Vec::as_slice);
        let has = |wanted| place.iter().any(|(_, field)| *field == wanted);
        let is_part = matches!(field, Field::City | Field::Region | Field::PostalCode);
        let is_whole = has(Field::City) && place.len() > 1;
        // `Mail City` and `Zip` are of two addresses if there is a `Mail Zip` too.
        let differs = |(other, of_other): &(usize, Field)| {
            let has_part = |set, field| parts.contains(&(set, field));
            match [column, *other].map(|one| sets.set_of(&head.names[one])) {
                [None, None] => false,
                [Some(set), None] => has_part(set, *of_other),
                [None, Some(set)] => has_part(set, field),
                [one, other] => one != other,
            }
        };
        if has(field) || (field == Field::Line1 && is_whole) || is_part && place.iter().any(differs)
        {
            places.push(Vec::new());
        }
        if is_part {
            let place = places.last_mut().expect("there is one");
            place.push((column, field));
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

/// The last column of a gap that is a street by its cells or by the end of its header, though its header has no meaning.
fn unknown_street(
    head: &TableHead,
    meanings: &[Option<Meaning>],
    mut gap: Range<usize>,
) -> Option<usize> {
    let is_street = |column: usize| {
        let unlisted = unlisted_set_of(&head.names[column]);
        unlisted.is_some_and(|(_, meaning)| meaning.field == Field::Line1)
            || has_house_numbers(head, column)
    };
    gap.rfind(|column| meanings[*column].is_none() && is_street(*column))
}

fn is_addition(meanings: &[Option<Meaning>], column: usize) -> bool {
    meanings[column].is_some_and(|meaning| STREET_ADDITIONS.contains(&meaning.field))
}
