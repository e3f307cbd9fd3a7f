//! Parts of two addresses are never used together, nor a whole address with parts.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::sheet::column_letters;
use crate::table::columns::PARTS;
use crate::table::error::TableError;
use crate::table::field_columns::with_letters;
use crate::table::options::TableOptions;
use crate::table::table_head::TableHead;

/// What stands in a hint for a column that only the user knows.
const UNKNOWN: &str = "HEADER";

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
    let is_mapped = |field: Field| options.map.iter().any(|(mapped, _)| *mapped == field);
    if !is_mapped(Field::Address) && PARTS.iter().all(|part| fields.contains_key(part)) {
        fields.remove(&Field::Address);
        return;
    }
    // A column of units or countries may supplement whole addresses, unless it belongs to another address.
    let is_plain = |column: &usize| head.qualifiers().of(*column).is_empty();
    fields.retain(|field, columns| {
        !field.is_address_part()
            || is_mapped(*field)
            || (!PARTS.contains(field) && columns.iter().all(is_plain))
    });
}

/// Stops at parts of two addresses, unless the user named a column for each part.
///
/// # Errors
/// [`TableError::TwoAddresses`].
pub(super) fn check_single_address(
    head: &TableHead,
    fields: &BTreeMap<Field, Vec<usize>>,
    mapped: &[Field],
) -> Result<(), TableError> {
    if PARTS.iter().all(|field| mapped.contains(field)) {
        return Ok(());
    }
    let used = PARTS
        .iter()
        .filter_map(|part| Some((*part, *fields.get(part)?.first()?)));
    let mut parts: Vec<(Field, usize)> = used.collect();
    // A plain region and postal code without a city are those of the address that the user named them for.
    let is_of_none = |column: usize| {
        let group = head.groups().of(column);
        head.qualifiers().of(column).is_empty()
            && group.is_some_and(|group| !group.has(Field::City))
    };
    let is_part = |part: &Field| matches!(part, Field::Region | Field::PostalCode);
    parts.retain(|(part, column)| !(is_part(part) && mapped.contains(part) && is_of_none(*column)));
    let of_two = parts.iter().enumerate().find_map(|(at, &one)| {
        let mut others = parts[at + 1..].iter();
        Some((
            one.1,
            others
                .find(|other| belong_to_two_addresses(one, **other, head))?
                .1,
        ))
    });
    of_two.map_or(Ok(()), |(one, other)| {
        let mapped: Vec<(Field, usize)> = parts
            .iter()
            .copied()
            .filter(|(part, _)| mapped.contains(part))
            .collect();
        Err(two_addresses(head, &[one, other], &mapped))
    })
}

/// Whether two parts are of two addresses: of two groups; or one has a qualifier that the other has not, though the sheet
/// has the part with this one.
pub(super) fn belong_to_two_addresses(
    one: (Field, usize),
    other: (Field, usize),
    head: &TableHead,
) -> bool {
    let groups = head.groups();
    if let (Some(one), Some(other)) = (groups.of(one.1), groups.of(other.1)) {
        return one != other;
    }
    let qualifiers = head.qualifiers();
    let [of_one, of_other] = [one, other].map(|(_, column)| qualifiers.of(column));
    let has = |qualifier: &str, (field, _)| {
        !qualifier.is_empty() && qualifiers.column(qualifier, field).is_some()
    };
    let are_qualified = !of_one.is_empty() && !of_other.is_empty();
    of_one != of_other && (are_qualified || has(of_one, other) || has(of_other, one))
}

/// The error that asks for the parts of the address of one of the columns, or of those that the user mapped.
fn two_addresses(head: &TableHead, columns: &[usize], mapped: &[(Field, usize)]) -> TableError {
    let addresses = match mapped {
        [] => columns.iter().map(|one| parts_with(*one, head)).collect(),
        mapped => vec![parts_with_mapped(mapped, head)],
    };
    TableError::TwoAddresses {
        addresses,
        columns: with_letters(&head.names, columns),
    }
}

/// The letters of the columns that the user mapped, with the others of their address; where they are of two, only the
/// user knows the others.
fn parts_with_mapped(mapped: &[(Field, usize)], head: &TableHead) -> Vec<(Field, String)> {
    let mut parts = parts_with(mapped[0].1, head);
    let is_of_one = mapped
        .iter()
        .all(|(part, column)| parts.contains(&(*part, column_letters(*column))));
    if !is_of_one {
        let letters = |part| {
            let column = mapped.iter().find(|(field, _)| *field == part);
            column.map_or(UNKNOWN.to_owned(), |(_, column)| column_letters(*column))
        };
        parts = PARTS.map(|part| (part, letters(part))).to_vec();
    }
    parts
}

/// The letters of the columns of the address with a column, or what stands for one that only the user knows, with the
/// units of the street.
fn parts_with(column: usize, head: &TableHead) -> Vec<(Field, String)> {
    let (group, qualifiers) = (head.groups().of(column), head.qualifiers());
    let qualifier = qualifiers.of(column);
    let of_qualifier = |part| {
        qualifiers
            .column(qualifier, part)
            .filter(|_| !qualifier.is_empty())
    };
    let of_group = |part| group.and_then(|group| group.column_of(part));
    let column_of = |part: Field| of_group(part).or_else(|| of_qualifier(part));
    let letters = |part| {
        (
            part,
            column_of(part).map_or(UNKNOWN.to_owned(), column_letters),
        )
    };
    let mut parts: Vec<_> = PARTS.into_iter().map(letters).collect();
    let units = column_of(Field::Line1).map_or_else(Vec::new, |street| units_of(street, head));
    let units = units.into_iter().map(column_letters);
    parts.splice(1..1, units.map(|unit| (Field::Line2, unit)));
    parts
}

/// The columns of units with the qualifier of a street.
pub(super) fn units_of(street: usize, head: &TableHead) -> Vec<usize> {
    let qualifiers = head.qualifiers();
    let qualifier = qualifiers.of(street);
    let is_unit = |column: &usize| {
        qualifiers.of(*column) == qualifier && qualifiers.is_named(*column, Field::Line2)
    };
    let columns = (0..head.names.len()).filter(|_| !qualifier.is_empty());
    columns.filter(is_unit).collect()
}
