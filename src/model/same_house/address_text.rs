//! The texts of an address, whose city, region or country may stand behind its street too.

use crate::model::region::fold_city;
use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::street_cells::StreetCell;
use crate::model::same_house::street_words::{direction, fold_street, unit_word};
use crate::model::{Address, Country, Region, ends_street, fold_place};

/// The texts of an address.
#[derive(Clone, Copy, Debug)]
pub struct AddressText<'a> {
    /// House number and street.
    pub line1: &'a str,
    /// Unit.
    pub line2: Option<&'a str>,
    /// City.
    pub city: &'a str,
    /// Region.
    pub region: &'a str,
    /// Postal code.
    pub postal_code: &'a str,
    /// Country.
    pub country: Option<Country>,
}

impl<'a> From<&'a Address> for AddressText<'a> {
    fn from(address: &'a Address) -> Self {
        Self {
            line1: &address.line1,
            line2: address.line2.as_deref(),
            city: &address.city,
            region: &address.region,
            postal_code: &address.postal_code,
            country: address.country,
        }
    }
}

impl<'a> AddressText<'a> {
    /// The street without city, region, postal code and country of its own address behind its type or direction:
    /// `12 Elm St Dublin OH` in Dublin is `12 Elm St`. A place that may belong to the street stays: `12 Dublin`,
    /// `5 Rue de Montréal`, `12 Elm St NE`.
    pub(super) fn street(self) -> &'a str {
        let Self {
            line1,
            city,
            region,
            postal_code,
            ..
        } = self;
        let region =
            Region::from_code(region).or_else(|| Region::from_spelling(&fold_place(region)));
        let names = region.map_or([""; 2], |region| [region.code, region.name]);
        let countries = ["US", "USA", "States", "Canada"];
        let mut ends = [city, postal_code]
            .into_iter()
            .chain(names)
            .chain(countries);
        let text = line1.trim_end_matches([' ', '.', ',']);
        // Nearly all streets end otherwise, which costs nothing.
        if !ends.any(|place| may_end_with(text, place)) {
            return line1;
        }
        let place = OwnPlace {
            city: fold_city(city),
            postal_code: fold_place(postal_code),
            region,
        };
        let mut spaces = text.match_indices(' ').map(|(at, _)| text.split_at(at));
        let found = spaces.find(|(street, behind)| {
            !may_belong_to_street(behind, city)
                && place.is_named_by(behind)
                && StreetCell::parse(street, postal_code).has_end()
        });
        found.map_or(line1, |(street, _)| {
            street.trim_end_matches([' ', ',', '-'])
        })
    }
}

/// Whether the last letters of a text are those of a name; accents may be missing.
fn may_end_with(text: &str, name: &str) -> bool {
    let last = |text: &str| text.as_bytes().last_chunk::<2>().copied();
    last(text).zip(last(name)).is_some_and(|(one, other)| {
        one.eq_ignore_ascii_case(&other) || !one.is_ascii() || !other.is_ascii()
    })
}

/// Whether the text behind a street is a direction, or begins with one, a type or a unit: `NE`, `CT 06002`, `FL, USA`.
/// The name of a city such as `St. Clair` does not belong to the street.
fn may_belong_to_street(text: &str, city: &str) -> bool {
    let folded = fold_street(text);
    let mut words = folded
        .split([' ', ',', '.'])
        .filter(|word| !word.is_empty());
    let is_direction = |word: &str| direction(word, PostalRules::Canada).is_some();
    let is_of_street =
        |word: &str| is_direction(word) || ends_street(word) || unit_word(word).is_some();
    let is_city = || city.contains(' ') && fold_city(text).starts_with(&fold_city(city));
    words.clone().all(is_direction) || words.next().is_some_and(is_of_street) && !is_city()
}

/// The place of an address, folded.
struct OwnPlace {
    city: String,
    postal_code: String,
    region: Option<&'static Region>,
}

impl OwnPlace {
    /// Whether a text has the city, the region or the country, and nothing else but the postal code behind them.
    fn is_named_by(&self, text: &str) -> bool {
        let text = fold_city(text);
        let rest = text.strip_prefix(&self.city).unwrap_or(&text);
        let before_country = Country::strip_name(rest);
        let country = &rest[before_country.len()..];
        let region = before_country.strip_suffix(&self.postal_code);
        let region = region.unwrap_or(before_country);
        let is_own = |region: &Region| self.region == Some(region);
        let is_own_country = |region: &Region| Country::from_name(country) == Some(region.country);
        !text.is_empty()
            && text != self.postal_code
            && (region.is_empty() || Region::from_spelling(region).is_some_and(is_own))
            && (country.is_empty() || self.region.is_some_and(is_own_country))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text<'a>(
        line1: &'a str,
        city: &'a str,
        region: &'a str,
        postal_code: &'a str,
    ) -> AddressText<'a> {
        AddressText {
            line1,
            line2: None,
            city,
            region,
            postal_code,
            country: None,
        }
    }

    #[test]
    fn a_street_ends_before_the_place_of_its_own_address() {
        let dublin = ["Dublin", "OH", "43016"];
        let montreal = ["Montréal", "QC", "H2X 1Y4"];
        for (line1, [city, region, postal_code], street) in [
            ("12 Elm St Dublin", dublin, "12 Elm St"),
            ("12 Elm St. DUBLIN", dublin, "12 Elm St."),
            ("12 Elm Street OH", dublin, "12 Elm Street"),
            ("12 Elm St Dublin OH", dublin, "12 Elm St"),
            ("12 Elm St - Dublin, Ohio", dublin, "12 Elm St"),
            ("12 Elm St Dublin 43016", dublin, "12 Elm St"),
            ("12 Elm St Dublin OH 43016 USA", dublin, "12 Elm St"),
            ("12 Elm St USA", dublin, "12 Elm St"),
            ("12 Elm St NW Dublin", dublin, "12 Elm St NW"),
            ("12 Elm St Apt 4 Dublin", dublin, "12 Elm St Apt 4"),
            ("4410 County Road 12 Dublin", dublin, "4410 County Road 12"),
            ("12 North Ave Dublin", dublin, "12 North Ave"),
            (
                "500 rue Rachel Est Montreal",
                montreal,
                "500 rue Rachel Est",
            ),
            (
                "500 av. Laurier E. Montréal Québec Canada",
                montreal,
                "500 av. Laurier E.",
            ),
            (
                "9 Elm St Saint Paul",
                ["St. Paul", "MN", "55101"],
                "9 Elm St",
            ),
            ("9 Ash St CO", ["Denver", "CO", "80202"], "9 Ash St"),
            (
                "12 rue Principale Est Sacré-Coeur",
                ["Sacré-Cœur", "QC", "G0T 1Y0"],
                "12 rue Principale Est",
            ),
            (
                "12 Fox Run Ct, USA",
                ["Avon", "CT", "06001"],
                "12 Fox Run Ct",
            ),
        ] {
            assert_eq!(
                text(line1, city, region, postal_code).street(),
                street,
                "{line1}"
            );
        }
    }

    #[test]
    fn a_place_that_may_be_the_street_or_is_another_address_s_stays() {
        let dublin = ["Dublin", "OH", "43016"];
        let montreal = ["Montréal", "QC", "H2X 1Y4"];
        for (line1, [city, region, postal_code]) in [
            ("12 Dublin", dublin),
            ("12 Ohio St", dublin),
            ("12 Dublin Rd", dublin),
            ("12 Elm Dublin", dublin),
            ("Elm St Dublin", dublin),
            ("12 E Dublin", dublin),
            ("12 Ave North Dublin", dublin),
            ("12 Elm St Columbus", dublin),
            ("12 Elm St Canada", dublin),
            ("12 Elm St Indiana", dublin),
            ("12 Elm St 43016", dublin),
            ("100 Montréal", montreal),
            ("12 Avenue Montréal", montreal),
            ("5 Rue de Montréal", montreal),
            ("5 rue du Vieux Montréal", montreal),
            ("5 rue Saint-Paul Montréal", montreal),
            ("12 Elm St NE", ["Omaha", "NE", "68102"]),
            ("12 Elm St CT", ["Avon", "CT", "06001"]),
            ("12 Fox Run Ct 06001", ["Avon", "CT", "06001"]),
            ("12 Elm St NE 68102", ["Omaha", "NE", "68102"]),
            ("12 Park Ridge WY", ["Cody", "WY", "82414"]),
            ("12 Elm St 2 FL", ["Ocala", "FL", "34470"]),
            ("12 Elm St North East", ["North East", "MD", "21901"]),
            ("9 Court St Clair", ["St Clair", "MI", "48079"]),
        ] {
            assert_eq!(
                text(line1, city, region, postal_code).street(),
                line1,
                "{line1}"
            );
        }
    }
}
