//! Lines whose house number is not the first number, or not in front: behind a unit or an addressee, or at the end; and
//! ranges of numbers.

use std::borrow::Cow;

use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::street_words::{
    UnitWord, Word, direction, fold_street, is_number, is_numbered_road_word, name_word,
    precedes_name, unit_word, words,
};
use crate::model::same_house::units::named_unit_start;
use crate::model::street_types::full_street_type;
use crate::model::{WordList, has_house_number, has_only_digits};

static BEFORE_OTHER_NUMBERS: WordList = WordList::new("before_other_numbers");

/// Returns a folded line with the house number in front, and the second line unless that has the street; `None` if no
/// street with a house number is in them. What precedes the number follows the street.
pub(super) fn number_in_front<'a>(
    line1: &str,
    line2: Option<&'a str>,
) -> Option<(String, Option<&'a str>)> {
    let in_line1 = in_order(line1).map(|line1| (line1, line2));
    in_line1.or_else(|| Some((in_order(&format!("{line1},{}", fold_street(line2?)))?, None)))
}

/// Moves a floor from the front of a folded line to its end: the number of `2nd floor, 123 main st` is the second one.
pub(super) fn with_floor_behind(line: String) -> String {
    let mut words = line.splitn(3, [' ', ',']);
    match (words.next(), words.next(), words.next()) {
        (Some(number), Some(floor), Some(street))
            if [number, street.trim_start()].into_iter().all(is_number)
                && unit_word(floor) == Some(UnitWord::Floor) =>
        {
            format!("{street},{number} {floor}")
        }
        _ => line,
    }
}

/// Returns the line with the number in front in one spelling: `12 - 14` is `12-14`, `12 & 14` is `12+14`. People and
/// geocoders write the numbers of two places in several ways: where the ZIP code is in Queens, `45-12` is `4512`, and
/// where it is in Wisconsin, `N 6 W 23001` and `N6-W23001` are `N6W23001`.
pub(in crate::model) fn with_plain_number<'a>(line1: &'a str, postal_code: &str) -> Cow<'a, str> {
    if ["53", "54"]
        .iter()
        .any(|code| postal_code.starts_with(code))
    {
        return with_joined_grid_number(line1);
    }
    let line1 = with_joined_range(line1);
    let of_queens = ["11004", "11005", "111", "113", "114", "116"];
    if !of_queens.iter().any(|code| postal_code.starts_with(code)) {
        return line1;
    }
    let is_number = |(block, house): (&str, &str)| {
        (1..=3).contains(&block.len())
            && house.len() == 2
            && has_only_digits(block)
            && has_only_digits(house)
    };
    let mut words = line1.split_whitespace();
    let number = words.find(|word| word.split_once('-').is_some_and(is_number));
    match number {
        Some(number) => Cow::Owned(line1.replacen(number, &number.replace('-', ""), 1)),
        None => line1,
    }
}

/// Removes the spaces and hyphens within a number of Wisconsin's grid.
fn with_joined_grid_number(line1: &str) -> Cow<'_, str> {
    let mut number = String::new();
    let mut rest = line1;
    for _ in 0..2 {
        let half = rest.trim_start_matches([' ', '-']);
        let is_direction = |c: char| matches!(c.to_ascii_lowercase(), 'n' | 's' | 'e' | 'w');
        let Some(digits) = half.strip_prefix(is_direction) else {
            break;
        };
        let digits = digits.trim_start();
        let behind = digits.trim_start_matches(|c: char| c.is_ascii_digit());
        if behind.len() == digits.len() {
            break;
        }
        number.push_str(&half[..1]);
        number.push_str(&digits[..digits.len() - behind.len()]);
        rest = behind;
    }
    if number.is_empty() || !rest.starts_with(' ') {
        return with_joined_range(line1);
    }
    Cow::Owned(number + rest)
}

/// Removes the spaces within a range of numbers, unless the second one is the street's: `10235 - 101 Street NW`.
fn with_joined_range(line1: &str) -> Cow<'_, str> {
    let first = line1.split(|c: char| !c.is_ascii_alphanumeric()).next();
    let first = first.filter(|first| is_number(first)).unwrap_or_default();
    let rest = line1[first.len()..].trim_start();
    let is_hyphen = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    let behind_and = || {
        let (and, behind) = rest.split_once(' ')?;
        and.eq_ignore_ascii_case("and").then_some(behind)
    };
    let behind_sign = || rest.strip_prefix(['+', '&', '/']).or_else(behind_and);
    let behind_hyphen = rest.strip_prefix(is_hyphen);
    let sign = behind_hyphen.map_or('+', |_| '-');
    let is_street = |street: &&str| {
        let folded = fold_street(street).replace(',', " ");
        !first.is_empty() && has_house_number(street) && begins_with_house_number(&words(&folded))
    };
    let street = behind_hyphen.or_else(behind_sign).map(str::trim_start);
    match street.filter(is_street) {
        Some(street) => Cow::Owned(format!("{first}{sign}{street}")),
        None => Cow::Borrowed(line1),
    }
}

/// Removes the hyphen in front of a street whose name is a number: `10235 - 101 Street NW` in Edmonton is number 10235,
/// whereas `4 - 12 Elm St` is unit 4.
pub(super) fn with_numbered_street(line: String, postal: PostalRules) -> String {
    let split = line
        .split_once('-')
        .filter(|_| postal == PostalRules::Canada);
    let Some((number, street)) = split.filter(|(number, _)| is_number(number.trim_end())) else {
        return line;
    };
    let segment = words(street.split(',').next().unwrap_or_default());
    if segment.len() < 2 || !is_number(&segment[0]) || begins_with_house_number(&segment) {
        return line;
    }
    format!("{number} {street}")
}

/// The unit, the house number and the words after them where the unit is in front, as in Canada.
pub(super) fn unit_before_number<'a, 'b>(
    first: &'a str,
    after: &'a [Word<'b>],
) -> Option<(&'a str, &'a str, &'a [Word<'b>])> {
    if let Some((unit, number)) = first.split_once('-')
        && is_number(number)
        && unit.len() <= 5
    {
        return Some((unit, number, after));
    }
    match after {
        _ if !is_number(first) => None,
        // `204 10235 Oak St`, in Calgary.
        [number, street @ ..] if number.len() >= 3 && begins_with_house_number(after) => {
            Some((first, number, street))
        }
        [hyphen, number, street @ ..] if hyphen == "-" && is_number(number) => {
            Some((first, number, street))
        }
        _ => None,
    }
}

/// Whether words are a house number and a street, as opposed to a street whose name is a number or begins with one,
/// such as `101 Street NW`, `7th Line` and `100 Mile House Rd`.
pub(super) fn begins_with_house_number(words: &[Word<'_>]) -> bool {
    let is_end = |word: &Word<'_>| {
        direction(word, PostalRules::Canada).is_some() || unit_word(word).is_some()
    };
    match words {
        [number, street_type, rest @ ..] if is_number(number) => {
            !is_ordinal_of_road(number, street_type)
                && street_type != "mile"
                && (full_street_type(street_type).is_none() || !rest.first().is_none_or(is_end))
        }
        _ => false,
    }
}

/// Whether a number is an ordinal; that of `12e Elm` is a house number with a letter.
fn is_ordinal_of_road(number: &str, next: &str) -> bool {
    let suffix = number.len().saturating_sub(name_word(number).len());
    suffix > 1 || suffix == 1 && is_numbered_road_word(next)
}

fn in_order(line: &str) -> Option<String> {
    let segments: Vec<&str> = line.split(',').map(str::trim).collect();
    let numbered = segments.iter().position(|segment| is_street(segment));
    match numbered {
        Some(0) => None,
        Some(at) => Some([&segments[at..], &segments[..at]].concat().join(",")),
        None => {
            let mut streets = segments.iter().zip(0..);
            let (street, at) = streets.find_map(|(segment, at)| Some((within(segment)?, at)))?;
            let others = [&segments[at + 1..], &segments[..at]].concat();
            Some(format!("{street},{}", others.join(",")))
        }
    }
}

/// Whether a part is a house number and a street with its type.
fn is_street(segment: &str) -> bool {
    let mut words = segment.split_whitespace().skip(1).peekable();
    let first = words.peek().copied();
    let has_type = first.is_some_and(|word| precedes_name(word, None))
        || words.skip(1).any(|word| full_street_type(word).is_some());
    has_type && has_house_number(segment)
}

/// `house 123 main st` and `main st 123` with the number in front.
fn within(segment: &str) -> Option<String> {
    let words: Vec<&str> = segment.split_whitespace().collect();
    let at = words.iter().position(|word| is_number(word))?;
    let (before, street) = words.split_at(at);
    // `hwy 12 n` and `county road 5` are streets without a house number, `next to 12 oak rd` is another house.
    let is_other = |word: &&str| is_numbered_road_word(word) || BEFORE_OTHER_NUMBERS.has(word);
    if before.is_empty() || before.iter().any(is_other) {
        return None;
    }
    let street = street.join(" ");
    if is_street(&street) {
        return Some(format!("{street},{}", before.join(" ")));
    }
    let has_type = |word: &&str| full_street_type(word).is_some();
    let is_name =
        before.len() > 1 && (before.last().is_some_and(has_type) || precedes_name(before[0], None));
    let unit = named_unit_start(&words);
    let is_last = is_name && unit == at + 1;
    let letters = words[at].chars().filter(|c| c.is_alphabetic()).count();
    let line = || {
        format!(
            "{} {},{}",
            words[at],
            before.join(" "),
            words[unit..].join(" ")
        )
    };
    (is_last && letters < 2).then(line)
}
