//! Address columns with a prefix that is not in the synonym list, such as `Service property street`.
//!
//! `address_owner.rs` has another rule: its words may also stand behind a header, but give it no meaning.

use std::collections::BTreeMap;

use crate::model::Field;
use crate::table::synonyms::{
    Meaning, listed_set_of, meaning, set_of_street_name, unlisted_set_of,
};

/// Words for an address that is not a house's: Outlook has `Business Street` beside `Home Street` for every contact.
const OF_NO_HOUSE: &str = "business";

/// The sets of a sheet that are not in the list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressSets {
    unlisted: Vec<String>,
}

impl AddressSets {
    /// Finds the words that a sheet has in front of a street and of a city or code. They count only beside another
    /// address, so that the user is asked: alone, they may be the words for a colleague or an office.
    pub(super) fn find(headers: &[String]) -> Self {
        let mut fields: BTreeMap<String, Vec<Field>> = BTreeMap::new();
        let mut unlisted = Vec::new();
        for header in headers {
            let listed = || {
                let set = listed_set_of(header).unwrap_or_default();
                Some((set.to_owned(), meaning(header)?))
            };
            let unlisted_set = unlisted_set_of(header).filter(|(set, _)| set != OF_NO_HOUSE);
            if let Some((set, meaning)) = unlisted_set {
                unlisted.push(set.clone());
                fields.entry(set).or_default().push(meaning.field);
            } else if let Some((set, meaning)) = listed() {
                fields.entry(set).or_default().push(meaning.field);
            }
        }
        // `City, State, Zip` in front of `Roof Street, Roof City, …` are of another address, whatever its street is called,
        // unless they repeat parts of a whole address.
        let is_whole =
            |header: &String| meaning(header).is_some_and(|one| one.field == Field::Address);
        let has_whole = headers.iter().any(is_whole);
        fields.retain(|set, fields| {
            let is_place = fields.contains(&Field::City)
                && (fields.contains(&Field::Region) || fields.contains(&Field::PostalCode));
            is_address(fields) || (is_place && !has_whole && !unlisted.contains(set))
        });
        if fields.len() < 2 {
            return Self::default();
        }
        unlisted.sort_unstable();
        unlisted.dedup();
        unlisted.retain(|set| fields.contains_key(set));
        Self { unlisted }
    }

    /// What a header means in this sheet.
    pub(super) fn meaning(&self, header: &str) -> Option<Meaning> {
        meaning(header).or_else(|| self.unlisted(header).map(|(_, meaning)| meaning))
    }

    /// The set that a header belongs to; `None` if it belongs to no set.
    pub(super) fn set_of(&self, header: &str) -> Option<&str> {
        listed_set_of(header)
            .or_else(|| self.unlisted(header).map(|(set, _)| set))
            .or_else(|| set_of_street_name(header))
    }

    fn unlisted(&self, header: &str) -> Option<(&str, Meaning)> {
        if self.unlisted.is_empty() {
            return None;
        }
        let (set, meaning) = unlisted_set_of(header)?;
        let at = self.unlisted.binary_search(&set).ok()?;
        Some((&self.unlisted[at], meaning))
    }
}

/// Whether fields have a street and a city or code.
fn is_address(fields: &[Field]) -> bool {
    let has = |field| fields.contains(&field);
    has(Field::Line1) && (has(Field::City) || has(Field::PostalCode))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(headers: &str) -> AddressSets {
        let headers: Vec<String> = headers.split(',').map(str::to_owned).collect();
        AddressSets::find(&headers)
    }

    #[test]
    fn any_words_in_front_of_an_address_are_a_set_beside_another_address() {
        let front = "Chantier du client";
        let headers =
            format!("Street,City,{front} adresse,{front} ville,{front} code postal,{front} nom");
        let sets = sets(&headers);
        let field = |header: &str| sets.meaning(header).map(|meaning| meaning.field);
        assert_eq!(field("Chantier du client adresse"), Some(Field::Line1));
        assert_eq!(
            field("Chantier du client code postal"),
            Some(Field::PostalCode)
        );
        assert_eq!(field("Chantier du client nom"), None);
        assert_eq!(
            sets.set_of("Chantier du client ville"),
            Some("chantierduclient")
        );
        assert_eq!(field("Velocity"), None);
    }

    #[test]
    fn words_in_front_of_a_single_address_or_of_a_part_are_no_set() {
        for headers in [
            "Office street,Office city,Office zip",
            "Full address,Office street,Office city,Office zip",
            "Street,City,Zip,Office city,Office zip,Email opt street",
            "Address 1 Street,Address 1 City,Address_2 Street,Address_2 City",
        ] {
            assert!(sets(headers).unlisted.is_empty(), "{headers}");
        }
    }
}
