//! Streets with a house number that name a second house or contain a remark.

use crate::import::check::problem_message::ProblemMessage;
use crate::model::{
    WordList, excerpt, has_digit, is_of_digits, is_ordinal, is_street_type, is_unit_text,
};

static REMARKS: WordList = WordList::new("remarks");

/// Words between two houses.
const CONJUNCTIONS: [&str; 5] = ["and", "or", "et", "ou", "+"];

/// What is wrong with a street that begins with a digit.
pub(super) fn odd_street(street: &str) -> Option<ProblemMessage> {
    let mut words = street.split_whitespace();
    let number = words.next().unwrap_or_default();
    // `12e Elm` has the number 12E, `5e Avenue` has none.
    let mut is_name = || !number.ends_with('e') || words.next().is_some_and(is_street_type);
    let has_other = || has_digit(&street[number.len()..]);
    // 0 is land without a house, in rolls of assessors.
    if number.bytes().all(|byte| byte == b'0') || is_ordinal(number) && is_name() && !has_other() {
        return Some(message!("no house number"));
    }
    if has_second_house(street) {
        return Some(message!(
            "the street may name two houses; a request measures one, so give each its own row"
        ));
    }
    let remark = remark(street).filter(|remark| !remark.is_empty())?;
    (!is_unit_text(remark)).then(|| {
        message!(
            "`{}` looks like a remark; move it to the notes",
            excerpt(remark)
        )
    })
}

/// Whether another number stands behind a separator: `123 & 125 Oak St`, `32 and 34 Oak St`, `12 Oak St; 90 Elm Dr`. A
/// slash without spaces is in the number of one building, and a comma is in front of a unit unless a street follows, also
/// behind further numbers: `10, 12, 14 Elm St`.
fn has_second_house(street: &str) -> bool {
    // Nearly all streets have one number.
    if !has_digit(street.trim_start_matches(|c: char| c.is_ascii_digit())) {
        return false;
    }
    let is_separator = |at: usize, mark: &str| match mark {
        "/" => street[at..].starts_with("/ ") && street[..at].ends_with(' '),
        "," => {
            // `4, 12 Elm St` has the unit in front.
            let is_street = street[..at].contains(char::is_alphabetic);
            let has_number = street[..at].contains(',');
            (is_street || has_number)
                && street[at + 1..]
                    .split_whitespace()
                    .skip(2)
                    .any(is_street_type)
        }
        _ => true,
    };
    let marks = street.match_indices(['&', ';', '/', ',']);
    let behind_marks = marks
        .filter(|(at, mark)| is_separator(*at, mark))
        .map(|(at, _)| &street[at + 1..]);
    let mut before = "";
    let mut is_behind_conjunction = |word| {
        let before = std::mem::replace(&mut before, word);
        let is_one = |known: &&str| known.eq_ignore_ascii_case(before);
        is_of_digits(word) && CONJUNCTIONS.iter().any(is_one)
    };
    street.split(' ').any(&mut is_behind_conjunction)
        || behind_marks.into_iter().any(|text| {
            let word = text.split_whitespace().next();
            word.is_some_and(is_of_digits)
        })
}

/// The text in parentheses, behind a dash, or from a word on with which remarks begin.
fn remark(street: &str) -> Option<&str> {
    let mut behind = street
        .match_indices([' ', '('])
        .map(|(at, _)| &street[at + 1..]);
    let found = behind.find_map(|text| match text.strip_prefix("- ") {
        Some(rest) if rest.starts_with(char::is_lowercase) => Some(rest),
        _ => REMARKS.rests(text).next().map(|_| text),
    });
    let in_parentheses = street.split_once('(').map(|(_, text)| text);
    Some(in_parentheses.or(found)?.trim_end_matches(')').trim())
}
