//! Street types and other words of street names, with their abbreviations.
//!
//! # Source
//! USPS Publication 28, appendix C1; Canada Post, Addressing Guidelines, street types.

use std::sync::LazyLock;

use hashbrown::HashMap;

use crate::model::WordList;

/// Street types that people omit, one per line: the full word, then its abbreviations and misspellings. Words such as
/// `hill` and `park`, which the postal lists count as types too, are often part of a name, so they are not listed.
const TYPES: &str = include_str!("street_types.txt");

static OTHER_TYPES: WordList = WordList::new("other_street_types");

/// Words within the name of a street, among them the other types of the postal lists: the full word, then its
/// abbreviations.
pub(super) const NAME_WORDS: &str = include_str!("street_name_words.txt");

static FULL_TYPES: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| street_types().collect());

/// Returns every street type and abbreviation with its full word.
pub(super) fn street_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    abbreviations(TYPES)
}

/// Parses lines of a full word and its abbreviations into pairs of word and full word.
pub(super) fn abbreviations(
    lines: &'static str,
) -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = lines.lines().filter_map(|line| {
        let full = line.split(' ').next()?;
        Some(line.split(' ').map(move |word| (word, full)))
    });
    lines.flatten()
}

/// Returns the full word of a street type that people omit; `word` must be in lower case without accents.
pub(super) fn full_street_type(word: &str) -> Option<&'static str> {
    FULL_TYPES.get(word).copied()
}

/// Whether a word ends the name of a street; `word` must be in lower case without accents.
pub(crate) fn ends_street(word: &str) -> bool {
    full_street_type(word).is_some() || OTHER_TYPES.has(word)
}
