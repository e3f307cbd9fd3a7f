//! Whether two addresses are of one house, whatever the service normalised.

use std::collections::BTreeSet;

use unicode_normalization::UnicodeNormalization;

use crate::model::{Address, Country};

/// What tells one house from another: postal code, house number and, where given, country.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddressKey {
    postal_code: String,
    numbers: BTreeSet<String>,
    letters: String,
    country: Option<Country>,
}

impl AddressKey {
    /// The house of an address as a row or the service gives it.
    pub fn new(line1: &str, postal_code: &str, country: Option<Country>) -> Self {
        Self {
            postal_code: postal_code
                .chars()
                .filter(|c| c.is_alphanumeric())
                .flat_map(char::to_uppercase)
                .collect(),
            numbers: numbers(line1),
            letters: letters(line1),
            country,
        }
    }

    /// The house of an address.
    pub fn of(address: &Address) -> Self {
        Self::new(&address.line1, &address.postal_code, address.country)
    }

    /// Whether both are of one house: `4-12 Elm` is `12 Elm`, a silent country agrees with either, and a ZIP agrees
    /// with its own ZIP+4, which geocoders like to append.
    pub fn is_same(&self, other: &Self) -> bool {
        same_postal_code(&self.postal_code, &other.postal_code)
            && self.same_number(other)
            && (self.country.is_none() || other.country.is_none() || self.country == other.country)
    }

    fn same_number(&self, other: &Self) -> bool {
        if self.numbers.is_empty() || other.numbers.is_empty() {
            return self.letters == other.letters;
        }
        self.numbers.is_subset(&other.numbers) || other.numbers.is_subset(&self.numbers)
    }
}

fn same_postal_code(one: &str, other: &str) -> bool {
    let zip = |code: &str| {
        code.bytes().all(|byte| byte.is_ascii_digit()) && (code.len() == 5 || code.len() == 9)
    };
    one == other || (zip(one) && zip(other) && one.len() != other.len() && one[..5] == other[..5])
}

fn letters(line1: &str) -> String {
    if line1.is_ascii() {
        // Nearly all text is, and decomposes to itself.
        let kept = line1.chars().filter(char::is_ascii_alphabetic);
        return kept.map(|c| c.to_ascii_lowercase()).collect();
    }
    line1
        .nfkd()
        .filter(|c| c.is_alphabetic())
        .flat_map(char::to_lowercase)
        .collect()
}

fn numbers(line1: &str) -> BTreeSet<String> {
    line1
        .split(|c: char| !c.is_ascii_digit())
        .filter(|digits| !digits.is_empty())
        .map(|digits| digits.trim_start_matches('0').to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(line1: &str, postal_code: &str, country: Option<Country>) -> AddressKey {
        AddressKey::new(line1, postal_code, country)
    }

    fn same(one: &str, other: &str) -> bool {
        house(one, "K1A 0B1", None).is_same(&house(other, "K1A0B1", None))
    }

    #[test]
    fn a_unit_in_front_of_the_number_is_the_same_house() {
        assert!(same("4-12 Elm St", "12 Elm Street"));
        assert!(!same("4-12 Elm St", "14 Elm Street"));
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
    fn the_postal_code_counts_without_spaces_and_case() {
        assert!(house("1 A", "k1a 0b1", None).is_same(&house("1 A", "K1A0B1", None)));
        assert!(!house("1 A", "K1A 0B2", None).is_same(&house("1 A", "K1A 0B1", None)));
    }

    #[test]
    fn a_zip_agrees_with_its_own_zip_plus_four_alone() {
        assert!(house("1 A", "02134", None).is_same(&house("1 A", "02134-1234", None)));
        assert!(!house("1 A", "02134-1234", None).is_same(&house("1 A", "02134-9999", None)));
        assert!(!house("1 A", "02135", None).is_same(&house("1 A", "02134-1234", None)));
    }

    #[test]
    fn a_country_counts_only_where_both_give_one() {
        let canada = Some(Country::Canada);
        let states = Some(Country::UnitedStates);
        assert!(house("1 A", "1", canada).is_same(&house("1 A", "1", None)));
        assert!(!house("1 A", "1", canada).is_same(&house("1 A", "1", states)));
    }
}
