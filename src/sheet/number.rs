//! Numbers as displayed in a sheet: `1001.0` is 1001, and under the format `00000` 2134 is 02134.

use std::fmt::Write as _;

use crate::sheet::batch::CellKind;

/// How a number format shows whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumberDisplay {
    /// As the number is.
    General,
    /// Digits in places, with literals between them: `00000-0000`.
    Places(String),
}

impl NumberDisplay {
    /// What a format code means for whole numbers. Only formats of zeros and literals show other digits than the
    /// number's own; everything else (thousands, currencies, percentages) is taken as the number.
    pub(super) fn parse(code: &str) -> Self {
        let section = code.rsplit(';').next().unwrap_or_default();
        let section = if code.starts_with("[<=") {
            section
        } else {
            code.split(';').next().unwrap_or_default()
        };
        let mut places = String::new();
        let mut characters = section.chars();
        while let Some(character) = characters.next() {
            match character {
                '0' | '#' | '-' | ' ' | '(' | ')' => places.push(character),
                '\\' => places.extend(characters.next()),
                '"' => places.extend(characters.by_ref().take_while(|c| *c != '"')),
                '[' => {
                    characters.by_ref().take_while(|c| *c != ']').for_each(drop);
                }
                '_' | '*' => {
                    characters.next();
                }
                '@' => {}
                _ => return Self::General,
            }
        }
        let shows_more = places.starts_with("00")
            || places.chars().any(|c| !matches!(c, '0' | '#')) && places.contains(['0', '#']);
        if shows_more {
            Self::Places(places)
        } else {
            Self::General
        }
    }
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
    let whole = number.fract() == 0.0 && number.abs() < EXACT;
    if let (NumberDisplay::Places(places), true, true) = (look, whole, number >= 0.0) {
        let start = out.len();
        fill(places, &format!("{number:.0}"), out);
        if out.len() > start {
            return CellKind::Formatted;
        }
    }
    // Excel keeps 15 digits and shows no more: 7.0000000000000009 is 7. Writing to a string cannot fail.
    let shown = if whole {
        number
    } else {
        fifteen_digits(number)
    };
    let _ = write!(out, "{shown}");
    CellKind::Number
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
fn fill(places: &str, digits: &str, out: &mut String) {
    let mut left: Vec<char> = digits.chars().collect();
    let places: Vec<char> = places.chars().collect();
    let first = places.iter().position(|place| matches!(place, '0' | '#'));
    let mut shown = Vec::new();
    for (index, place) in places.iter().enumerate().rev() {
        match place {
            '0' => shown.push(left.pop().unwrap_or('0')),
            '#' => shown.extend(left.pop()),
            literal => shown.push(*literal),
        }
        if Some(index) == first {
            while let Some(digit) = left.pop() {
                shown.push(digit);
            }
        }
    }
    out.extend(shown.iter().rev());
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
        assert_eq!(
            shown(5_551_234.0, "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####"),
            "() 555-1234"
        );
        assert_eq!(
            shown(
                4_165_550_123.0,
                "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####"
            ),
            "(416) 555-0123"
        );
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
        for code in ["General", "0", "#,##0", "0.00", "0%", "$#,##0", "0.00E+00"] {
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
