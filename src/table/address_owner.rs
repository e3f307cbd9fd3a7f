//! Words in front of or behind a header that tell whose address it is of: `roof` in `Address (Roof)` and `Roof City`.
//!
//! `address_sets.rs` has another rule: its words stand in front, need an address of their own beside another one, and give a
//! header its meaning; these may stand behind or be shortened, so that they can only tell that two columns do not belong
//! together.

use crate::model::Field;
use crate::table::synonyms::{additional_words, fold};

/// Minimum length of a word that stands for a longer one, such as `Prop` for `Property`.
const SHORTENED: usize = 4;

/// Whether two headers of these fields have words of one owner besides the names of their fields.
pub(super) fn have_one_owner(one: (&str, Field), other: (&str, Field)) -> bool {
    let words = |(header, field)| additional_words(&fold(header), field);
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
    !additional_words(&fold(header), field).is_empty()
}

/// The unused column of each part that has the owner of a street, if there are a city and a region or postal code, and
/// the city that is used has another owner.
pub(super) fn unused_parts_of(
    street: &str,
    city: &str,
    headers: &[String],
    is_used: impl Fn(usize) -> bool,
) -> Option<Vec<(Field, usize)>> {
    let of_street = |header: &str, field| have_one_owner((street, Field::Line1), (header, field));
    // Most streets have none; a sheet may have thousands of headers.
    if !has_owner(street, Field::Line1) || of_street(city, Field::City) {
        return None;
    }
    let unused = |field: Field| {
        let column = (0..headers.len())
            .find(|&column| !is_used(column) && of_street(&headers[column], field))?;
        Some((field, column))
    };
    let city = unused(Field::City)?;
    let others = [Field::Region, Field::PostalCode].into_iter();
    let others: Vec<_> = others.filter_map(unused).collect();
    (!others.is_empty()).then(|| std::iter::once(city).chain(others).collect())
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
