//! Recognizes ids, phones and postal codes that a spreadsheet stored as numbers or dates.

use crate::model::{has_only_digits, is_excel_date, is_of_digits};

/// The digits of a text that looks like a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NumericText {
    /// Not a number in the form that a spreadsheet writes.
    AsWritten,
    /// `1001.0`, `7.0000000000000009`, or scientific notation that kept every digit: these digits.
    Exact(String),
    /// Scientific notation that lost digits.
    LostDigits,
}

/// Finds the digits of a number that a spreadsheet converted.
pub(super) fn parse_numeric_text(text: &str) -> NumericText {
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return NumericText::AsWritten;
    }
    // A spreadsheet in French or German has a comma there.
    let with_point =
        (text.contains(['e', 'E']) && text.contains(',')).then(|| text.replacen(',', ".", 1));
    let text = with_point.as_deref().unwrap_or(text);
    let bytes = text.as_bytes();
    let is_of_numbers = |byte: &u8| byte.is_ascii_digit() || b".eE+".contains(byte);
    if !bytes.iter().all(is_of_numbers)
        || !bytes.iter().any(|byte| matches!(byte, b'.' | b'e' | b'E'))
    {
        return NumericText::AsWritten;
    }
    if let Some((whole, zeros)) = text.split_once('.')
        && is_of_digits(whole)
        && !zeros.is_empty()
        && zeros.bytes().all(|byte| byte == b'0')
    {
        return NumericText::Exact(whole.to_owned());
    }
    parse_scientific(text)
        .or_else(|| parse_float_artifact(text))
        .unwrap_or(NumericText::AsWritten)
}

/// A float that is a whole number in the 15 digits that a spreadsheet shows.
fn parse_float_artifact(text: &str) -> Option<NumericText> {
    let (whole, fraction) = text.split_once('.')?;
    if whole.len() + fraction.len() <= 15 || !is_of_digits(whole) || !is_of_digits(fraction) {
        return None;
    }
    let number: f64 = text.parse().ok()?;
    let shown: f64 = format!("{number:.14e}").parse().ok()?;
    (shown.fract() == 0.0).then(|| NumericText::Exact(shown.to_string()))
}

/// `1.23E+11`. Without a point or a sign, as in `12E5`, it is an id like any other.
fn parse_scientific(text: &str) -> Option<NumericText> {
    let (mantissa, exponent) = text.split_once(['e', 'E'])?;
    let signed = exponent.starts_with('+');
    let exponent = exponent.strip_prefix('+').unwrap_or(exponent);
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, fraction),
        None if signed => (mantissa, ""),
        None => return None,
    };
    let well_formed = whole.len() == 1
        && is_of_digits(whole)
        && has_only_digits(fraction)
        && is_of_digits(exponent);
    if !well_formed {
        return None;
    }
    let exponent: usize = exponent.parse().ok()?;
    // Only a mantissa with all digits is exact; trailing zeros may have been other digits.
    if fraction.len() == exponent {
        Some(NumericText::Exact(format!("{whole}{fraction}")))
    } else {
        Some(NumericText::LostDigits)
    }
}

/// Whether a text is a date where a number or a unit belongs: `12-Oct`, `10/12/2026`, `2026-10-12 00:00:00`. `1/2` is a
/// fraction.
pub(in crate::import) fn is_any_date(text: &str) -> bool {
    let day = text.split([' ', 'T']).next().unwrap_or_default();
    is_excel_date(text) || is_date(day)
}

/// Whether a text is a whole date: `2026-03-04`, `3/4/2026`.
pub(super) fn is_date(text: &str) -> bool {
    if !("1/2/26".len()..="2026-03-04".len()).contains(&text.len()) {
        return false;
    }
    let lengths = |separator: char| -> Vec<usize> {
        let parts = text.split(separator);
        parts
            .map(|part| if is_of_digits(part) { part.len() } else { 0 })
            .collect()
    };
    matches!(
        (lengths('-').as_slice(), lengths('/').as_slice()),
        ([4, 1 | 2, 1 | 2], _) | (_, [4, 1 | 2, 1 | 2] | [1 | 2, 1 | 2, 2 | 4])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_float_of_a_whole_number_is_that_number() {
        assert_eq!(
            parse_numeric_text("1001.0"),
            NumericText::Exact("1001".into())
        );
        assert_eq!(
            parse_numeric_text("4.165551234E9"),
            NumericText::Exact("4165551234".into())
        );
        assert_eq!(
            parse_numeric_text("4.165551234E+9"),
            NumericText::Exact("4165551234".into())
        );
    }

    #[test]
    fn what_floats_leave_behind_goes() {
        assert_eq!(
            parse_numeric_text("7.0000000000000009"),
            NumericText::Exact("7".into())
        );
        assert_eq!(
            parse_numeric_text("1000.9999999999999"),
            NumericText::Exact("1001".into())
        );
        assert_eq!(
            parse_numeric_text("1.500000000000001"),
            NumericText::AsWritten
        );
    }

    #[test]
    fn whole_dates_are_told_from_numbers() {
        for text in ["2026-03-04", "2026/3/4", "3/4/2026", "03/04/26"] {
            assert!(is_date(text), "{text}");
        }
        for text in ["1-2", "A-03-04", "2026-03", "416-555-0100", "12/4"] {
            assert!(!is_date(text), "{text}");
        }
    }

    #[test]
    fn dates_are_told_from_units_and_house_numbers() {
        for text in [
            "12-Oct",
            "10/12/2026",
            "2026-10-12 00:00:00",
            "2026-10-12T00:00:00",
            "2026-10-12 00:00:00.000",
            "3/4/2026 4:00 PM",
        ] {
            assert!(is_any_date(text), "{text}");
        }
        for text in [
            "1/2", "100 1/2", "12-14", "1-2", "4", "4:00 AM", "Apt 4", "10.5", "",
        ] {
            assert!(!is_any_date(text), "{text}");
        }
    }

    #[test]
    fn scientific_notation_that_lost_digits_is_told() {
        for text in ["1.23E+11", "1.2e+05", "4.17E+09", "1E+11", "4,82017E+10"] {
            assert_eq!(parse_numeric_text(text), NumericText::LostDigits, "{text}");
        }
    }

    #[test]
    fn other_ids_are_as_written() {
        for text in [
            "1001",
            "12E5",
            "1m",
            "1.5",
            "10.0.1",
            "E12",
            "0100",
            "1-2",
            "A1.0",
            "416.555.0123",
        ] {
            assert_eq!(parse_numeric_text(text), NumericText::AsWritten, "{text}");
        }
    }
}
