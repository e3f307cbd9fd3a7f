//! A geocoder that knows regions, not streets: it puts each house at a fixed spot somewhere in its province or state.

use rand::RngExt as _;

use crate::sandbox::chance::chance;
use crate::sandbox::options::Country;
use crate::sandbox::world::{Address, Place};

/// Where an address is taken to be when it arrives. The same house is always the same spot, whatever its unit.
///
/// # Source
/// S2.4, measurement.address.
pub(super) fn geocode(address: &Address) -> Place {
    let (lat, lng) = middle(address);
    let mut chance = spot(address);
    Place {
        formatted: formatted(address),
        lat: round(lat + chance.random_range(-0.6..0.6)),
        lng: round(lng + chance.random_range(-0.9..0.9)),
    }
}

/// Where the contractor confirmed the rooftop: some metres from the first guess.
pub(super) fn refine(address: &Address) -> Place {
    let guess = geocode(address);
    let mut chance = spot(address);
    Place {
        lat: round(guess.lat + chance.random_range(0.00005..0.0003)),
        lng: round(guess.lng - chance.random_range(0.00005..0.0003)),
        ..guess
    }
}

fn spot(address: &Address) -> rand::rngs::StdRng {
    let street = address.line1.to_lowercase();
    chance(0, &["spot", &street, &address.postal_code])
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

fn middle(address: &Address) -> (f64, f64) {
    let region = address.region.to_uppercase();
    let table = match address.country {
        Country::CA => PROVINCES,
        Country::US => STATES,
    };
    let known = table.iter().find(|(code, ..)| *code == region);
    let (_, lat, lng) = *known.unwrap_or(&table[0]);
    (lat, lng)
}

/// Roughly where people live in each; the first stands for a region that is not listed.
const PROVINCES: &[(&str, f64, f64)] = &[
    ("ON", 44.2, -79.0),
    ("AB", 52.3, -113.8),
    ("BC", 49.8, -121.5),
    ("MB", 50.0, -97.6),
    ("NB", 46.3, -66.4),
    ("NL", 48.3, -54.6),
    ("NS", 45.0, -63.3),
    ("NT", 62.5, -114.4),
    ("NU", 63.7, -68.5),
    ("PE", 46.3, -63.2),
    ("QC", 46.2, -72.5),
    ("SK", 51.5, -105.7),
    ("YT", 60.7, -135.1),
];

/// Likewise.
const STATES: &[(&str, f64, f64)] = &[
    ("KS", 38.5, -97.5),
    ("AK", 61.2, -149.8),
    ("AL", 33.0, -86.8),
    ("AR", 34.8, -92.4),
    ("AZ", 33.4, -111.9),
    ("CA", 36.8, -119.8),
    ("CO", 39.6, -104.9),
    ("CT", 41.6, -72.7),
    ("DC", 38.9, -77.0),
    ("DE", 39.2, -75.5),
    ("FL", 28.2, -81.7),
    ("GA", 33.3, -84.0),
    ("HI", 21.3, -157.8),
    ("IA", 41.9, -93.4),
    ("ID", 43.6, -115.0),
    ("IL", 41.0, -88.8),
    ("IN", 39.9, -86.2),
    ("KY", 37.8, -85.0),
    ("LA", 30.6, -91.5),
    ("MA", 42.3, -71.6),
    ("MD", 39.2, -76.8),
    ("ME", 44.3, -69.7),
    ("MI", 42.9, -84.2),
    ("MN", 45.3, -93.9),
    ("MO", 38.4, -92.3),
    ("MS", 32.6, -89.8),
    ("MT", 46.4, -110.8),
    ("NC", 35.5, -79.6),
    ("ND", 47.3, -99.2),
    ("NE", 41.1, -97.5),
    ("NH", 43.2, -71.5),
    ("NJ", 40.3, -74.5),
    ("NM", 34.6, -106.2),
    ("NV", 38.2, -117.2),
    ("NY", 41.9, -74.9),
    ("OH", 40.3, -82.8),
    ("OK", 35.5, -97.2),
    ("OR", 44.6, -122.3),
    ("PA", 40.6, -77.3),
    ("PR", 18.3, -66.4),
    ("RI", 41.7, -71.5),
    ("SC", 34.0, -81.0),
    ("SD", 44.2, -99.0),
    ("TN", 35.8, -86.6),
    ("TX", 31.2, -97.6),
    ("UT", 40.4, -111.8),
    ("VA", 37.6, -78.2),
    ("VT", 44.1, -72.7),
    ("WA", 47.4, -121.6),
    ("WI", 43.9, -89.4),
    ("WV", 38.7, -80.7),
    ("WY", 42.5, -107.3),
];
