//! The end of an address: country, postal code and region.

use crate::model::whole_address::address_words::{
    is_canadian_postal_code, is_street_type, is_unit, is_zip,
};
use crate::model::whole_address::{Segment, WholeAddressError};
use crate::model::{Country, Region, fold_place, has_digit};

/// The parts at the end of an address, and the words before them.
pub(super) struct AddressTail<'a> {
    /// The words before the region.
    pub(super) rest: Vec<Segment<'a>>,
    /// The province or state.
    pub(super) region: &'static Region,
    /// The province or state as written.
    pub(super) region_text: String,
    /// The postal code as written.
    pub(super) postal_code: String,
    /// The country, if the text names one.
    pub(super) country: Option<Country>,
}

impl<'a> AddressTail<'a> {
    /// Removes country, postal code and region from the end of `text`.
    ///
    /// # Errors
    /// Returns a [`WholeAddressError`] if one of them is missing or has several readings.
    pub(super) fn take(text: &'a str) -> Result<Self, WholeAddressError> {
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

/// The postal code at the end of a street, a unit or a city: a Canadian one, one with its province or state in front,
/// or a ZIP code of the region with this code.
pub fn postal_code_at_end(text: &str, region: &str) -> Option<String> {
    // Hardly any street has as many digits behind its house number, so that this costs nothing.
    let digits = text.split_once(' ')?.1.bytes().filter(u8::is_ascii_digit);
    if digits.count() < MIN_CODE_DIGITS {
        return None;
    }
    let mut rest = segments(text);
    take_country(&mut rest);
    let (postal_code, country) = take_postal_code(&mut rest)?;
    let before = *rest.last()?.last()?;
    // `FL` is a floor too.
    let is_region = Region::from_spelling(&fold_place(before)).is_some();
    let is_other_number = is_unit(before) && !is_region || fold_place(before) == "box";
    let is_of_region =
        Region::from_code(region).is_some_and(|region| region.has_postal_code(&postal_code));
    let is_sure =
        country == Country::Canada || is_of_region || take_region(&mut rest, &postal_code).is_ok();
    (is_sure && !is_other_number).then_some(postal_code)
}

/// Minimum number of digits of a postal code.
pub(super) const MIN_CODE_DIGITS: usize = 3;

/// Characters that separate the parts of an address.
const SEPARATORS: [char; 7] = ['\n', '\r', ',', ';', '|', '•', '·'];

/// The parts of an address between wide spaces, if these stand between street, city, region and postal code, as Mailchimp
/// writes them; elsewhere they are slips.
fn parts_between_wide_spaces(text: &str) -> Option<Vec<&str>> {
    let parts = text.split("  ").map(str::trim);
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    let code = parts
        .iter()
        .rposition(|part| is_zip(part) || is_canadian_postal_code(part))?;
    let (street, unit, city, region) = match parts[..code] {
        [street, city, region] => (street, None, city, region),
        [street, unit, city, region] => (street, unit.split(' ').next(), city, region),
        _ => return None,
    };
    // A street is complete with number, name and type; a city hardly begins with a type.
    let is_complete = street.split(' ').count() > 2
        && street.split(' ').skip(1).any(is_street_type)
        && unit.is_none_or(is_unit);
    let begins_with_type = city.split(' ').next().is_some_and(is_street_type);
    let is_form = is_complete
        && !begins_with_type
        && Region::from_spelling(&fold_place(region)).is_some()
        && !text.contains(SEPARATORS);
    is_form.then_some(parts)
}

fn segments(text: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    let parts = parts_between_wide_spaces(text);
    for part in parts.unwrap_or_else(|| text.split(SEPARATORS).collect()) {
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
    // Most addresses end in their postal code.
    let last = segments
        .last()
        .filter(|last| !last.last().is_some_and(|word| has_digit(word)))?;
    let named = (1..=last.len().min(4)).rev().find_map(|count| {
        let country = Country::from_name(&last[last.len() - count..].join(" "))?;
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
