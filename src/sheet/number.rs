//! Numbers as displayed in a sheet: `1001.0` is 1001, and under the format `00000` 2134 is 02134.

use std::fmt::Write as _;

use crate::sheet::batch::CellKind;

/// How a number format shows numbers that are not negative.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NumberDisplay {
    /// As the number is, or in another form of all its digits.
    General,
    /// Rounded to so many decimals.
    Rounded(usize),
    /// Its digits in the places of a format such as `00000-0000`.
    Places(String),
    /// `[<=99999]00000;00000-0000`: one format up to a number, and another above it.
    UpTo(f64, Box<[Self; 2]>),
    /// Not certain: words or digits of the format's own, fractions, percentages, other conditions.
    Unknown,
}

/// What a cell shows of a number.
enum DisplayedNumber {
    /// The number.
    Number,
    /// Its digits in the places of a format.
    Text(String),
    /// Another number, or one that is not certain.
    Other,
}

impl NumberDisplay {
    /// What a format code means. Thousands, currencies and scientific notation are taken as the number.
    pub(super) fn parse(code: &str) -> Self {
        let (first, rest) = code.split_once(';').unwrap_or((code, ""));
        let condition = first.strip_prefix("[<=").filter(|_| !rest.is_empty());
        let condition = condition.and_then(|condition| condition.split_once(']'));
        match condition {
            Some((limit, below)) => limit.parse().map_or(Self::Unknown, |limit| {
                Self::UpTo(limit, Box::new([Self::section(below), Self::parse(rest)]))
            }),
            None if ["[<", "[>", "[="].iter().any(|one| first.contains(one)) => Self::Unknown,
            None => Self::section(first),
        }
    }

    /// What a section of a code means.
    fn section(code: &str) -> Self {
        let (mut places, mut letters) = (String::new(), String::new());
        let (mut is_quoted, mut is_known) = (false, true);
        let mut characters = code.chars();
        while let Some(character) = characters.next() {
            let literal = match character {
                '\\' => characters.next(),
                character => Some(character).filter(|_| is_quoted && character != '"'),
            };
            match (character, literal) {
                // Currency signs do not belong to the number.
                (_, Some('$' | '€' | '£' | '¥')) | ('$' | '€' | '£' | '¥' | '@', _) => {}
                (_, Some(literal)) if is_punctuation(literal) => places.push(literal),
                (_, Some(_)) => is_known = false,
                ('"', _) => is_quoted = !is_quoted,
                ('[', _) => drop(characters.by_ref().find(|c| *c == ']')),
                // A space as wide as the next character, and the next character as often as it fits.
                ('_' | '*', _) => drop(characters.next()),
                (letter, _) if letter.is_ascii_alphabetic() => letters.push(letter),
                (place, _) => places.push(place),
            }
        }
        let places = places.trim();
        let is_general = letters.eq_ignore_ascii_case("general");
        match places.split_once('.').unwrap_or((places, "")) {
            // Dates and times, which are read by themselves, and scientific notation.
            _ if !letters.is_empty() && !is_general => Self::General,
            _ if !is_known => Self::Unknown,
            ("", "") => Self::General,
            _ if is_general => Self::Unknown,
            (whole, decimals) if places.contains(['.', ',']) => {
                let is_scaled = whole.ends_with(',') || decimals.contains(',');
                let whole = whole.replace(',', "");
                if is_scaled || !are_places(&whole) || !are_places(decimals) {
                    return Self::Unknown;
                }
                Self::Rounded(decimals.matches(is_place).count())
            }
            _ if are_places(places) => Self::Places(places.to_owned()),
            _ => Self::Unknown,
        }
    }

    fn shown(&self, number: f64) -> DisplayedNumber {
        match self {
            _ if !(0.0..EXACT).contains(&number) => DisplayedNumber::Number,
            Self::General => DisplayedNumber::Number,
            Self::Rounded(decimals) if is_rounded(number, *decimals) => DisplayedNumber::Number,
            Self::Places(places) if is_rounded(number, 0) => {
                let plain = number.to_string();
                let text = fill(places, &plain);
                if text.trim() == plain {
                    DisplayedNumber::Number
                } else {
                    DisplayedNumber::Text(text.trim().to_owned())
                }
            }
            Self::UpTo(limit, parts) => parts[usize::from(number > *limit)].shown(number),
            Self::Rounded(_) | Self::Places(_) | Self::Unknown => DisplayedNumber::Other,
        }
    }
}

/// Whether a character is a place for a digit.
fn is_place(place: char) -> bool {
    matches!(place, '0' | '#' | '?')
}

/// Whether a character may stand between digits.
fn is_punctuation(character: char) -> bool {
    matches!(character, '-' | '+' | '(' | ')' | ':') || character.is_whitespace()
}

fn are_places(text: &str) -> bool {
    text.chars()
        .all(|place| is_place(place) || is_punctuation(place))
}

/// Whether a number has no more digits behind the point than these.
fn is_rounded(number: f64, decimals: usize) -> bool {
    let shown = format!("{number:.decimals$}");
    shown.parse() == Ok(number)
}

/// Whole numbers below this are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a number as its cell shows it.
pub(super) fn write_number(number: f64, look: &NumberDisplay, out: &mut String) -> CellKind {
    if !number.is_finite() {
        // As Excel shows a number that it cannot hold.
        out.push_str("#NUM!");
        return CellKind::Error;
    }
    // Excel keeps 15 digits and shows no more: 7.0000000000000009 is 7.
    let is_whole = number.fract() == 0.0 && number.abs() < EXACT;
    let number = if is_whole {
        number
    } else {
        fifteen_digits(number)
    };
    let kind = match look.shown(number) {
        DisplayedNumber::Text(text) => {
            out.push_str(&text);
            return CellKind::Formatted;
        }
        DisplayedNumber::Other => CellKind::DisplayDiffers,
        DisplayedNumber::Number => CellKind::Number,
    };
    // Writing to a string cannot fail.
    let _ = write!(out, "{number}");
    kind
}

/// Unpacks the number of a cell in a binary format: [MS-XLS] 2.5.217.
pub(super) fn unpacked(packed: u32) -> f64 {
    let number = if packed & 2 == 0 {
        f64::from_bits(u64::from(packed & !3) << 32)
    } else {
        f64::from(packed.cast_signed() >> 2)
    };
    if packed & 1 == 0 {
        number
    } else {
        number / 100.0
    }
}

fn fifteen_digits(number: f64) -> f64 {
    if number.abs() >= EXACT {
        return number;
    }
    format!("{number:.14e}").parse().unwrap_or(number)
}

/// Fills the places from the right; remaining digits precede the first place.
fn fill(places: &str, digits: &str) -> String {
    let mut left: Vec<char> = digits.chars().collect();
    let first = places.find(is_place);
    let mut shown = Vec::new();
    for (at, place) in places.char_indices().rev() {
        match place {
            '0' => shown.push(left.pop().unwrap_or('0')),
            '#' | '?' => shown.extend(left.pop()),
            literal => shown.push(literal),
        }
        if Some(at) == first {
            shown.extend(left.drain(..).rev());
        }
    }
    shown.iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(number: f64, code: &str) -> String {
        let mut out = String::new();
        write_number(number, &NumberDisplay::parse(code), &mut out);
        out
    }

    #[test]
    fn leading_zeros_of_a_format_are_shown() {
        assert_eq!(shown(2134.0, "00000"), "02134");
        assert_eq!(shown(21_341_234.0, "00000-0000"), "02134-1234");
        assert_eq!(shown(21_341_234.0, "00000\\-0000"), "02134-1234");
        assert_eq!(shown(100.0, "0000"), "0100");
    }

    #[test]
    fn the_section_whose_condition_is_met_is_shown() {
        let zip = "[<=99999]00000;00000\\-0000";
        let phone = "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####";
        let three = "[<=99999]00000;[<=999999999]00000-0000;@";
        for (number, code, text) in [
            (43_206.0, zip, "43206"),
            (2134.0, zip, "02134"),
            (21_341_234.0, zip, "02134-1234"),
            (2134.0, three, "02134"),
            (432_061_234.0, three, "43206-1234"),
            (5_550_101.0, phone, "555-0101"),
            (4_165_550_123.0, phone, "(416) 555-0123"),
        ] {
            assert_eq!(shown(number, code), text, "{code}");
        }
    }

    #[test]
    fn what_a_format_hides_or_changes_is_not_taken_as_the_number() {
        let kind = |number, code: &str| {
            write_number(number, &NumberDisplay::parse(code), &mut String::new())
        };
        for (number, code) in [
            (100.5, "# ?/?"),
            (12.6, "0"),
            (12.345, "0.00"),
            (12_000.0, "0,"),
            (0.5, "0%"),
            (1200.0, "\"Lot \"#,##0"),
            (12.5, "\"Lot \"0.0"),
            (12.0, "\"Lot 5\""),
            (0.0, "\"Lot \"#"),
            (60.0, "[<50]0"),
            (60.0, "[<50]0;0.0;0"),
            (77.0, "[<50]\"L-\"0;\"H-\"0"),
            (12.0, "\"Bldg 20 Apt \"0"),
            (12.0, "\"10-\"0"),
            (1450.0, "0\" Hwy 50\""),
            (12.0, "\\1\\0\\-0"),
            (12.0, "\"Lot \"#,##0"),
            (12.0, "\"Lot \"General"),
            (12.0, "\"a;b\"0;-0"),
            (6_145_550_101.0, "+1 (000) 000-0000"),
            (123_456.0, "000\\.000"),
            (500.0, "[<=99]0;\"Ste \"0"),
        ] {
            assert_eq!(kind(number, code), CellKind::DisplayDiffers, "{code}");
        }
        for (number, code) in [
            (12.5, "0.00"),
            (12.5, "General"),
            (12.5, "@"),
            (1234.5, "#,##0.00"),
            (1e5, "0.00E+00"),
            (0.0, "_-* #,##0_-;\\-* #,##0_-;_-* \"-\"??_-;_-@_-"),
            (4.0, ";;;"),
            (1234.5, "#,##0.00\\ \"€\""),
            (1234.0, "\"$\"#,##0_);[Red]\\(\"$\"#,##0\\)"),
            (46_300.0, "dd\\.mm\\.yyyy"),
            (12.0, "[Red]General"),
            (1200.0, "_($* #,##0_);_($* \\(#,##0\\)"),
            (12.999_999_999_999_999_9, "0"),
        ] {
            assert_eq!(kind(number, code), CellKind::Number, "{code}");
        }
    }

    #[test]
    fn packed_numbers_are_whole_or_the_upper_half_of_a_float() {
        for (packed, number) in [
            (2134 << 2 | 2, 2134.0),
            (2134 << 2 | 3, 21.34),
            (0x3FF0_0000, 1.0),
            (0x3FF0_0001, 0.01),
            (0xFFFF_FFFE, -1.0),
        ] {
            assert!((unpacked(packed) - number).abs() < 1e-12, "{packed:x}");
        }
    }

    #[test]
    fn other_formats_leave_the_number() {
        for code in [
            "General", "@", "0", "#,##0", "0.00", "$#,##0", "0.00E+00", "yyyy/m/d",
        ] {
            assert_eq!(shown(1001.0, code), "1001", "{code}");
        }
    }

    #[test]
    fn float_artefacts_go() {
        assert_eq!(shown(7.000_000_000_000_001, "General"), "7");
        assert_eq!(shown(0.1 + 0.2, "General"), "0.3");
        assert_eq!(shown(12.5, "General"), "12.5");
        assert_eq!(shown(4_165_551_234.0, "General"), "4165551234");
    }
}
