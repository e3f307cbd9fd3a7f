//! Splits an address in one text into its parts, from the right: country, postal code, region, then city and street.
//!
//! A comma or a line break separates the city; without one, there must be exactly one street type. An address with more
//! than one reading is refused, because a wrong address would become a request that cannot be canceled. There is no
//! list of cities.

mod address_words;
mod street_and_city;

use crate::model::whole_address::address_words::{is_canadian_postal_code, is_zip};
use crate::model::whole_address::street_and_city::{StreetAndCity, street_and_city};
use crate::model::{Country, Region, fold_place};

/// The parts of an address, each as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WholeAddress {
    /// House number and street.
    pub line1: String,
    /// Unit, floor or box.
    pub line2: Option<String>,
    /// City.
    pub city: String,
    /// Province or state, as a code or a name.
    pub region: String,
    /// Postal code or ZIP.
    pub postal_code: String,
    /// The country, if the text names one.
    pub country: Option<Country>,
}

/// Why an address cannot be split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WholeAddressError {
    /// It does not end in a postal code or a ZIP code.
    NoPostalCode,
    /// More than one text could be the postal code.
    SecondPostalCode,
    /// No province or state precedes the postal code.
    NoRegion,
    /// More than one text could be the province or state.
    SecondRegion,
    /// The postal code belongs to another province, state or country.
    RegionMismatch,
    /// It does not begin with a house number.
    NoHouseNumber,
    /// There is no city.
    NoCity,
    /// The text in the place of the city is not a city.
    InvalidCity(String),
    /// No comma separates the city, and there is no known street type.
    NoStreetType,
    /// No comma separates the city, and several words could be the street type.
    TwoStreetTypes,
    /// A direction could belong to the street or to the city.
    AmbiguousDirection,
    /// A part is neither street, unit nor city.
    UnknownPart(String),
}

/// The words between two commas or line breaks.
type Segment<'a> = Vec<&'a str>;

impl WholeAddress {
    /// Splits an address.
    ///
    /// # Errors
    /// Returns a [`WholeAddressError`] if the address has several readings or none.
    pub fn parse(text: &str) -> Result<Self, WholeAddressError> {
        let AddressTail {
            rest,
            region,
            region_text,
            postal_code,
            country,
        } = AddressTail::take(text)?;
        let StreetAndCity { line1, line2, city } = street_and_city(rest, region)?;
        Ok(Self {
            line1,
            line2,
            city,
            region: region_text,
            postal_code,
            country,
        })
    }

    /// Whether a text looks like a whole address, even if it cannot be split: it has a number at the start, and a
    /// province or state with its postal code at the end.
    pub fn is_likely(text: &str) -> bool {
        text.len() <= MAX_BYTES
            && AddressTail::take(text).is_ok_and(|tail| {
                let first = tail.rest.first().and_then(|segment| segment.first());
                let words: usize = tail.rest.iter().map(Vec::len).sum();
                words > 2 && first.is_some_and(|word| word.contains(|c: char| c.is_ascii_digit()))
            })
    }
}

/// Maximum length of an address in bytes.
const MAX_BYTES: usize = 500;

/// The parts at the end of an address, and the words before them.
struct AddressTail<'a> {
    rest: Vec<Segment<'a>>,
    region: &'static Region,
    region_text: String,
    postal_code: String,
    country: Option<Country>,
}

impl<'a> AddressTail<'a> {
    fn take(text: &'a str) -> Result<Self, WholeAddressError> {
        let mut rest = segments(text);
        let mut country = take_country(&mut rest);
        let Some((postal_code, postal_country)) = take_postal_code(&mut rest) else {
            return Err(WholeAddressError::NoPostalCode);
        };
        // `Toronto, Ontario, Canada M5V 1A1`
        country = country.or_else(|| take_country(&mut rest));
        if country.is_some_and(|country| country != postal_country) {
            return Err(WholeAddressError::RegionMismatch);
        }
        let (region, region_text) = take_region(&mut rest, &postal_code)?;
        if rest.is_empty() {
            return Err(WholeAddressError::NoCity);
        }
        Ok(Self {
            rest,
            region,
            region_text,
            postal_code,
            country,
        })
    }
}

fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    for part in text.split(['\n', '\r', ',', ';', '|', '•', '·']) {
        let words: Segment<'_> = part.split_whitespace().collect();
        // A separate dash separates parts, unless it is between two numbers.
        let mut segment = Segment::new();
        for (index, word) in words.iter().enumerate() {
            let is_dash = matches!(*word, "-" | "–" | "—");
            let is_range = segment.len() == 1
                && is_number(segment[0])
                && words.get(index + 1).is_some_and(|after| is_number(after));
            if is_dash && !is_range {
                segments.push(std::mem::take(&mut segment));
            } else {
                segment.push(word);
            }
        }
        segments.push(segment);
    }
    segments.retain(|segment| {
        segment
            .iter()
            .any(|word| word.contains(char::is_alphanumeric))
    });
    segments
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Removes the last words, and the segment if no word remains.
fn remove_last_words(segments: &mut Vec<Segment<'_>>, count: usize) {
    if let Some(last) = segments.last_mut() {
        last.truncate(last.len() - count);
        if last.is_empty() {
            segments.pop();
        }
    }
}

fn take_country(segments: &mut Vec<Segment<'_>>) -> Option<Country> {
    let last = segments.last()?;
    let named = (1..=last.len().min(4)).rev().find_map(|count| {
        let country = address_words::country(&last[last.len() - count..].join(" "))?;
        Some((count, country))
    });
    if let Some((count, country)) = named {
        remove_last_words(segments, count);
        return Some(country);
    }
    // `CA` means Canada only after a Canadian postal code; otherwise it means California.
    if fold_place(last.last()?) == "ca" {
        let mut before = segments.clone();
        remove_last_words(&mut before, 1);
        if let Some((_, Country::Canada)) = take_postal_code(&mut before.clone()) {
            *segments = before;
            return Some(Country::Canada);
        }
    }
    None
}

fn take_postal_code(segments: &mut Vec<Segment<'_>>) -> Option<(String, Country)> {
    let last = segments.last()?;
    let word = last.last()?.trim_end_matches('.');
    if is_zip(word) {
        let code = word.to_owned();
        remove_last_words(segments, 1);
        return Some((code, Country::UnitedStates));
    }
    if is_canadian_postal_code(word) {
        let code = word.to_owned();
        remove_last_words(segments, 1);
        return Some((code, Country::Canada));
    }
    let before = last.len().checked_sub(2).map(|index| last[index])?;
    let both = format!("{before} {word}");
    if before.len() == 3 && is_canadian_postal_code(&both) {
        remove_last_words(segments, 2);
        return Some((both, Country::Canada));
    }
    None
}

/// Removes and returns the region: the longest sequence of last words that is a region with this postal code.
fn take_region(
    segments: &mut Vec<Segment<'_>>,
    postal_code: &str,
) -> Result<(&'static Region, String), WholeAddressError> {
    let last = segments.last().ok_or(WholeAddressError::NoRegion)?;
    let postal_code = postal_code.to_ascii_uppercase();
    let mut disagrees = false;
    for count in (1..=last.len().min(4)).rev() {
        let words = &last[last.len() - count..];
        let folded = fold_place(&words.concat());
        // `Washington DC` is a city and a district.
        let Some(region) = Region::from_spelling(&folded).filter(|_| folded != "washingtondc")
        else {
            continue;
        };
        if !region.has_postal_code(&postal_code) {
            disagrees = true;
            continue;
        }
        let bare = |c| matches!(c, '(' | ')');
        let text = words.join(" ").trim_matches(bare).to_owned();
        remove_last_words(segments, count);
        check_second_region(segments, region)?;
        return Ok((region, text));
    }
    Err(if disagrees {
        WholeAddressError::RegionMismatch
    } else {
        WholeAddressError::NoRegion
    })
}

/// Refuses a second region code where the city should end.
fn check_second_region(
    segments: &[Segment<'_>],
    region: &'static Region,
) -> Result<(), WholeAddressError> {
    let Some(word) = segments.last().and_then(|segment| segment.last()) else {
        return Ok(());
    };
    let folded = fold_place(word);
    let is_again =
        Region::from_spelling(&folded) == Some(region) && folded != fold_place(region.name);
    if Region::from_code(word).is_some() || is_again {
        return Err(WholeAddressError::SecondRegion);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> String {
        match WholeAddress::parse(text) {
            Ok(address) => format!(
                "{} | {} | {} | {} | {}",
                address.line1,
                address.line2.unwrap_or_default(),
                address.city,
                address.region,
                address.postal_code
            ),
            Err(error) => format!("{error:?}"),
        }
    }

    #[test]
    fn a_comma_or_a_line_break_sets_off_the_city() {
        for (text, expected) in [
            (
                "3334 Maple Ave, Toronto ON M5V 1A1",
                "3334 Maple Ave |  | Toronto | ON | M5V 1A1",
            ),
            (
                "12 Elm St\nBoston, MA 02134-1234\nUSA",
                "12 Elm St |  | Boston | MA | 02134-1234",
            ),
            (
                "Unit 4, 12 Elm St, Boston, MA, 02134, United States",
                "12 Elm St | Unit 4 | Boston | MA | 02134",
            ),
            (
                "12 Elm St Apt. 3B, Toronto, Ontario, Canada m5v1a1",
                "12 Elm St | Apt. 3B | Toronto | Ontario | m5v1a1",
            ),
            (
                "9, rue Saint-Jean, bureau 200, Québec (Québec)  G1R 1P1",
                "9, rue Saint-Jean | bureau 200 | Québec | Québec | G1R 1P1",
            ),
            (
                "92-10 Roosevelt Ave, Jackson Heights, NY 11372",
                "92-10 Roosevelt Ave |  | Jackson Heights | NY | 11372",
            ),
            (
                "350 E 200 S, Salt Lake City, UT 84111",
                "350 E 200 S |  | Salt Lake City | UT | 84111",
            ),
            (
                "PO Box 512, Boston, MA 02134",
                "PO Box 512 |  | Boston | MA | 02134",
            ),
            (
                "1600 Pennsylvania Ave NW, Washington DC 20500",
                "1600 Pennsylvania Ave NW |  | Washington | DC | 20500",
            ),
            (
                "12 Elm St, St. John's, Newfoundland and Labrador A1A 1A1",
                "12 Elm St |  | St. John's | Newfoundland and Labrador | A1A 1A1",
            ),
            (
                "12 Elm St, Toronto ON M5V 1A1 CA",
                "12 Elm St |  | Toronto | ON | M5V 1A1",
            ),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn without_a_comma_exactly_one_street_type_does() {
        for (text, expected) in [
            (
                "12 Elm St Boston MA 02134",
                "12 Elm St |  | Boston | MA | 02134",
            ),
            (
                "12 Elm St Boston, MA 02134",
                "12 Elm St |  | Boston | MA | 02134",
            ),
            (
                "12 Elm St. Apt 4 Salt Lake City UT 84111",
                "12 Elm St. | Apt 4 | Salt Lake City | UT | 84111",
            ),
            (
                "12 Elm St NW Albany NY 12207",
                "12 Elm St NW |  | Albany | NY | 12207",
            ),
            ("12 Elm St St Louis MO 63101", "TwoStreetTypes"),
            ("12 Broadway St Louis MO 63101", "TwoStreetTypes"),
            ("12 Park Lane Lake Forest IL 60045", "TwoStreetTypes"),
            ("12 Elm St South Boston MA 02127", "AmbiguousDirection"),
            ("12 Broadway New York NY 10001", "NoStreetType"),
            ("12 Avenue Road Toronto ON M5V 1A1", "TwoStreetTypes"),
            ("12 Elm St MA 02134", "NoCity"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn what_could_be_read_in_two_ways_is_refused() {
        for (text, expected) in [
            ("Rose Cottage, Elm Lane, Boston, MA 02134", "NoHouseNumber"),
            ("12 Elm St, Boston, MA", "NoPostalCode"),
            ("12 Elm St, Boston, 02134", "NoRegion"),
            ("12 Elm St, Boston, NY 02134", "RegionMismatch"),
            ("12 Elm St, Boston, MA 02134, Canada", "RegionMismatch"),
            ("12 Elm St, Portland, OR, ME 04101", "SecondRegion"),
            (
                "12 Elm St, 02134 Boston, MA 02134",
                "InvalidCity(\"02134 Boston\")",
            ),
            ("12 Elm St M5V 1A1, Toronto, ON M5V 1A1", "SecondPostalCode"),
            (
                "12 Elm St, Oakwood Estates, Boston, MA 02134",
                "UnknownPart(\"Oakwood Estates\")",
            ),
            (
                "12 Elm St Boston, Suffolk County, MA 02134",
                "UnknownPart(\"Boston\")",
            ),
            (
                "12 Elm St Dorchester, Boston, MA 02134",
                "UnknownPart(\"Dorchester\")",
            ),
            ("12 Elm St, Apt B, MA 02134", "NoCity"),
            ("", "NoPostalCode"),
        ] {
            assert_eq!(parts(text), expected, "{text}");
        }
    }

    #[test]
    fn any_text_comes_apart_or_is_refused() {
        for text in [
            "(",
            "02134",
            "MA 02134",
            "#",
            ",,,",
            "- - -",
            "é 02134",
            "12 12 MA 02134",
            "# MA 02134",
            "( MA 02134",
        ] {
            assert!(WholeAddress::parse(text).is_err(), "{text}");
        }
    }
}
