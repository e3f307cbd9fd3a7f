//! Units of a building: `Apt 4`, `Bldg 2 Unit B`, `Rear`.

use crate::model::whole_address::address_words::{is_standalone_unit, is_unit};
use crate::model::{WordList, fold_place, has_digit, is_ordinal};

static DWELLINGS: WordList = WordList::new("dwellings");

/// Maximum length of a unit's number or letters.
const LONGEST_NAME: usize = 6;

/// Whether a text consists of units only, each with its word.
pub fn is_unit_text(text: &str) -> bool {
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    DWELLINGS.has(&fold_place(text)) || !text.starts_with('#') && parse_units(&words).is_some()
}

/// The number or letters of a unit without its word, such as `4`, `B` or `#12A`; `None` for other text, such as a size.
pub fn bare_unit(text: &str) -> Option<&str> {
    let name = text.trim_start_matches('#').trim_start();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '-');
    let is_short = (1..=LONGEST_NAME).contains(&name.len()) && (has_digit(name) || name.len() <= 2);
    (is_name && is_short && !is_unit_text(text)).then_some(name)
}

/// The number of words that a unit takes at the start.
pub(super) fn unit_length(words: &[&str]) -> Option<usize> {
    let (first, second) = (*words.first()?, words.get(1));
    if first.starts_with('#') && has_digit(first) {
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
    if is_unit(first) && (has_digit(second) || is_letter) {
        return Some(2);
    }
    let is_floor = ["floor", "fl", "etage"].contains(&fold_place(second).as_str());
    (is_ordinal(first) && is_floor).then_some(2)
}

/// Returns the text of a part that consists of units only: `Apt 4`, `Bldg 2 Unit B`, `Rear`.
pub(super) fn parse_units(segment: &[&str]) -> Option<String> {
    let is_unit = match segment {
        [word] if is_standalone_unit(word) => true,
        _ => is_units_only(segment),
    };
    is_unit.then(|| segment.join(" "))
}

pub(super) fn is_units_only(mut words: &[&str]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_unit_is_short_and_has_no_word() {
        for (text, name) in [("4", "4"), ("B", "B"), ("#12A", "12A"), ("# 3-4", "3-4")] {
            assert_eq!(bare_unit(text), Some(name), "{text}");
        }
        for text in [
            "", "#", "0.25", "8,500", "2 story", "House", "Lot 4", "Apt4", "Rear",
        ] {
            assert_eq!(bare_unit(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_of_units_has_their_words() {
        for text in [
            "Apt 4",
            "Bldg B, Unit 3",
            "Rear",
            "2nd floor",
            "Ste.200",
            "haut",
        ] {
            assert!(is_unit_text(text), "{text}");
        }
        for text in ["4", "#4", "12 Elm St", "c/o Joe", "North Tower"] {
            assert!(!is_unit_text(text), "{text}");
        }
    }
}
