//! The countries that the service serves.

use serde::{Deserialize, Serialize};

use crate::model::fold_place;

/// A country that the service serves.
///
/// # Source
/// S4.5, `address.country`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Country {
    /// Canada.
    #[serde(rename = "CA")]
    Canada,
    /// The United States.
    #[serde(rename = "US")]
    UnitedStates,
}

/// The names of countries in English, French and Spanish, folded; none is the end of one behind it.
const NAMES: [(&str, Country); 13] = [
    ("can", Country::Canada),
    ("cdn", Country::Canada),
    ("canada", Country::Canada),
    ("us", Country::UnitedStates),
    ("usa", Country::UnitedStates),
    ("theunitedstates", Country::UnitedStates),
    ("unitedstates", Country::UnitedStates),
    ("unitedstatesofamerica", Country::UnitedStates),
    ("etatsunis", Country::UnitedStates),
    ("etatsunisdamerique", Country::UnitedStates),
    ("estadosunidos", Country::UnitedStates),
    ("estadosunidosdeamerica", Country::UnitedStates),
    ("eeuu", Country::UnitedStates),
];

impl Country {
    /// Returns the ISO 3166-1 alpha-2 code.
    pub fn code(self) -> &'static str {
        match self {
            Self::Canada => "CA",
            Self::UnitedStates => "US",
        }
    }

    /// Returns the country with an ISO 3166-1 alpha-2 code in upper case.
    pub fn from_code(code: &str) -> Option<Self> {
        match code {
            "CA" => Some(Self::Canada),
            "US" => Some(Self::UnitedStates),
            _ => None,
        }
    }

    /// Returns the country with a name in any case. `CA` is not taken for Canada, because it may be California.
    pub fn from_name(name: &str) -> Option<Self> {
        let folded = fold_place(name);
        let known = NAMES.iter().find(|(known, _)| *known == folded);
        known.map(|(_, country)| *country)
    }

    /// Returns the country that a cell of countries names, by any name or code.
    pub fn from_spelling(text: &str) -> Option<Self> {
        match fold_place(text).as_str() {
            "ca" => Some(Self::Canada),
            // États-Unis, Estados Unidos de América.
            "eu" | "eua" => Some(Self::UnitedStates),
            _ => Self::from_name(text),
        }
    }

    /// Removes the name of a country from the end of a folded text.
    pub fn strip_name(folded: &str) -> &str {
        let mut names = NAMES.iter();
        let rest = names.find_map(|(name, _)| folded.strip_suffix(name));
        rest.unwrap_or(folded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_country_has_names_in_two_languages_and_ca_is_none_of_them() {
        for name in ["Canada", "CAN", "can."] {
            assert_eq!(Country::from_name(name), Some(Country::Canada), "{name}");
        }
        for name in ["U.S.A.", "The United States", "États-Unis d'Amérique"] {
            assert_eq!(
                Country::from_name(name),
                Some(Country::UnitedStates),
                "{name}"
            );
        }
        for name in ["CA", "California", ""] {
            assert_eq!(Country::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn a_cell_of_countries_may_have_names_and_codes_in_three_languages() {
        for text in ["CA", "ca", "Ca.", "CDN"] {
            assert_eq!(
                Country::from_spelling(text),
                Some(Country::Canada),
                "{text}"
            );
        }
        for text in [
            "USA",
            "United States",
            "É.-U.",
            "Estados Unidos",
            "EE. UU.",
            "EUA",
        ] {
            let found = Country::from_spelling(text);
            assert_eq!(found, Some(Country::UnitedStates), "{text}");
        }
        assert_eq!(Country::from_spelling("MX"), None);
    }
}
