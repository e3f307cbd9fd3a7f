//! The units of an address: apartments, suites, floors.

use std::borrow::Cow;

use crate::model::has_digit;
use crate::model::same_house::numbers::is_number_sign;
use crate::model::same_house::street_words::{UnitWord, Word, name_word, normalized, unit_word};

/// Precedes the value of a building beside other units, so that `Bldg 4 Apt 2` is not `Bldg 2 Apt 4`.
pub(super) const BUILDING: char = '+';

/// The words of a unit as one text: `Apt 4-B` is `4b`, `2nd floor` is `floor2`, `Apt 4 Bldg 2` is `+2 4`.
pub(super) fn unit_text(words: &[Word<'_>]) -> String {
    let mut units = vec![String::new()];
    let kind = |at: usize| words.get(at).and_then(|word| unit_word(word));
    for (at, word) in words.iter().enumerate() {
        let is_named = at > 0 && kind(at - 1) == Some(UnitWord::Designator);
        let next = words.get(at + 1);
        let is_followed = next.is_some_and(|next| unit_word(next).is_none());
        match unit_word(word) {
            // One in front of a value begins another unit; in `Apt # 4`, there is one.
            Some(UnitWord::Designator) if is_followed => {
                let is_building = matches!(word.as_ref(), "bldg" | "building");
                begin_unit(&mut units).extend(is_building.then_some(BUILDING));
            }
            Some(UnitWord::Designator) => {}
            // In `Apt 4 Floor 2`, the value follows; in `2nd Floor`, it precedes.
            Some(UnitWord::Floor) => {
                let is_behind_unit = at > 1 && kind(at - 2) == Some(UnitWord::Designator);
                if is_behind_unit && next.is_some_and(|next| is_unit_value(next)) {
                    begin_unit(&mut units);
                }
                last_unit(&mut units).insert_str(0, "floor");
            }
            Some(UnitWord::Standalone(full)) => last_unit(&mut units).push_str(full),
            None if is_article(word) => {}
            // `Apt No. 4`
            None if is_named && is_number_sign(word) && next.is_some() => {}
            None => {
                let is_of_floor = !is_named && kind(at + 1) == Some(UnitWord::Floor);
                let unit = if is_of_floor {
                    begin_unit(&mut units)
                } else {
                    last_unit(&mut units)
                };
                unit.push_str(&normalized(name_word(word)));
            }
        }
    }
    in_order(&units.join(" "))
}

fn last_unit(units: &mut [String]) -> &mut String {
    let last = units.len() - 1;
    &mut units[last]
}

/// Begins another unit unless the last one has no value yet.
fn begin_unit(units: &mut Vec<String>) -> &mut String {
    if !matches!(last_unit(units).as_str(), "" | "floor") {
        units.push(String::new());
    }
    last_unit(units)
}

/// Units with the building in front and the floor behind it: `Apt 2, Bldg 4` is `Bldg 4, Apt 2`.
pub(super) fn in_order(units: &str) -> String {
    let mut units: Vec<&str> = units.split(' ').collect();
    units.sort_by_key(|unit| (!unit.starts_with(BUILDING), !unit.starts_with("floor")));
    units.join(" ")
}

fn is_article(word: &str) -> bool {
    matches!(word, "du" | "de" | "la" | "le")
}

/// The index of the word with which a unit such as `Apt 3` begins, in a line without a house number; the number of words
/// if there is none. A number sign precedes the number of a house there.
pub(super) fn named_unit_start(words: &[impl AsRef<str>]) -> usize {
    let is_unit = |at: &usize| words[*at].as_ref() != "#" && is_named_unit(&words[*at..]);
    (0..words.len()).find(is_unit).unwrap_or(words.len())
}

/// Whether words begin with the name of a unit and have a value behind it; `#Apt 2` has two names.
pub(super) fn is_named_unit(words: &[impl AsRef<str>]) -> bool {
    let mut words = words.iter().map(AsRef::as_ref);
    let is_named = matches!(
        words.next().and_then(unit_word),
        Some(UnitWord::Designator | UnitWord::Floor)
    );
    let value = words.find(|word| unit_word(word).is_none() && !is_number_sign(word));
    is_named && value.is_some_and(is_unit_value)
}

/// Whether a word is the value of a unit: it has a digit, or is a letter.
fn is_unit_value(word: &str) -> bool {
    word.len() == 1 || has_digit(word)
}

/// The unit of an address's second line; `None` if the line contains something else.
pub(super) fn unit_of_line2(words: &[Word<'_>]) -> Option<String> {
    let is_named = words.iter().any(|word| unit_word(word).is_some());
    let length: usize = words.iter().map(|word| word.len()).sum();
    let has_digit = words.iter().any(|word| has_digit(word));
    let is_bare = length == 1 || words.len() <= 2 && length <= 6 && has_digit;
    let text = || unit_text(words);
    match words {
        [word] if !is_named && has_digit => {
            let unit = split_designator(word).map(|(_, value)| normalized(value));
            unit.or_else(|| is_bare.then(text))
        }
        _ if is_named || is_bare => Some(text()),
        // `Cottage 2`, `House A`
        [_, value] if is_unit_value(value) => Some(text()),
        _ => None,
    }
}

/// Splits `apt4` into designator and value.
pub(super) fn split_designator(word: &str) -> Option<(&str, &str)> {
    let digits = word.find(|c: char| !c.is_ascii_alphabetic())?;
    let (letters, value) = word.split_at(digits);
    let is_designator = unit_word(letters) == Some(UnitWord::Designator);
    let is_value = value
        .trim_start_matches('-')
        .starts_with(|c: char| c.is_ascii_digit());
    (is_designator && is_value && letters != "#").then_some((letters, value))
}

/// Splits the words of units such as `apt4` behind the house number.
pub(super) fn with_units_apart(words: Vec<Word<'_>>) -> Vec<Word<'_>> {
    let is_glued = |word: &Word<'_>| split_designator(word).is_some();
    if !words.iter().skip(1).any(is_glued) {
        return words;
    }
    let mut apart = Vec::with_capacity(words.len() + 1);
    for (at, word) in words.into_iter().enumerate() {
        match split_designator(&word).filter(|_| at > 0) {
            Some((designator, value)) => {
                apart.extend([designator, value].map(|part| Cow::Owned(part.to_owned())));
            }
            None => apart.push(word),
        }
    }
    apart
}
