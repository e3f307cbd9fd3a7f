//! Chooses the columns of the address: one for each part or one for all, of one of several addresses.
//!
//! The groups of `address_groups.rs` decide. One address is used without a question if no street stands outside it that
//! may as well be the house's. Otherwise the user is asked: for one of several addresses with `--address`, for one of
//! several streets with `--map`, or for each part by its column where no address is whole.

use std::collections::BTreeMap;

use crate::model::{Field, has_house_number};
use crate::table::address_groups::AddressGroup;
use crate::table::address_names::house_rank;
use crate::table::columns::PARTS;
use crate::table::contact_columns::{NAMES, contact_field};
use crate::table::error::TableError;
use crate::table::field_columns::{ambiguous, with_letters};
use crate::table::near_columns::names_customer;
use crate::table::options::TableOptions;
use crate::table::synonyms::{fold_cell, known_field};
use crate::table::table_head::TableHead;
use crate::table::whole_addresses::{count_differing, house};

/// The address that is used.
#[derive(Default)]
pub(super) struct AddressChoice {
    /// The columns of the others, which must not be mixed with it.
    pub(super) others: Vec<usize>,
    /// Its street, if the user chose the address.
    pub(super) street: Option<usize>,
    /// The columns of other lists beside the one with that street.
    pub(super) other_lists: Vec<usize>,
}

/// Chooses an address. `mapped` are the columns that the user mapped.
///
/// # Errors
/// Where the user has to say which one is meant.
pub(super) fn choose_address(
    head: &TableHead,
    options: &TableOptions,
    mapped: &BTreeMap<Field, Vec<usize>>,
) -> Result<AddressChoice, TableError> {
    let groups = head.groups();
    let mapped_group = PARTS.iter().find_map(|part| {
        let group = groups.of(*mapped.get(part)?.first()?)?;
        let is_address = || groups.addresses().any(|one| one == group);
        (*part == Field::Line1 || is_address()).then_some(group)
    });
    let addresses: Vec<&AddressGroup> = groups.addresses().collect();
    let mapped_street = mapped
        .get(&Field::Line1)
        .and_then(|streets| streets.first());
    let chosen = match (&options.address, mapped_group, &addresses[..]) {
        (Some(name), ..) => {
            let missing = || TableError::NoSuchAddress {
                wanted: name.clone(),
                blocks: groups.titles(head),
            };
            let chosen = groups.by_name_or_column(name).ok_or_else(missing)?;
            if let (Some(own), Some(&other)) = (chosen.column_of(Field::Line1), mapped_street)
                && groups.of(other).is_some_and(|group| group != chosen)
            {
                return Err(TableError::TwoAddresses {
                    addresses: Vec::new(),
                    columns: with_letters(&head.names, &[own, other]),
                });
            }
            Some(chosen)
        }
        (None, ..) if mapped.contains_key(&Field::Address) => None,
        (None, Some(group), _) => Some(group),
        (None, None, []) => {
            check_streets(None, head)?;
            None
        }
        (None, None, [only]) => {
            check_streets(Some(*only), head)?;
            Some(*only)
        }
        (None, None, _) => {
            check_lone_streets(&addresses, head)?;
            return Err(TableError::SeveralAddresses {
                blocks: groups.titles(head),
                differing: differing(&addresses, head),
                missing: Vec::new(),
            });
        }
    };
    let is_chosen_by_user = options.address.is_some() || mapped_group.is_some();
    let others = other_columns(chosen, head, (options, mapped));
    let street = chosen.and_then(|chosen| chosen.column_of(Field::Line1));
    let street = street.filter(|_| is_chosen_by_user);
    let whole = mapped.get(&Field::Address).and_then(|whole| whole.first());
    let of_list = street.or(whole.copied());
    Ok(AddressChoice {
        others,
        street,
        other_lists: of_list.map_or_else(Vec::new, |street| columns_of_other_lists(street, head)),
    })
}

/// The columns of other lists beside the one with a street: each begins behind a column without a header or with the
/// header of the first, and has a street, a name and a contact.
fn columns_of_other_lists(street: usize, head: &TableHead) -> Vec<usize> {
    let headers: Vec<String> = head.names.iter().map(|name| fold_cell(name)).collect();
    let filled = (0..headers.len()).filter(|column| !headers[*column].is_empty());
    let filled: Vec<usize> = filled.collect();
    let first = filled.first().map(|first| &headers[*first]);
    let lists = filled.chunk_by(|one, next| one + 1 == *next && Some(&headers[*next]) != first);
    let lists: Vec<&[usize]> = lists.collect();
    let is_street = |column: &usize| {
        let mut groups = head.groups().groups.iter();
        groups.any(|group| group.column_of(Field::Line1) == Some(*column))
            || head.whole_addresses().contains(column)
    };
    let is_list = |list: &&[usize]| {
        let has = |fits: &dyn Fn(&str) -> bool| list.iter().any(|one| fits(&head.names[*one]));
        list.iter().any(is_street)
            && has(&|header| contact_field(header).is_some())
            && has(&|header| {
                names_customer(header)
                    || known_field(header).is_some_and(|field| NAMES.contains(&field))
            })
    };
    if lists.len() < 2 || !lists.iter().all(is_list) {
        return Vec::new();
    }
    let others = lists.into_iter().filter(|list| !list.contains(&street));
    others.flatten().copied().collect()
}

/// The number of the first rows in which addresses differ, and of those rows; none if one has no street.
fn differing(addresses: &[&AddressGroup], head: &TableHead) -> (usize, usize) {
    if !addresses.iter().all(|group| group.has(Field::Line1)) {
        return (0, 0);
    }
    count_differing(head, |row| {
        let houses = addresses.iter();
        let houses = houses.map(|group| house(row, |field| group.column_of(field)));
        houses.flatten().collect()
    })
}

/// The columns that are not of the chosen address, apart from those that may be the house's as well.
fn other_columns(
    chosen: Option<&AddressGroup>,
    head: &TableHead,
    (options, mapped): (&TableOptions, &BTreeMap<Field, Vec<usize>>),
) -> Vec<usize> {
    let groups = head.groups();
    let is_plain = |column: usize| head.qualifiers().of(column).is_empty();
    let is_whole = groups.has_whole || mapped.contains_key(&Field::Address);
    let is_other = |group: &&AddressGroup| match chosen {
        Some(chosen) if *group == chosen => false,
        Some(_) if options.address.is_some() => true,
        // A street that the user mapped takes no place silently: the parts are found, and do not belong together.
        Some(chosen) if chosen.place().is_none() => !group.place().is_some_and(is_plain),
        // A part of no address may be the house's as well.
        Some(chosen) => {
            groups.addresses().any(|one| one == *group)
                || chosen.has(Field::Line1) && group.has(Field::Line1)
        }
        // A whole address is not completed by the unit of a street.
        None => {
            is_whole
                && group
                    .column_of(Field::Line1)
                    .is_some_and(|street| !head.is_known(street))
        }
    };
    // Beside the only address, a unit is that of the street that the user mapped, unless it may be the house number.
    let mapped_street = mapped.get(&Field::Line1).and_then(|street| street.first());
    let is_numbered = mapped.contains_key(&Field::HouseNumber)
        || mapped_street.is_some_and(|street| head.are_mostly(*street, 5, has_house_number));
    let is_own = |column: usize| groups.groups.len() < 2 && is_numbered && is_plain(column);
    let outside = groups.outside.iter().copied();
    let outside = outside.filter(|column| !is_own(*column));
    let others = groups.groups.iter().filter(is_other);
    let others = others.flat_map(AddressGroup::indices);
    others.chain(outside).collect()
}

/// Stops at streets outside the only address that may as well be the house's, and without an address at several streets
/// of which no header tells.
fn check_streets(only: Option<&AddressGroup>, head: &TableHead) -> Result<(), TableError> {
    let groups = head.groups();
    let streets = groups.groups.iter();
    let streets = streets.filter_map(|group| group.column_of(Field::Line1));
    let streets: Vec<usize> = streets.collect();
    let has_known = streets.iter().any(|street| head.is_known(*street));
    let house_rank = |street: usize| house_rank(&head.names[street]);
    let is_open = |other: &usize| match only.map(|only| only.column_of(Field::Line1)) {
        Some(Some(own)) => {
            head.is_known(*other) || !head.is_known(own) || house_rank(*other) < house_rank(own)
        }
        Some(None) => false,
        None => !groups.has_whole && !has_known,
    };
    let is_own = |street: &usize| only.is_some_and(|only| only.has_column(*street));
    let is_filled = |street: &usize| head.filled(*street).next().is_some();
    let has_filled = streets.iter().any(is_filled);
    let open = streets
        .iter()
        .copied()
        .filter(|one| is_own(one) || is_open(one) && (is_filled(one) || !has_filled));
    let open: Vec<usize> = open.collect();
    if open.len() > 1 {
        return Err(ambiguous(&head.names, Field::Line1, &open));
    }
    Ok(())
}

/// Stops at a street without a place of its own that is more likely the house's than any of several addresses: beside two
/// addresses of an owner, that of the parcel.
fn check_lone_streets(addresses: &[&AddressGroup], head: &TableHead) -> Result<(), TableError> {
    let rank = |group: &&AddressGroup| house_rank(&group.name);
    let Some(likeliest) = addresses.iter().map(rank).min() else {
        return Ok(());
    };
    let is_whole = |column: usize| head.whole_addresses().contains(&column);
    let is_likelier = |group: &&AddressGroup| {
        group.place().is_none() && rank(group) < likeliest && !group.indices().any(is_whole)
    };
    let groups = head.groups().groups.iter();
    let all = groups.filter(|group| addresses.contains(group) || is_likelier(group));
    let streets: Vec<usize> = all
        .filter_map(|group| group.column_of(Field::Line1))
        .collect();
    if streets.len() > addresses.len() {
        return Err(ambiguous(&head.names, Field::Line1, &streets));
    }
    Ok(())
}

/// Whether an error is about missing or ambiguous parts of an address.
pub(super) fn is_about_address(cause: &TableError) -> bool {
    match cause {
        TableError::MissingFields { missing, .. } => {
            missing.iter().any(|one| PARTS.contains(&one.field))
        }
        TableError::Ambiguous { field, .. } => field.is_address_part(),
        TableError::TwoAddresses { .. } => true,
        TableError::NoSuchAddress { blocks, .. } => blocks.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(titles: &str, headers: &str) -> TableHead {
        let cells = |text: &str| text.split(',').map(str::to_owned).collect();
        let mut head = TableHead::new(None, cells(headers));
        head.titles = cells(titles);
        head
    }

    fn choice(head: &TableHead) -> Result<AddressChoice, TableError> {
        choose_address(head, &TableOptions::default(), &BTreeMap::new())
    }

    /// The columns that are not of the address with this name.
    fn without(head: &TableHead, address: &str) -> Result<Vec<usize>, TableError> {
        let options = TableOptions {
            address: Some(address.to_owned()),
            ..TableOptions::default()
        };
        choose_address(head, &options, &BTreeMap::new()).map(|choice| choice.others)
    }

    fn asked(head: &TableHead) -> Vec<(String, String, String)> {
        match choice(head) {
            Err(TableError::SeveralAddresses { blocks, .. }) => blocks
                .into_iter()
                .map(|block| (block.title, block.columns, block.flag_value))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn block(title: &str, columns: &str, answer: &str) -> (String, String, String) {
        (title.to_owned(), columns.to_owned(), answer.to_owned())
    }

    const TITLED: &str = "Id,Name,Street,City,State,Zip,Street,City,State,Zip,Notes";

    #[test]
    fn titles_above_the_headers_tell_addresses_apart() {
        let head = head("Customer,,Billing address,,,,Service property", TITLED);
        assert_eq!(
            asked(&head),
            [
                block("Service property", "G–J", "Service property"),
                block("Billing address", "C–F", "Billing address")
            ]
        );
        for title in ["Service property", "service PROPERTY", "H"] {
            assert_eq!(without(&head, title).unwrap(), [2, 3, 4, 5], "{title}");
        }
        let mapped = BTreeMap::from([(Field::Line1, vec![2])]);
        let choice = choose_address(&head, &TableOptions::default(), &mapped).unwrap();
        assert_eq!(choice.others, [6, 7, 8, 9]);
        assert!(without(&head, "Shipping").is_err());
    }

    #[test]
    fn words_in_front_of_the_headers_tell_addresses_apart() {
        let headers = "Id,Mailing Street,Mailing City,Mailing State,Other Street,Other City,Other State,Country";
        let head = head("", headers);
        assert_eq!(
            asked(&head),
            [
                block("Other", "E–G", "Other"),
                block("Mailing", "B–D", "Mailing")
            ]
        );
        // One country for both stays.
        assert_eq!(without(&head, "Mailing Address").unwrap(), [4, 5, 6]);
    }

    #[test]
    fn words_that_are_not_in_the_list_tell_addresses_apart_too() {
        let headers = "Client,Email,Phone,Billing street,Billing city,Billing province,Billing postal code,\
            Service property street,Service property city,Service property province,Service property postal code";
        let head = head("", headers);
        assert_eq!(
            asked(&head),
            [
                block("Service property", "H–K", "Service property"),
                block("Billing", "D–G", "Billing")
            ]
        );
        for asked in ["Service property", "H"] {
            assert_eq!(without(&head, asked).unwrap(), [3, 4, 5, 6], "{asked}");
        }
        assert_eq!(without(&head, "Billing").unwrap(), [7, 8, 9, 10]);
    }

    #[test]
    fn words_behind_the_headers_tell_addresses_apart_too() {
        let headers = "Id,Adresse de facturation,Ville de facturation,Code postal de facturation,\
            Adresse des travaux,Ville des travaux,Code postal des travaux";
        let of_two = head("", headers);
        assert_eq!(asked(&of_two).len(), 2);
        for title in ["travaux", "Des travaux", "adresse des travaux"] {
            assert_eq!(without(&of_two, title).unwrap(), [1, 2, 3], "{title}");
        }
        assert_eq!(without(&of_two, "facturation").unwrap(), [4, 5, 6]);
        assert!(without(&of_two, "de").is_err());
        let headers =
            "Id,Adresse,Ville,Code postal,Adresse chantier,Ville chantier,Code postal chantier";
        let head = head("", headers);
        assert_eq!(
            asked(&head),
            [
                block("chantier", "E–G", "chantier"),
                block("Adresse", "B–D", "Adresse")
            ]
        );
    }

    #[test]
    fn addresses_without_titles_go_by_their_columns() {
        assert_eq!(
            asked(&head("", TITLED)),
            [block("Street", "C–F", "C"), block("Street", "G–J", "G")]
        );
        assert_eq!(
            asked(&head(
                "",
                "Street,City,Zip,Billing Street,Billing City,Billing Zip"
            )),
            [
                block("Street", "A–C", "Street"),
                block("Billing", "D–F", "Billing")
            ]
        );
    }

    #[test]
    fn a_house_number_stays_with_the_address_of_its_words() {
        let headers = "Id,Installation Address,Installation City,Installation Zip,\
            Customer House Number,Customer Street Name,Customer City,Customer Zip";
        assert_eq!(
            asked(&head("", headers)),
            [
                block("Installation", "B–D", "Installation"),
                block("Customer", "E–H", "Customer")
            ]
        );
    }

    #[test]
    fn one_address_asks_nothing() {
        for (titles, headers) in [
            ("Customers,,,Exported today", "Street,City,State,Zip"),
            ("", "Billing Street,Service Street,City,State,Zip"),
            ("", "Street,Street 2,City,State,Zip"),
        ] {
            assert!(asked(&head(titles, headers)).is_empty(), "{headers}");
        }
    }
}
