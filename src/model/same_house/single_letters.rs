//! Single letters in front of a street name or within it, which belong to the house number or to the name.

use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::street_words::{
    Word, direction, name_word, precedes_name, unit_word,
};
use crate::model::street_types::full_street_type;
use crate::model::{WordList, has_only_digits};

static JOINED_WORDS: WordList = WordList::new("joined_words");

/// Whether words begin with the letter of the house number in front of them: `12 A Elm St` is `12A Elm St`. A
/// direction, the street in `12 A St`, the initials of `12 J F Smith Rd`, and the letter of `12 I 10` and
/// `12 O Neil Rd` are of the street. In front of a direction, only the first letters are of flats: `J E Smith Rd` is
/// another street than `J Smith Rd`.
pub(super) fn begins_with_number_letter(words: &[Word<'_>], postal: PostalRules) -> bool {
    let is_direction = |word: &&Word<'_>| direction(word, postal).is_some();
    let [letter, behind @ ..] = words else {
        return false;
    };
    let directions = behind.iter().take_while(is_direction).count();
    let Some((first, rest)) = behind[directions..].split_first() else {
        return false;
    };
    let next = rest.first().map(AsRef::as_ref);
    let is_type = full_street_type(first).is_some();
    is_letter(letter)
        && !is_direction(&letter)
        && (directions == 0 || letter.as_ref() <= "d")
        && joined_letters(words).is_none()
        && first.len() > 1
        && !has_only_digits(first)
        && unit_word(first).is_none()
        && (!is_type || next.is_some() && precedes_name(first, next))
}

/// The letters with which words begin, written as one word, and the number of words that they are: those of `O Neil` and
/// `O K`, and initials in front of a name.
pub(super) fn joined_letters(words: &[Word<'_>]) -> Option<(String, usize)> {
    let letters = words.iter().take_while(|word| is_letter(word)).count();
    let joined = match words {
        [first, second, ..] if letters > 0 => format!("{first}{second}"),
        _ => return None,
    };
    if JOINED_WORDS.has(&joined) {
        return Some((joined, 2));
    }
    let initials = words[..letters].concat();
    (letters < words.len() && is_initials(&initials)).then_some((initials, letters))
}

/// Whether a word is several initials: it has no vowel, and is no abbreviation of another word.
pub(super) fn is_initials(word: &str) -> bool {
    let is_consonant = |c: char| c.is_ascii_lowercase() && !"aeiouy".contains(c);
    (2..=3).contains(&word.len())
        && word != "mc"
        && word.chars().all(is_consonant)
        && name_word(word) == word
}

fn is_letter(word: &str) -> bool {
    word.len() == 1 && word.bytes().all(|byte| byte.is_ascii_lowercase())
}
