//! Whose contacts the columns of emails and phones have.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::Field;
use crate::sheet::column_of;
use crate::table::address_names::is_of_customer;
use crate::table::error::TableError;
use crate::table::near_columns::{
    HOUSEHOLD, has_word, has_word_for_customer, header_words, names_customer, names_other_person,
};
use crate::table::street_columns::{are_numbers, drop_if_others};
use crate::table::synonyms::{
    HeaderMeaning, fold_cell, header_meaning, listed_front, meaning_without,
};
use crate::table::table_head::{CandidateRow, TableHead};

/// The fields of names.
pub(super) const NAMES: [Field; 3] = [Field::Name, Field::FirstName, Field::LastName];

/// Minimum number of rows whose cells show that a column has names of persons.
const MIN_PERSONS: usize = 5;

/// The length of the shortest word that tells a person.
const MIN_WORD: usize = 3;

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

/// Moves the phones behind the customer's name, and those whose first word is its first one, as in `Customer` and
/// `Customer Phone`, in front of others of the same kind.
pub(super) fn sort_phones(
    head: &TableHead,
    meanings: &[Option<HeaderMeaning>],
    fields: &mut BTreeMap<Field, Vec<usize>>,
) {
    let first_word = |column: usize| header_words(&head.names[column]).into_iter().next();
    let Some(name) = columns_of_names(fields).first().copied() else {
        return;
    };
    let is_of_name = |phone: usize| {
        first_word(phone) == first_word(name) || column_in_front(head, phone) == Some(name)
    };
    if let Some(phones) = fields.get_mut(&Field::Phone) {
        phones.sort_by_key(|&phone| {
            let rank = meanings[phone].map_or(0, |meaning| meaning.rank);
            (rank, !is_of_name(phone))
        });
    }
}

/// The columns of names among those of all fields.
pub(super) fn columns_of_names(fields: &BTreeMap<Field, Vec<usize>>) -> Vec<usize> {
    let columns = NAMES.iter().filter_map(|field| fields.get(field));
    columns.flatten().copied().collect()
}

/// Puts the contact that is nearest behind the customer's name in front of others that may be meant.
pub(super) fn behind_name_first(mut cause: TableError, names: &[usize]) -> TableError {
    if let (TableError::Ambiguous { columns, .. }, Some(name)) = (&mut cause, names.first()) {
        let is_behind = |(_, letters): &(String, String)| column_of(letters) > Some(*name);
        let nearest = columns.iter().position(is_behind);
        columns.rotate_left(nearest.unwrap_or_default());
    }
    cause
}

/// The field of a column of emails or phones.
pub(super) fn contact_field(header: &str) -> Option<Field> {
    let field = header_meaning(header)?.field;
    matches!(field, Field::Email | Field::Phone).then_some(field)
}

/// The column in front of a contact without a word for the customer and of others like it.
fn column_in_front(head: &TableHead, contact: usize) -> Option<usize> {
    let is_open = |column: usize| {
        let header = &head.names[column];
        contact_field(header).is_some() && !has_word_for_customer(header)
    };
    let front = (0..=contact).rfind(|column| !is_open(*column))?;
    (front != contact).then_some(front)
}

/// The emails and phones of other persons than the customer, who has these columns of names, each with the column of
/// its person directly in front. They are the customer's if nobody else has any; but not where they repeat with that
/// person, or stand in front of the name.
pub(super) fn contacts_of_others(head: &TableHead, names: &[usize]) -> Vec<(usize, usize)> {
    let columns = 0..head.names.len();
    let mut names = names.to_vec();
    if names.is_empty() {
        names.extend(
            columns
                .clone()
                .filter(|one| names_customer(&head.names[*one])),
        );
    }
    let is_other = |person: &usize| {
        let header = &head.names[*person];
        let is_unknown = header_meaning(header).is_none() && !names_customer(header);
        let may_be_one = is_unknown || fold_cell(header).contains("contact");
        !names.contains(person)
            && (names_other_person(header)
                || may_be_one
                    && has_names_of_persons(head, *person)
                    && !names.is_empty()
                    && !are_of_customer(head, (*person, &names)))
    };
    let contacts = columns.filter_map(|one| Some((one, contact_field(&head.names[one])?)));
    let with_person = contacts.map(|(contact, field)| {
        let person = column_in_front(head, contact).filter(is_other);
        let person = person.map(|person| (person, Owners::of(head, (person, contact))));
        (contact, field, person)
    });
    let is_customers =
        |owner: &Option<(usize, Owners)>| owner.is_none_or(|(_, owner)| owner == Owners::Customers);
    let (own, others): (Vec<_>, Vec<_>) = with_person.partition(|(.., one)| is_customers(one));
    let is_filled = |contact: &usize| head.filled(*contact).next().is_some();
    let own = own.iter().filter(|(contact, ..)| is_filled(contact));
    let own: Vec<Field> = own.map(|(_, field, _)| *field).collect();
    let others = others.into_iter().filter_map(|(contact, field, person)| {
        let (person, owner) = person?;
        let header = &head.names[person];
        // The contacts of a spouse behind the customer's are used where the customer has none of that kind.
        let is_near = header_meaning(header).is_some() || has_word(header, &HOUSEHOLD);
        let is_behind = names.iter().any(|name| *name < person);
        let has_own = own
            .iter()
            .any(|one| *one == field || !(is_near && is_behind));
        let is_in_front = !is_near && !is_behind;
        (has_own || is_in_front || owner == Owners::Others).then_some((contact, person))
    });
    others.collect()
}

/// Whether most cells of a column have a word of the customer's name: `Miller Residence` and `Mr. Miller`.
fn are_of_customer(head: &TableHead, (column, names): (usize, &[usize])) -> bool {
    let words = |row: &CandidateRow, columns: &[usize]| -> BTreeSet<String> {
        let cells = columns.iter().filter_map(|column| row.cells.get(*column));
        let words = cells
            .flat_map(|cell| cell.split_whitespace())
            .map(fold_cell);
        words.filter(|word| word.len() >= MIN_WORD).collect()
    };
    let is_same = |row: &&CandidateRow| !words(row, &[column]).is_disjoint(&words(row, names));
    head.below.iter().filter(is_same).count() * 2 > head.filled(column).count()
}

/// Whether most cells of a column are names of persons; false if there are too few rows to tell.
fn has_names_of_persons(head: &TableHead, column: usize) -> bool {
    let is_capitalized = |word: Option<&&str>| {
        word.is_some_and(|word| word.starts_with(|first: char| first.is_uppercase()))
    };
    let is_letter =
        |one: char| one.is_alphabetic() || one.is_whitespace() || ".,'’&-".contains(one);
    let is_name = |cell: &str| {
        let words: Vec<&str> = cell.split_whitespace().collect();
        (2..=5).contains(&words.len())
            && cell.chars().all(is_letter)
            && is_capitalized(words.first())
            && is_capitalized(words.last())
    };
    head.filled(column).count() >= MIN_PERSONS && head.are_mostly(column, 8, is_name)
}

/// Whose the contacts behind a column of persons are, as far as their cells tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owners {
    /// They differ between rows of one person.
    Customers,
    /// They repeat with the person.
    Others,
    /// Each occurs once.
    Unknown,
}

impl Owners {
    fn of(head: &TableHead, (person, contact): (usize, usize)) -> Self {
        let cell = |row: &CandidateRow, column: usize| {
            let cell = row.cells.get(column).map_or("", |cell| cell.trim());
            cell.to_lowercase()
        };
        let rows = head.below.iter().enumerate();
        let rows = rows.map(|(at, row)| (at, cell(row, person), cell(row, contact)));
        let rows: Vec<_> = rows.filter(|(.., contact)| !contact.is_empty()).collect();
        let contacts: BTreeSet<&str> = rows.iter().map(|(.., contact)| contact.as_str()).collect();
        let named = rows.iter().filter(|(_, person, _)| !person.is_empty());
        let persons: BTreeSet<&str> = named.map(|(_, person, _)| person.as_str()).collect();
        // Without a person, each is of another one.
        let pairs = rows.iter().map(|(at, person, contact)| {
            let of_nobody = person.is_empty().then_some(*at);
            (of_nobody, person.as_str(), contact.as_str())
        });
        let pairs: BTreeSet<_> = pairs.collect();
        if contacts.len() * 2 <= rows.len() && rows.len() > 1 {
            Self::Others
        } else if pairs.len() * 2 > persons.len() + rows.len() {
            Self::Customers
        } else {
            Self::Unknown
        }
    }
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

    /// Whether the contact in this column is of another person than the customer in the others.
    fn is_of_other(headers: &str, rows: &[&str], contact: usize) -> bool {
        let head = head(headers, rows);
        let is_name = |column: &usize| ["Name", "Insured Name"].contains(&&*head.names[*column]);
        let names: Vec<usize> = (0..head.names.len()).filter(is_name).collect();
        let mut others = contacts_of_others(&head, &names).into_iter();
        others.any(|(other, _)| other == contact)
    }

    #[test]
    fn contacts_in_front_of_the_name_are_the_customers_if_they_differ_for_one_employee() {
        let headers = "Adjuster,Phone,Insured Name";
        for (rows, expected) in [
            (&["Al,800-1,Ada", "Bo,800-2,Ben", "Cy,800-3,Cat"][..], true),
            (&["Al,800-1,Ada", "Bo,800-2,Ben", "Al,800-1,Cat"], true),
            (&["Al,800-1,Ada", "Al,800-2,Ben", "Al,800-3,Cat"], false),
            (&[",800-1,Ada", ",800-2,Ben", ",800-3,Cat"], false),
            (&["Al,,Ada"], true),
        ] {
            assert_eq!(is_of_other(headers, rows, 1), expected, "{rows:?}");
        }
    }

    #[test]
    fn contacts_behind_another_person_are_not_the_customers_beside_their_own() {
        let rows = [
            "Ada,585-1,Al Tom,al@ins.example",
            "Ben,585-2,Bo Ray,bo@ins.example",
            "Cat,585-3,Cy Lee,cy@ins.example",
            "Dan,585-4,Di Orr,di@ins.example",
            "Eve,585-5,Ed Poe,ed@ins.example",
        ];
        for (headers, expected) in [
            ("Name,Insured Phone,Adjuster,Email", true),
            ("Name,Phone,Adjuster,Email", true),
            ("Name,Phone,Tenant,Email", true),
            ("Name,Phone,Other Owner,Email", true),
            ("Name,Phone,Contact,Email", false),
            ("Name,Phone,Spouse,Email", false),
            ("Name,Email,Spouse,Email 2", true),
            ("Name,Phone,Company,Email", false),
            ("Name,Phone,Owner,Email", false),
            ("Name,Fax,Tenant,Email", false),
        ] {
            assert_eq!(is_of_other(headers, &rows, 3), expected, "{headers}");
        }
        let same = [
            "Ann Tom,585-1,Tom Residence,al@example.com",
            "Bea Ray,585-2,Ray Residence,bo@example.com",
            "Cat Lee,585-3,Lee Residence,cy@example.com",
            "Dan Orr,585-4,Orr Residence,di@example.com",
            "Eve Poe,585-5,Poe Residence,ed@example.com",
        ];
        assert!(!is_of_other("Name,Phone,Project,Email", &same, 3));
        let words = ["Ada,585-1,Web,a@example.com"; 5];
        assert!(!is_of_other("Name,Phone,Source,Email", &words, 3));
    }

    #[test]
    fn the_only_contacts_are_not_the_customers_where_they_repeat_with_another_person() {
        let same = ["Ada,Al Tom,800-1"; 5];
        let each = ["1", "2", "3", "4", "5"].map(|number| format!("Ada,Al Tom,800-{number}"));
        let each = each.each_ref().map(String::as_str);
        for header in ["Referred By", "Team Member"] {
            let headers = format!("Name,{header},Phone");
            assert!(is_of_other(&headers, &same, 2), "{header}");
            assert!(!is_of_other(&headers, &each, 2), "{header}");
        }
    }
}
