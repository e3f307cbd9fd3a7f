//! Whether the service placed a house where its row says it stands.

use unicode_normalization::UnicodeNormalization;

use crate::model::{Address, PlacedAddress};

/// What of a placed address lies elsewhere than the row says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Elsewhere {
    /// Another city.
    City,
    /// Another province or state.
    Region,
    /// Another postal code or ZIP.
    PostalCode,
}

impl Elsewhere {
    /// As people say it.
    pub fn name(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Region => "region",
            Self::PostalCode => "postal code",
        }
    }
}

/// Compares the row's address with the service's own: its components, and the geocoder's one-line address where that
/// has the usual shape `street, city, region code, country`.
///
/// # Source
/// S2.4, `measurement.address`.
pub fn placed_elsewhere(row: &Address, placed: &PlacedAddress) -> Vec<Elsewhere> {
    let geocoded = placed.formatted.as_deref().and_then(Geocoded::read);
    let geocoded = geocoded.as_ref();
    let mut found = Vec::new();
    let city = geocoded.map_or(&placed.city, |geocoded| &geocoded.city);
    if folded(&row.city) != folded(&placed.city) || folded(&row.city) != folded(city) {
        found.push(Elsewhere::City);
    }
    let region = geocoded.map_or(&placed.region, |geocoded| &geocoded.region);
    if is_other_region(&row.region, &placed.region) || is_other_region(&row.region, region) {
        found.push(Elsewhere::Region);
    }
    let code = geocoded.map_or(&placed.postal_code, |geocoded| &geocoded.postal_code);
    if is_other_code(&row.postal_code, &placed.postal_code) || is_other_code(&row.postal_code, code)
    {
        found.push(Elsewhere::PostalCode);
    }
    found
}

/// The end of a geocoder's address.
struct Geocoded {
    city: String,
    region: String,
    postal_code: String,
}

impl Geocoded {
    /// Finds the part `ON K1A 0B1` or `MA 02134`, and the city in front of it.
    fn read(formatted: &str) -> Option<Self> {
        let parts: Vec<&str> = formatted.split(',').map(str::trim).collect();
        let at = parts.iter().rposition(|part| {
            let code = part.split_once(' ').map(|(_, code)| code);
            code.is_some_and(is_postal_code)
        })?;
        let (region, postal_code) = parts[at].split_once(' ')?;
        let is_code = region.len() == 2 && region.bytes().all(|byte| byte.is_ascii_alphabetic());
        if !is_code || at == 0 {
            return None;
        }
        Some(Self {
            city: parts[at - 1].to_owned(),
            region: region.to_owned(),
            postal_code: postal_code.to_owned(),
        })
    }
}

fn is_postal_code(text: &str) -> bool {
    let shape: String = bare(text)
        .chars()
        .map(|c| if c.is_ascii_digit() { '9' } else { 'A' })
        .collect();
    matches!(shape.as_str(), "A9A9A9" | "99999" | "999999999")
}

/// Two codes of two letters can be compared; a name in full beside a code cannot, and raises nothing.
fn is_other_region(row: &str, placed: &str) -> bool {
    let (row, placed) = (folded(row), folded(placed));
    row != placed && (row.len() == placed.len() || (row.len() > 3 && placed.len() > 3))
}

/// A ZIP agrees with its own ZIP+4.
fn is_other_code(row: &str, placed: &str) -> bool {
    let (row, placed) = (bare(row), bare(placed));
    let shorter = row.len().min(placed.len());
    let both_zips = shorter == 5 && row.len().max(placed.len()) == 9;
    if both_zips {
        row[..5] != placed[..5]
    } else {
        row != placed
    }
}

fn bare(code: &str) -> String {
    code.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_uppercase())
        .collect()
}

/// Lower-case letters and digits without accents; the saints, mounts and forts of place names in one spelling.
fn folded(name: &str) -> String {
    let plain: String = name
        .nfkd()
        .filter(|c| c.is_alphanumeric() || c.is_whitespace() || matches!(c, '-' | '.'))
        .flat_map(char::to_lowercase)
        .collect();
    plain
        .split(|c: char| c.is_whitespace() || matches!(c, '-' | '.'))
        .map(|word| match word {
            "st" => "saint",
            "ste" => "sainte",
            "mt" => "mount",
            "ft" => "fort",
            word => word,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(city: &str, region: &str, postal_code: &str) -> Address {
        Address {
            line1: "12 Elm St".to_owned(),
            line2: None,
            city: city.to_owned(),
            region: region.to_owned(),
            postal_code: postal_code.to_owned(),
            country: None,
        }
    }

    fn placed(formatted: &str) -> PlacedAddress {
        PlacedAddress {
            line1: "12 Elm St".to_owned(),
            line2: None,
            city: "Ottawa".to_owned(),
            region: "ON".to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country: "CA".to_owned(),
            formatted: Some(formatted.to_owned()),
            lat: None,
            lng: None,
        }
    }

    const HERE: &str = "12 Elm St, Ottawa, ON K1A 0B1, Canada";

    #[test]
    fn the_same_place_in_another_spelling_is_the_same_place() {
        assert_eq!(
            placed_elsewhere(&row("OTTAWA ", "on", "k1a0b1"), &placed(HERE)),
            []
        );
        let mut saint = placed("1 Rue A, Saint-Jérôme, QC J7Z 1A1, Canada");
        saint.city = "St-Jérôme".to_owned();
        saint.region = "QC".to_owned();
        saint.postal_code = "J7Z 1A1".to_owned();
        assert_eq!(
            placed_elsewhere(&row("St. Jerome", "QC", "J7Z 1A1"), &saint),
            []
        );
    }

    #[test]
    fn a_geocoder_that_went_to_another_town_is_noticed() {
        let elsewhere = placed("12 Elm St, Kingston, ON K7L 1A1, Canada");
        assert_eq!(
            placed_elsewhere(&row("Ottawa", "ON", "K1A 0B1"), &elsewhere),
            [Elsewhere::City, Elsewhere::PostalCode]
        );
        let abroad = placed("12 Elm St, Ottawa, IL 61350, USA");
        assert_eq!(
            placed_elsewhere(&row("Ottawa", "ON", "K1A 0B1"), &abroad),
            [Elsewhere::Region, Elsewhere::PostalCode]
        );
    }

    #[test]
    fn an_address_of_an_unusual_shape_raises_nothing_by_itself() {
        assert_eq!(
            placed_elsewhere(
                &row("Ottawa", "Ontario", "K1A 0B1"),
                &placed("12 Elm, somewhere")
            ),
            []
        );
    }

    #[test]
    fn a_zip_agrees_with_its_own_zip_plus_four() {
        assert!(!is_other_code("02134", "02134-1234"));
        assert!(is_other_code("02135", "02134-1234"));
    }
}
