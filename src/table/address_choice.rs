//! Chooses the columns of the address: one for each part or one for all, of one of several addresses.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::sheet::SheetError;
use crate::sheet::{column_letters, column_of};
use crate::table::address_blocks::AddressBlock;
use crate::table::address_owner::{have_one_owner, unused_parts_of};
use crate::table::analyzed_headers::Headers;
use crate::table::columns::PARTS;
use crate::table::field_columns::lettered;
use crate::table::options::TableOptions;
use crate::table::synonyms::unlisted_set_of;

/// The columns of the other addresses, which must not be mixed with the chosen one.
pub(super) fn other_addresses(
    headers: &Headers,
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
    around: &Headers,
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
            .any(|&column| around.sets().set_of(&around.names[column]).is_some())
    };
    fields.retain(|field, columns| {
        !field.is_address_part() || is_asked(*field) || (!PARTS.contains(field) && !of_set(columns))
    });
}

/// Stops at a street of one address with the city of another, for instance of a service and a billing address, unless the
/// user named a column for each part.
pub(super) fn check_single_address(
    around: &Headers,
    fields: &BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) -> Result<(), SheetError> {
    if PARTS.iter().all(|field| asked.contains(field)) {
        return Ok(());
    }
    let headers = &around.names;
    let column = |field: &Field| fields.get(field)?.first().copied();
    if let (Some(street), Some(city)) = (column(&Field::Line1), column(&Field::City)) {
        let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
        let (of_street, of_city) = (&headers[street], &headers[city]);
        if let Some(unused) = unused_parts_of(of_street, of_city, headers, is_used) {
            let part = |part: Field| unused.iter().find(|(field, _)| *field == part);
            let of_street = |field| match field {
                Field::Line1 => Some(street),
                field => part(field).map(|(_, column)| *column),
            };
            let used = |field| column(&field).filter(|_| field != Field::Line1);
            return Err(SheetError::TwoAddresses {
                columns: lettered(headers, &[street, city]),
                addresses: with_units(around, vec![parts_of(of_street), parts_of(used)]),
            });
        }
    }
    let blocks = around.blocks();
    let of_blocks = PARTS.iter().filter_map(|field| {
        let column = column(field)?;
        let block = blocks.addresses().find(|block| block.has_column(column))?;
        Some((block, column))
    });
    let of_blocks: Vec<(&AddressBlock, usize)> = of_blocks.collect();
    if let [(block, column), others @ ..] = &of_blocks[..] {
        return match others.iter().find(|(other, _)| other != block) {
            Some((other, of_other)) => Err(SheetError::TwoAddresses {
                columns: lettered(headers, &[*column, *of_other]),
                addresses: with_units(
                    around,
                    vec![
                        parts_of(|part| block.column_of(part)),
                        parts_of(|part| other.column_of(part)),
                    ],
                ),
            }),
            None => Ok(()),
        };
    }
    let sets = around.sets();
    let guessed = PARTS.iter().filter(|field| !asked.contains(field));
    let columns = guessed.filter_map(column);
    let mut of_sets = columns.filter_map(|column| Some((sets.set_of(&headers[column])?, column)));
    let Some((set, column)) = of_sets.next() else {
        return Ok(());
    };
    match of_sets.find(|(other, _)| *other != set) {
        Some((_, other)) => Err(SheetError::TwoAddresses {
            columns: lettered(headers, &[column, other]),
            addresses: vec![parts_of(|_| None)],
        }),
        None => Ok(()),
    }
}

/// Drops `Address 2` beside `City 2` and `Zip 2`: it is no second line but the street of another house.
pub(super) fn drop_street_of_further_address(
    headers: &[String],
    fields: &mut BTreeMap<Field, Vec<usize>>,
    asked: &[Field],
) {
    let first = |field: &Field| fields.get(field)?.first().copied();
    let (Some(line2), Some(city)) = (first(&Field::Line2), first(&Field::City)) else {
        return;
    };
    let is_used = |column: usize| fields.values().flatten().any(|used| *used == column);
    let further = unused_parts_of(&headers[line2], &headers[city], headers, is_used);
    if further.is_some() && !asked.contains(&Field::Line2) {
        fields.remove(&Field::Line2);
    }
}

/// The letters of the column of each part, or what stands for one that only the user knows.
pub(super) fn parts_of(column: impl Fn(Field) -> Option<usize>) -> Vec<(Field, String)> {
    let letters = |part| column(part).map_or("HEADER".to_owned(), column_letters);
    PARTS
        .into_iter()
        .map(|part| (part, letters(part)))
        .collect()
}

/// Adds to each address the columns of units with the words of its street.
pub(super) fn with_units(
    around: &Headers,
    mut addresses: Vec<Vec<(Field, String)>>,
) -> Vec<Vec<(Field, String)>> {
    let (headers, sets) = (&around.names, around.sets());
    let is_unit = |column: &usize| {
        let header = &headers[*column];
        let unlisted = || unlisted_set_of(header).map(|(_, meaning)| meaning);
        let meaning = sets.meaning(header).or_else(unlisted);
        meaning.is_some_and(|one| one.field == Field::Line2)
    };
    let units: Vec<usize> = (0..headers.len()).filter(is_unit).collect();
    for parts in &mut addresses {
        let mut columns = parts.iter().filter(|(field, _)| *field == Field::Line1);
        let street = columns.find_map(|(_, letters)| headers.get(column_of(letters)?));
        let Some(street) = street else {
            continue;
        };
        let is_own = |unit: &&usize| {
            let unit = &headers[**unit];
            let set = sets.set_of(unit);
            set.is_some() && set == sets.set_of(street)
                || have_one_owner((street, Field::Line1), (unit, Field::Line2))
        };
        let own = units.iter().filter(is_own);
        let own: Vec<_> = own
            .map(|unit| (Field::Line2, column_letters(*unit)))
            .collect();
        parts.splice(1..1, own);
    }
    addresses
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
