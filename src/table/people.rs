//! Contacts of the person whose name is sent, beside those of others: `Homeowner Cell` beside `Contact Phone`.

use std::collections::BTreeMap;

use crate::model::{Field, WordList};
use crate::table::synonyms::{COMPANIES_FROM, Meaning, fold, meaning};

static PEOPLE: WordList = WordList::new("people");

/// Behind the ranks of the list, so that a header of the list is used first.
const BEHIND_LIST: usize = 100;

/// The words of the person whose name is sent, folded; none if the header of the name has none.
fn person(headers: &[String], fields: &BTreeMap<Field, Vec<usize>>) -> Option<String> {
    let columns = [Field::FirstName, Field::LastName, Field::Name];
    let mut columns = columns
        .iter()
        .filter_map(|field| fields.get(field)?.first());
    let header = &headers[*columns.next()?];
    let name = fold(header);
    let ends = ["firstname", "lastname", "fullname", "name"];
    let mut words = ends.iter().filter_map(|end| name.strip_suffix(end));
    let words = words.next().unwrap_or(&name);
    let words = words
        .strip_prefix("property")
        .filter(|rest| *rest == "owner")
        .unwrap_or(words);
    // `Site Name` is that of a place, and `Company` has contacts of several persons.
    let is_stand_in = meaning(header).is_some_and(|one| one.rank >= COMPANIES_FROM);
    let is_person = !words.is_empty() && (!is_stand_in || PEOPLE.has(words));
    is_person.then(|| words.to_owned())
}

/// Gives the contacts of the person whose name is sent their meaning, and returns those of others, if it has one of its own.
pub(super) fn contacts_of_others(
    headers: &[String],
    fields: &BTreeMap<Field, Vec<usize>>,
    field: Field,
    meanings: &mut [Option<Meaning>],
) -> Vec<usize> {
    let is_contact = matches!(field, Field::Email | Field::Phone);
    let Some(person) = person(headers, fields).filter(|_| is_contact) else {
        return Vec::new();
    };
    let is_used = |column: &usize| fields.values().flatten().any(|used| used == column);
    let (mut has_own, mut others) = (false, Vec::new());
    for column in (0..headers.len()).filter(|column| !is_used(column)) {
        let header = fold(&headers[column]);
        let header = header
            .strip_prefix("property")
            .filter(|_| person == "owner")
            .unwrap_or(&header);
        if let Some(contact) = header.strip_prefix(person.as_str()) {
            let of_person = meaning(contact).filter(|one| one.field == field);
            has_own |= of_person.is_some();
            let behind = of_person.map(|one| Meaning {
                rank: one.rank + BEHIND_LIST,
                ..one
            });
            meanings[column] = meanings[column].or(behind);
        } else if meanings[column].is_some_and(|one| one.field == field)
            && PEOPLE.iter().any(|other| header.starts_with(other))
        {
            others.push(column);
        }
    }
    if has_own { others } else { Vec::new() }
}
