//! Which columns a field takes from its headers: those that the user named with `--map`, or those with a synonym.

use std::collections::BTreeMap;

use crate::model::{Field, has_digit};
use crate::sheet::{column_letters, column_of};
use crate::table::address_names::house_rank;
use crate::table::columns::NameFrom;
use crate::table::contact_columns::{NAMES, columns_of_names};
use crate::table::error::TableError;
use crate::table::options::TableOptions;
use crate::table::street_columns::STREET_ADDITIONS;
use crate::table::synonyms::{HeaderMeaning, fold_cell, header_meaning};
use crate::table::table_head::TableHead;
use crate::table::unit_columns::{sort_units, units_of_all_kinds};
use crate::table::whole_addresses::address_lines;

/// The columns that the user named.
pub(super) fn mapped_columns(
    headers: &[String],
    options: &TableOptions,
) -> Result<BTreeMap<Field, Vec<usize>>, TableError> {
    let mut fields: BTreeMap<Field, Vec<usize>> = BTreeMap::new();
    for (field, header) in &options.map {
        let column = column_of_header(headers, *field, header)?;
        let columns = match field {
            Field::Address => address_lines(headers, column),
            _ => vec![column],
        };
        fields.entry(*field).or_default().extend(columns);
    }
    if let Some(units) = fields.get_mut(&Field::Line2) {
        sort_units(headers, units);
    }
    // The last part of a house number stands behind it.
    if let Some(numbers) = fields.get_mut(&Field::HouseNumber) {
        numbers.sort_unstable();
    }
    check_parts_apart(headers, &fields)?;
    Ok(fields)
}

/// Stops at a column that the user named for two parts of the address.
fn check_parts_apart(
    headers: &[String],
    fields: &BTreeMap<Field, Vec<usize>>,
) -> Result<(), TableError> {
    let mut parts: BTreeMap<usize, Field> = BTreeMap::new();
    let is_part = |field: &Field| *field == Field::Address || field.is_address_part();
    for (&part, columns) in fields.iter().filter(|(field, _)| is_part(field)) {
        for &column in columns {
            if let Some(other) = parts.insert(column, part).filter(|other| *other != part) {
                return Err(TableError::TwoParts {
                    parts: (other, part),
                    header: headers[column].clone(),
                });
            }
        }
    }
    Ok(())
}

fn column_of_header(headers: &[String], field: Field, wanted: &str) -> Result<usize, TableError> {
    let exact: Vec<usize> = positions(headers, |header| header.trim() == wanted.trim());
    let found = if exact.is_empty() {
        positions(headers, |header| {
            !header.is_empty() && fold_cell(header) == fold_cell(wanted)
        })
    } else {
        exact
    };
    match (found.as_slice(), column_of(wanted)) {
        ([one], _) => Ok(*one),
        ([], Some(column)) if column < headers.len() => Ok(column),
        ([], _) => Err(TableError::NoSuchHeader {
            field,
            header: wanted.to_owned(),
            headers: named(headers),
        }),
        (several, _) => Err(ambiguous(headers, field, several)),
    }
}

/// The columns that the synonyms give a field, of the best rank that has any. `meanings` are those of `headers`.
pub(super) fn columns_by_synonym(
    headers: &[String],
    meanings: &[Option<HeaderMeaning>],
    field: Field,
    taken: &[usize],
) -> Result<Vec<usize>, TableError> {
    let mut found: Vec<(usize, usize)> = meanings
        .iter()
        .enumerate()
        .filter_map(|(index, meaning)| Some((index, meaning.as_ref()?)))
        .filter(|(index, meaning)| meaning.field == field && !taken.contains(index))
        .map(|(index, meaning)| (meaning.rank, index))
        .collect();
    found.sort_unstable();
    let Some(&(best, _)) = found.first() else {
        return Ok(Vec::new());
    };
    if field == Field::Line2 {
        let units = units_of_all_kinds(headers, &found);
        return units.map_err(|homes| ambiguous(headers, field, &homes));
    }
    let of_rank = |rank| -> Vec<usize> {
        let same = found.iter().filter(|(other, _)| *other == rank);
        same.map(|(_, index)| *index).collect()
    };
    if !takes_all_columns(field) {
        let mut columns = of_rank(best);
        drop_addresses_beside_streets(headers, &mut columns);
        // The first of several companies is used, since it only replaces a missing name.
        let meaning = HeaderMeaning { field, rank: best };
        let is_stand_in = field == Field::Name && meaning.is_conditional();
        return if columns.len() > 1 && is_stand_in && names_a_person(headers) {
            Ok(columns[..1].to_vec())
        } else if columns.len() > 1 {
            Err(ambiguous(headers, field, &columns))
        } else {
            Ok(columns)
        };
    }
    let columns: Vec<usize> = found.iter().map(|(_, index)| *index).collect();
    let is_twice = |index: &&usize| {
        let header = fold_cell(&headers[**index]);
        columns
            .iter()
            .filter(|other| fold_cell(&headers[**other]) == header)
            .count()
            > 1
    };
    let twice: Vec<usize> = columns.iter().filter(is_twice).copied().collect();
    if twice.is_empty() {
        Ok(columns)
    } else {
        Err(ambiguous(headers, field, &twice))
    }
}

/// Whether all columns of a field are used together, whatever their rank.
fn takes_all_columns(field: Field) -> bool {
    matches!(field, Field::Phone) || STREET_ADDITIONS.contains(&field)
}

/// Removes `Home Address` where `Home Street` is among the columns: Outlook exports both, and the first is the whole
/// address.
fn drop_addresses_beside_streets(headers: &[String], columns: &mut Vec<usize>) {
    let folded = |column: &usize| fold_cell(&headers[*column]);
    let all: Vec<String> = columns.iter().map(folded).collect();
    columns.retain(|column| {
        let header = folded(column);
        let set = header.strip_suffix("address").filter(|set| !set.is_empty());
        set.is_none_or(|set| !all.contains(&format!("{set}street")))
    });
}

fn names_a_person(headers: &[String]) -> bool {
    headers.iter().any(|header| {
        let field = header_meaning(header).map(|meaning| meaning.field);
        matches!(field, Some(Field::FirstName | Field::LastName))
    })
}

/// The error that asks which column feeds a field; of addresses, the one that is probably the house's comes first.
pub(super) fn ambiguous(headers: &[String], field: Field, columns: &[usize]) -> TableError {
    let mut columns = columns.to_vec();
    if field.is_address_part() {
        columns.sort_by_key(|&column| house_rank(&headers[column]));
    }
    TableError::Ambiguous {
        field,
        columns: with_letters(headers, &columns),
    }
}

/// Uses a column of last names for whole names if there is no other name: `Nom` means either.
pub(super) fn take_lone_last_name_as_name(
    fields: &mut BTreeMap<Field, Vec<usize>>,
    mapped: &[Field],
) {
    let has_others = [Field::Name, Field::FirstName]
        .iter()
        .any(|field| fields.contains_key(field));
    if !has_others
        && !mapped.contains(&Field::LastName)
        && let Some(columns) = fields.remove(&Field::LastName)
    {
        fields.insert(Field::Name, columns);
    }
}

/// The only column of names if its header names one half of a person's name, and most of its cells are one word.
pub(super) fn half_of_name(
    head: &TableHead,
    fields: &BTreeMap<Field, Vec<usize>>,
    mapped: &[Field],
) -> Option<(usize, Field)> {
    let names = columns_of_names(fields);
    let column = *names.first().filter(|_| names.len() == 1)?;
    let half = head.meanings()[column]?.field;
    let is_half = half != Field::Name && NAMES.contains(&half);
    let is_mapped = mapped.iter().any(|field| NAMES.contains(field));
    let is_word = |cell: &str| !cell.trim().contains(' ');
    (is_half && !is_mapped && head.are_mostly(column, 5, is_word)).then_some((column, half))
}

/// Does not use a company or a number as the name of a person who has a first name, or the name of another person, whose
/// columns are `of_others`.
pub(super) fn name_from(
    head: &TableHead,
    fields: &[Vec<usize>; Field::ALL.len()],
    options: &TableOptions,
    of_others: &[(Field, usize)],
) -> NameFrom {
    let of = |field: Field| &fields[field as usize];
    let parts = [Field::FirstName, Field::LastName];
    let has_parts = parts.iter().any(|part| !of(*part).is_empty());
    let mapped = |wanted: Field| options.map.iter().any(|(field, _)| *field == wanted);
    let is_other = |&column: &usize| {
        header_meaning(&head.names[column]).is_some_and(HeaderMeaning::is_conditional)
            || of_others.contains(&(Field::Name, column))
            || head.are_mostly(column, 8, has_digit)
    };
    let is_known = |column: &usize| {
        let meaning = header_meaning(&head.names[*column]);
        meaning.is_some_and(|meaning| meaning.field == Field::Name) && !is_other(column)
    };
    if mapped(Field::Name)
        && !of(Field::Name).iter().all(is_known)
        && parts.iter().all(|part| !of(*part).is_empty())
    {
        if parts.into_iter().all(mapped) {
            NameFrom::Parts
        } else {
            NameFrom::Mapped
        }
    } else if has_parts && !mapped(Field::Name) && of(Field::Name).iter().all(is_other) {
        NameFrom::Parts
    } else {
        NameFrom::Whole
    }
}

/// Headers with the letters of their columns.
pub(super) fn with_letters(headers: &[String], columns: &[usize]) -> Vec<(String, String)> {
    let columns = columns.iter();
    columns
        .map(|&index| (headers[index].clone(), column_letters(index)))
        .collect()
}

/// The headers that are not empty.
pub(super) fn named(headers: &[String]) -> Vec<String> {
    headers
        .iter()
        .filter(|header| !header.trim().is_empty())
        .cloned()
        .collect()
}

fn positions(headers: &[String], fits: impl Fn(&str) -> bool) -> Vec<usize> {
    (0..headers.len())
        .filter(|&index| fits(&headers[index]))
        .collect()
}
