//! The geocoder: one area for each country, and a fixed point in it for each address.

use rand::RngExt as _;

use crate::sandbox::options::Country;
use crate::sandbox::random::seeded_rng;
use crate::sandbox::store::{Address, Location};

/// The location of an address at creation. Units of one building share it.
///
/// # Source
/// S2.4, measurement.address.
pub(super) fn geocode(address: &Address) -> Location {
    let (lat, lng) = match address.country {
        Country::CA => (44.2, -79.0),
        Country::US => (40.3, -82.8),
    };
    let mut rng = rng(address);
    Location {
        formatted: formatted(address),
        lat: round(lat + rng.random_range(-1.0..1.0)),
        lng: round(lng + rng.random_range(-1.5..1.5)),
    }
}

/// The location of the rooftop that the contractor confirmed, some metres from the first one.
pub(super) fn refine(address: &Address) -> Location {
    let first = geocode(address);
    let mut rng = rng(address);
    Location {
        lat: round(first.lat + rng.random_range(0.00005..0.0003)),
        lng: round(first.lng - rng.random_range(0.00005..0.0003)),
        ..first
    }
}

fn rng(address: &Address) -> rand::rngs::StdRng {
    let street = address.line1.to_lowercase();
    seeded_rng(0, &["location", &street, &address.postal_code])
}

fn round(degrees: f64) -> f64 {
    (degrees * 1e6).round() / 1e6
}

fn formatted(address: &Address) -> String {
    let unit = address.line2.iter().map(String::as_str);
    let city = format!(
        "{}, {} {}",
        address.city, address.region, address.postal_code
    );
    let parts: Vec<&str> = std::iter::once(address.line1.as_str())
        .chain(unit)
        .chain([city.as_str(), address.country.name()])
        .collect();
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(line1: &str, region: &str, country: Country) -> Address {
        Address {
            line1: line1.to_owned(),
            line2: None,
            city: "Smallville".to_owned(),
            region: region.to_owned(),
            postal_code: "K1A 0B1".to_owned(),
            country,
        }
    }

    #[test]
    fn an_address_keeps_its_point_and_shares_it_with_no_other_address() {
        let points = (0..2_000).map(|number| {
            let line1 = format!("{number} Elm St");
            let place = geocode(&address(&line1, "ON", Country::CA));
            assert_eq!(place, geocode(&address(&line1, "ON", Country::CA)));
            (place.lat.to_bits(), place.lng.to_bits())
        });
        let points: std::collections::HashSet<_> = points.collect();
        assert_eq!(points.len(), 2_000);
    }

    #[test]
    fn city_region_and_postal_code_come_back_as_sent() {
        let place = geocode(&address("12 Elm St", "Yukon", Country::US));
        let expected = "12 Elm St, Smallville, Yukon K1A 0B1, USA";
        assert_eq!(place.formatted, expected);
    }
}
