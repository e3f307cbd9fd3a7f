//! Comparison of two addresses under one external id, tolerant of the service's normalization.

use std::collections::BTreeSet;

use crate::model::same_house::street_words::is_numbered_road_word;
use crate::model::same_house::with_plain_number;
use crate::model::street_types::full_street_type;
use crate::model::text::{letters_and_digits, without_plus_four};
use crate::model::whole_address::is_unit;
use crate::model::{Address, Country, WholeAddress, is_ordinal};

/// The parts of an address that identify a house: postal code, the numbers of the street line and, if given, the
/// country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressKey {
    postal_code: String,
    numbers: BTreeSet<String>,
    /// Without those in the name of a street or of a unit: `12 5th Ave` is not `5 Elm St`. Empty if there are no others.
    house_numbers: BTreeSet<String>,
    letters: String,
    /// The words of all lines: the service may move a unit from one line to another.
    words: Vec<String>,
    country: Option<Country>,
}

impl AddressKey {
    /// Builds the key from the parts of an address.
    pub fn new(line1: &str, postal_code: &str, country: Option<Country>) -> Self {
        let line1 = with_plain_number(line1, postal_code);
        let words: Vec<String> = words(&line1).collect();
        Self {
            postal_code: letters_and_digits(postal_code),
            numbers: numbers(&line1),
            house_numbers: house_numbers(&words),
            letters: letters_and_digits(&line1)
                .chars()
                .filter(|c| c.is_alphabetic())
                .collect(),
            words,
            country,
        }
    }

    /// Builds the key of an address in one text, with or without a name in its first line; `None` if it cannot be split.
    pub fn parse_whole(text: &str) -> Option<Self> {
        let below_a_name = || WholeAddress::parse(text.split_once('\n')?.1).ok();
        let address = WholeAddress::parse(text).ok().or_else(below_a_name)?;
        let WholeAddress {
            line1,
            postal_code,
            country,
            ..
        } = address;
        Some(Self::new(&line1, &postal_code, country))
    }

    /// Builds the key of an address.
    pub fn from_address(address: &Address) -> Self {
        let mut key = Self::new(&address.line1, &address.postal_code, address.country);
        let line2 = address.line2.as_deref().unwrap_or_default();
        key.words.extend(words(line2));
        key
    }

    /// Whether both keys can be of one house. `4-12 Elm` matches `12 Elm`, a missing country matches any, and a ZIP
    /// code matches its own ZIP+4, which geocoders append.
    pub fn matches(&self, other: &Self) -> bool {
        same_postal_code(&self.postal_code, &other.postal_code)
            && self.matches_number(other)
            && (self.country.is_none() || other.country.is_none() || self.country == other.country)
    }

    fn matches_number(&self, other: &Self) -> bool {
        if self.words == other.words {
            return true;
        }
        if self.numbers.is_empty() || other.numbers.is_empty() {
            return self.letters == other.letters;
        }
        let are_equal = |one: &BTreeSet<String>, other: &BTreeSet<String>| {
            one.is_subset(other) || other.is_subset(one)
        };
        are_equal(&self.numbers, &other.numbers)
            && are_equal(&self.house_numbers, &other.house_numbers)
    }
}

fn same_postal_code(one: &str, other: &str) -> bool {
    one == other || (one.len() != other.len() && without_plus_four(one) == without_plus_four(other))
}

fn words(line: &str) -> impl Iterator<Item = String> {
    let is_separator = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
    let words = line.split(is_separator).map(letters_and_digits);
    words.filter(|word| !word.is_empty())
}

fn numbers(line1: &str) -> BTreeSet<String> {
    line1
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.trim_start_matches('0').to_owned())
        .collect()
}

/// The numbers of words that are no ordinals, and not behind a word for a road or a unit.
fn house_numbers(words: &[String]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut is_behind_road = false;
    let mut is_behind_unit = false;
    for word in words {
        let road = word.trim_end_matches(|c: char| c.is_ascii_digit());
        if !is_behind_road && !is_behind_unit && !is_ordinal(word) && !is_numbered_road_word(road) {
            found.extend(numbers(word));
        }
        // `County Road 12`.
        let is_way = is_behind_road && full_street_type(word) == Some("road");
        is_behind_road = is_way || is_numbered_road_word(word);
        is_behind_unit = is_unit(word);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Request;

    fn house(line1: &str, postal_code: &str, country: Option<Country>) -> AddressKey {
        AddressKey::new(line1, postal_code, country)
    }

    fn same(one: &str, other: &str) -> bool {
        house(one, "K1A 0B1", None).matches(&house(other, "K1A0B1", None))
    }

    #[test]
    fn a_unit_in_front_of_the_number_is_the_same_house() {
        assert!(same("4-12 Elm St", "12 Elm Street"));
        assert!(!same("4-12 Elm St", "14 Elm Street"));
    }

    #[test]
    fn a_number_in_the_name_of_a_street_or_a_unit_is_no_house_number() {
        for (one, other) in [
            ("12 5th Ave", "5 Elm St"),
            ("4410 County Road 12", "12 Elm St"),
            ("4410 CR12", "12 Elm St"),
            ("212 E 14th St", "14 Elm St"),
            ("12 Elm St Apt 5", "5 Oak St"),
            ("12 5th Ave", "12 6th Ave"),
            ("12 Highway 20", "12 Highway 21"),
        ] {
            assert!(!same(one, other), "{one}, {other}");
        }
        for (one, other) in [
            ("12 5th Ave", "12 Fifth Avenue"),
            ("12 21st St", "12 21 St"),
            ("4410 County Road 12", "4410 Co Rd 12"),
            ("Route 9", "12 Route 9"),
            ("12E Elm St", "12E Elm Street"),
            ("12 Elm St Apt 5", "12 Elm St"),
            ("Apt 5, 12 Elm St", "5-12 Elm St"),
            ("RR 2 Box 15", "Rural Route 2 Box 15"),
            ("5th Ave", "12 5th Ave"),
        ] {
            assert!(same(one, other), "{one}, {other}");
            assert!(same(other, one), "{other}, {one}");
        }
    }

    #[test]
    fn a_number_of_queens_has_a_hyphen_or_none() {
        let matches = |one, other, zip| house(one, zip, None).matches(&house(other, zip, None));
        assert!(matches("45-12 21st St", "4512 21st Street", "11101"));
        assert!(!matches("45-12 21st St", "4514 21st St", "11101"));
        assert!(!matches("45-12 21st St", "4512 21st St", "14604"));
    }

    #[test]
    fn without_numbers_the_letters_decide() {
        assert!(same("Rose Cottage", "rose cottage."));
        assert!(same("Château d'Eau", "CHA\u{302}TEAU D’EAU"));
        assert!(!same("Rose Cottage", "Ivy Cottage"));
        assert!(same("Rose Cottage 12", "Rose Cottage"));
        assert!(!same("12 Elm Street", "Rose Cottage"));
    }

    #[test]
    fn a_unit_may_be_in_either_line() {
        let split = |line1: &str, line2: Option<&str>| {
            AddressKey::from_address(&Address {
                line1: line1.to_owned(),
                line2: line2.map(str::to_owned),
                ..Request::example().address
            })
        };
        let [one, other] = [
            split("Rose Cottage", Some("Apt 3")),
            split("Rose Cottage, Apt 3", None),
        ];
        assert!(one.matches(&other));
        assert!(!one.matches(&split("Ivy Cottage", Some("Apt 3"))));
    }

    #[test]
    fn the_postal_code_counts_without_spaces_and_case() {
        assert!(house("1 A", "k1a 0b1", None).matches(&house("1 A", "K1A0B1", None)));
        assert!(!house("1 A", "K1A 0B2", None).matches(&house("1 A", "K1A 0B1", None)));
    }

    #[test]
    fn a_zip_agrees_with_its_own_zip_plus_four_alone() {
        assert!(house("1 A", "02134", None).matches(&house("1 A", "02134-1234", None)));
        assert!(!house("1 A", "02134-1234", None).matches(&house("1 A", "02134-9999", None)));
        assert!(!house("1 A", "02135", None).matches(&house("1 A", "02134-1234", None)));
    }

    #[test]
    fn only_whole_zips_are_compared_by_their_first_digits() {
        assert!(!house("1 A", "021", None).matches(&house("1 A", "02134-1234", None)));
        assert!(!house("1 A", "02134X", None).matches(&house("1 A", "02134", None)));
        assert!(!house("1 A", "ABCDE", None).matches(&house("1 A", "ABCDEFGHI", None)));
    }

    #[test]
    fn a_country_counts_only_where_both_give_one() {
        let canada = Some(Country::Canada);
        let states = Some(Country::UnitedStates);
        assert!(house("1 A", "1", canada).matches(&house("1 A", "1", None)));
        assert!(!house("1 A", "1", canada).matches(&house("1 A", "1", states)));
    }
}
