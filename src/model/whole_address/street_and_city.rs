//! Street, unit and city: the words before the region.

use crate::model::whole_address::address_words::{
    Direction, begins_place_name, cannot_begin_city, direction, is_canadian_postal_code,
    is_full_type, is_generic_type, is_house_number, is_leading_type, is_place_type,
    is_standalone_unit, is_street_type, is_type_of_no_name, is_unit, is_zip,
};
use crate::model::whole_address::units::{is_units_only, parse_units, unit_length};
use crate::model::whole_address::{Segment, WholeAddressError};
use crate::model::{Region, WordList, fold_place, has_digit};

static NUMBERED_BOXES: WordList = WordList::new("numbered_boxes");

/// Maximum number of words of a city that no comma separates.
const MAX_CITY_WORDS: usize = 4;

/// The parts before the region.
#[derive(Debug)]
pub(super) struct StreetAndCity {
    /// House number and street.
    pub(super) line1: String,
    /// Units, separated by commas; `None` if there are none.
    pub(super) line2: Option<String>,
    /// The city.
    pub(super) city: String,
}

/// The words of the street, and the units found before the city.
#[derive(Debug, Default)]
struct AddressFront<'a> {
    street: Segment<'a>,
    /// Whether a comma follows the house number: `9, rue Saint-Jean`.
    has_comma: bool,
    units: Vec<String>,
}

/// Splits the words before the region.
pub(super) fn street_and_city(
    mut segments: Vec<Segment<'_>>,
    region: &'static Region,
    postal_code: &str,
) -> Result<StreetAndCity, WholeAddressError> {
    let last = segments.pop().ok_or(WholeAddressError::NoCity)?;
    let mut front = AddressFront::default();
    for segment in segments {
        front.add(segment)?;
    }
    let city = if front.street.len() > 1 {
        front.city_after_comma(last)?
    } else {
        let number = std::mem::take(&mut front.street);
        front.has_comma = false;
        front.split_without_comma([number, last].concat())?
    };
    front.finish(&city, region, postal_code)
}

impl<'a> AddressFront<'a> {
    /// Adds a part that precedes the last one.
    fn add(&mut self, segment: Segment<'a>) -> Result<(), WholeAddressError> {
        if let Some(unit) = parse_units(&segment) {
            self.units.push(unit);
            return Ok(());
        }
        match self.street.len() {
            0 => {
                let words = self.without_unit_in_front(segment);
                if !begins_house(&words) {
                    return Err(WholeAddressError::NoHouseNumber);
                }
                self.street = words;
                Ok(())
            }
            1 => {
                self.street.extend(segment);
                self.has_comma = true;
                Ok(())
            }
            _ if box_length(&segment) == Some(segment.len()) => {
                self.units.push(segment.join(" "));
                Ok(())
            }
            _ => Err(WholeAddressError::UnknownPart(segment.join(" "))),
        }
    }

    /// Moves a leading unit, as in `Unit 4 12 Elm St`, to the units.
    fn without_unit_in_front(&mut self, mut words: Segment<'a>) -> Segment<'a> {
        if let Some(length) = unit_length(&words)
            && words.get(length).is_some_and(|word| is_house_number(word))
        {
            let rest = words.split_off(length);
            self.units.push(words.join(" "));
            return rest;
        }
        words
    }

    /// Returns the city of a part that follows a comma and may begin with a unit.
    fn city_after_comma(&mut self, last: Segment<'a>) -> Result<Segment<'a>, WholeAddressError> {
        if parse_units(&last).is_some() {
            return Err(WholeAddressError::NoCity);
        }
        match unit_length(&last) {
            Some(length) => {
                self.units.push(last[..length].join(" "));
                city_without_comma(&last[length..])
            }
            None if direction(last[0]) == Some(Direction::Quadrant) => {
                Err(WholeAddressError::AmbiguousDirection)
            }
            None => {
                let has_type = last.len() > 2
                    && last[1..last.len() - 1]
                        .iter()
                        .any(|word| is_street_type(word));
                if has_type {
                    return Err(WholeAddressError::InvalidCity(last.join(" ")));
                }
                Ok(last)
            }
        }
    }

    /// Splits street and city of one part, which must contain exactly one street type.
    fn split_without_comma(
        &mut self,
        words: Segment<'a>,
    ) -> Result<Segment<'a>, WholeAddressError> {
        let words = self.without_unit_in_front(words);
        if let Some(length) = box_length(&words) {
            self.street = words[..length].to_vec();
            return city_without_comma(&words[length..]);
        }
        if !begins_house(&words) {
            return Err(WholeAddressError::NoHouseNumber);
        }
        let at = type_index(&words).ok_or(WholeAddressError::UncertainCity)?;
        let mut rest = &words[at + 1..];
        if rest.first().and_then(|word| direction(word)) == Some(Direction::Quadrant) {
            rest = &rest[1..];
        }
        self.street = words[..words.len() - rest.len()].to_vec();
        let behind_street = rest.len();
        while let Some(length) = unit_length(rest) {
            self.units.push(rest[..length].join(" "));
            rest = &rest[length..];
        }
        // A unit separates the city as a comma does.
        if rest.len() == behind_street {
            let is_city = rest
                .first()
                .is_some_and(|word| begins_place_name(words[at], word));
            let is_certain = is_full_type(words[at]) && is_city_of_two_words(rest);
            let has_place_type = rest.iter().any(|word| is_place_type(word));
            if is_city || has_place_type && !is_certain || is_word_city(rest) {
                return Err(WholeAddressError::UncertainCity);
            }
        }
        city_without_comma(rest)
    }

    /// Combines the parts if each has only one reading.
    fn finish(
        mut self,
        city: &[&str],
        region: &'static Region,
        postal_code: &str,
    ) -> Result<StreetAndCity, WholeAddressError> {
        let unit = trailing_unit(&self.street);
        if unit < self.street.len() {
            self.units.insert(0, self.street[unit..].join(" "));
            self.street.truncate(unit);
        }
        check_street(&self.street)?;
        check_city(city, &self.street, region, postal_code)?;
        let separator = if self.has_comma { ", " } else { " " };
        let line1 = format!(
            "{}{separator}{}",
            self.street[0],
            self.street[1..].join(" ")
        );
        Ok(StreetAndCity {
            line1,
            line2: (!self.units.is_empty()).then(|| self.units.join(", ")),
            city: city.join(" "),
        })
    }
}

/// The index of the type that ends the street, if exactly one can.
fn type_index(words: &[&str]) -> Option<usize> {
    let indexes = (1..words.len()).filter(|index| is_street_type(words[*index]));
    let mut types: Vec<usize> = indexes.collect();
    // `Grove St`: a type in front of which no name stands, and one with which no city begins.
    if let [1, 2, ..] = types[..]
        && !is_generic_type(words[1])
        && is_type_of_no_name(words[2])
    {
        types.remove(0);
    }
    // `Bryden Rd Grove City`: no city is called `City`.
    if let [at, next] = types[..]
        && next == at + 1
        && is_full_type(words[at])
        && is_city_of_two_words(&words[next..])
    {
        types.pop();
    }
    match types[..] {
        // A type without a name before it may begin the name: `12 Avenue Road`, `12 Court Hill`.
        [at] if at > 1 && !is_leading_type(words[at]) => Some(at),
        _ => None,
    }
}

fn is_city_of_two_words(words: &[&str]) -> bool {
    words.len() == 2 && is_word_city(&words[1..])
}

/// Whether words are `City` alone, which is the end of the name of a city.
fn is_word_city(words: &[&str]) -> bool {
    matches!(words, [word] if word.eq_ignore_ascii_case("city"))
}

fn begins_house(words: &[&str]) -> bool {
    words.first().is_some_and(|word| is_house_number(word))
        || box_length(words).is_some_and(|length| length == words.len())
}

/// The number of words that a post-office box or rural route takes at the start.
fn box_length(words: &[&str]) -> Option<usize> {
    let number = words.iter().take(4).position(|word| {
        word.trim_start_matches('#')
            .starts_with(|c: char| c.is_ascii_digit())
    })?;
    let name = fold_place(&words[..number].concat());
    NUMBERED_BOXES.has(&name).then_some(number + 1)
}

/// The index at which the units at the end of a street begin; number and name precede them.
fn trailing_unit(street: &[&str]) -> usize {
    (2..street.len())
        .find(|&from| is_units_only(&street[from..]))
        .unwrap_or(street.len())
}

fn check_street(street: &[&str]) -> Result<(), WholeAddressError> {
    if box_length(street).is_some() {
        return Ok(());
    }
    let [number, name @ ..] = street else {
        return Err(WholeAddressError::NoHouseNumber);
    };
    let has_letter = |word: &&str| word.contains(char::is_alphabetic);
    if !is_house_number(number) || !name.iter().any(has_letter) {
        return Err(WholeAddressError::NoHouseNumber);
    }
    for (index, word) in name.iter().enumerate() {
        let next = name.get(index + 1);
        let is_grid = next.is_some_and(|next| direction(next).is_some());
        let both = next.map(|next| format!("{word} {next}"));
        if (is_zip(word) && !is_grid)
            || is_canadian_postal_code(word)
            || both.is_some_and(|both| is_canadian_postal_code(&both))
        {
            return Err(WholeAddressError::SecondPostalCode);
        }
    }
    let joins_two = |pair: &[&str]| {
        ["and", "et", "or", "to", "&", "+"].contains(&pair[0].to_ascii_lowercase().as_str())
            && is_house_number(pair[1])
    };
    if name.windows(2).any(joins_two) {
        return Err(WholeAddressError::UnknownPart(name.join(" ")));
    }
    if is_leading_type(name[0]) {
        // `12, rue de la Place Royale`
        return Ok(());
    }
    let Some(at) = (1..name.len()).rfind(|index| is_street_type(name[*index])) else {
        return Ok(());
    };
    let behind = &name[at + 1..];
    let belongs = |word: &&str| word.len() == 1 || direction(word).is_some() || has_digit(word);
    if behind.iter().all(belongs) {
        Ok(())
    } else {
        Err(WholeAddressError::UnknownPart(behind.join(" ")))
    }
}

/// Whether the end of a street is known from its own words.
fn is_complete(street: &[&str]) -> bool {
    box_length(street).is_some() || street[1..].iter().any(|word| is_street_type(word))
}

/// Returns the city in words that no comma separates from the street.
fn city_without_comma<'a>(words: &[&'a str]) -> Result<Segment<'a>, WholeAddressError> {
    let Some(first) = words.first() else {
        return Err(WholeAddressError::NoCity);
    };
    if words.iter().any(|word| direction(word).is_some()) {
        return Err(WholeAddressError::AmbiguousDirection);
    }
    if first.len() < 2 || is_standalone_unit(first) || words.len() > MAX_CITY_WORDS {
        return Err(WholeAddressError::InvalidCity(words.join(" ")));
    }
    let ends_in_region = (1..words.len())
        .any(|from| Region::from_spelling(&fold_place(&words[from..].concat())).is_some());
    if ends_in_region {
        return Err(WholeAddressError::SecondRegion);
    }
    Ok(words.to_vec())
}

fn check_city(
    city: &[&str],
    street: &[&str],
    region: &'static Region,
    postal_code: &str,
) -> Result<(), WholeAddressError> {
    let odd = || Err(WholeAddressError::InvalidCity(city.join(" ")));
    let [first, ..] = city else {
        return Err(WholeAddressError::NoCity);
    };
    let is_name = |word: &&str| {
        word.contains(char::is_alphabetic)
            && word
                .chars()
                .all(|c| c.is_alphabetic() || "-'’.".contains(c))
    };
    let last = fold_place(city[city.len() - 1]);
    if !city.iter().all(is_name)
        || city.len() > MAX_CITY_WORDS + 1
        || is_unit(first)
        || cannot_begin_city(first)
        || ["county", "co"].contains(&last.as_str())
    {
        return odd();
    }
    if city.len() == 1 {
        if direction(first).is_some() {
            return Err(WholeAddressError::AmbiguousDirection);
        }
        if is_standalone_unit(first) || (is_street_type(first) && !is_complete(street)) {
            return odd();
        }
    }
    // `New York, NY` and `Québec (Québec)` are cities with their region's name; `Ontario, ON` is not.
    let is_region = fold_place(&city.concat()) == fold_place(region.name);
    let codes = codes_of_own_city(region);
    let has_code = codes
        .iter()
        .any(|code| fold_place(postal_code).starts_with(code));
    if is_region && (codes.is_empty() || !(has_code || is_complete(street))) {
        return Err(WholeAddressError::SecondRegion);
    }
    Ok(())
}

/// The first characters of the postal codes of the city that has the name of its region; none if there is no such city.
fn codes_of_own_city(region: &Region) -> &'static [&'static str] {
    match region.code {
        "NY" => &["100", "101", "102"],
        "QC" => &["g1", "g2", "g3"],
        _ => &[],
    }
}
