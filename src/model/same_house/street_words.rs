//! Expansion of the words of street addresses: types, directions, unit designators and common abbreviations.
//!
//! # Source
//! USPS Publication 28, appendices B and C; Canada Post, Addressing Guidelines, street types and directions.

use std::borrow::Cow;
use std::sync::LazyLock;

use hashbrown::HashMap;
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use crate::model::same_house::postal_rules::PostalRules;
use crate::model::street_types::{
    NAME_WORDS, abbreviations, ends_street, full_street_type, street_types,
};
use crate::model::text::spelled_out;
use crate::model::{WordList, is_of_digits};

/// A word of an address. Most are borrowed, because every row of a file is parsed.
pub(super) type Word<'a> = Cow<'a, str>;

static FRENCH_TYPES: WordList = WordList::new("french_types");
static ROAD_WORDS: WordList = WordList::new("road_words");
static ORDINALS: WordList = WordList::new("ordinals");
static UNITS: WordList = WordList::new("units");
static UNITS_OF_HOUSES: WordList = WordList::new("units_of_houses");
static FLOORS: WordList = WordList::new("floors");
static COMPARED_UNITS: WordList = WordList::new("compared_units");

type Words = HashMap<&'static str, &'static str>;

/// Expansions of words within a name: of abbreviations first, then of types, then of ordinals.
static NAME_WORD_OF: LazyLock<Words> = LazyLock::new(|| {
    let types = street_types().chain(abbreviations(NAME_WORDS));
    let ordinals = ORDINALS.chunks_exact(2).map(|pair| (pair[0], pair[1]));
    ordinals.chain(types).collect()
});

/// Returns the number of an ordinal of one word: `fifth` is `5`.
pub(super) fn ordinal(word: &str) -> Option<&'static str> {
    ORDINALS.behind(word)
}

/// Whether a word begins with a digit.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// Letters and digits only, without leading zeros.
pub(super) fn normalized(word: &str) -> String {
    let mut plain = String::with_capacity(word.len());
    plain.extend(word.chars().filter(|c| c.is_alphanumeric()));
    if !plain.starts_with('0') {
        return plain;
    }
    let short = plain.trim_start_matches('0');
    if short.is_empty() {
        plain
    } else {
        short.to_owned()
    }
}

/// Whether a street type precedes the name, whatever the name ends with.
pub(super) fn precedes_name(word: &str, next: Option<&str>) -> bool {
    let is_article = |next: &str| matches!(next, "de" | "du" | "des" | "d");
    FRENCH_TYPES.has(word) || full_street_type(word).is_some() && next.is_some_and(is_article)
}

/// Expands a word of a name.
pub(super) fn name_word(word: &str) -> &str {
    let known = NAME_WORD_OF.get(word).copied();
    known.unwrap_or_else(|| without_ordinal_suffix(word))
}

/// Whether a cell begins with a word that ends streets, such as `St` or `Hill`.
pub fn may_be_street_type(cell: &str) -> bool {
    let folded = fold_street(cell).replace(',', " ");
    let first = folded.split_whitespace().next();
    first.is_some_and(|word| ends_street(word) || NAME_WORD_OF.contains_key(word))
}

/// Removes the letters of `52nd`, `52e` and `1re`, and spells out directions.
fn without_ordinal_suffix(word: &str) -> &str {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffixes = [
        "st", "nd", "rd", "th", "e", "er", "re", "ere", "iere", "eme", "ieme",
    ];
    let is_number = is_of_digits(digits);
    if is_number && suffixes.contains(&&word[digits.len()..]) {
        return digits;
    }
    match word {
        "ne" => "northeast",
        "nw" => "northwest",
        "se" => "southeast",
        "sw" => "southwest",
        _ => word,
    }
}

/// Returns the direction of a word as one or two letters. Some words are directions in Canada only.
pub(in crate::model) fn direction(word: &str, postal: PostalRules) -> Option<&'static str> {
    Some(match word {
        "n" | "north" | "nord" => "n",
        "s" | "south" | "sud" => "s",
        "e" | "east" => "e",
        "w" | "west" | "ouest" => "w",
        "ne" | "northeast" => "ne",
        "nw" | "northwest" => "nw",
        "se" | "southeast" => "se",
        "sw" | "southwest" => "sw",
        "est" if postal == PostalRules::Canada => "e",
        "o" if postal == PostalRules::Canada => "w",
        "no" if postal == PostalRules::Canada => "nw",
        "so" if postal == PostalRules::Canada => "sw",
        _ => return None,
    })
}

/// Combines two directions: `n` and `w` are `nw`.
pub(super) fn joined_directions(first: &str, second: &str) -> Option<&'static str> {
    Some(match (first, second) {
        ("n", "e") => "ne",
        ("n", "w") => "nw",
        ("s", "e") => "se",
        ("s", "w") => "sw",
        _ => return None,
    })
}

/// The role of a word in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnitWord {
    /// `Apt`, `Unit`, `#`: a designator, which its value follows.
    Designator,
    /// `Floor`: its value precedes or follows it.
    Floor,
    /// `Rear`, `Basement`: a unit without a value, expanded.
    Standalone(&'static str),
}

static UNIT_WORDS: LazyLock<HashMap<&'static str, UnitWord>> = LazyLock::new(|| {
    let designators = UNITS.iter().chain(UNITS_OF_HOUSES.iter());
    let designators = designators.chain(["#"].iter());
    let designators = designators.map(|word| (*word, UnitWord::Designator));
    let floors = FLOORS.iter().map(|word| (*word, UnitWord::Floor));
    let pairs = COMPARED_UNITS.chunks_exact(2);
    // `Penthouse` may precede a number too, and is a unit of its own all the same.
    let standalone = pairs.map(|pair| (pair[0], UnitWord::Standalone(pair[1])));
    designators.chain(floors).chain(standalone).collect()
});

/// The role of a word in a unit.
pub(super) fn unit_word(word: &str) -> Option<UnitWord> {
    UNIT_WORDS.get(word).copied()
}

/// Whether a word belongs to a numbered road, so that a number after it is not a unit.
pub(in crate::model) fn is_numbered_road_word(word: &str) -> bool {
    ROAD_WORDS.has(word)
}

/// Converts to lower case without accents, separators of parts to commas and dashes to hyphens.
pub(super) fn fold_street(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '½' => folded.push_str(" 1/2"),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
            '\'' | '\u{2018}' | '\u{2019}' | '\u{2BB}' | '\u{2BC}' | '`' | '´' => {
                folded.push('\'');
            }
            '\n' | '\r' | ';' | '(' | ')' => folded.push(','),
            '.' | ':' | '"' | '_' | '*' => folded.push(' '),
            '#' => folded.push_str(" # "),
            '&' => folded.push_str(" and "),
            c if c.is_ascii() => folded.push(c.to_ascii_lowercase()),
            c => match spelled_out(c) {
                Some(letters) => folded.push_str(letters),
                None => folded.extend(
                    c.nfkd()
                        .filter(|c| !is_combining_mark(*c))
                        .flat_map(char::to_lowercase),
                ),
            },
        }
    }
    folded
}

/// Returns the words of a part of an address.
pub(super) fn words(segment: &str) -> Vec<Word<'_>> {
    segment.split_whitespace().map(Cow::Borrowed).collect()
}

/// Splits the words of a street at hyphens and removes apostrophes and the French `d'` and `l'`.
pub(super) fn split_hyphens<'a>(words: &'a [Word<'_>], postal: PostalRules) -> Vec<Word<'a>> {
    let mut split = Vec::with_capacity(words.len());
    for word in words.iter().flat_map(|word| word.split('-')) {
        let word = match word.split_once('\'') {
            Some(("d" | "l", rest)) if postal == PostalRules::Canada => rest,
            _ => word,
        };
        if word.contains('\'') {
            split.push(Cow::Owned(word.replace('\'', "")));
        } else if !word.is_empty() {
            split.push(Cow::Borrowed(word));
        }
    }
    split
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn abbreviations_are_written_out() {
        assert_eq!(full_street_type("boul"), Some("boulevard"));
        assert_eq!(full_street_type("elm"), None);
        assert_eq!(name_word("mt"), "mount");
        assert_eq!(name_word("st"), "saint");
        assert_eq!(name_word("52nd"), "52");
        assert_eq!(name_word("1re"), "1");
        assert_eq!(name_word("fifth"), "5");
        assert_eq!(name_word("12b"), "12b");
        assert_eq!(direction("ouest", PostalRules::Canada), Some("w"));
        assert_eq!(direction("o", PostalRules::UnitedStates), None);
    }
}
