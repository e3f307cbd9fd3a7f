//! Suggests the columns of emails and phones: those of the customer, and of no other person.

use std::collections::BTreeSet;

use crate::model::Field;
use crate::table::columns::Columns;
use crate::table::contact_columns::NAMES;
use crate::table::missing_field::{
    MissingField, SuggestedHeader, UnsuitableColumn, UnsuitableReason,
};
use crate::table::near_columns::{
    are_repeated, names_contact_of_customer, names_customer, names_house,
};
use crate::table::synonyms::{additional_words, fold_cell, header_meaning, listed_qualifier};
use crate::table::table_head::TableHead;

impl Columns {
    /// Adds the suggestions for the phone to those for the email, and removes columns of other persons from both.
    pub(super) fn guess_contacts(
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
    /// column beside it: `Tenant Phone` beside `Owner` and `Tenant`. Whose contact a header with other words names is
    /// not known.
    fn pair_with_name(&self, name: &str, contact: &mut MissingField) {
        let field = contact.field;
        let is_of_name = |near: &SuggestedHeader| {
            let words = words_of_name(name);
            let of_contact = additional_words(&near.header, field);
            of_contact.iter().any(|word| words.contains(word))
                || is_person((&near.header, field), name)
        };
        contact.suggestions.sort_by_key(|near| !is_of_name(near));
        let is_open = |near: &SuggestedHeader| names_contact_of_customer(&near.header);
        contact
            .suggestions
            .retain(|near| is_of_name(near) || is_open(near));
        let refused = contact.suggestions.extract_if(.., |near| {
            !is_of_name(near) && self.person_of((&near.header, field)).is_some()
        });
        let refused: Vec<SuggestedHeader> = refused.collect();
        let refused = refused.into_iter().filter_map(|near| {
            let person = self.person_of((&near.header, field))?.to_owned();
            Some(UnsuitableColumn {
                header: near.header,
                cause: UnsuitableReason::OfAnother(person),
            })
        });
        contact.refused.extend(refused);
    }

    /// The header, unknown to the list of names, of the person whose contact a column has.
    fn person_of(&self, contact: (&str, Field)) -> Option<&str> {
        let mut headers = self.headers().iter().map(String::as_str);
        headers.find(|header| header_meaning(header).is_none() && is_person(contact, header))
    }

    /// Whether contacts repeat, and not because their customers do, who have several houses each.
    pub(super) fn are_of_colleagues(&self, head: &TableHead, contact: usize) -> bool {
        let mut names: Vec<usize> = NAMES.map(|name| self.indexes_of(name)).concat();
        let is_house = |column: &usize| head.meanings()[*column].is_some_and(names_house);
        names.retain(|name| !is_house(name));
        if names.is_empty() {
            let unused = self.unused_columns();
            names.extend(
                unused
                    .filter(|(_, one)| names_customer(one))
                    .map(|(column, _)| column),
            );
        }
        let different = |column: usize| head.filled(column).collect::<BTreeSet<&str>>().len();
        let is_of_customers =
            |name: &usize| are_repeated(head, *name) && different(contact) * 2 > different(*name);
        are_repeated(head, contact) && !names.iter().any(is_of_customers)
    }
}

/// The words of the header of a name besides it; `Nom du locataire` begins with a last name.
fn words_of_name(header: &str) -> Vec<String> {
    let fields = [Field::Name, Field::LastName];
    fields.map(|field| additional_words(header, field)).concat()
}

/// Whether a header names the person in front of a contact: `Tenant` or `Tenant Name` of `Tenant Phone`. `Site` of
/// `Site Phone` is a place.
fn is_person((contact, field): (&str, Field), header: &str) -> bool {
    let folded = fold_cell(header);
    let names = words_of_name(header);
    additional_words(contact, field).iter().any(|word| {
        let is_place = listed_qualifier(&format!("{word} address")).is_some();
        !is_place && (*word == folded || names.contains(word))
    })
}
