//! Parses a street address into unit, house number, direction, name and type, with abbreviations expanded.

use crate::model::same_house::number_in_front::{
    begins_with_house_number, number_in_front, unit_before_number, with_floor_behind,
    with_numbered_street,
};
use crate::model::same_house::number_ranges::{numbers_behind_unit, range_numbers};
use crate::model::same_house::numbers::{
    grid_number, is_fraction, is_number_sign, join_numbered_road, lot_number, number_word,
};
use crate::model::same_house::postal_rules::PostalRules;
use crate::model::same_house::single_letters::begins_with_number_letter;
use crate::model::same_house::street_name::written_out;
use crate::model::same_house::street_words::{
    UnitWord, Word, direction, fold_street, is_number, is_numbered_road_word, joined_directions,
    normalized, precedes_name, split_hyphens, unit_word, words,
};
use crate::model::same_house::units::{
    BUILDING, in_order, is_named_unit, named_unit_start, unit_of_line2, unit_text, with_units_apart,
};
use crate::model::street_types::{ends_street, full_street_type};

/// The parts of `line1` and `line2`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StreetParts {
    /// The house number in lower case, or `lot12`; without one, all letters and digits of the street, with
    /// abbreviations expanded.
    pub(super) number: String,
    /// The leading digits of the number, without the letter of `12A` and the end of `223-225`; without a house number,
    /// the same as `number`.
    pub(super) leading_digits: String,
    /// The other numbers of the range of which `leading_digits` is one; in Canada, that may be a unit and a number
    /// instead. Without a house number, the letters and digits as written if they are others.
    pub(super) others: Vec<String>,
    /// The words of the street name with abbreviations expanded, joined without spaces.
    pub(super) name: String,
    /// The street type, expanded; `None` if the address has none.
    pub(super) street_type: Option<&'static str>,
    /// The directions as one or two letters, in their order.
    pub(super) directions: Vec<&'static str>,
    /// The units as one text, with a space between two, the building in front and marked; `None` if there are none.
    pub(super) unit: Option<String>,
}

impl StreetParts {
    /// Parses `line1` and `line2` of an address by the rules of a country.
    pub(super) fn parse(line1: &str, line2: Option<&str>, postal: PostalRules) -> Self {
        let folded = with_numbered_street(with_floor_behind(fold_street(line1)), postal);
        let segments = folded.split(',').map(words).map(with_units_apart);
        let mut segments = segments.filter(|words| !words.is_empty());
        let mut parts = Self::default();
        let mut street = segments.next().unwrap_or_default();
        let mut rest = &street[..];
        let mut number = parts.take_number(&mut rest, postal);
        while rest.is_empty() {
            // Addresses such as `12, rue Principale` and `Unit 4, 12 Elm St` continue after the comma.
            let Some(next) = segments.next() else { break };
            street = next;
            rest = &street;
            let is_unit = || postal == PostalRules::Canada && begins_with_house_number(rest);
            if number.as_ref().is_none_or(|_| is_unit()) {
                parts.add_unit(number.take());
                number = parts.take_number(&mut rest, postal);
            }
        }
        // `Twelve Oaks` in front of `123 Main St` is the name of a building.
        let is_name = street
            .first()
            .is_some_and(|word| number_word(word).is_some())
            && !rest.iter().any(|word| full_street_type(word).is_some());
        let behind_name = || number_in_front(&folded, line2);
        if let Some((line1, line2)) = is_name.then(behind_name).flatten() {
            return Self::parse(&line1, line2, postal);
        }
        match number {
            Some(number) if !rest.is_empty() => {
                parts.number = number;
                let mut street = split_hyphens(rest, postal);
                if parts.number.ends_with(|c: char| c.is_ascii_digit())
                    && begins_with_number_letter(&street, postal)
                {
                    parts.number.push_str(&street.remove(0));
                }
                parts.read_street(street, postal);
            }
            _ => {
                if let Some((line1, line2)) = number_in_front(&folded, line2) {
                    return Self::parse(&line1, line2, postal);
                }
                return Self::unnumbered(&folded, line2, postal);
            }
        }
        for segment in segments {
            parts.read_segment(&split_hyphens(&segment, postal), postal);
        }
        parts.add_second_line(line2);
        parts
    }

    /// The parts of a post-office box, a rural route, the name of a house, or a street without a number.
    fn unnumbered(folded: &str, line2: Option<&str>, postal: PostalRules) -> Self {
        let mut parts = Self::default();
        // The streets of an intersection have no order.
        let mut streets: Vec<&str> = folded.split(" and ").map(str::trim).collect();
        streets.sort_unstable();
        let folded = &streets.join(" and ");
        let (mut written, mut spelled_out) = (String::new(), Vec::new());
        for segment in folded.split(',') {
            let words = words(segment);
            let (street, unit) = words.split_at(named_unit_start(&words));
            let letters = street.iter().flat_map(|word| word.chars());
            written.extend(letters.filter(|c| c.is_alphanumeric()));
            let streets = street.split(|word| word == "and");
            spelled_out.extend(streets.map(|street| Self::spelled_out(street, postal)));
            parts.add_unit(Some(unit_text(unit)));
        }
        spelled_out.sort_unstable();
        parts.number = spelled_out.concat();
        if parts.number.is_empty() {
            parts.number = folded.chars().filter(|c| c.is_alphanumeric()).collect();
        } else if parts.number != written {
            // Journals have requests under the hash of the letters as they were written.
            parts.others.push(written);
        }
        parts.leading_digits.clone_from(&parts.number);
        parts.add_second_line(line2);
        parts
    }

    /// The letters and digits of a street without a number, with direction, name and type expanded as behind a number.
    fn spelled_out(street: &[Word<'_>], postal: PostalRules) -> String {
        let mut parts = Self::default();
        parts.read_street(split_hyphens(street, postal), postal);
        let mut texts = parts.directions;
        texts.push(&parts.name);
        texts.extend(parts.street_type);
        texts.extend(parts.unit.as_deref());
        let letters = texts.into_iter().flat_map(str::chars);
        letters.filter(|c| c.is_alphanumeric()).collect()
    }

    fn add_second_line(&mut self, line2: Option<&str>) {
        for part in fold_street(line2.unwrap_or_default()).split(',') {
            self.add_unit(unit_of_line2(&words(part)));
        }
        // `Bldg 2` alone may be the `#2` of another list.
        if let Some(unit) = self.unit.as_mut().filter(|unit| !unit.contains(' ')) {
            *unit = unit.replace(BUILDING, "");
        }
    }

    /// Removes unit and house number from the front and returns the house number.
    fn take_number(&mut self, words: &mut &[Word<'_>], postal: PostalRules) -> Option<String> {
        if let [sign, value, ..] = *words
            && is_number_sign(sign)
            && is_number(value)
        {
            *words = &words[1..];
        }
        let mut rest = *words;
        let mut unit = None;
        if let [designator, value, after @ ..] = rest
            && unit_word(designator) == Some(UnitWord::Designator)
            && lot_number(rest).is_none()
        {
            match value.split_once('-') {
                // `#4-12 Elm St`
                Some((value, number)) if is_number(number) => {
                    return Some(self.accept_number(words, after, Some(value), number));
                }
                _ => {}
            }
            let after = skip_hyphen(after);
            let is_followed = after.first().is_none_or(|next| is_number(next));
            (rest, unit) = if is_followed {
                (after, Some(value.as_ref()))
            } else {
                // `#12 Elm St`
                (&rest[1..], None)
            };
            if rest.is_empty() {
                self.add_unit(unit.map(normalized));
                *words = rest;
                return None;
            }
        }
        let [first, after @ ..] = rest else {
            return None;
        };
        if let Some((number, length)) = lot_number(rest).or_else(|| grid_number(rest)) {
            self.add_unit(unit.map(normalized));
            self.leading_digits.clone_from(&number);
            *words = &rest[length..];
            return Some(number);
        }
        if postal == PostalRules::Canada
            && let Some((unit, number, street)) = unit_before_number(first, after)
        {
            let accepted = self.accept_number(words, street, Some(unit), number);
            self.others = numbers_behind_unit(unit, number);
            self.others.retain(|other| *other != self.leading_digits);
            return Some(accepted);
        }
        let number = if is_number(first) {
            first.as_ref()
        } else {
            number_word(first)?
        };
        Some(self.accept_number(words, after, unit, number))
    }

    fn accept_number(
        &mut self,
        words: &mut &[Word<'_>],
        after: &[Word<'_>],
        unit: Option<&str>,
        number: &str,
    ) -> String {
        self.add_unit(unit.map(normalized));
        let digits = number.trim_start_matches('0');
        let end = digits.bytes().take_while(u8::is_ascii_digit).count();
        digits[..end].clone_into(&mut self.leading_digits);
        self.others = range_numbers(digits);
        self.others.retain(|other| *other != self.leading_digits);
        // `12-1/2` is `12 1/2`.
        let mut number = match number.split_once('-') {
            Some((number, half)) if is_fraction(half) => normalized(number) + half,
            _ => normalized(number),
        };
        let skipped = words.len() - after.len();
        *words = &words[skipped..];
        if let [half, after @ ..] = *words
            && half.contains('/')
        {
            number.push_str(half);
            *words = after;
        }
        number
    }

    fn read_street(&mut self, mut words: Vec<Word<'_>>, postal: PostalRules) {
        join_numbered_road(&mut words, |word| direction(word, postal).is_some());
        let words = self.without_unit(&words, postal);
        let is_type_alone = |words: &[Word<'_>]| {
            words.is_empty() || words.len() == 1 && full_street_type(&words[0]).is_some()
        };
        let direction = |word: &Word<'_>| direction(word, postal);
        let (mut words, mut last) = (words, None);
        while let [others @ .., word] = words
            && let Some(found) = direction(word)
            && !is_type_alone(others)
            && let Some(joined) = last.map_or(Some(found), |last| joined_directions(found, last))
        {
            (words, last) = (others, Some(joined));
        }
        let mut first = None;
        while let [word, others @ ..] = words
            && let Some(found) = direction(word)
            && !is_type_alone(others)
            && let Some(joined) = first.map_or(Some(found), |first| joined_directions(first, found))
        {
            (words, first) = (others, Some(joined));
        }
        self.directions.extend(first);
        self.directions.extend(last);
        self.read_name(words, postal);
    }

    fn read_name(&mut self, words: &[Word<'_>], postal: PostalRules) {
        let next = words.get(1).map(AsRef::as_ref);
        let is_in_front = words
            .first()
            .is_some_and(|first| next.is_some() && precedes_name(first, next));
        let (found, mut name) = match words {
            [first, rest @ ..] if is_in_front => (full_street_type(first), rest),
            [rest @ .., last] if !rest.is_empty() && full_street_type(last).is_some() => {
                (full_street_type(last), rest)
            }
            // `St-Denis` is a saint.
            [first, rest @ ..]
                if !rest.is_empty() && first != "st" && full_street_type(first).is_some() =>
            {
                (full_street_type(first), rest)
            }
            words => (None, words),
        };
        self.street_type = found;
        // `De Soto Rd` is `DeSoto Rd` in the United States.
        let has_articles = is_in_front || postal == PostalRules::Canada;
        let is_article = |word: &str| matches!(word, "de" | "du" | "des");
        if let [article, rest @ ..] = name
            && has_articles
            && is_article(article)
            && !rest.is_empty()
        {
            name = rest;
            if let [article, rest @ ..] = name
                && matches!(article.as_ref(), "la" | "l")
                && !rest.is_empty()
            {
                name = rest;
            }
        }
        self.name = written_out(name);
    }

    /// Stores the unit that follows the street name and returns the words before it.
    pub(super) fn without_unit<'a>(
        &mut self,
        words: &'a [Word<'a>],
        postal: PostalRules,
    ) -> &'a [Word<'a>] {
        for at in 1..words.len() {
            let (street, unit) = words.split_at(at);
            let follows_type = || at > 1 && full_street_type(&street[at - 1]).is_some();
            let is_unit = match unit_word(&unit[0]) {
                Some(UnitWord::Designator | UnitWord::Floor) => is_named_unit(unit),
                Some(UnitWord::Standalone(_)) => unit.len() <= 2 && follows_type(),
                None => {
                    // The direction in `Elm St E Floor 2` is the street's.
                    let is_direction = direction(&unit[0], postal).is_some();
                    let is_floor = !is_direction
                        && unit
                            .get(1)
                            .is_some_and(|word| unit_word(word) == Some(UnitWord::Floor));
                    // `12 Elm St 4` and `12 Elm St B` have a unit, `12 Elm St N` has not.
                    let is_letter = unit[0].len() == 1 && !is_direction;
                    let is_bare = unit.len() == 1
                        && (is_number(&unit[0]) || is_letter)
                        && !street.iter().any(|word| is_numbered_road_word(word));
                    is_floor && has_end(street, postal) || is_bare && follows_type()
                }
            };
            if is_unit {
                self.add_unit(Some(unit_text(unit)));
                return street;
            }
        }
        words
    }

    /// Reads a part after the street: a unit, a direction, or a place, which is ignored.
    fn read_segment(&mut self, words: &[Word<'_>], postal: PostalRules) {
        if let [word] = words
            && let Some(found) = direction(word, postal)
        {
            self.directions.push(found);
            return;
        }
        self.add_unit(unit_of_line2(words));
    }

    fn add_unit(&mut self, unit: Option<String>) {
        let Some(unit) = unit.filter(|unit| !unit.is_empty()) else {
            return;
        };
        match &mut self.unit {
            Some(known) if *known != unit => *known = in_order(&format!("{known} {unit}")),
            known => *known = Some(unit),
        }
    }
}

/// Whether the words of a name end in a type of street, with or without a direction behind it.
fn has_end(street: &[Word<'_>], postal: PostalRules) -> bool {
    match street {
        [name @ .., last] if !name.is_empty() => {
            ends_street(last) || direction(last, postal).is_some() && has_end(name, postal)
        }
        _ => false,
    }
}

fn skip_hyphen<'a, 'b>(words: &'a [Word<'b>]) -> &'a [Word<'b>] {
    match words {
        [hyphen, rest @ ..] if hyphen == "-" => rest,
        words => words,
    }
}
