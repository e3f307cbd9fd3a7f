//! Street, unit and city, once country, postal code and region are taken.

use crate::model::whole_address::words::{
    Direction, direction, is_canadian, is_front_type, is_lone_unit, is_no_city, is_place_type,
    is_place_with, is_street_type, is_unit, is_zip,
};
use crate::model::whole_address::{Segment, WholeAddressError};
use crate::model::{Region, fold_place};

/// The most words of a city's name where no comma sets it off.
const LONGEST_CITY: usize = 4;

/// What is in front of the region.
#[derive(Debug)]
pub(super) struct StreetAndCity {
    pub(super) line1: String,
    pub(super) line2: Option<String>,
    pub(super) city: String,
}

/// The words of a street and what else stands in front of the city.
#[derive(Debug, Default)]
struct AddressFront<'a> {
    street: Segment<'a>,
    /// `9, rue Saint-Jean`: a comma stands behind the number.
    has_comma: bool,
    units: Vec<String>,
}

/// Takes apart what is in front of the region.
pub(super) fn street_and_city(
    mut segments: Vec<Segment<'_>>,
    region: &'static Region,
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
        front.without_comma([number, last].concat())?
    };
    front.finish(&city, region)
}

impl<'a> AddressFront<'a> {
    /// Adds a part in front of the last one.
    fn add(&mut self, segment: Segment<'a>) -> Result<(), WholeAddressError> {
        if let Some(unit) = whole_unit(&segment) {
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

    /// `Unit 4 12 Elm St` without its unit, which is kept.
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

    /// The city where a comma stands in front of it, and perhaps a unit.
    fn city_after_comma(&mut self, last: Segment<'a>) -> Result<Segment<'a>, WholeAddressError> {
        if whole_unit(&last).is_some() {
            return Err(WholeAddressError::NoCity);
        }
        match unit_length(&last) {
            Some(length) => {
                self.units.push(last[..length].join(" "));
                city_without_comma(&last[length..])
            }
            None if direction(last[0]) == Some(Direction::Quadrant) => {
                Err(WholeAddressError::DirectionBesideCity)
            }
            None => {
                let has_type = last.len() > 2
                    && last[1..last.len() - 1]
                        .iter()
                        .any(|word| is_street_type(word));
                if has_type {
                    return Err(WholeAddressError::OddCity(last.join(" ")));
                }
                Ok(last)
            }
        }
    }

    /// Street and city in one part: exactly one street type tells them apart.
    fn without_comma(&mut self, words: Segment<'a>) -> Result<Segment<'a>, WholeAddressError> {
        let words = self.without_unit_in_front(words);
        if let Some(length) = box_length(&words) {
            self.street = words[..length].to_vec();
            return city_without_comma(&words[length..]);
        }
        if !begins_house(&words) {
            return Err(WholeAddressError::NoHouseNumber);
        }
        let types: Vec<usize> = (1..words.len())
            .filter(|index| is_street_type(words[*index]))
            .collect();
        let at = match types.as_slice() {
            [] => return Err(WholeAddressError::NoStreetType),
            // Without a name in front, the name may follow: `12 Avenue Road`, `12 Court Hill`.
            [at] if *at > 1 => *at,
            _ => return Err(WholeAddressError::TwoStreetTypes),
        };
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
        // A unit sets off the city as well as a comma does.
        if rest.len() == behind_street {
            let is_city = rest
                .first()
                .is_some_and(|word| is_place_with(words[at], word));
            if is_city || rest.iter().any(|word| is_place_type(word)) {
                return Err(WholeAddressError::TwoStreetTypes);
            }
        }
        city_without_comma(rest)
    }

    /// Puts the parts together, once nothing in them could be another part.
    fn finish(
        mut self,
        city: &[&str],
        region: &'static Region,
    ) -> Result<StreetAndCity, WholeAddressError> {
        let unit = trailing_unit(&self.street);
        if unit < self.street.len() {
            self.units.insert(0, self.street[unit..].join(" "));
            self.street.truncate(unit);
        }
        refuse_odd_street(&self.street)?;
        refuse_odd_city(city, &self.street, region)?;
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

/// A house number: `12`, `12A`, `92-10`, `#4-12`, `N6W23001`; no `5th`.
fn is_house_number(word: &str) -> bool {
    let word = word.trim_start_matches('#');
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        // Wisconsin's grid.
        let bytes = word.as_bytes();
        return bytes.len() > 3
            && b"NSEW".contains(&bytes[0])
            && bytes[1].is_ascii_digit()
            && bytes[bytes.len() - 1].is_ascii_digit();
    }
    !is_ordinal(word)
}

/// `2nd`, `2e`: no house number. (`12E` is one.)
fn is_ordinal(word: &str) -> bool {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    suffix.len() < word.len()
        && (["st", "nd", "rd", "th"].contains(&suffix.to_ascii_lowercase().as_str())
            || ["e", "er", "eme", "ème"].contains(&suffix))
}

fn begins_house(words: &[&str]) -> bool {
    words.first().is_some_and(|word| is_house_number(word))
        || box_length(words).is_some_and(|length| length == words.len())
}

/// How many words a post-office box or rural route takes at the start.
fn box_length(words: &[&str]) -> Option<usize> {
    let number = words.iter().take(4).position(|word| {
        word.trim_start_matches('#')
            .starts_with(|c: char| c.is_ascii_digit())
    })?;
    let name = fold_place(&words[..number].concat());
    let is_box = [
        "pobox",
        "postofficebox",
        "box",
        "casepostale",
        "cp",
        "rr",
        "ruralroute",
    ]
    .contains(&name.as_str());
    is_box.then_some(number + 1)
}

/// How many words a unit takes at the start.
fn unit_length(words: &[&str]) -> Option<usize> {
    let (first, second) = (*words.first()?, words.get(1));
    let is_numbered = |word: &str| word.contains(|c: char| c.is_ascii_digit());
    if first.starts_with('#') && is_numbered(first) {
        return Some(1);
    }
    let letters = first.trim_end_matches(|c: char| c.is_ascii_digit() || c == '#');
    // `Apt4`, `Ste.200`
    if letters.len() > 2 && letters.len() < first.len() && is_unit(letters) {
        return Some(1);
    }
    if ["basement", "bsmt", "penthouse"].contains(&fold_place(first).as_str()) {
        return Some(1);
    }
    let second = second?;
    let is_letter = second.len() == 1 && second.as_bytes()[0].is_ascii_alphabetic();
    if is_unit(first) && (is_numbered(second) || is_letter) {
        return Some(2);
    }
    let is_floor = ["floor", "fl", "etage"].contains(&fold_place(second).as_str());
    (is_ordinal(first) && is_floor).then_some(2)
}

/// A part that is nothing but units: `Apt 4`, `Bldg 2 Unit B`, `Rear`.
fn whole_unit(segment: &[&str]) -> Option<String> {
    let is_unit = match segment {
        [word] if is_lone_unit(word) => true,
        _ => are_units(segment),
    };
    is_unit.then(|| segment.join(" "))
}

fn are_units(mut words: &[&str]) -> bool {
    let is_some = !words.is_empty();
    while let Some(length) = unit_length(words) {
        words = &words[length..];
        // `Apt 3 B`
        if let [letter] = words
            && letter.len() == 1
        {
            return true;
        }
    }
    is_some && words.is_empty()
}

/// Where the units at the end of a street begin; number and name stay in front.
fn trailing_unit(street: &[&str]) -> usize {
    (2..street.len())
        .find(|&from| are_units(&street[from..]))
        .unwrap_or(street.len())
}

fn refuse_odd_street(street: &[&str]) -> Result<(), WholeAddressError> {
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
            || is_canadian(word)
            || both.is_some_and(|both| is_canadian(&both))
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
    if is_front_type(name[0]) {
        // `12, rue de la Place Royale`
        return Ok(());
    }
    let Some(at) = (1..name.len()).rfind(|index| is_street_type(name[*index])) else {
        return Ok(());
    };
    let behind = &name[at + 1..];
    let belongs = |word: &&str| {
        word.len() == 1 || direction(word).is_some() || word.contains(|c: char| c.is_ascii_digit())
    };
    if behind.iter().all(belongs) {
        Ok(())
    } else {
        Err(WholeAddressError::UnknownPart(behind.join(" ")))
    }
}

/// Whether a street says by itself where it ends.
fn is_complete(street: &[&str]) -> bool {
    box_length(street).is_some() || street[1..].iter().any(|word| is_street_type(word))
}

/// The city in words that no comma sets off from what is in front.
fn city_without_comma<'a>(words: &[&'a str]) -> Result<Segment<'a>, WholeAddressError> {
    let Some(first) = words.first() else {
        return Err(WholeAddressError::NoCity);
    };
    if words.iter().any(|word| direction(word).is_some()) {
        return Err(WholeAddressError::DirectionBesideCity);
    }
    if first.len() < 2 || is_lone_unit(first) || words.len() > LONGEST_CITY {
        return Err(WholeAddressError::OddCity(words.join(" ")));
    }
    let ends_in_region = (1..words.len())
        .any(|from| Region::of_spelling(&fold_place(&words[from..].concat())).is_some());
    if ends_in_region {
        return Err(WholeAddressError::SecondRegion);
    }
    Ok(words.to_vec())
}

fn refuse_odd_city(
    city: &[&str],
    street: &[&str],
    region: &'static Region,
) -> Result<(), WholeAddressError> {
    let odd = || Err(WholeAddressError::OddCity(city.join(" ")));
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
        || city.len() > LONGEST_CITY + 1
        || is_unit(first)
        || is_no_city(first)
        || ["county", "co"].contains(&last.as_str())
    {
        return odd();
    }
    if city.len() == 1 {
        if direction(first).is_some() {
            return Err(WholeAddressError::DirectionBesideCity);
        }
        if is_lone_unit(first) || (is_street_type(first) && !is_complete(street)) {
            return odd();
        }
    }
    // `New York, NY` and `Québec (Québec)` are the cities of their regions' names; `Ontario, ON` is none.
    let is_region = fold_place(&city.concat()) == fold_place(region.name);
    if is_region && !(["NY", "QC"].contains(&region.code) && is_complete(street)) {
        return Err(WholeAddressError::SecondRegion);
    }
    Ok(())
}
