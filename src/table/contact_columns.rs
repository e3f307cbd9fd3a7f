//! Whose contacts the columns of emails and phones have.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Field;
use crate::table::address_names::is_of_customer;
use crate::table::near_columns::{STAFF, has_word, has_word_for_customer, words};
use crate::table::street_columns::{are_numbers, drop_if_others};
use crate::table::synonyms::{HeaderMeaning, header_meaning, listed_front, meaning_without};
use crate::table::table_head::{CandidateRow, TableHead};

/// The fields of names.
const NAMES: [Field; 3] = [Field::Name, Field::FirstName, Field::LastName];

/// The contacts of the chosen address: a name, phone or email with its words, such as `Shipping Phone`, goes before those
/// with the words of another address, such as `Billing Phone`.
#[derive(Default)]
pub(super) struct AddressContacts {
    /// The meanings of the headers without those of other addresses.
    pub(super) meanings: Vec<Option<HeaderMeaning>>,
    /// The columns with the words of other addresses. They are used in rows in which those of the chosen one are empty:
    /// shops leave them empty where both are of one person.
    pub(super) of_others: Vec<(Field, usize)>,
}

impl AddressContacts {
    /// The contacts beside the street of an address.
    pub(super) fn beside(street: usize, head: &TableHead) -> Self {
        let mut meanings = head.meanings().to_vec();
        let mut of_others = Vec::new();
        let own = head.qualifiers().of(street);
        let groups = head.groups().groups.iter();
        let others = groups.map(|group| group.qualifier.as_str());
        let others: Vec<&str> = others.filter(|other| !["", own].contains(other)).collect();
        for fields in [&NAMES[..], &[Field::Phone], &[Field::Email]] {
            let contact = |column: usize, words: &str| {
                let header = &head.names[column];
                let meaning = meaning_without(header, words)?;
                // `Home` and `Other` are kinds of phones too, and a company is no person.
                let is_kind = header_meaning(header).is_some_and(|known| known != meaning);
                let is_contact = !words.is_empty() && fields.contains(&meaning.field);
                (is_contact && !is_kind && !meaning.is_conditional()).then_some(meaning)
            };
            let is_of_other = |column: usize| {
                let front = listed_front(&head.names[column]);
                let is_payer = front.is_some_and(|front| front != own && is_of_customer(front));
                is_payer || others.iter().any(|words| contact(column, words).is_some())
            };
            let columns = 0..meanings.len();
            // The first names tell how all of a column are written.
            let is_used = |column: &usize| fields != NAMES || head.filled(*column).next().is_some();
            let of_own = columns.clone().filter(is_used);
            let of_own = of_own.filter_map(|column| Some((column, contact(column, own)?)));
            let of_own: Vec<(usize, HeaderMeaning)> = of_own.collect();
            // `Billing Name` is not in the list.
            let customers = others.iter().filter(|words| is_of_customer(words));
            let of_customer = |column| customers.clone().find_map(|words| contact(column, words));
            let meaning =
                |column: usize| Some((meanings[column].or_else(|| of_customer(column))?, column));
            let of_field = columns.filter_map(meaning);
            let found = of_field
                .filter(|(one, column)| fields.contains(&one.field) && is_of_other(*column));
            let mut found: Vec<(HeaderMeaning, usize)> = found.collect();
            if of_own.is_empty() || found.is_empty() {
                continue;
            }
            found.sort_by_key(|(meaning, _)| meaning.rank);
            for (meaning, column) in found {
                meanings[column] = None;
                if !meaning.is_conditional() {
                    of_others.push((meaning.field, column));
                }
            }
            for (column, meaning) in of_own {
                meanings[column] = Some(meaning);
            }
        }
        // Shopify calls its orders `#1001` names.
        drop_if_others(&mut meanings, Field::Name, |column| {
            are_numbers(head, column)
        });
        Self {
            meanings,
            of_others,
        }
    }

    /// Adds the columns of other addresses behind those of the chosen one, apart from names of which a row could take the
    /// first name of one person and the last name of another.
    pub(super) fn add_others(
        &mut self,
        fields: &mut BTreeMap<Field, Vec<usize>>,
        mapped: &[Field],
    ) {
        let count = |field: Field| {
            let of_others = self.of_others.iter().filter(|(other, _)| *other == field);
            (fields.get(&field).map_or(0, Vec::len), of_others.count())
        };
        let [whole, first, last] = NAMES.map(count);
        let are_pairs = first == last && first.0 < 2 && first.1 < 2;
        let has_names = are_pairs && (whole.0 == 0 || first.0 == 0);
        self.of_others.retain(|(field, _)| {
            let is_name = NAMES.contains(field);
            let is_mapped =
                mapped.contains(field) || is_name && mapped.iter().any(|one| NAMES.contains(one));
            !is_mapped && (!is_name || has_names)
        });
        for (field, column) in &self.of_others {
            fields.entry(*field).or_default().push(*column);
        }
    }
}

/// Moves the phones whose first word is that of the customer's name, as in `Customer` and `Customer Phone`, in front of others of
/// the same kind.
pub(super) fn sort_phones(
    head: &TableHead,
    meanings: &[Option<HeaderMeaning>],
    fields: &mut BTreeMap<Field, Vec<usize>>,
) {
    let first_word = |column: usize| words(&head.names[column]).into_iter().next();
    let name = NAMES
        .iter()
        .find_map(|field| fields.get(field)?.first().copied());
    let name = name.and_then(first_word);
    if let (Some(phones), Some(_)) = (fields.get_mut(&Field::Phone), &name) {
        phones.sort_by_key(|&phone| {
            let rank = meanings[phone].map_or(0, |meaning| meaning.rank);
            (rank, first_word(phone) != name)
        });
    }
}

/// Whether an email or phone, without a word for the customer, stands behind a column such as `Adjuster`, and in front of
/// the customer's name or beside an own contact of the customer.
pub(super) fn is_of_staff(head: &TableHead, column: usize) -> bool {
    let is_contact = |header: &str| {
        let field = header_meaning(header).map(|one| one.field);
        matches!(field, Some(Field::Email | Field::Phone))
    };
    let is_open = |header: &str| is_contact(header) && !has_word_for_customer(header);
    if !is_open(&head.names[column]) {
        return false;
    }
    let Some(staff) = (0..column).rfind(|front| !is_open(&head.names[*front])) else {
        return false;
    };
    let is_own_contact = |other: usize| {
        let header = &head.names[other];
        is_contact(header) && has_word_for_customer(header) && head.filled(other).next().is_some()
    };
    has_word(&head.names[staff], &STAFF)
        && (!head.names[..staff]
            .iter()
            .any(|name| has_word_for_customer(name))
            || (0..head.names.len()).any(is_own_contact))
        && !are_of_customers(head, (staff, column))
}

/// Whether contacts behind a column of employees differ as those of customers do: between rows of one employee too.
fn are_of_customers(head: &TableHead, (staff, contact): (usize, usize)) -> bool {
    let cell = |row: &CandidateRow, column: usize| {
        let cell = row.cells.get(column).map_or("", |cell| cell.trim());
        cell.to_lowercase()
    };
    let rows = head.below.iter().enumerate();
    let rows = rows.map(|(at, row)| (at, cell(row, staff), cell(row, contact)));
    let rows: Vec<_> = rows.filter(|(.., contact)| !contact.is_empty()).collect();
    let contacts: BTreeSet<&str> = rows.iter().map(|(.., contact)| contact.as_str()).collect();
    let named = rows.iter().filter(|(_, staff, _)| !staff.is_empty());
    let employees: BTreeSet<&str> = named.map(|(_, staff, _)| staff.as_str()).collect();
    // Without an employee, each is of another person.
    let pairs = rows.iter().map(|(at, staff, contact)| {
        let of_nobody = staff.is_empty().then_some(*at);
        (of_nobody, staff.as_str(), contact.as_str())
    });
    let pairs: BTreeSet<_> = pairs.collect();
    contacts.len() * 2 > rows.len() && pairs.len() * 2 > employees.len() + rows.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RowNumber;

    fn head(headers: &str, rows: &[&str]) -> TableHead {
        let cells = |text: &str| text.split(',').map(str::to_owned).collect();
        let rows = rows.iter().zip(2..).map(|(row, number)| CandidateRow {
            number: RowNumber(number),
            cells: cells(row),
        });
        let rows: Vec<CandidateRow> = rows.collect();
        TableHead::new(Some(RowNumber(1)), cells(headers)).with_surroundings(&rows)
    }

    #[test]
    fn contacts_behind_an_employee_are_the_customers_if_they_differ_for_one_employee() {
        let headers = "Adjuster,Phone,Insured Name";
        for (rows, expected) in [
            (&["Al,800-1,Ada", "Bo,800-2,Ben", "Cy,800-3,Cat"][..], true),
            (&["Al,800-1,Ada", "Bo,800-2,Ben", "Al,800-1,Cat"], true),
            (&["Al,800-1,Ada", "Al,800-2,Ben", "Al,800-3,Cat"], false),
            (&[",800-1,Ada", ",800-2,Ben", ",800-3,Cat"], false),
            (&["Al,,Ada"], true),
        ] {
            assert_eq!(is_of_staff(&head(headers, rows), 1), expected, "{rows:?}");
        }
    }

    #[test]
    fn contacts_behind_an_employee_are_not_the_customers_beside_their_own() {
        let row = "Ada,585-1,Al,al@ins.example";
        for (headers, expected) in [
            ("Insured Name,Insured Phone,Adjuster,Email", true),
            ("Insured Name,Phone,Adjuster,Email", false),
            ("Insured Name,Insured Phone,Source,Email", false),
        ] {
            assert_eq!(
                is_of_staff(&head(headers, &[row]), 3),
                expected,
                "{headers}"
            );
        }
    }
}
