//! House numbers: whether a street begins with one, ranges of them, and those of Queens.

use std::borrow::Cow;

use crate::model::same_house::with_joined_range;
use crate::model::street_types::ends_street;

/// Abbreviated directions, in English and French.
const DIRECTIONS: [&str; 10] = ["n", "s", "e", "w", "o", "ne", "nw", "se", "sw", "no"];

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
    if street.split_whitespace().next().is_some_and(is_fraction)
        || !words.next().is_some_and(is_number)
    {
        return false;
    }
    let rest: Vec<String> = words.map(str::to_lowercase).collect();
    // A phone number has none.
    if !rest.iter().any(|word| word.contains(char::is_alphabetic)) {
        return false;
    }
    let is_type = |word: &str| ends_street(word.trim_end_matches(['.', ',']));
    match rest.as_slice() {
        [only] => !is_type(only),
        // `104 Ave NW`.
        [first, last] => !is_type(first) || !DIRECTIONS.contains(&last.trim_end_matches('.')),
        _ => true,
    }
}

/// Returns the line with the number in front in one spelling: `12 - 14` is `12-14`, `12 & 14` is `12+14`, and where the ZIP
/// code is in Queens, `45-12` is `4512`, because people and geocoders write its house numbers in both ways.
pub(super) fn with_plain_number<'a>(line1: &'a str, postal_code: &str) -> Cow<'a, str> {
    let line1 = with_joined_range(line1);
    let of_queens = ["11004", "11005", "111", "113", "114", "116"];
    if !of_queens.iter().any(|code| postal_code.starts_with(code)) {
        return line1;
    }
    let is_of_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = |(block, house): (&str, &str)| {
        (1..=3).contains(&block.len())
            && house.len() == 2
            && is_of_digits(block)
            && is_of_digits(house)
    };
    let mut words = line1.split_whitespace();
    let number = words.find(|word| word.split_once('-').is_some_and(is_number));
    match number {
        Some(number) => Cow::Owned(line1.replacen(number, &number.replace('-', ""), 1)),
        None => line1,
    }
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
