//! Words before or after a header that say which address it belongs to: `roof` in `Address (Roof)` and `Roof City`.
//!
//! `address_sets.rs` has another rule: its words stand in front, need an address of their own beside another one, and give a
//! header its meaning; these may stand behind or be shortened, so that they can only tell that two columns do not belong
//! together.

use crate::model::Field;
use crate::table::synonyms::{additional_words, is_listed, owner_words};
use crate::table::table_head::TableHead;

/// Minimum length of a word that stands for a longer one, such as `Prop` for `Property`.
const SHORTENED: usize = 4;

/// Whether two headers of these fields have words of one owner besides the names of their fields.
pub(super) fn have_one_owner(one: (&str, Field), other: (&str, Field)) -> bool {
    let words = |(header, field)| owner_words(header, field);
    let (one, other) = (words(one), words(other));
    one.iter().any(|one| {
        other.iter().any(|other| {
            let shortest = one.len().min(other.len());
            one == other
                || shortest >= SHORTENED && (one.starts_with(other) || other.starts_with(one))
        })
    })
}

/// Whether a header has other words than the name of its field.
pub(super) fn has_owner(header: &str, field: Field) -> bool {
    !is_listed(header) && !owner_words(header, field).is_empty()
}

/// Whether two parts belong to different addresses: both have words, and none in common; or the sheet has the part of the
/// one that has the words of the other, so that the one without words is of another address.
pub(super) fn are_of_two_owners(
    one: (Field, usize),
    other: (Field, usize),
    head: &TableHead,
) -> bool {
    if are_of_one_owner(one, other, head) {
        return false;
    }
    let is_worded = |(field, column): (Field, usize)| has_owner(&head.names[column], field);
    let has_own = |part, (field, column): (Field, usize)| {
        own_part(part, field, head).is_some_and(|own| own != column)
    };
    is_worded(one) && is_worded(other) || has_own(one, other) || has_own(other, one)
}

/// The first column whose header has the name of a field and the words of another part.
pub(super) fn own_part(part: (Field, usize), field: Field, head: &TableHead) -> Option<usize> {
    // Most parts have no words; a sheet may have thousands of headers.
    if owner_words(&head.names[part.1], part.0).is_empty() {
        return None;
    }
    let is_named = |column: usize| !additional_words(&head.names[column], field).is_empty();
    (0..head.names.len())
        .find(|&column| is_named(column) && are_of_one_owner(part, (field, column), head))
}

/// Whether two parts have words of one owner.
pub(super) fn are_of_one_owner(
    (one, of_one): (Field, usize),
    (other, of_other): (Field, usize),
    head: &TableHead,
) -> bool {
    let names = &head.names;
    let set = |column: usize| head.sets().set_of(&names[column]);
    set(of_one).is_some() && set(of_one) == set(of_other)
        || have_one_owner((&names[of_one], one), (&names[of_other], other))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_around_the_names_of_the_fields_are_compared() {
        for (street, city) in [
            ("Adresse du chantier", "Ville du chantier"),
            ("Address (Roof)", "City (Roof)"),
            ("Address - Site", "Site City"),
            ("Property Address", "Prop City"),
            ("Address_2", "City_2"),
        ] {
            let is_one = have_one_owner((street, Field::Line1), (city, Field::City));
            assert!(is_one, "{street} / {city}");
        }
        for (street, city) in [
            ("Address", "City"),
            ("Roof Address", "City"),
            ("Roof Address", "Office City"),
            ("Property Address", "Velocity"),
            ("Street", "Ship City"),
        ] {
            let is_one = have_one_owner((street, Field::Line1), (city, Field::City));
            assert!(!is_one, "{street} / {city}");
        }
    }
}
