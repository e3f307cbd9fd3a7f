//! Compares a street with the cells of its house number, direction and type, so that it gets none of them twice.

use crate::model::WordList;
use crate::model::same_house::numbers::{is_number_sign, number_word};
use crate::model::same_house::postal_rules::{PostalRules, short_postal_code};
use crate::model::same_house::street_parts::StreetParts;
use crate::model::same_house::street_words::fold_street;
use crate::model::same_house::street_words::{
    Word, direction, is_number, is_numbered_road_word, name_word, normalized, precedes_name,
    unit_word,
};
use crate::model::street_types::{ends_street, full_street_type};

static TYPES_OF_NO_NAME: WordList = WordList::new("types_of_no_name");
static NUMBER_WORDS: WordList = WordList::new("number_words");

/// How a street relates to a direction or a type in another cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreetPart {
    /// The street does not have it.
    Absent,
    /// The street has it, perhaps in another spelling.
    Present,
    /// The street has another one, which may be part of its name.
    Second,
    /// The street has another one.
    Contradicted,
}

/// The cell of a street.
#[derive(Clone, Debug)]
pub struct StreetCell {
    /// The text without its unit.
    pub street: String,
    /// The unit as written, with what separates it from the street; empty if there is none.
    pub unit: String,
    /// The words of the street, folded.
    words: Vec<String>,
    postal: PostalRules,
}

impl StreetCell {
    /// Parses the text of a cell by the rules of the country of the postal code.
    pub fn parse(text: &str, postal_code: &str) -> Self {
        let postal = PostalRules::new(None, &short_postal_code(postal_code));
        // `12, rue Roy` continues after the comma.
        let is_end = |(at, c): &(usize, char)| {
            matches!(c, ',' | ';' | '(') && text[..*at].contains(char::is_alphabetic)
        };
        let end = text.char_indices().find(is_end);
        let (before, after) = text.split_at(end.map_or(text.len(), |(at, _)| at));
        let tokens: Vec<&str> = before.split_whitespace().collect();
        // `N.W.` is one word.
        let folded: Vec<String> = tokens
            .iter()
            .map(|token| fold_street(&token.replace('.', "")).replace(',', " "))
            .collect();
        let words = folded.iter().flat_map(|token| token.split_whitespace());
        let words: Vec<Word<'_>> = words.map(Word::from).collect();
        let kept = StreetParts::default().without_unit(&words, postal).len();
        let mut count = 0;
        let is_unit = |token: &String| {
            let is_unit = count >= kept;
            count += token.split_whitespace().count();
            is_unit
        };
        let unit = folded.iter().position(is_unit).unwrap_or(tokens.len());
        let unit_words = tokens[unit..].iter().map(|token| format!(" {token}"));
        Self {
            street: tokens[..unit].join(" "),
            unit: unit_words.chain([after.to_owned()]).collect(),
            words: words[..kept].iter().map(ToString::to_string).collect(),
            postal,
        }
    }

    /// How the street relates to a direction.
    pub fn with_direction(&self, cell: &str) -> StreetPart {
        let cell = normalized(&fold_street(cell));
        let asked = direction(&cell, self.postal);
        let ends = [self.words.first(), self.words.last()];
        // An abbreviation is never part of a name, but `South Shore` beside `S` is one.
        let is_same = |word: &String| {
            let is_short = word.len() <= 2 && asked.is_some();
            *word == cell || is_short && direction(word, self.postal) == asked
        };
        if ends.into_iter().flatten().any(is_same) {
            StreetPart::Present
        } else if asked.is_some() && self.without_directions().len() < self.words.len() {
            StreetPart::Second
        } else {
            StreetPart::Absent
        }
    }

    /// How the street relates to a type.
    pub fn with_type(&self, cell: &str) -> StreetPart {
        let cell = normalized(&fold_street(cell));
        let is_same = |word: &String| full_word(word) == full_word(&cell);
        let words = self.without_directions();
        let Some((first, last)) = words.first().zip(words.last()) else {
            return StreetPart::Absent;
        };
        if is_same(last) && words.len() > 1 {
            return StreetPart::Present;
        }
        let [_, second, ..] = words else {
            return StreetPart::Absent;
        };
        // `Rue Roy` and `Avenue K`; in `Court House` and `Trail Ridge`, the first word belongs to the name. `St Clair`
        // is a saint, and `Dr King` a doctor.
        let is_title = matches!(first.as_str(), "st" | "dr");
        let is_type = full_street_type(first).is_some_and(|own| TYPES_OF_NO_NAME.has(own));
        if is_same(first) && (precedes_name(first, Some(second)) || is_type && !is_title) {
            return StreetPart::Present;
        }
        let own = full_street_type(last);
        if full_street_type(&cell).is_none() {
            StreetPart::Absent
        } else if precedes_name(first, Some(second))
            || own.is_some_and(|own| TYPES_OF_NO_NAME.has(own))
        {
            StreetPart::Contradicted
        } else {
            own.map_or(StreetPart::Absent, |_| StreetPart::Second)
        }
    }

    /// Whether a type stands in front of the street, as in French.
    pub fn follows_type(&self, cell: &str) -> bool {
        let next = self.words.first().map(String::as_str);
        precedes_name(&normalized(&fold_street(cell)), next)
    }

    /// Whether a type stands behind the street wherever its column is: `Elm St`, but `Highway 12` and
    /// `Avenue of the Americas`.
    pub fn precedes_type(&self, cell: &str) -> bool {
        let word = normalized(&fold_street(cell));
        let is_name = |first: &String| {
            first.len() > 1 && first.starts_with(char::is_alphabetic) && first != "of"
        };
        full_street_type(&word).is_some()
            && !is_numbered_road_word(&word)
            && !self.follows_type(cell)
            && self.words.first().is_some_and(is_name)
    }

    /// Whether the end of the street is known: behind a house number and a name, there is a type, or a direction if the
    /// type is in front of the name.
    pub(super) fn has_end(&self) -> bool {
        let words = self.without_directions();
        let has_direction = words.len() < self.words.len();
        let [number, first, .., last] = words else {
            return false;
        };
        let is_of_road = |word: &String| is_numbered_road_word(word);
        let is_front = precedes_name(first, words.get(2).map(String::as_str));
        is_number(number)
            && (ends_street(last) && !is_front
                || has_direction && full_street_type(first).is_some()
                || is_number(last) && words.iter().any(is_of_road))
    }

    /// The words without directions at both ends; in `North Ave`, the direction is the name.
    fn without_directions(&self) -> &[String] {
        let is_direction = |word: &String| direction(word, self.postal).is_some();
        let is_name = |words: &[String]| match words {
            [] => false,
            [word] => full_street_type(word).is_none(),
            _ => true,
        };
        let mut words = &self.words[..];
        while let [others @ .., last] = words
            && is_direction(last)
            && !others.is_empty()
        {
            words = others;
        }
        while let [first, others @ ..] = words
            && is_direction(first)
            && is_name(others)
        {
            words = others;
        }
        words
    }
}

/// Whether a cell holds a house number and nothing else, such as `12 bis` or `Lot 5`.
pub fn is_house_number_only(cell: &str) -> bool {
    let folded = fold_street(cell).replace(',', " ");
    let mut words = folded.split_whitespace().enumerate();
    words.all(|(at, word)| {
        let is_short = word.len() < 3 || !word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let is_known = is_number_sign(word) || number_word(word).is_some();
        match unit_word(word) {
            Some(_) => at == 0,
            None if at > 0 && word.len() > 1 && full_street_type(word).is_some() => {
                NUMBER_WORDS.has(word)
            }
            None => is_short || is_known || NUMBER_WORDS.has(word),
        }
    })
}

/// A type or another word of a street, written out.
fn full_word(word: &str) -> &str {
    full_street_type(word).unwrap_or_else(|| name_word(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_type(street: &str, cell: &str, postal_code: &str) -> StreetPart {
        StreetCell::parse(street, postal_code).with_type(cell)
    }

    #[test]
    fn a_type_is_recognized_in_every_spelling() {
        for (street, cell) in [
            ("Oak Avenue", "Ave"),
            ("Oak Ave.", "AVENUE"),
            ("Oak Ave NW", "Ave"),
            ("Oak Ave, Apt 3", "Ave"),
            ("Oak Ave Apt 3", "Ave"),
            ("Avenue K", "Ave"),
            ("W Avenue K", "Ave"),
            ("Fox Run", "Run"),
            ("North Ave", "Ave"),
        ] {
            assert_eq!(
                with_type(street, cell, "53711"),
                StreetPart::Present,
                "{street}"
            );
        }
        for (street, cell) in [
            ("rue Centre", "rue"),
            ("boul. St-Laurent", "boulevard"),
            ("Avenue Laurier E", "av."),
            ("du Parc Av.", "Avenue"),
        ] {
            assert_eq!(
                with_type(street, cell, "H3K 2B4"),
                StreetPart::Present,
                "{street}"
            );
        }
    }

    #[test]
    fn a_type_beside_a_name_is_absent() {
        for (street, cell) in [
            ("Oak", "Ave"),
            ("St Clair", "St"),
            ("Dr Martin Luther King", "Dr"),
            ("Court", "St"),
            ("Court House", "Ct"),
            ("Trail Ridge", "Trl"),
            ("Ridge", "Rd"),
            ("North", "Ave"),
            ("Oak, Apt 3", "Ave"),
            ("Main St", "Ext"),
            ("5th", "Ave"),
        ] {
            assert_eq!(
                with_type(street, cell, "53711"),
                StreetPart::Absent,
                "{street}"
            );
        }
    }

    #[test]
    fn another_type_contradicts_unless_a_name_may_end_in_it() {
        let another = |street, cell| with_type(street, cell, "53711");
        assert_eq!(another("Oak Street", "Ave"), StreetPart::Contradicted);
        assert_eq!(another("rue Roy", "Ave"), StreetPart::Contradicted);
        assert_eq!(another("Indian Trail", "Rd"), StreetPart::Second);
    }

    #[test]
    fn a_direction_is_recognized_at_both_ends() {
        let with = |street: &str, cell| StreetCell::parse(street, "53711").with_direction(cell);
        for (street, cell) in [
            ("North Oak", "North"),
            ("N. Oak", "North"),
            ("Oak St N.W.", "NW"),
            ("Oak St N, Apt 2", "N"),
        ] {
            assert_eq!(with(street, cell), StreetPart::Present, "{street}");
        }
        assert_eq!(with("Oak", "N"), StreetPart::Absent);
        assert_eq!(with("North Ave", "W"), StreetPart::Absent);
        assert_eq!(with("North Shore", "W"), StreetPart::Second);
        assert_eq!(with("South Shore", "S"), StreetPart::Second);
    }

    #[test]
    fn a_unit_is_kept_apart() {
        for (text, street, unit) in [
            ("Oak, Apt 3", "Oak", ", Apt 3"),
            ("Oak Apt 3", "Oak", " Apt 3"),
            ("Oak St #3", "Oak St", " #3"),
            ("12, rue Roy, app. 4", "12, rue Roy", ", app. 4"),
            ("Oak", "Oak", ""),
        ] {
            let cell = StreetCell::parse(text, "53711");
            assert_eq!((cell.street.as_str(), cell.unit.as_str()), (street, unit));
        }
    }

    #[test]
    fn a_number_with_a_suffix_or_a_unit_in_front_holds_no_street() {
        for cell in [
            "12",
            "12A",
            "12 A",
            "12 bis",
            "12 & 14",
            "12 ter",
            "12 1/2",
            "12½",
            "4-12",
            "Lot 5",
            "#96",
            "No. 96",
            "Unit 3 - 12",
            "W220N1234",
            "12 N",
            "twelve",
        ] {
            assert!(is_house_number_only(cell), "{cell}");
        }
        for cell in [
            "96 Oak St",
            "96 Oak",
            "1 A St",
            "12 Apt 3",
            "twenty-something St",
            "TBD",
            "PO Box 12",
        ] {
            assert!(!is_house_number_only(cell), "{cell}");
        }
    }
}
