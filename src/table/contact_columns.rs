//! Whose contacts the columns of emails and phones have.

use std::collections::BTreeSet;

use crate::model::Field;
use crate::table::near_columns::{STAFF, has_word, has_word_for_customer};
use crate::table::synonyms::header_meaning;
use crate::table::table_head::{CandidateRow, TableHead};

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
