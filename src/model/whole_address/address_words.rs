//! Words by which an address is split: street types, directions, units, numbers.

use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::street_words;
use crate::model::street_types::{ends_street, full_street_type};
use crate::model::{WordList, fold_place, has_only_digits, is_ordinal};

static PLACE_TYPES: WordList = WordList::new("place_types");
static SAINTS: WordList = WordList::new("saints");
static UNITS: WordList = WordList::new("units");
static FLOORS: WordList = WordList::new("floors");
static STANDALONE_UNITS: WordList = WordList::new("standalone_units");
static NO_CITY_STARTS: WordList = WordList::new("no_city_starts");
static LEADING_TYPES: WordList = WordList::new("leading_types");
static GENERIC_TYPES: WordList = WordList::new("generic_types");
static TYPES_OF_NO_NAME: WordList = WordList::new("types_of_no_name");

/// Whether a word is a street type.
pub(crate) fn is_street_type(word: &str) -> bool {
    ends_street(&fold_place(word))
}

/// Whether a word is a street type that is hardly ever part of a name: `Rd`, but not `Grove`.
pub(super) fn is_full_type(word: &str) -> bool {
    full_street_type(&fold_place(word)).is_some()
}

/// Whether a word is a street type with which no name begins, except for those of [`begins_place_name`].
pub(super) fn is_type_of_no_name(word: &str) -> bool {
    full_street_type(&fold_place(word)).is_some_and(|full| TYPES_OF_NO_NAME.has(full))
}

/// Whether a word is a street type in French too, which precedes the name there: `12 Avenue Dr Penfield`.
pub(super) fn is_generic_type(word: &str) -> bool {
    GENERIC_TYPES.has(&fold_place(word))
}

/// Whether a word ends the names of streets and of places alike.
pub(super) fn is_place_type(word: &str) -> bool {
    PLACE_TYPES.has(&fold_place(word))
}

/// Whether a street type and the next word may begin the name of a place: `St Louis`, `Ave Maria`.
pub(super) fn begins_place_name(street_type: &str, word: &str) -> bool {
    let word = fold_place(word);
    match fold_place(street_type).as_str() {
        "st" => SAINTS.has(&word),
        "ave" => word == "maria",
        _ => false,
    }
}

/// Whether a word may precede a unit's number.
pub(crate) fn is_unit(word: &str) -> bool {
    let folded = fold_place(word);
    word == "#" || UNITS.has(&folded) || FLOORS.has(&folded)
}

/// Whether a word is a unit without a number.
pub(crate) fn is_standalone_unit(word: &str) -> bool {
    STANDALONE_UNITS.has(&fold_place(word))
}

/// Whether a word cannot begin a city.
pub(super) fn cannot_begin_city(word: &str) -> bool {
    NO_CITY_STARTS.has(&fold_place(word)) || word.eq_ignore_ascii_case("c/o")
}

/// A direction, for instance `N`, `North`, `Nord` or `NW`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Two letters with which no name of a place begins: `NW`.
    Quadrant,
    /// A direction with which the name of a place may begin.
    Other,
}

/// Returns the direction that a word denotes, in Canada or the United States.
pub(super) fn direction(word: &str) -> Option<Direction> {
    let word = fold_place(word);
    street_words::direction(&word, PostalRules::Canada)?;
    Some(match word.as_str() {
        "nw" | "ne" | "sw" | "se" => Direction::Quadrant,
        _ => Direction::Other,
    })
}

/// Whether a text is a street direction: `N`, `SW`, `Ouest`.
pub(crate) fn is_street_direction(text: &str) -> bool {
    direction(text.trim_end_matches('.')).is_some()
}

/// Whether a word is a French street type, which precedes the name.
pub(super) fn is_leading_type(word: &str) -> bool {
    LEADING_TYPES.has(&fold_place(word))
}

/// Whether a word is a ZIP code: five digits, or five and four with a hyphen.
pub(crate) fn is_zip(word: &str) -> bool {
    let digits = |part: &str, count| part.len() == count && has_only_digits(part);
    match word.split_once('-') {
        Some((zip, plus)) => digits(zip, 5) && digits(plus, 4),
        None => digits(word, 5),
    }
}

/// Whether a text is a Canadian postal code, in any case, with or without a space or hyphen in the middle.
pub(crate) fn is_canadian_postal_code(text: &str) -> bool {
    let is_split = text.len() == 7 && matches!(text.as_bytes()[3], b' ' | b'-');
    if text.len() != 6 && !is_split {
        return false;
    }
    let (front, back) = text.as_bytes().split_at(3);
    let bare = front.iter().chain(&back[usize::from(is_split)..]);
    bare.enumerate().all(|(index, byte)| {
        let byte = byte.to_ascii_uppercase();
        match index % 2 {
            0 => {
                byte.is_ascii_uppercase()
                    && !b"DFIOQU".contains(&byte)
                    && (index > 0 || !b"WZ".contains(&byte))
            }
            _ => byte.is_ascii_digit(),
        }
    })
}

/// Whether a word is a house number: `12`, `12A`, `92-10`, `#4-12`, `N6W23001`, but not `5th`.
pub(super) fn is_house_number(word: &str) -> bool {
    let word = word.trim_start_matches('#');
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        // House numbers of the grid system in Wisconsin.
        let bytes = word.as_bytes();
        return bytes.len() > 3
            && b"NSEW".contains(&bytes[0])
            && bytes[1].is_ascii_digit()
            && bytes[bytes.len() - 1].is_ascii_digit();
    }
    !is_ordinal(word)
}
