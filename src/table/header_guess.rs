//! Suggests headers for required fields that no column feeds.

use crate::model::{EXCERPT_CHARS, Field, Region, WordList, fold_place};
use crate::sheet::{MissingField, SuggestedHeader, UnsuitableColumn, UnsuitableReason};
use crate::table::address_choice::{are_of_two, units_of};
use crate::table::columns::{Columns, PARTS};
use crate::table::street_columns::{has_house_numbers, likely_house_numbers};
use crate::table::synonyms::{
    additional_words, fold, header_meaning, header_similarity, listed_qualifier, unlisted_front,
};
use crate::table::table_head::TableHead;
use crate::table::unit_columns::are_units;

static NUMBER_ENDS: WordList = WordList::new("number_ends");
static PHONE_WORDS: WordList = WordList::new("phone_words");
static NO_CUSTOMER: WordList = WordList::new("no_customer");
static ANSWERS: WordList = WordList::new("answers");

/// Minimum similarity, up to 1, of a header that is suggested for a field.
const MIN_SIMILARITY: f64 = 0.8;

/// Similarity assigned to record-number columns (`Permit No`) as candidates for ids.
const NUMBER_OF_RECORD: f64 = 0.95;

impl Columns {
    /// The suggestions for each missing field. Of email and phone one is required: both are suggested where they are found,
    /// and the email is named where neither is.
    pub(super) fn guesses(
        &self,
        missing: &[Field],
        head: (&TableHead, &[usize]),
    ) -> Vec<MissingField> {
        let guess = |field: Field| self.guess(field, missing, head);
        let mut guesses: Vec<MissingField> = missing.iter().map(|field| guess(*field)).collect();
        self.guess_contacts(&mut guesses, guess);
        guesses
    }

    /// Keeps the suggestions for parts that are of one address with the parts before them, used or suggested.
    pub(super) fn keep_one_address(&self, head: &TableHead, missing: &mut [MissingField]) {
        let used = PARTS
            .iter()
            .filter_map(|part| Some((*part, *self.indexes_of(*part).first()?)));
        let mut parts: Vec<(Field, usize)> = used.collect();
        for one in missing.iter_mut().filter(|one| PARTS.contains(&one.field)) {
            let field = one.field;
            let is_of_other = |column| {
                let mut parts = parts.iter();
                parts.any(|part| are_of_two(*part, (field, column), head))
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

    /// Adds the suggestions for the phone to those for the email, and removes columns of other persons from both.
    fn guess_contacts(
        &self,
        guesses: &mut Vec<MissingField>,
        guess: impl Fn(Field) -> MissingField,
    ) {
        let Some(email) = guesses.iter().position(|one| one.field == Field::Email) else {
            return;
        };
        let used = self.supplying(Field::Name);
        let missing = guesses.iter().find(|one| one.field == Field::Name);
        let suggested = missing.and_then(|name| Some(name.suggestions.first()?.column));
        let name = used.or(suggested);
        let name = name.map_or("", |column| self.headers()[column].as_str());
        let mut phone = guess(Field::Phone);
        self.pair_with_name(name, &mut phone);
        self.pair_with_name(name, &mut guesses[email]);
        if phone.suggestions.is_empty() {
            guesses[email].refused.append(&mut phone.refused);
            return;
        }
        if guesses[email].suggestions.is_empty() {
            guesses.remove(email);
        }
        guesses.push(phone);
    }

    /// Moves the columns with the words of the customer's name to the front, and refuses those of a person who has a
    /// column beside it: `Tenant Phone` beside `Owner` and `Tenant`.
    fn pair_with_name(&self, name: &str, contact: &mut MissingField) {
        let field = contact.field;
        let is_of_name = |near: &SuggestedHeader| {
            let words = additional_words(name, Field::Name);
            let of_contact = additional_words(&near.header, field);
            of_contact.iter().any(|word| words.contains(word))
                || is_person((&near.header, field), name)
        };
        contact.suggestions.sort_by_key(|near| !is_of_name(near));
        let refused = contact.suggestions.extract_if(.., |near| {
            !is_of_name(near) && self.person_of((&near.header, field)).is_some()
        });
        let refused: Vec<SuggestedHeader> = refused.collect();
        contact.refused = refused
            .into_iter()
            .filter_map(|near| {
                let person = self.person_of((&near.header, field))?.to_owned();
                Some(UnsuitableColumn {
                    header: near.header,
                    cause: UnsuitableReason::OfAnother(person),
                })
            })
            .collect();
    }

    /// The header, unknown to the list of names, of the person whose contact a column has.
    fn person_of(&self, contact: (&str, Field)) -> Option<&str> {
        let mut headers = self.headers().iter().map(String::as_str);
        headers.find(|header| header_meaning(header).is_none() && is_person(contact, header))
    }

    /// The headers that may be misspellings of a missing field: each is offered for one field only, because a column
    /// that feeds two would send the street as the region. The columns of other addresses are not offered.
    fn guess(
        &self,
        field: Field,
        missing: &[Field],
        (head, of_others): (&TableHead, &[usize]),
    ) -> MissingField {
        let rivals = || PARTS.iter().chain(missing).filter(|other| **other != field);
        let street = self.indexes_of(Field::Line1).first();
        let qualifiers = head.qualifiers();
        let is_own = |column: usize| {
            street.is_some_and(|&street| {
                let own = qualifiers.of(street);
                !own.is_empty() && own == qualifiers.of(column)
            })
        };
        let is_of_other = |column: usize| {
            of_others.contains(&column) || !is_own(column) && self.is_behind_other(column, head)
        };
        let mut near: Vec<(f64, usize)> = self
            .unused_columns()
            .filter(|(_, header)| header.chars().count() <= EXCERPT_CHARS)
            // `Start Date` resembles `State`.
            .filter(|(_, header)| !fold(header).ends_with("date"))
            .filter(|(index, _)| !field.is_address_part() || !is_of_other(*index))
            // A column that feeds another field is not a misspelling of this one.
            .filter(|(_, header)| meaning_with_any_words(header).is_none_or(|known| known == field))
            .filter(|(index, header)| !is_of_no_customer(header) && !has_answers(head, *index))
            .map(|(index, header)| {
                let is_number = field == Field::Id && is_number_of_record(header);
                let near = if is_number {
                    NUMBER_OF_RECORD
                } else if is_own(index) && qualifiers.is_named(index, field) {
                    1.0
                } else {
                    header_similarity(header, field)
                };
                (near, index)
            })
            .filter(|(near, _)| *near >= MIN_SIMILARITY)
            // `Address Line 2 (Job)` is not a street.
            .filter(|(near, index)| {
                field != Field::Line1
                    || header_similarity(&self.headers()[*index], Field::Line2) <= *near
            })
            .filter(|(near, index)| {
                rivals().all(|rival| header_similarity(&self.headers()[*index], *rival) < *near)
            })
            .filter(|(_, index)| has_values(head, *index, field))
            .collect();
        near.sort_by(|(one, _), (other, _)| other.total_cmp(one));
        let near: Vec<usize> = near.into_iter().map(|(_, index)| index).collect();
        MissingField::with_near(field, &near, self.headers())
    }

    /// Adds a column that probably has the house numbers of streets without any; it is not suggested for ids then.
    pub(super) fn add_house_number(&self, head: &TableHead, missing: &mut Vec<MissingField>) {
        let street = self.indexes_of(Field::Line1).first();
        let column = street.and_then(|street| likely_house_numbers(head, *street));
        let is_unused = |column: &usize| self.unused_columns().any(|(unused, _)| unused == *column);
        let Some(column) = column.filter(is_unused) else {
            return;
        };
        if self.indexes_of(Field::HouseNumber).is_empty() {
            for other in missing.iter_mut() {
                other.suggestions.retain(|near| near.column != column);
            }
            let number = MissingField::with_near(Field::HouseNumber, &[column], self.headers());
            missing.push(number);
        }
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

/// Whether a header ends like that of a number or id of a record, such as `Permit No`; phone numbers are not ids.
fn is_number_of_record(header: &str) -> bool {
    let folded = fold(header);
    NUMBER_ENDS.iter().any(|end| folded.ends_with(end))
        && !PHONE_WORDS.iter().any(|phone| folded.contains(phone))
}

/// The field that a header names, with any words in front.
fn meaning_with_any_words(header: &str) -> Option<Field> {
    let unlisted = || unlisted_front(header).map(|(_, meaning)| meaning);
    header_meaning(header)
        .or_else(unlisted)
        .map(|meaning| meaning.field)
}

/// Whether a header names another person than the customer, or what the customer allows, as in `Rep Email`.
fn is_of_no_customer(header: &str) -> bool {
    let mut words = header.split(|c: char| !c.is_alphanumeric());
    words.any(|word| NO_CUSTOMER.has(&fold(word)))
}

/// Whether the filled cells of a column are answers to a question.
fn has_answers(head: &TableHead, column: usize) -> bool {
    head.are_mostly(column, 10, |cell| ANSWERS.has(&fold(cell)))
}

/// Whether a header names the person in front of a contact: `Tenant` or `Tenant Name` of `Tenant Phone`. `Site` of `Site Phone` is a place.
fn is_person((contact, field): (&str, Field), header: &str) -> bool {
    let folded = fold(header);
    let names = additional_words(header, Field::Name);
    additional_words(contact, field).iter().any(|word| {
        let is_place = listed_qualifier(&format!("{word} address")).is_some();
        !is_place && (*word == folded || names.contains(word))
    })
}

/// Whether the cells of a column can be values of a field: all of them regions, because `St` may be a street too; one of
/// them an email or a phone; for ids no units, amounts and house numbers; and no streets for ids, names and
/// cities.
fn has_values(head: &TableHead, column: usize, field: Field) -> bool {
    let mut filled = head.filled(column);
    let is_phone = |cell: &str| cell.matches(|c: char| c.is_ascii_digit()).count() >= 7;
    match field {
        Field::Region => filled.all(|cell| Region::from_spelling(&fold_place(cell)).is_some()),
        Field::Email | Field::Phone if head.below.is_empty() => true,
        Field::Email => filled.any(|cell| cell.matches('@').count() == 1),
        Field::Phone => filled.any(is_phone),
        Field::Id => {
            let has_digit = |cell: &str| cell.contains(|c: char| c.is_ascii_digit());
            let is_amount = |cell: &str| cell.contains('.') && cell.parse::<f64>().is_ok();
            !are_units(head, column)
                && !has_house_numbers(head, column)
                && filled.all(|cell| has_digit(cell) && !is_amount(cell))
        }
        Field::Name | Field::City => !has_house_numbers(head, column),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowNumber;
    use crate::sheet::SheetError;
    use crate::table::TableOptions;

    /// The only field that is missing, with the suggested columns.
    fn missing(headers: &str) -> (Field, Vec<(usize, String)>) {
        let headers = headers.split(',').map(str::to_owned).collect();
        let headers = TableHead::new(Some(RowNumber(1)), headers);
        let found = Columns::find(headers, &TableOptions::default());
        let Err(SheetError::MissingFields { mut missing, .. }) = found else {
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
        let headers = TableHead::new(Some(RowNumber(1)), headers);
        let found = Columns::find(headers, &TableOptions::default());
        let Err(SheetError::MissingFields { missing, .. }) = found else {
            panic!("a field is missing");
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

    #[test]
    fn an_email_or_a_phone_is_required() {
        let (field, _) = missing("Id,Name,Street,City,State,Zip");
        assert_eq!(field, Field::Email);
    }
}
