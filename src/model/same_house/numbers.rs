//! Numbers in street addresses, as words or digits: ordinals, house numbers and numbered roads.

use crate::model::region::Region;
use crate::model::same_house::street_words::{
    Word, is_number, is_numbered_road_word, name_word, normalized, ordinal,
};
use crate::model::street_types::full_street_type;
use crate::model::{Country, WordList};

static TENS: WordList = WordList::new("tens");
static NUMBERS: WordList = WordList::new("numbers");

/// Returns the number of an ordinal with which words begin, and the number of its words: `twenty first`, with or
/// without a space, is `21`, and `one hundred tenth` is `110`.
pub(super) fn long_ordinal(words: &[Word<'_>]) -> Option<(String, usize)> {
    if let [hundreds, hundred, rest @ ..] = words
        && hundred == "hundred"
    {
        let hundreds = number_word(hundreds)?;
        let skipped = usize::from(rest.first().is_some_and(|word| word == "and"));
        let one = || Some((ordinal(rest.get(skipped)?)?.to_owned(), 1));
        let (number, length) = long_ordinal(&rest[skipped..]).or_else(one)?;
        return Some((format!("{hundreds}{number:0>2}"), 2 + skipped + length));
    }
    let word = words.first()?;
    let (at, tens) = TENS
        .iter()
        .enumerate()
        .find(|(_, tens)| word.starts_with(**tens))?;
    let rest = &word[tens.len()..];
    let unit = if rest.is_empty() { words.get(1)? } else { rest };
    let unit = ordinal(unit).filter(|unit| unit.len() == 1)?;
    Some((
        format!("{}{unit}", at + 2),
        1 + usize::from(rest.is_empty()),
    ))
}

/// Whether a word is a fraction such as `1/2`.
pub(super) fn is_fraction(word: &str) -> bool {
    let is_digit = |part: &str| matches!(part.as_bytes(), [b'0'..=b'9']);
    word.split_once('/')
        .is_some_and(|(one, other)| is_digit(one) && is_digit(other))
}

/// Returns the house number that is written as a word.
pub(super) fn number_word(word: &str) -> Option<&'static str> {
    NUMBERS.behind(word)
}

/// The house number of Wisconsin's grid, such as `W6123`, `N6W23001` or `N6 W23001`, and the number of its words.
pub(super) fn grid_number(words: &[Word<'_>]) -> Option<(String, usize)> {
    let half = |word: &str| {
        let digits = word.strip_prefix(['n', 's', 'e', 'w'])?;
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        (length > 0).then(|| word.len() - digits.len() + length)
    };
    let first = words.first()?;
    let end = half(first)?;
    let is_half = |word: &str| half(word) == Some(word.len());
    match (&first[end..], words.get(1)?) {
        ("", second) if is_half(second) => Some((format!("{first}{second}"), 2)),
        (rest, _) if rest.is_empty() || is_half(rest) => Some((first.to_string(), 1)),
        _ => None,
    }
}

/// The number of a lot that has no house number yet, such as `Lot 12 Sunset Dr`, and the number of its words.
pub(super) fn lot_number(words: &[Word<'_>]) -> Option<(String, usize)> {
    let sign = words.get(1)?;
    let length = if sign == "#" || is_number_sign(sign) {
        3
    } else {
        2
    };
    let (value, street) = (words.get(length - 1)?, words.get(length)?);
    // `4-12` is unit 4 of number 12, `12-a` is a lot.
    let is_range = value.split_once('-').is_some_and(|(_, end)| is_number(end));
    let is_lot = matches!(&*words[0], "lot" | "lt") && is_number(value) && !is_range;
    let is_street = !is_number(street) && street != "-";
    (is_lot && is_street).then(|| (format!("lot{}", normalized(value)), length))
}

/// Whether a word only announces a number: `No. 7`.
pub(super) fn is_number_sign(word: &str) -> bool {
    matches!(word, "no" | "nr" | "num" | "number" | "numero")
}

/// Replaces the words of a numbered road, such as `County Road 12` or `US-50`, by one word that is the same for every
/// spelling.
///
/// `is_direction` returns whether a word is a direction, which may precede the road.
pub(super) fn join_numbered_road(words: &mut Vec<Word<'_>>, is_direction: impl Fn(&str) -> bool) {
    write_out_first(words);
    remove_number_signs(words);
    for start in 0..words.len().min(3) {
        split_number(words, start);
        put_number_behind(&mut words[start..]);
        if let Some((kind, length)) = numbered_road(&words[start..]) {
            let number = normalized(&words[start + length]);
            // The semicolon separates the number from the next word.
            words.splice(start..=start + length, [format!("{kind} {number};").into()]);
            return;
        }
        if !is_direction(&words[start]) {
            return;
        }
    }
}

/// Splits the number from the road in `CR12`, and spells out the highways of provinces, such as `PTH 59` and `BC 97`.
fn split_number(words: &mut Vec<Word<'_>>, at: usize) {
    let word = &words[at];
    let letters = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if letters.len() < word.len()
        && matches!(
            letters,
            "cr" | "sr" | "sh" | "fm" | "us" | "hwy" | "i" | "ih"
        )
    {
        let [letters, digits] = [letters, &word[letters.len()..]].map(str::to_owned);
        words.splice(at..=at, [letters.into(), digits.into()]);
    } else if matches!(word.as_ref(), "pth" | "trunk" | "bc" | "ab" | "mb")
        && words.get(at + 1).is_some_and(|word| is_number(word))
    {
        words[at] = "highway".into();
    }
}

/// Puts the number of `7th Line` and `10th Concession Road` behind the road, as in `Line 7`.
fn put_number_behind(words: &mut [Word<'_>]) {
    let length = words.get(1).map_or(0, |word| match word.as_ref() {
        "concession" | "conc" | "con" | "side" if words.get(2).is_some_and(|word| is_way(word)) => {
            3
        }
        "concession" | "conc" | "con" | "line" | "sideroad" => 2,
        _ => 0,
    });
    if length > 0 && is_number(name_word(&words[0])) {
        words[0] = name_word(&words[0]).to_owned().into();
        words[..length].rotate_left(1);
    }
}

/// Removes the number sign in `Highway No. 7` and `County Road #12`.
fn remove_number_signs(words: &mut Vec<Word<'_>>) {
    let is_sign = |at: usize| {
        let sign = words[at].as_ref();
        let is_road = is_numbered_road_word(&words[at - 1])
            || at > 1 && is_way(&words[at - 1]) && is_numbered_road_word(&words[at - 2]);
        (sign == "#" || is_number_sign(sign)) && is_road && is_number(&words[at + 1])
    };
    if let Some(at) = (1..words.len().saturating_sub(1)).find(|&at| is_sign(at)) {
        words.remove(at);
    }
}

fn is_way(word: &str) -> bool {
    matches!(full_street_type(word), Some("road" | "route" | "highway"))
}

/// Returns the kind of numbered road at the start of the words, and how many words precede its number.
fn numbered_road(words: &[Word<'_>]) -> Option<(&'static str, usize)> {
    let is_way = |at: usize| words.get(at).is_some_and(|word| is_way(word));
    let second = words.get(1).map(AsRef::as_ref);
    let (kind, length) = match (words.first()?.as_ref(), second) {
        ("county" | "co" | "cnty" | "cty", _) if is_way(1) => ("county road", 2),
        ("county" | "co", Some("state")) if words.get(2)? == "aid" && is_way(3) => {
            ("county road", 4)
        }
        ("c", Some("r")) => ("county road", 2),
        ("cr" | "cth" | "csah", _) => ("county road", 1),
        ("state" | "st", _) if is_way(1) => ("state road", 2),
        ("s", Some("r")) => ("state road", 2),
        // Most routes and highways without a word in front are the state's.
        ("sr" | "sh" | "sth" | "route" | "rte" | "rt" | "highway" | "hwy", _) => ("state road", 1),
        ("rural", Some("route" | "rte" | "rt")) | ("r", Some("r")) => ("rural route", 2),
        ("rr" | "rfd", _) => ("rural route", 1),
        // Contract routes have no other words than their number.
        ("hc" | "hcr", _) => ("hc", 1),
        ("us", _) if is_way(1) => ("us highway", 2),
        ("us", _) => ("us highway", 1),
        ("u", Some("s")) if is_way(2) => ("us highway", 3),
        ("u", Some("s")) => ("us highway", 2),
        ("interstate" | "i" | "ih", _) => ("interstate", 1),
        ("farm", Some("to")) if words.get(2).is_some_and(|word| word == "market") => {
            ("farm road", 3 + usize::from(is_way(3)))
        }
        ("fm", _) if is_way(1) => ("farm road", 2),
        ("fm", _) => ("farm road", 1),
        ("range" | "rge", _) if is_way(1) => ("range road", 2),
        ("regional" | "reg", _) if is_way(1) => ("regional road", 2),
        ("concession" | "conc" | "con", _) if is_way(1) => ("concession road", 2),
        ("concession" | "conc" | "con", _) => ("concession road", 1),
        ("line", _) => ("line", 1),
        ("sideroad", _) => ("side road", 1),
        ("side", _) if is_way(1) => ("side road", 2),
        ("township" | "twp", _) if is_way(1) => ("township road", 2),
        ("tr" | "twp", _) => ("township road", 1),
        // `Kentucky Highway 189`; `Ohio 4` may be a flat in Ohio Street.
        (name, _) if is_way(1) && is_state_name(name) => ("state road", 2),
        (code, _) if is_state(code) => ("state road", 1 + usize::from(is_way(1))),
        _ => return None,
    };
    let is_followed = words.get(length).is_some_and(|word| is_number(word));
    is_followed.then_some((kind, length))
}

/// Whether a word is the code of a state, as in `OH-315`; `NE` is a direction.
fn is_state(word: &str) -> bool {
    let region = Region::from_code(&word.to_ascii_uppercase());
    word != "ne" && region.is_some_and(|region| region.country == Country::UnitedStates)
}

/// Whether a word is the name of a state.
fn is_state_name(word: &str) -> bool {
    let region =
        Region::from_spelling(word).filter(|region| region.country == Country::UnitedStates);
    region.is_some_and(|region| region.name.eq_ignore_ascii_case(word))
}

/// Writes out the first word in front of a type where it means a direction or an ordinal: `E Pkwy S`, `Premier Rang`.
fn write_out_first(words: &mut [Word<'_>]) {
    let [first, second, ..] = words else {
        return;
    };
    let written_out = match (first.as_ref(), full_street_type(second)) {
        ("n", Some("parkway")) => "north",
        ("s", Some("parkway")) => "south",
        ("e", Some("parkway")) => "east",
        ("w", Some("parkway")) => "west",
        ("premier", Some("rang")) => "1",
        _ => return,
    };
    *first = written_out.into();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::same_house::street_words::words;

    #[test]
    fn ordinals_of_several_words_are_numbers() {
        for (text, expected) in [
            ("twenty first", Some(("21", 2))),
            ("ninetyninth ave", Some(("99", 1))),
            ("one hundred tenth", Some(("110", 3))),
            ("one hundred and fifth", Some(("105", 4))),
            ("two hundred twenty first", Some(("221", 4))),
            ("one hundred oaks", None),
            ("twenty tenth", None),
            ("twenty", None),
            ("sixtyville", None),
        ] {
            let found = long_ordinal(&words(text));
            let expected = expected.map(|(number, length)| (number.to_owned(), length));
            assert_eq!(found, expected, "{text}");
        }
    }
}
