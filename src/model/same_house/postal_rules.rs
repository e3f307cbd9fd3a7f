//! The country by whose rules an address is read, and postal codes as they are compared.

use crate::model::{Country, has_only_digits, is_of_digits};

/// The country whose rules apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::model) enum PostalRules {
    Canada,
    UnitedStates,
}

impl PostalRules {
    /// The rules of a country, or without one, those of the country with such postal codes.
    pub(super) fn new(country: Option<Country>, short_postal_code: &str) -> Self {
        let is_zip = has_only_digits(short_postal_code);
        if country.map_or(is_zip, |country| country == Country::UnitedStates) {
            Self::UnitedStates
        } else {
            Self::Canada
        }
    }
}

/// The five digits of a ZIP code, with leading zeros restored that a spreadsheet removed; any other code without
/// spaces, in upper case.
pub(crate) fn short_postal_code(postal_code: &str) -> String {
    let mut code = String::with_capacity(postal_code.len());
    for c in postal_code.chars().filter(|c| c.is_alphanumeric()) {
        if c.is_ascii() {
            code.push(c.to_ascii_uppercase());
        } else {
            code.extend(c.to_uppercase());
        }
    }
    let is_zip = is_of_digits(&code);
    match code.len() {
        1..=4 if is_zip => format!("{code:0>5}"),
        6..=9 if is_zip => format!("{code:0>9}")[..5].to_owned(),
        _ => code,
    }
}
