//! Names of streets, written out, which may contain typing errors.

use crate::model::WordList;
use crate::model::same_house::fnv::Fnv;
use crate::model::same_house::numbers::long_ordinal;
use crate::model::same_house::single_letters::{is_initials, joined_letters};
use crate::model::same_house::street_words::{Word, name_word};
use crate::model::street_types::ends_street;

/// Types that may follow `St` beside those of [`ends_street`].
static PLACE_TYPES: WordList = WordList::new("place_types");

/// A street name of at least this many letters may contain a typing error, by which it may have lost one letter.
const MIN_NAME_WITH_TYPO: usize = 5;

/// A digest of a street name, to exclude most addresses of other houses without parsing them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StreetNameSketch(u32);

impl StreetNameSketch {
    /// Marks a hash of the whole name, as opposed to the set of its letters.
    const WHOLE_NAME: u32 = 1 << 31;

    pub(super) fn new(name: &str) -> Self {
        if !may_contain_typo(name) {
            let hash = Fnv::from_text(name).finish().to_le_bytes();
            let hash = u32::from_le_bytes([hash[0], hash[1], hash[2], hash[3]]);
            return Self(hash | Self::WHOLE_NAME);
        }
        let letters = name.bytes().filter(u8::is_ascii_lowercase);
        Self(letters.fold(0, |sketch, letter| sketch | 1 << (letter - b'a')))
    }

    /// Returns false only if [`crate::model::StreetAddress::compare`] returns
    /// [`crate::model::AddressMatch::SameNumber`] or less, or if the words of both lines are the same.
    pub fn may_match(self, other: Self) -> bool {
        if (self.0 | other.0) & Self::WHOLE_NAME != 0 {
            return self == other;
        }
        // Two letters replaced by two others.
        (self.0 ^ other.0).count_ones() <= 4
    }
}

/// The words of a name with abbreviations expanded, joined without spaces.
pub(super) fn written_out(words: &[Word<'_>]) -> String {
    let mut name = String::new();
    let mut rest = words;
    while let [word, ..] = rest {
        if let Some((number, length)) = long_ordinal(rest) {
            name.push_str(&number);
            rest = &rest[length..];
            continue;
        }
        let joined = joined_letters(rest);
        let (word, length) = joined
            .as_ref()
            .map_or((word.as_ref(), 1), |(joined, length)| {
                (joined.as_str(), *length)
            });
        rest = &rest[length..];
        let next = rest.first().map(AsRef::as_ref);
        // The word in front of `St` is its name, and a saint's follows it: `Main St Ext`, `12th St Rd`, `Elm St Spur`.
        let is_street = word == "st" && !name.is_empty() && next.is_none_or(is_suffix);
        // `50 A Ave` is `50A Ave`.
        let is_of_letters = word.bytes().all(|byte| byte.is_ascii_lowercase());
        let is_behind_digit = is_of_letters && name.ends_with(|c: char| c.is_ascii_digit());
        name.push_str(if is_street { "street" } else { name_word(word) });
        let is_exact = match word.len() {
            1 => !is_behind_digit,
            2 if next.is_none() && is_of_letters => name.ends_with(word),
            _ => is_initials(word),
        };
        if is_exact && words.len() > 1 {
            // Letters are not typing errors: County Roads B and C are two roads, as are County Roads AB and AC.
            name.push(';');
        }
    }
    name
}

/// Whether a word may follow the type of a street, as `Spur` follows `Elm St`.
fn is_suffix(word: &str) -> bool {
    ends_street(word) || PLACE_TYPES.has(word) || matches!(word, "spur" | "cutoff")
}

/// The number of typing errors between two names: 0, 1 or 2, and 3 for more.
pub(super) fn typo_count(one: &str, other: &str) -> usize {
    if one == other {
        return 0;
    }
    let is_long = one.len().max(other.len()) >= MIN_NAME_WITH_TYPO;
    if !is_long || !may_contain_typo(one) || !may_contain_typo(other) {
        return 3;
    }
    strsim::osa_distance(one, other).min(3)
}

/// Names with digits are compared exactly: 52 Ave and 53 Ave are neighbours.
fn may_contain_typo(name: &str) -> bool {
    name.len() + 1 >= MIN_NAME_WITH_TYPO && name.bytes().all(|byte| byte.is_ascii_lowercase())
}
