//! Compares a row's address with the location to which the service geocoded it.

use crate::model::text::{letters_and_digits, without_plus_four};
use crate::model::{Address, Field, PlacedAddress, has_digit};

/// Returns the parts of an address that differ between a row and the service's response: city, region, postal code.
///
/// The response's components are compared with the row's. In addition, the geocoder's one-line address must contain the
/// city, and the postal code if it has one behind the city. Case, accents and punctuation are ignored.
///
/// # Source
/// S2.4, `address`: the components are as sent and normalized, `formatted` comes from geocoding.
pub fn misplaced_fields(row: &Address, placed: &PlacedAddress) -> Vec<Field> {
    let line = placed
        .formatted
        .as_deref()
        .map(letters_and_digits)
        .filter(|line| !line.is_empty());
    let city = letters_and_digits(&placed.city);
    let is_named = line.as_ref().is_none_or(|line| line.contains(&city));
    let mut fields = Vec::new();
    if letters_and_digits(&row.city) != city || !is_named {
        fields.push(Field::City);
    }
    if letters_and_digits(&row.region) != letters_and_digits(&placed.region) {
        fields.push(Field::Region);
    }
    let (sent, placed) = (
        plain_postal_code(&row.postal_code),
        plain_postal_code(&placed.postal_code),
    );
    let behind_city = line
        .as_deref()
        .map(|line| line.rsplit_once(&city).map_or(line, |(_, tail)| tail));
    let is_other = |tail: &str| has_digit(tail) && !tail.contains(&placed);
    if sent != placed || behind_city.is_some_and(is_other) {
        fields.push(Field::PostalCode);
    }
    fields
}

/// A postal code without spaces, in lower case; for a ZIP+4, the five digits of the ZIP code.
fn plain_postal_code(postal_code: &str) -> String {
    without_plus_four(&letters_and_digits(postal_code)).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row() -> Address {
        Address {
            line1: "12 rue Saint-Paul".to_owned(),
            line2: None,
            city: "Montréal".to_owned(),
            region: "QC".to_owned(),
            postal_code: "H2Y 1G5".to_owned(),
            country: None,
        }
    }

    fn placed(city: &str, region: &str, postal_code: &str, formatted: &str) -> PlacedAddress {
        PlacedAddress {
            line1: "12 Rue Saint-Paul".to_owned(),
            line2: None,
            city: city.to_owned(),
            region: region.to_owned(),
            postal_code: postal_code.to_owned(),
            country: "CA".to_owned(),
            formatted: Some(formatted.to_owned()).filter(|text| !text.is_empty()),
            lat: None,
            lng: None,
        }
    }

    #[test]
    fn spelling_is_no_other_place() {
        let there = placed(
            "MONTREAL",
            "qc",
            "H2Y1G5",
            "12 Rue Saint-Paul, Montreal, QC H2Y 1G5, Canada",
        );
        assert_eq!(misplaced_fields(&row(), &there), []);
        assert_eq!(
            misplaced_fields(&row(), &placed("Montréal", "QC", "H2Y 1G5", "")),
            []
        );
    }

    #[test]
    fn a_line_without_a_postal_code_names_no_other() {
        let there = placed("Montréal", "QC", "H2Y 1G5", "12 Rue St-Paul, Montréal");
        assert_eq!(misplaced_fields(&row(), &there), []);
        let other = placed(
            "Montréal",
            "QC",
            "H2Y 1G5",
            "12 Rue St-Paul, Montréal, QC G1K 3V9",
        );
        assert_eq!(misplaced_fields(&row(), &other), [Field::PostalCode]);
    }

    #[test]
    fn another_city_or_postal_code_is_noticed_in_either_form() {
        let moved = placed(
            "Montréal",
            "QC",
            "H2Y 1G5",
            "12 Rue St-Paul, Québec, QC G1K 3V9, Canada",
        );
        assert_eq!(
            misplaced_fields(&row(), &moved),
            [Field::City, Field::PostalCode]
        );
        let moved = placed("Laval", "ON", "H2Y 1G5", "");
        assert_eq!(
            misplaced_fields(&row(), &moved),
            [Field::City, Field::Region]
        );
    }

    #[test]
    fn a_zip_plus_four_is_in_its_own_zip() {
        let row = |postal_code: &str| Address {
            postal_code: postal_code.to_owned(),
            ..row()
        };
        let placed = |postal_code| placed("Montréal", "QC", postal_code, "");
        let is_elsewhere =
            |one, other| misplaced_fields(&row(one), &placed(other)) == [Field::PostalCode];
        assert!(!is_elsewhere("14604-1234", "14604"));
        assert!(!is_elsewhere("14604", "14604-1234"));
        assert!(is_elsewhere("14605-1234", "14604"));
        assert!(is_elsewhere("H2Y 1G5", "H2Y 1G9"));
        assert!(is_elsewhere("ABCDEFGHI", "ABCDEFGHJ"));
    }
}
