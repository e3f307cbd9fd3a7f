//! The columns that complete a street: those of house number, direction and type beside one of street names.

use std::collections::BTreeMap;

use crate::model::{Field, has_house_number};
use crate::table::headers::Headers;
use crate::table::synonyms::{Meaning, is_street_name};

/// The fields that are joined with the street.
pub const STREET_ADDITIONS: [Field; 3] = [
    Field::HouseNumber,
    Field::StreetDirection,
    Field::StreetType,
];

/// Lets a name of streets feed the street if there is a house number and no other street. `meanings` are those of
/// `headers`.
pub(super) fn take_street_names_as_streets(headers: &[String], meanings: &mut [Option<Meaning>]) {
    let has = |wanted: Field| {
        let mut known = meanings.iter().flatten();
        known.any(|meaning| meaning.field == wanted)
    };
    if !has(Field::HouseNumber) || has(Field::Line1) {
        return;
    }
    let (field, rank) = (Field::Line1, 0);
    for (header, meaning) in headers.iter().zip(meanings) {
        if is_street_name(header) {
            *meaning = Some(Meaning { field, rank });
        }
    }
}

/// Removes the additions, except for those that the user named, where the street is complete without them or where
/// there is no house number.
pub(super) fn drop_needless_additions(
    around: &Headers,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) {
    let street = fields
        .get(&Field::Line1)
        .and_then(|columns| columns.first());
    let is_completed = fields.contains_key(&Field::HouseNumber)
        && street.is_some_and(|&street| !has_house_numbers(around, street));
    if !is_completed {
        fields.retain(|field, _| !STREET_ADDITIONS.contains(field) || asked.contains(field));
    }
}

/// Whether at least half of the first streets begin with a house number.
fn has_house_numbers(around: &Headers, street: usize) -> bool {
    let streets = around.below.iter().filter_map(|row| row.cells.get(street));
    let filled: Vec<&String> = streets.filter(|street| !street.trim().is_empty()).collect();
    let numbered = filled.iter().filter(|street| has_house_number(street));
    !filled.is_empty() && numbered.count() * 2 >= filled.len()
}
