//! Finds the columns of a table by its headers, and reports what is missing or ambiguous.
//!
//! `--map` comes first, then the synonyms. A field that two headers could feed stops the run: the program does not guess
//! which of two address columns is meant.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::table::address_choice::{AddressChoice, choose_address, is_about_address};
use crate::table::address_groups::address_titles;
use crate::table::columns::{Columns, PARTS, repeated, titles, unnamed};
use crate::table::contact_columns::{
    AddressContacts, NAMES, behind_name_first, columns_of_names, contacts_of_others, sort_phones,
};
use crate::table::error::TableError;
use crate::table::field_columns::{
    columns_by_synonym, half_of_name, mapped_columns, name_from, take_lone_last_name_as_name,
};
use crate::table::missing_field::{AddressTitle, MissingField};
use crate::table::near_columns::is_of_customer_record;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::rejects_columns::HEADERS;
use crate::table::single_address::{check_single_address, keep_one_form_of_address};
use crate::table::street_columns::{drop_needless_additions, further_streets};
use crate::table::table_head::TableHead;
use crate::table::unit_columns::unit_kind;
use crate::table::whole_addresses::{
    joined_address, likelier_whole_address, parts_beside_whole_addresses, unmapped,
    whole_address_choice,
};

impl Columns {
    /// Columns of a header row.
    ///
    /// # Errors
    /// [`TableError::NoSuchHeader`] for a `--map` without a matching header, [`TableError::Ambiguous`] for a field that
    /// two headers could feed, [`TableError::MissingFields`] for a required field without any.
    pub(super) fn find(head: &TableHead, options: &TableOptions) -> Result<Self, TableError> {
        let mut found = Self::from_headers(head, options);
        let mapped = |field| options.map.iter().any(|(other, _)| *other == field);
        let is_mapped = mapped(Field::Address) || mapped(Field::Line1);
        if found
            .as_ref()
            .is_err_and(|cause| is_about_address(cause) && !is_mapped)
            && let Some(beside) = parts_beside_whole_addresses(head, options)
        {
            found = beside;
        }
        if let Ok(columns) = &mut found {
            columns.other_addresses = columns.unused_whole_addresses(head);
            columns.other_streets = columns.unused_streets(head);
            columns.unused_parts = columns.unused_parts(head);
            let replaced = columns.replaced_by_map(head, options).into_iter();
            let replaced = replaced.filter(|one| !columns.unused_parts.contains(one));
            columns.unused_parts.extend(replaced.collect::<Vec<_>>());
            if !is_mapped
                && options.address.is_none()
                && let Some(choice) = likelier_whole_address(head, columns)
            {
                return Err(choice);
            }
        }
        match found {
            Err(ref cause) if is_about_address(cause) && !is_mapped => {
                let is_missing = matches!(cause, TableError::MissingFields { .. });
                let joined = || joined_address(head, options).filter(|_| is_missing);
                whole_address_choice(head, options, cause)
                    .or_else(joined)
                    .map_or(found, Err)
            }
            Err(TableError::SeveralAddresses {
                blocks, differing, ..
            }) => Err(TableError::SeveralAddresses {
                missing: missing_beside_addresses(head, options, &blocks),
                blocks,
                differing,
            }),
            found => found,
        }
    }

    /// As [`Columns::find`], without looking at the cells below.
    pub(super) fn from_headers(
        head: &TableHead,
        options: &TableOptions,
    ) -> Result<Self, TableError> {
        let (columns, choice) = Self::from_known_headers(head, options)?;
        columns.check_required_fields(head, options, &choice)?;
        Ok(columns)
    }

    /// The columns that headers name, whether all required fields have one or not, and the choice of the address.
    pub(super) fn from_known_headers(
        head: &TableHead,
        options: &TableOptions,
    ) -> Result<(Self, AddressChoice), TableError> {
        let headers = head.names.clone();
        let mut fields = mapped_columns(&headers, options)?;
        let mut choice = AddressChoice::default();
        let mut of_others = Vec::new();
        if options.header_row != HeaderRow::Absent {
            choice = choose_address(head, options, &fields)?;
            of_others = add_columns_by_synonym(head, &mut fields, &choice)?;
            keep_one_form_of_address(head, &mut fields, options);
        }
        let mapped: Vec<Field> = options.map.iter().map(|(field, _)| *field).collect();
        if options.derives_ids && !mapped.contains(&Field::Id) {
            fields.retain(|field, columns| {
                *field != Field::Id || !is_of_customer_record(&headers[columns[0]])
            });
        }
        drop_needless_additions(head, &mut fields, &mapped);
        take_lone_last_name_as_name(&mut fields, &mapped);
        check_single_address(head, &fields, &mapped)?;
        let unnamed = unnamed(head, &fields);
        let half_of_name = half_of_name(head, &fields, &mapped);
        let fields = Field::ALL.map(|field| fields.remove(&field).unwrap_or_default());
        let units = fields[Field::Line2 as usize].iter();
        let columns = Self {
            unit_kinds: units.map(|&unit| unit_kind(&headers[unit])).collect(),
            is_url_asked: mapped.contains(&Field::Url),
            name_from: name_from(head, &fields, options, &of_others),
            half_of_name,
            titles: titles(head),
            title_row: address_titles(head),
            repeated: repeated(&headers),
            of_rejects: HEADERS.map(|name| headers.iter().position(|header| header.trim() == name)),
            further_streets: further_streets(&headers, &fields),
            has_other_address: head.groups().addresses().count() > 1,
            unnamed,
            headers,
            fields,
            // The cells and the order of names are looked at later.
            ..Self::default()
        };
        Ok((columns, choice))
    }

    pub(super) fn check_required_fields(
        &self,
        head: &TableHead,
        options: &TableOptions,
        choice: &AddressChoice,
    ) -> Result<(), TableError> {
        let has = |field| !self.indexes_of(field).is_empty();
        let mut missing = Vec::new();
        if !options.derives_ids && !has(Field::Id) {
            missing.push(Field::Id);
        }
        if !has(Field::Address) {
            missing.extend(PARTS.into_iter().filter(|field| !has(*field)));
        }
        if ![Field::Name, Field::FirstName, Field::LastName]
            .into_iter()
            .any(has)
            || self.has_company_beside_owner((head, choice), options)
        {
            missing.push(Field::Name);
        }
        if !has(Field::Email) && !has(Field::Phone) {
            missing.push(Field::Email);
        }
        let mut missing = self.guesses(&missing, (head, choice));
        missing.extend(self.guess_other_half((head, choice)));
        self.add_house_number(head, &mut missing);
        let is_open = |one: &MissingField| one.field == Field::Line1 && one.suggestions.is_empty();
        if missing.iter().any(is_open) {
            // Without its street, a place may be that of another address.
            let parts = missing.iter_mut().filter(|one| PARTS.contains(&one.field));
            parts.for_each(|one| one.suggestions.clear());
        }
        self.keep_one_address(head, &mut missing);
        if missing.is_empty() {
            return Ok(());
        }
        self.add_unit(head, &mut missing);
        Err(unmapped(head, missing, (&[], None), (0, 0)))
    }
}

/// The fields besides the address that have no column, whichever of the addresses is meant.
fn missing_beside_addresses(
    head: &TableHead,
    options: &TableOptions,
    addresses: &[AddressTitle],
) -> Vec<MissingField> {
    let first = TableOptions {
        address: addresses.first().map(|address| address.flag_value.clone()),
        ..options.clone()
    };
    match Columns::from_headers(head, &first) {
        // A part of one address would be suggested for the others too.
        Err(TableError::MissingFields { mut missing, .. }) => {
            missing.retain(|one| !one.field.is_address_part());
            missing
        }
        _ => Vec::new(),
    }
}

/// Gives each field without a column those whose headers mean it; a part of an address is in no column of another one.
/// Returns the columns with contacts of another address.
fn add_columns_by_synonym(
    head: &TableHead,
    fields: &mut BTreeMap<Field, Vec<usize>>,
    choice: &AddressChoice,
) -> Result<Vec<(Field, usize)>, TableError> {
    // A column that the user gave another field is not guessed for a second one; ids may be emails, though.
    let mapped = fields.iter().filter(|(field, _)| **field != Field::Id);
    let mapped = mapped.flat_map(|(_, columns)| columns);
    let taken: Vec<usize> = mapped.chain(&choice.other_lists).copied().collect();
    let taken_parts = [&taken[..], &choice.others].concat();
    let is_whole = fields.contains_key(&Field::Address);
    let add = |fields: &mut BTreeMap<_, _>, meanings: &[_], field: Field, taken: &Vec<usize>| {
        if fields.contains_key(&field) || (is_whole && PARTS.contains(&field)) {
            return Ok(());
        }
        let is_address = field == Field::Address || field.is_address_part();
        let taken = if is_address { &taken_parts } else { taken };
        let columns = columns_by_synonym(&head.names, meanings, field, taken)?;
        if !columns.is_empty() {
            fields.insert(field, columns);
        }
        Ok::<(), TableError>(())
    };
    for field in Field::ALL.into_iter().filter(|field| !field.is_contact()) {
        add(fields, head.meanings(), field, &taken)?;
    }
    // The address has its columns now.
    let street = fields.get(&Field::Line1).or(fields.get(&Field::Address));
    let street = street.and_then(|columns| columns.first().copied());
    let street = choice.street.filter(|_| !is_whole).or(street);
    let mut found = street.map_or_else(AddressContacts::default, |street| {
        AddressContacts::beside(street, head)
    });
    let meanings = match street {
        Some(_) => &found.meanings[..],
        None => head.meanings(),
    };
    let mapped: Vec<Field> = fields.keys().copied().collect();
    for field in NAMES {
        add(fields, meanings, field, &taken)?;
    }
    let names = columns_of_names(fields);
    let others = contacts_of_others(head, &names).into_iter();
    let others: Vec<usize> = others.map(|(contact, _)| contact).collect();
    let taken = [taken, others].concat();
    for field in [Field::Email, Field::Phone] {
        let added = add(fields, meanings, field, &taken);
        added.map_err(|cause| behind_name_first(cause, &names))?;
    }
    if !mapped.contains(&Field::Phone) {
        sort_phones(head, meanings, fields);
    }
    found.add_others(fields, &mapped);
    if let Some(street) = choice.street.filter(|_| !is_whole) {
        fields.entry(Field::Line1).or_insert_with(|| vec![street]);
    }
    Ok(found.of_others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowNumber;
    use crate::table::columns::NameFrom;

    fn find(headers: &str, map: &[(Field, &str)]) -> Result<Columns, TableError> {
        let headers = headers.split(',').map(str::to_owned).collect();
        let map = map
            .iter()
            .map(|(field, header)| (*field, (*header).to_owned()));
        let options = TableOptions {
            map: map.collect(),
            ..TableOptions::default()
        };
        Columns::find(&TableHead::new(Some(RowNumber(1)), headers), &options)
    }

    const ADDRESS: &str = "Street,City,State,Zip";

    #[test]
    fn the_first_kind_of_phone_comes_first() {
        let columns = find(&format!("Id,Name,Work Phone,Mobile,Phone,{ADDRESS}"), &[]).unwrap();
        assert_eq!(columns.indexes_of(Field::Phone), [4, 3, 2]);
    }

    #[test]
    fn two_sets_of_address_columns_stop() {
        let cause = find(
            "Id,Name,Email,Billing Street,Service Street,City,State,Zip",
            &[],
        )
        .unwrap_err();
        assert_eq!(
            cause.to_string(),
            "`Service Street` (column E) and `Billing Street` (column D) could both be line1"
        );
    }

    #[test]
    fn a_street_of_one_address_and_the_city_of_another_stop() {
        let headers = "Id,Name,Email,Property Address,Billing City,Billing State,Billing Zip";
        let cause = find(headers, &[]).unwrap_err();
        assert_eq!(
            cause.to_string(),
            "`Property Address` (column D) and `Billing City` (column E) belong to different addresses"
        );
        assert!(find(headers, &[(Field::Line1, "D")]).is_err());
        let each = [
            (Field::Line1, "D"),
            (Field::City, "E"),
            (Field::Region, "F"),
        ];
        assert!(find(headers, &[&each[..], &[(Field::PostalCode, "G")]].concat()).is_ok());
        let headers = "Id,Name,Email,Mailing Address Street,Mailing City,State,Mailing Zip";
        assert!(find(headers, &[]).is_ok());
    }

    #[test]
    fn kinds_of_phone_are_no_conflict_and_one_header_twice_is() {
        let phones = |phones: &str| {
            let columns = find(&format!("Id,Name,{phones},{ADDRESS}"), &[]);
            columns.map(|columns| columns.indexes_of(Field::Phone).to_vec())
        };
        assert_eq!(phones("Other Phone,Home Phone,Mobile").unwrap(), [4, 2, 3]);
        assert!(phones("Home Phone,home_phone").is_err());
    }

    #[test]
    fn of_two_companies_the_first_stands_in_for_a_persons_name() {
        let names = |names: &str| find(&format!("Id,{names},Email,{ADDRESS}"), &[]);
        let columns = names("First Name,Last Name,Business Name,Company Name").unwrap();
        assert_eq!(columns.indexes_of(Field::Name), [3]);
        assert!(names("Business Name,Company Name").is_err());
    }

    #[test]
    fn a_column_is_named_by_header_or_by_letters() {
        let headers = format!("Id,Name,Email,Address,Address,{ADDRESS}");
        assert!(find(&headers, &[(Field::Line1, "Address")]).is_err());
        let by_letters = [(Field::Line1, "street"), (Field::Notes, "E")];
        assert_eq!(
            find(&headers, &by_letters)
                .unwrap()
                .indexes_of(Field::Notes),
            [4]
        );
        // City, region and postal code are those of the street in front of them.
        assert!(find(&headers, &[(Field::Line1, "E")]).is_err());
        assert_eq!(
            find(&headers, &[(Field::Line1, "street")])
                .unwrap()
                .indexes_of(Field::Line1),
            [5]
        );
    }

    #[test]
    fn a_column_that_the_user_gave_a_field_feeds_no_other() {
        let headers = format!("Id,Name,Email,Phone,{ADDRESS}");
        let columns = find(&headers, &[(Field::Notes, "Phone")]).unwrap();
        assert_eq!(columns.indexes_of(Field::Notes), [3]);
        assert!(columns.indexes_of(Field::Phone).is_empty());
        let columns = find(&headers, &[(Field::Id, "Email")]).unwrap();
        assert_eq!(
            (
                columns.indexes_of(Field::Id),
                columns.indexes_of(Field::Email)
            ),
            (&[2][..], &[2][..])
        );
    }

    #[test]
    fn headers_of_one_name_below_one_title_are_told_apart_by_letters() {
        let names = format!("Id,Name,Email,{ADDRESS},Crew,Crew,Crew");
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        let mut headers = TableHead::new(Some(RowNumber(1)), names);
        headers.titles = vec![String::new(); 10];
        for (column, title) in [(0, "Client"), (7, "Visit"), (9, "Office")] {
            title.clone_into(&mut headers.titles[column]);
        }
        let columns = Columns::find(&headers, &TableOptions::default()).unwrap();
        let shown: Vec<String> = (7..10).map(|column| columns.name_of(column)).collect();
        let expected = [
            "Visit / Crew (column H)",
            "Visit / Crew (column I)",
            "Office / Crew",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_company_is_the_name_of_those_without_one_of_their_own() {
        let from = |names: &str| {
            find(&format!("Id,{names},Email,{ADDRESS}"), &[])
                .unwrap()
                .name_from
        };
        assert_eq!(from("Company,First Name,Last Name"), NameFrom::Parts);
        assert_eq!(from("Full Name,First Name,Last Name"), NameFrom::Whole);
        assert_eq!(from("Company"), NameFrom::Whole);
    }

    #[test]
    fn a_record_id_wins_over_an_account_id() {
        let columns = find(&format!("Account ID,Lead ID,Name,Email,{ADDRESS}"), &[]).unwrap();
        assert_eq!(columns.indexes_of(Field::Id), [1]);
        assert_eq!(columns.unused().collect::<Vec<_>>(), ["Account ID"]);
    }
}
