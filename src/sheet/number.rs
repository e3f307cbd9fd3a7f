//! Numbers as displayed in a sheet: `1001.0` is 1001, and under the format `00000` 2134 is 02134.

use std::fmt::Write as _;

use crate::sheet::batch::CellKind;
use crate::sheet::number_code::{DigitRule, FormatPart, FormatSection, section_of, sections};

/// How a number format shows numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumberDisplay {
    /// As the number is.
    General,
    /// By one of the sections of a format code.
    Code(Vec<FormatSection>),
}

impl NumberDisplay {
    /// What a format code means. Thousands, currencies and scientific notation are taken as the number.
    pub(super) fn parse(code: &str) -> Self {
        if code.eq_ignore_ascii_case("general") {
            return Self::General;
        }
        Self::Code(sections(code))
    }

    /// What a cell shows of a number. Its digits are written if they are in the places of a format, and nothing
    /// otherwise.
    fn write_places(&self, number: f64, out: &mut String) -> CellKind {
        match self {
            Self::Code(sections) if (0.0..EXACT).contains(&number) => {
                match section_of(sections, number) {
                    Some(section) => section.write_places(number, out),
                    None => CellKind::DisplayDiffers,
                }
            }
            Self::Code(_) | Self::General => CellKind::Number,
        }
    }
}

impl FormatSection {
    fn write_places(&self, number: f64, out: &mut String) -> CellKind {
        match self.digits {
            DigitRule::Own => {}
            DigitRule::OtherForm => return CellKind::Number,
            DigitRule::Others => return CellKind::DisplayDiffers,
        }
        let is_general = self.parts.contains(&FormatPart::Number);
        let is_without_places = !self.has_places() && self.decimals.is_none();
        if !is_without_places
            && !is_general
            && !is_rounded(number, self.decimals.unwrap_or_default())
        {
            return CellKind::DisplayDiffers;
        }
        // `#` shows nothing of 0.
        let is_nothing = number == 0.0 && !is_general && !self.parts.contains(&FormatPart::Zero);
        if is_without_places
            || is_nothing
            || self.decimals.is_some()
            || self.has_thousands && number >= 1000.0
        {
            return if self.has_words() {
                CellKind::DisplayDiffers
            } else {
                CellKind::Number
            };
        }
        let plain = number.to_string();
        let text = fill(&self.parts, &plain);
        let text = text.trim();
        if text == plain {
            return CellKind::Number;
        }
        out.push_str(text);
        CellKind::Formatted
    }
}

/// Whether a number has no more digits behind the point than these.
fn is_rounded(number: f64, decimals: usize) -> bool {
    let shown = format!("{number:.decimals$}");
    shown.parse() == Ok(number)
}

/// Whole numbers below this are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Writes a number as its cell shows it.
pub(super) fn write_number(number: f64, display: &NumberDisplay, out: &mut String) -> CellKind {
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
    let kind = display.write_places(number, out);
    if kind != CellKind::Formatted {
        // Writing to a string cannot fail.
        let _ = write!(out, "{number}");
    }
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
fn fill(parts: &[FormatPart], digits: &str) -> String {
    let mut left: Vec<char> = digits.chars().collect();
    let first = parts
        .iter()
        .position(|part| !matches!(part, FormatPart::Literal(_)));
    let mut shown = Vec::new();
    for (index, part) in parts.iter().enumerate().rev() {
        match part {
            FormatPart::Zero => shown.push(left.pop().unwrap_or('0')),
            FormatPart::Digit => shown.extend(left.pop()),
            FormatPart::Number => {}
            FormatPart::Literal(literal) => shown.push(*literal),
        }
        if Some(index) == first {
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
        let unit = "[<=99]\"Apt \"0;\"Ste \"0";
        let phone = "[<=9999999]###\\-####;\\(###\\)\\ ###\\-####";
        for (number, code, text) in [
            (43_206.0, zip, "43206"),
            (2134.0, zip, "02134"),
            (21_341_234.0, zip, "02134-1234"),
            (43_206.0, "[>99999]00000\\-0000;00000", "43206"),
            (432_061_234.0, "[>99999]00000\\-0000;00000", "43206-1234"),
            (2134.0, "[<=99999]00000;[<=999999999]00000-0000;@", "02134"),
            (12.0, unit, "Apt 12"),
            (500.0, unit, "Ste 500"),
            (77.0, "[<50]\"L-\"0;\"H-\"0", "H-77"),
            (7.0, "[=1]\"A\"0;[<>7]\"B\"0;\"C\"0", "C7"),
            (5_550_101.0, phone, "555-0101"),
            (4_165_550_123.0, phone, "(416) 555-0123"),
            (12.0, "\"a;b\"0;-0", "a;b12"),
        ] {
            assert_eq!(shown(number, code), text, "{code}");
        }
    }

    #[test]
    fn digits_of_literals_are_no_places() {
        for (number, code, text) in [
            (12.0, "\"Bldg 20 Apt \"0", "Bldg 20 Apt 12"),
            (12.0, "\"10-\"0", "10-12"),
            (1234.0, "\"2026-\"000", "2026-1234"),
            (1450.0, "0\" Hwy 50\"", "1450 Hwy 50"),
            (12.0, "\\1\\0\\-0", "10-12"),
            (12.0, "\"Lot \"#,##0", "Lot 12"),
            (12.0, "\"Lot \"General", "Lot 12"),
            (6_145_550_101.0, "+1 (000) 000-0000", "+1 (614) 555-0101"),
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
