//! Whether a street begins with a house number.

use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::street_words::direction;
use crate::model::street_types::ends_street;

/// Whether a street begins with a house number, unlike the names `5th Ave` and `104 Ave NW`.
pub fn has_house_number(street: &str) -> bool {
    let mut words = street.split_whitespace();
    let is_number = |word: &str| {
        let letters = word.chars().filter(|c| c.is_alphabetic());
        word.starts_with(|c: char| c.is_ascii_digit()) && letters.count() < 2
    };
    // The `1/2` of `64 1/2 Sunset Pl` may stand in the column of the street.
    let is_fraction = |word: &str| {
        let parts = word.split_once('/');
        parts.is_some_and(|(one, other)| one.len() == 1 && other.len() == 1)
    };
    let first = words.next();
    if !first.is_some_and(|word| is_number(word) && !is_fraction(word)) {
        return false;
    }
    let rest: Vec<String> = words.map(str::to_lowercase).collect();
    // A phone number has none.
    if !rest.iter().any(|word| word.contains(char::is_alphabetic)) {
        return false;
    }
    let is_type = |word: &str| ends_street(word.trim_end_matches(['.', ',']));
    let is_direction =
        |word: &str| word.len() < 3 && direction(word, PostalRules::Canada).is_some();
    match rest.as_slice() {
        [only] => !is_type(only),
        // `104 Ave NW`.
        [first, last] => !is_type(first) || !is_direction(last.trim_end_matches('.')),
        _ => true,
    }
}

/// Whether a word is an ordinal: `2nd`, `2e`. `12E` is a house number.
pub fn is_ordinal(word: &str) -> bool {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    suffix.len() < word.len()
        && (["st", "nd", "rd", "th"].contains(&suffix.to_ascii_lowercase().as_str())
            || ["e", "er", "re", "eme", "ème"].contains(&suffix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_in_front_of_a_street_is_told_from_one_in_its_name() {
        for street in [
            "100 Maple St",
            "12A Elm",
            "12, rue Roy",
            "5 5th Ave",
            "9 N Main St",
            "28 Highway 31",
            "6 Avenue C",
        ] {
            assert!(has_house_number(street), "{street}");
        }
        for street in [
            "",
            "Maple St",
            "614 555 0100",
            "5th Ave",
            "104",
            "104 Ave",
            "104 Ave. NW",
            "1/2 Sunset Pl",
            "1re Avenue",
        ] {
            assert!(!has_house_number(street), "{street}");
        }
    }
}
