//! Suggests headers for required fields that no column feeds.

use crate::model::{EXCERPT_CHARS, Field};
use crate::table::address_choice::AddressChoice;
use crate::table::address_names::house_rank;
use crate::table::columns::{Columns, PARTS};
use crate::table::contact_columns::{NAMES, contact_field, contacts_of_others};
use crate::table::missing_field::{
    MissingField, SuggestedHeader, UnsuitableColumn, UnsuitableReason,
};
use crate::table::misspelled_headers::has_one_error;
use crate::table::near_columns::{
    HeaderSimilarity, NAME_WORDS, OTHER_OWNERS, OWNERS, are_codes, has_answers, has_values,
    has_word, is_of_no_customer, names_contact_person, names_customer, names_house, similarity,
};
use crate::table::options::TableOptions;
use crate::table::single_address::{belong_to_two_addresses, units_of};
use crate::table::street_cells::streets_by_cells;
use crate::table::street_columns::{
    are_house_numbers, columns_beside_street, names_house_number, street_of_numbers,
};
use crate::table::synonyms::HeaderMeaning;
use crate::table::table_head::TableHead;

/// Among more rows than this, the contacts of customers do not repeat.
const MIN_REPEATED: usize = 3;

impl Columns {
    /// The suggestions for each missing field. Of email and phone one is required: both are suggested where they are
    /// found, and the email is named where neither is.
    pub(super) fn guesses(
        &self,
        missing: &[Field],
        head: (&TableHead, &AddressChoice),
    ) -> Vec<MissingField> {
        let guess = |field: Field| self.guess(field, head);
        let mut guesses: Vec<MissingField> = missing.iter().map(|field| guess(*field)).collect();
        self.guess_contacts(&mut guesses, guess);
        guesses
    }

    /// Whether a company is the name beside an unused column with the customers' names, because some customers have no
    /// company, or a house beside one with any word for a customer.
    pub(super) fn has_company_beside_owner(
        &self,
        (head, choice): (&TableHead, &AddressChoice),
        options: &TableOptions,
    ) -> bool {
        let is_asked = options.map.iter().any(|(field, _)| NAMES.contains(field));
        let meaning = |&column: &usize| head.meanings()[column];
        let meanings = self.indexes_of(Field::Name).iter().filter_map(meaning);
        let meanings: Vec<HeaderMeaning> = meanings.collect();
        let is_company = meanings.iter().any(|one| one.is_conditional());
        let is_house = meanings.iter().any(|one| names_house(*one));
        let is_filled = |column: usize| head.filled(column).count() * 2 >= head.below.len();
        let is_owner = |near: &SuggestedHeader| {
            is_house
                || names_customer(&near.header) && has_word(&near.header, &NAME_WORDS)
                || names_contact_person(&near.header) && is_filled(near.column)
        };
        !is_asked
            && is_company
            && self.indexes_of(Field::FirstName).is_empty()
            && self
                .guess(Field::Name, (head, choice))
                .suggestions
                .iter()
                .any(is_owner)
    }

    /// The other half of the customers' names, if an unused column may have it.
    pub(super) fn guess_other_half(
        &self,
        head: (&TableHead, &AddressChoice),
    ) -> Option<MissingField> {
        let guess = self.guess(self.other_half()?, head);
        (!guess.suggestions.is_empty()).then_some(guess)
    }

    /// Keeps the suggestions for parts that are of one address with the parts before them, used or suggested.
    pub(super) fn keep_one_address(&self, head: &TableHead, missing: &mut [MissingField]) {
        let used = PARTS
            .iter()
            .filter_map(|part| Some((*part, *self.indexes_of(*part).first()?)));
        let mut parts: Vec<(Field, usize)> = used.collect();
        for one in missing.iter_mut().filter(|one| PARTS.contains(&one.field)) {
            let field = one.field;
            let is_of_other = |column: usize| {
                let mut parts = parts.iter();
                // `Coode` of `Zip Coode` is none.
                let qualifier = if has_one_error(&head.names[column], field) {
                    ""
                } else {
                    head.qualifiers().of(column)
                };
                // `Owner Zip` does not complete `Address`.
                parts.any(|part| {
                    belong_to_two_addresses(*part, (field, column), head)
                        || part.0 == Field::Line1
                            && !["", head.qualifiers().of(part.1)].contains(&qualifier)
                })
            };
            one.suggestions.retain(|near| !is_of_other(near.column));
            parts.extend(one.suggestions.first().map(|near| (field, near.column)));
        }
    }

    /// Adds the unit with the words of a street that is used or suggested.
    pub(super) fn add_unit(&self, head: &TableHead, missing: &mut Vec<MissingField>) {
        let suggested = missing.iter().find(|one| one.field == Field::Line1);
        let suggested = suggested.and_then(|one| Some(one.suggestions.first()?.column));
        let street = self.indexes_of(Field::Line1).first().copied().or(suggested);
        let Some(street) = street.filter(|_| self.indexes_of(Field::Line2).is_empty()) else {
            return;
        };
        let units = units_of(street, head);
        if !units.is_empty() {
            missing.push(MissingField::with_near(
                Field::Line2,
                &units,
                self.headers(),
            ));
        }
    }

    /// The columns that may have a missing field: their headers are near it, and most of their cells are right for it.
    /// The columns of other addresses are not offered.
    fn guess(&self, field: Field, (head, choice): (&TableHead, &AddressChoice)) -> MissingField {
        let street = self.indexes_of(Field::Line1).first();
        let is_own = |column: usize| {
            street.is_some_and(|&street| {
                let own = head.qualifiers().of(street);
                !own.is_empty() && own == head.qualifiers().of(column)
            })
        };
        let is_of_other = |column: usize| {
            choice.others.contains(&column) || !is_own(column) && self.is_behind_other(column, head)
        };
        let streets: Vec<usize> = match field {
            Field::Line1 => streets_by_cells(head).collect(),
            _ => Vec::new(),
        };
        let is_contact = matches!(field, Field::Email | Field::Phone);
        let near = self
            .unused_columns()
            .filter(|(_, header)| header.chars().count() <= EXCERPT_CHARS)
            .filter(|(index, _)| !choice.other_lists.contains(index))
            .filter(|(index, _)| !field.is_address_part() || !is_of_other(*index))
            .filter(|(index, header)| !is_of_no_customer(header) && !has_answers(head, *index))
            .filter_map(|(index, header)| {
                let by_cells = streets.contains(&index).then_some(HeaderSimilarity::AtEnd);
                let are_codes = || field == Field::Id && are_codes(head, index);
                let by_codes = || are_codes().then_some(HeaderSimilarity::Alike);
                let near = by_cells.or_else(|| similarity(header, field));
                Some((near.or_else(by_codes)?, index))
            })
            .filter(|(_, index)| has_values(head, *index, field))
            .filter(|(_, index)| {
                let has_many = || head.filled(*index).count() > MIN_REPEATED;
                !(is_contact && has_many() && self.are_of_colleagues(head, *index))
            });
        let mut near: Vec<(HeaderSimilarity, usize)> = near.collect();
        near.sort_unstable();
        let mut near: Vec<usize> = near.into_iter().map(|(_, index)| index).collect();
        let names = NAMES.map(|name| self.indexes_of(name)).concat();
        let mut others = match field {
            Field::Email | Field::Phone => contacts_of_others(head, &names),
            _ => Vec::new(),
        };
        others.retain(|(one, _)| contact_field(&head.names[*one]) == Some(field));
        near.retain(|index| others.iter().all(|(other, _)| other != index));
        if field == Field::Line1 {
            let rank = |column: &usize| house_rank(&head.names[*column]);
            near.sort_by_key(rank);
            // Of two streets, only the user knows the house's.
            if near.len() > 1 && rank(&near[0]) == rank(&near[1]) {
                near.clear();
            }
        }
        match field {
            Field::Name => near.sort_by_key(|column| !has_word(&head.names[*column], &OWNERS)),
            Field::Id => near.sort_by_key(|column| has_word(&head.names[*column], &OTHER_OWNERS)),
            _ => {}
        }
        let mut missing = MissingField::with_near(field, &near, self.headers());
        let refused = others
            .into_iter()
            .map(|(contact, person)| UnsuitableColumn {
                header: head.names[contact].clone(),
                cause: UnsuitableReason::OfAnother(head.names[person].clone()),
            });
        missing.refused.extend(refused);
        missing
    }

    /// Adds a column that probably has the house numbers of streets without any; it is not suggested for ids then.
    /// Where the column of streets has the house numbers, adds that of the streets too.
    pub(super) fn add_house_number(&self, head: &TableHead, missing: &mut Vec<MissingField>) {
        let street = self.indexes_of(Field::Line1).first();
        let Some(&street) = street.filter(|_| self.indexes_of(Field::HouseNumber).is_empty())
        else {
            return;
        };
        let is_unused = |column: usize| self.unused_columns().any(|(unused, _)| unused == column);
        if let Some(named) = street_of_numbers(head, street).filter(|named| is_unused(*named)) {
            for (field, column) in [(Field::HouseNumber, street), (Field::Line1, named)] {
                missing.push(MissingField::with_near(field, &[column], self.headers()));
            }
            return;
        }
        let is_number =
            |column: &usize| is_unused(*column) && are_house_numbers(head, (*column, street));
        let beside = columns_beside_street(head, street).into_iter().flatten();
        let mut numbers: Vec<usize> = beside.filter(is_number).collect();
        if numbers.is_empty() {
            let named = (0..head.names.len()).filter(|one| names_house_number(&head.names[*one]));
            numbers.extend(named.filter(is_number));
        }
        let Some(&column) = numbers.first() else {
            return;
        };
        for other in missing.iter_mut() {
            other
                .suggestions
                .retain(|near| !numbers.contains(&near.column));
        }
        // Of the lowest and highest number, only the user knows the house's.
        let mut next = [column.checked_sub(1), Some(column + 1)]
            .into_iter()
            .flatten();
        if numbers.len() > 1 || next.any(|next| is_number(&next)) {
            numbers.clear();
        }
        missing.push(MissingField::with_near(
            Field::HouseNumber,
            &numbers,
            self.headers(),
        ));
    }

    /// Whether there are several streets, and a column does not follow the one that was found.
    fn is_behind_other(&self, column: usize, head: &TableHead) -> bool {
        let own = self.indexes_of(Field::Line1);
        let groups = head.groups().groups.iter();
        let streets = groups.filter_map(|group| group.column_of(Field::Line1));
        let others: Vec<usize> = streets.filter(|street| !own.contains(street)).collect();
        let before = others
            .iter()
            .chain(own)
            .filter(|street| **street <= column)
            .max();
        !own.is_empty() && !others.is_empty() && before.is_none_or(|street| !own.contains(street))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowNumber;
    use crate::table::table_head::CandidateRow;
    use crate::table::{TableError, TableOptions};

    /// The only field that is missing, with the suggested columns.
    fn missing(headers: &str) -> (Field, Vec<(usize, String)>) {
        let headers = headers.split(',').map(str::to_owned).collect();
        let headers = TableHead::new(Some(RowNumber(1)), headers);
        let found = Columns::find(&headers, &TableOptions::default());
        let Err(TableError::MissingFields { mut missing, .. }) = found else {
            panic!("a field is missing");
        };
        let one = missing.pop().unwrap();
        assert!(missing.is_empty());
        let near = one
            .suggestions
            .into_iter()
            .map(|near| (near.column, near.header));
        (one.field, near.collect())
    }

    #[test]
    fn what_is_missing_comes_with_the_nearest_header() {
        let (field, near) = missing("Id,Name,Email,Streeet Adress,City,State,Zip");
        assert_eq!(field, Field::Line1);
        assert_eq!(near, [(3, "Streeet Adress".to_owned())]);
    }

    #[test]
    fn a_date_is_no_misspelled_region() {
        let headers = |date: &str| format!("Id,Name,Email,Street,City,{date},Zip");
        assert_eq!(missing(&headers("Statte")).1.len(), 1);
        assert_eq!(missing(&headers("Start Date")), (Field::Region, Vec::new()));
    }

    /// The first suggestion for each missing field.
    fn suggested(headers: &str) -> Vec<String> {
        let headers = headers.split(',').map(str::to_owned).collect();
        of_head(&TableHead::new(Some(RowNumber(1)), headers))
    }

    fn of_head(head: &TableHead) -> Vec<String> {
        let found = Columns::find(head, &TableOptions::default());
        let Err(TableError::MissingFields { missing, .. }) = found else {
            panic!("a field is missing: {found:?}");
        };
        let first = missing.iter().map(|one| {
            let near = one
                .suggestions
                .first()
                .map_or("", |near| near.header.as_str());
            format!("{}={near}", one.field)
        });
        first.collect()
    }

    #[test]
    fn columns_of_a_permit_list_are_suggested_for_what_they_hold() {
        let headers = "PERMIT_NO,ISSUED,OWNER,CONTRACTOR,SITE_ADDR,SITE_CITY,SITE_ST,SITE_ZIP,APPLICANT_PHONE,APPLICANT_EMAIL";
        let expected = [
            "id=PERMIT_NO",
            "name=OWNER",
            "email=APPLICANT_EMAIL",
            "phone=APPLICANT_PHONE",
        ];
        assert_eq!(suggested(headers), expected);
        let headers = "Kundennr.,Name,Street,City,State,Zip,OwnerPhone";
        assert_eq!(suggested(headers), ["id=Kundennr.", "phone=OwnerPhone"]);
    }

    #[test]
    fn columns_of_other_persons_and_of_consent_are_not_suggested() {
        let headers =
            "Id,Name,Street,City,State,Zip,Rep Email,Email Opt Out,Spouse Phone,Office Zip";
        assert_eq!(suggested(headers), ["email="]);
        let headers = "Id,Nom,Street,City,State,Zip,Tél. expert,Courriel expert,Crew Phone";
        assert_eq!(suggested(headers), ["email="]);
        assert_eq!(
            suggested("Id,Email,Street,City,State,Zip,Do Not Contact"),
            ["name="]
        );
    }

    #[test]
    fn contacts_of_another_person_than_the_customer_are_not_suggested() {
        let address = "Street,City,State,Zip";
        for (persons, expected) in [
            (
                "Tenant,Owner,Tenant Phone,Owner Phone",
                &["name=Owner", "phone=Owner Phone"][..],
            ),
            ("Name,Tenant,Tenant Phone", &["email="]),
            ("Name,Tenant,Tenant Phone,Best Phone", &["phone=Best Phone"]),
            ("Name,Site,Site Phone", &["phone=Site Phone"]),
        ] {
            assert_eq!(suggested(&format!("Id,{persons},{address}")), expected);
        }
    }

    /// The first suggestion for each missing field of a table with these rows.
    fn suggested_in(rows: &str) -> Vec<String> {
        let rows = rows.lines().zip(1..).map(|(row, number)| CandidateRow {
            number: RowNumber(number),
            cells: row.split(',').map(str::to_owned).collect(),
        });
        let mut rows: Vec<CandidateRow> = rows.collect();
        let head = TableHead::new(Some(RowNumber(1)), rows.remove(0).cells);
        of_head(&head.with_surroundings(&rows))
    }

    const PLACE: &str = "City,State,Zip";

    #[test]
    fn words_of_the_customer_are_suggested_before_headers_that_are_only_alike() {
        for (header, cells) in [
            ("lat,lon", "39.96,-83.0"),
            ("location", "(41.8 -87.6)"),
            ("County Name", "Greene"),
            ("Contract Type", "Works"),
            ("Marshal First Name", "Ann"),
            ("prior_owner", "Ann Reed"),
            ("co own name", "Ann Reed"),
            ("Lead Owner", "Ann Reed"),
            ("Provider Name", "4412"),
        ] {
            let rows = format!(
                "Id,{header},Facility Name,Phone,Street,{PLACE}\n1,{cells},Oak Clinic,614 555 0100,1 Elm St,Troy,OH,45373"
            );
            assert_eq!(suggested_in(&rows), ["name=Facility Name"], "{header}");
            let rows = rows.replace("Facility Name", "Kind");
            assert_eq!(suggested_in(&rows), ["name="], "{header}");
        }
    }

    #[test]
    fn headers_with_one_wrong_letter_and_of_customer_and_job_are_suggested() {
        let rows = "Lead No,Custmer Name,Adress,Twn,Sate,Zip Coode,Phne,Emial\n1,Ann Reed,1 Elm St,Troy,OH,45373,614 555 0100,a@example.com";
        let expected = [
            "line1=Adress",
            "city=Twn",
            "region=Sate",
            "postal_code=Zip Coode",
            "name=Custmer Name",
            "email=Emial",
            "phone=Phne",
        ];
        assert_eq!(suggested_in(rows), expected);
        for name in ["Customer Nmae", "Customer/Job name"] {
            let rows = rows.replace("Custmer Name", name).replace("Coode", "p");
            let suggested = suggested_in(&rows);
            assert_eq!(suggested[3], "postal_code=Zip p");
            assert_eq!(suggested[4], format!("name={name}"));
        }
        for name in ["Customer Pet Name", "Customer Note", "Customer Type"] {
            let rows = rows.replace("Custmer Name", name);
            assert!(suggested_in(&rows).contains(&"name=".to_owned()), "{name}");
        }
    }

    #[test]
    fn only_a_column_of_phone_numbers_is_suggested_for_the_phone() {
        for (header, cell, expected) in [
            ("Parcel Number", "29073300100800", "email="),
            ("License Number", "6145550100", "email="),
            ("Contract Number", "6145550100", "email="),
            ("Event", "Open house", "email="),
            ("Owner Phone Type", "Mobile", "email="),
            ("Contact_Ph", "614-555-0100", "phone=Contact_Ph"),
            (
                "Phone (call)",
                "(614) 555-0100 ext. 4",
                "phone=Phone (call)",
            ),
            ("Owner Phone", "1915843", "email="),
        ] {
            let rows =
                format!("Id,Name,{header},Street,{PLACE}\n1,Ann,{cell},1 Elm St,Troy,OH,45373");
            assert_eq!(suggested_in(&rows), [expected], "{header}");
        }
    }

    #[test]
    fn parts_of_the_address_are_suggested_by_their_cells() {
        let rows = "Id,Name,Phone,SITE_ADDRESS,CITY_DECODE,TOWNSHIP_DECODE,State,COMMDIST\n1,Ann,1,1 Elm St,Troy,Oak Creek,OH,4";
        assert_eq!(suggested_in(rows), ["city=CITY_DECODE", "postal_code="]);
        for (headers, cells, expected) in [
            (
                "Parcel Indexes,Parcel Address",
                "88,1 Elm St",
                "Parcel Address",
            ),
            ("Kind,Location", "A,1 Elm St", "Location"),
        ] {
            let rows = format!("Id,Name,Phone,{headers},{PLACE}\n1,Ann,1,{cells},Troy,OH,45373");
            assert_eq!(suggested_in(&rows), [format!("line1={expected}")]);
        }
        let rows = "Id,Name,Phone,Address,City,State,Owner Zip\n1,Ann,1,1 Elm St,Troy,OH,10001";
        assert_eq!(suggested_in(rows), ["postal_code="]);
    }

    #[test]
    fn a_number_of_a_record_is_suggested_for_the_id_alone() {
        let rows = format!(
            "Contract No,extension,Vendor Name,Street,{PLACE},Phone\n11-8,54,Oak Clinic,1 Elm St,Troy,OH,45373,1\n11-9,55,Elm Clinic,2 Elm St,Troy,OH,45373,1"
        );
        assert_eq!(suggested_in(&rows), ["id=Contract No", "name=Vendor Name"]);
    }

    #[test]
    fn house_numbers_and_phones_are_not_suggested_for_the_id() {
        for (header, cells, expected) in [
            ("saddno", ["12", "14"], "id="),
            ("Number", ["614-555-0100", "614-555-0101"], "id="),
            ("Number", ["614", "615"], "id=Number"),
        ] {
            let [one, other] = cells;
            let rows = format!(
                "{header},Name,Phone,Street,{PLACE}\n{one},Ann,1,12 Elm St,Troy,OH,45373\n{other},Bob,1,14 Elm St,Troy,OH,45373"
            );
            assert_eq!(suggested_in(&rows), [expected], "{header}");
        }
    }

    #[test]
    fn different_codes_of_each_row_are_suggested_for_the_id() {
        for (header, cells, expected) in [
            ("No soum.", ["17", "19", "23"], "id=No soum."),
            ("Ticket", ["4471", "4473", "4480"], "id=Ticket"),
            ("Reg", ["S-001", "S-002", "S-003"], "id=Reg"),
            ("Reg", ["S-001", "S-002", "S-002"], "id="),
            ("Reg", ["S-001", "S-002", ""], "id="),
            ("Reg", ["4471", "4473", "4480"], "id="),
            ("Reg", ["H3K 2B4", "H3K2B5", "H3K2B6"], "id="),
            ("Date", ["1-Oct", "2-Oct", "3-Oct"], "id="),
            ("Crew", ["some 1", "some 2", "some 3"], "id="),
        ] {
            let rows = cells
                .iter()
                .zip(1..)
                .map(|(cell, at)| format!("{cell},Ann,614 555 0100,1{at} Elm St,Troy,OH,45373\n"));
            let rows: String = rows.collect();
            let rows = format!("{header},Name,Phone,Street,{PLACE}\n{rows}");
            assert_eq!(suggested_in(&rows), [expected], "{header} {cells:?}");
        }
    }

    #[test]
    fn an_email_or_a_phone_is_required() {
        let (field, _) = missing("Id,Name,Street,City,State,Zip");
        assert_eq!(field, Field::Email);
    }
}
