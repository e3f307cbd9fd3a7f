//! Chooses the columns of the address: one for each part or one for all, of one of several addresses.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::sheet::SheetError;
use crate::sheet::column_letters;
use crate::table::address_owner::{are_of_one_owner, are_of_two_owners, has_owner, own_part};
use crate::table::columns::PARTS;
use crate::table::field_columns::{ambiguous, lettered};
use crate::table::options::TableOptions;
use crate::table::synonyms::{additional_words, nearness};
use crate::table::table_head::TableHead;

/// The columns of the other addresses, which must not be mixed with the chosen one.
pub(super) fn other_addresses(
    headers: &TableHead,
    options: &TableOptions,
    asked: &BTreeMap<Field, Vec<usize>>,
) -> Result<Vec<usize>, SheetError> {
    let blocks = headers.blocks();
    match &options.address {
        Some(title) => blocks.without(title),
        None if asked.contains_key(&Field::Address) => Ok(Vec::new()),
        None => blocks.without_unasked(asked),
    }
}

/// Keeps either the columns of the parts or the column of whole addresses; the parts win if they are complete and the
/// column was not requested.
pub(super) fn keep_one_form_of_address(
    head: &TableHead,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    options: &TableOptions,
) {
    if !fields.contains_key(&Field::Address) {
        return;
    }
    let is_asked = |field: Field| options.map.iter().any(|(asked, _)| *asked == field);
    if !is_asked(Field::Address) && PARTS.iter().all(|part| fields.contains_key(part)) {
        fields.remove(&Field::Address);
        return;
    }
    // A column of units or countries may supplement whole addresses, unless it belongs to another address.
    let of_set = |columns: &[usize]| {
        columns
            .iter()
            .any(|&column| head.sets().set_of(&head.names[column]).is_some())
    };
    fields.retain(|field, columns| {
        !field.is_address_part() || is_asked(*field) || (!PARTS.contains(field) && !of_set(columns))
    });
}

/// Stops at a street of one address with the city of another, for instance of a service and a billing address, unless the
/// user named a column for each part.
pub(super) fn check_single_address(
    head: &TableHead,
    fields: &BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) -> Result<(), SheetError> {
    if PARTS.iter().all(|field| asked.contains(field)) {
        return Ok(());
    }
    let headers = &head.names;
    let column = |field: Field| fields.get(&field)?.first().copied();
    let parts: Vec<(Field, usize)> = PARTS
        .iter()
        .filter_map(|part| Some((*part, column(*part)?)))
        .collect();
    let blocks = head.blocks();
    let block = |column| blocks.addresses().find(|block| block.has_column(column));
    let are_of_two = |one: (Field, usize), other: (Field, usize)| {
        let blocks = block(one.1).zip(block(other.1));
        blocks.is_some_and(|(one, other)| one != other) || are_of_two_owners(one, other, head)
    };
    let of_two = parts.iter().enumerate().find_map(|(at, &one)| {
        let mut others = parts[at + 1..].iter().copied();
        Some((one, others.find(|&other| are_of_two(one, other))?))
    });
    if let Some((one, other)) = of_two {
        let of_words = |part: (Field, usize), field| {
            let used = column(field);
            if has_owner(&headers[part.1], part.0) {
                used.filter(|column| are_of_one_owner(part, (field, *column), head))
                    .or_else(|| own_part(part, field, head))
            } else {
                used.filter(|column| !has_owner(&headers[*column], field))
            }
        };
        let are_blocks = block(one.1).is_some() && block(other.1).is_some();
        let of_part = |part: (Field, usize)| {
            parts_of(head, |field| match block(part.1) {
                _ if field == part.0 => Some(part.1),
                Some(block) if are_blocks => block
                    .column_of(field)
                    .filter(|column| !are_of_two_owners(part, (field, *column), head)),
                _ => of_words(part, field),
            })
        };
        return Err(SheetError::TwoAddresses {
            columns: lettered(headers, &[one.1, other.1]),
            addresses: vec![of_part(one), of_part(other)],
        });
    }
    if let (Some(street), Some(city)) = (column(Field::Line1), column(Field::City))
        && !asked.contains(&Field::City)
        && !are_of_one_owner((Field::Line1, street), (Field::City, city), head)
        && let Some(other) = other_city_between(head, street, city)
    {
        return Err(ambiguous(headers, Field::City, &[city, other]));
    }
    Ok(())
}

/// A further city between a street and its city, with a region or postal code of its own, as `City - Location` and
/// `Zip - Location`, but no street: this one may be that of either.
fn other_city_between(head: &TableHead, street: usize, city: usize) -> Option<usize> {
    let meanings = head.meanings();
    let has_own = |column, field| {
        let is_own = |other: &usize| {
            are_of_one_owner((Field::City, column), (field, *other), head)
                && (meanings[*other].is_some_and(|one| one.field == field)
                    || !additional_words(&head.names[*other], field).is_empty())
        };
        (0..meanings.len()).any(|other| is_own(&other))
    };
    let mut between = street.min(city) + 1..street.max(city);
    between.find(|&column| {
        meanings[column].is_none()
            && !additional_words(&head.names[column], Field::City).is_empty()
            && (has_own(column, Field::Region) || has_own(column, Field::PostalCode))
            && !has_own(column, Field::Line1)
    })
}

/// Drops `Address 2` beside `City 2` and `Zip 2`: it is not a second line but the street of another house.
pub(super) fn drop_street_of_further_address(
    head: &TableHead,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) {
    let first = |field: &Field| fields.get(field)?.first().copied();
    let (Some(line2), Some(city)) = (first(&Field::Line2), first(&Field::City)) else {
        return;
    };
    let line2 = (Field::Line1, line2);
    let is_further = own_part(line2, Field::City, head).is_some()
        && !are_of_one_owner(line2, (Field::City, city), head);
    if is_further && !asked.contains(&Field::Line2) {
        fields.remove(&Field::Line2);
    }
}

/// The letters of the column of each part, or what stands for one that only the user knows, with the units of the street.
pub(super) fn parts_of(
    head: &TableHead,
    column: impl Fn(Field) -> Option<usize>,
) -> Vec<(Field, String)> {
    let letters = |part| column(part).map_or("HEADER".to_owned(), column_letters);
    let parts = PARTS.into_iter().map(|part| (part, letters(part)));
    let mut parts: Vec<_> = parts.collect();
    let units = column(Field::Line1).map_or_else(Vec::new, |street| units_of(street, head));
    let units = units.into_iter().map(column_letters);
    parts.splice(1..1, units.map(|unit| (Field::Line2, unit)));
    parts
}

/// The columns of units with the words of a street.
pub(super) fn units_of(street: usize, head: &TableHead) -> Vec<usize> {
    let (headers, sets) = (&head.names, head.sets());
    let is_unit = |column: &usize| {
        let meaning = sets.meaning(&headers[*column]);
        let is_meant = meaning.is_some_and(|one| one.field == Field::Line2);
        let near = |field| nearness(&headers[*column], field);
        let is_named = || !additional_words(&headers[*column], Field::Line2).is_empty();
        is_meant || is_named() && near(Field::Line2) > near(Field::Line1)
    };
    let is_own =
        |unit: &usize| are_of_one_owner((Field::Line1, street), (Field::Line2, *unit), head);
    // Most streets have no words; a sheet may have thousands of headers.
    let is_worded =
        sets.set_of(&headers[street]).is_some() || has_owner(&headers[street], Field::Line1);
    let columns = (0..headers.len()).filter(|_| is_worded);
    columns
        .filter(|unit| is_own(unit) && is_unit(unit))
        .collect()
}

/// Whether an error is about missing or ambiguous parts of an address.
pub(super) fn is_about_address(cause: &SheetError) -> bool {
    match cause {
        SheetError::MissingFields { missing, .. } => {
            missing.iter().any(|one| PARTS.contains(&one.field))
        }
        SheetError::Ambiguous { field, .. } => field.is_address_part(),
        SheetError::TwoAddresses { .. } => true,
        SheetError::NoSuchAddress { blocks, .. } => blocks.is_empty(),
        _ => false,
    }
}
