//! Number format codes: their sections, the conditions of these, and the places for digits.

use std::iter::Peekable;
use std::str::Chars;

/// A section of a format code, such as `[<=99999]00000` of `[<=99999]00000;00000-0000`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct FormatSection {
    condition: Option<String>,
    pub(super) parts: Vec<FormatPart>,
    /// Digits behind the decimal point; none without a point.
    pub(super) decimals: Option<usize>,
    /// Whether thousands are separated.
    pub(super) has_thousands: bool,
    pub(super) digits: DigitRule,
    is_for_text: bool,
}

/// What a section shows, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FormatPart {
    Literal(char),
    /// `0`: a digit, or 0 where there is none.
    Zero,
    /// `#` or `?`: a digit, or nothing where there is none.
    Digit,
    /// `General`: the number.
    Number,
}

/// Which digits a section shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum DigitRule {
    /// Those of the number.
    #[default]
    Own,
    /// Those of the number in another form, such as scientific notation.
    OtherForm,
    /// Others: a fraction, a percentage, or thousands that are left out.
    Others,
}

/// The sections of a code that are for numbers.
pub(super) fn sections(code: &str) -> Vec<FormatSection> {
    let mut sections = vec![FormatSection::default()];
    let mut characters = code.chars().peekable();
    while let Some(character) = characters.next() {
        if character == ';' {
            sections.push(FormatSection::default());
        } else if let Some(section) = sections.last_mut() {
            section.add(character, &mut characters);
        }
    }
    if sections.len() > 1 {
        sections.retain(|section| !section.is_for_text);
        // The fourth is for texts.
        sections.truncate(3);
    }
    sections
}

/// The section that shows a number that is not negative; `None` if that is not certain.
pub(super) fn section_of(sections: &[FormatSection], number: f64) -> Option<&FormatSection> {
    let first = sections.first()?;
    let is_met = |section: &FormatSection| section.condition.as_ref().map(|c| meets(number, c));
    let second = sections.get(1);
    match (is_met(first), second.map(is_met)) {
        // Above zero, below zero, zero.
        (None, Some(None)) => match sections.get(2) {
            Some(zero) if number == 0.0 => Some(zero),
            _ => Some(first),
        },
        (None, None) | (Some(Some(true)), _) => Some(first),
        (Some(Some(false)), Some(None)) if sections.len() == 2 => second,
        (Some(Some(false)), Some(Some(Some(true)))) => second,
        (Some(Some(false)), Some(Some(Some(false)))) => sections.get(2),
        _ => None,
    }
}

/// Whether a number meets a condition such as `<=99999`; `None` for one that cannot be read.
fn meets(number: f64, condition: &str) -> Option<bool> {
    let operands = condition.trim_start_matches(['<', '>', '=']);
    let limit: f64 = operands.trim().parse().ok()?;
    let order = number.partial_cmp(&limit)?;
    match &condition[..condition.len() - operands.len()] {
        "<" => Some(order.is_lt()),
        "<=" => Some(order.is_le()),
        ">" => Some(order.is_gt()),
        ">=" => Some(order.is_ge()),
        "=" => Some(order.is_eq()),
        "<>" => Some(order.is_ne()),
        _ => None,
    }
}

impl FormatSection {
    /// Whether it shows letters or digits of its own.
    pub(super) fn has_words(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| matches!(part, FormatPart::Literal(c) if c.is_alphanumeric()))
    }

    /// Whether it has a place for digits.
    pub(super) fn has_places(&self) -> bool {
        let mut parts = self.parts.iter();
        parts.any(|part| !matches!(part, FormatPart::Literal(_)))
    }

    fn add(&mut self, character: char, rest: &mut Peekable<Chars<'_>>) {
        match character {
            '\\' => self.parts.extend(rest.next().map(FormatPart::Literal)),
            '"' => {
                let quoted = rest.by_ref().take_while(|c| *c != '"');
                self.parts.extend(quoted.map(FormatPart::Literal));
            }
            '[' => {
                let inner: String = rest.by_ref().take_while(|c| *c != ']').collect();
                if inner.starts_with(['<', '>', '=']) {
                    self.condition = Some(inner);
                }
            }
            // A space as wide as the next character, and the next character as often as it fits.
            '_' | '*' => {
                rest.next();
            }
            '0' | '#' | '?' => self.place(character),
            '.' => self.decimals = self.decimals.or(Some(0)),
            ',' if matches!(rest.peek(), Some('0' | '#' | '?')) => self.has_thousands = true,
            ',' if self.has_places() => self.change(DigitRule::Others),
            '%' | '/' => self.change(DigitRule::Others),
            '@' => self.is_for_text = true,
            'G' | 'g' => self.general(rest),
            '-' | '+' | '(' | ')' | ' ' | ':' | '!' | '&' | '\'' | '=' | '1'..='9' => {
                self.parts.push(FormatPart::Literal(character));
            }
            // Currency signs do not belong to the number.
            '$' | '€' | '£' | '¥' | ',' => {}
            _ if !character.is_ascii() => self.parts.push(FormatPart::Literal(character)),
            // Dates and times, which are read by themselves, and scientific notation.
            _ => self.digits = DigitRule::OtherForm,
        }
    }

    fn place(&mut self, character: char) {
        match (&mut self.decimals, character) {
            (Some(decimals), _) => *decimals += 1,
            (None, '0') => self.parts.push(FormatPart::Zero),
            (None, _) => self.parts.push(FormatPart::Digit),
        }
    }

    /// The slashes of a date are not fractions.
    fn change(&mut self, digits: DigitRule) {
        if self.digits == DigitRule::Own {
            self.digits = digits;
        }
    }

    fn general(&mut self, rest: &mut Peekable<Chars<'_>>) {
        let mut word = "eneral".chars();
        let is_general =
            word.all(|letter| rest.next_if(|c| c.eq_ignore_ascii_case(&letter)).is_some());
        if is_general {
            self.parts.push(FormatPart::Number);
        } else {
            self.digits = DigitRule::OtherForm;
        }
    }
}
