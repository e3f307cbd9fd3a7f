//! Email and phone: sent unchanged, with a warning if they look wrong.

use crate::import::check::numbers::{NumericText, parse_numeric_text};
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::Field;

/// Number of digits of two phone numbers; one has at most 15, and an extension.
const TWO_NUMBERS: usize = 19;

pub(super) fn validate_email(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    if let Some(message) = odd_email(&value.text) {
        check.warn(
            Field::Email,
            value.column,
            message!("{message}; sent unchanged"),
        );
    }
}

fn odd_email(email: &str) -> Option<&'static str> {
    if email
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("mailto:"))
    {
        return Some("the email starts with `mailto:`");
    }
    let Some((user, domain)) = email.split_once('@') else {
        return Some("the email has no `@`");
    };
    if domain.contains('@') || email.contains([';', ',', ' ', '/', '\n']) {
        return Some("looks like several emails");
    }
    let is_whole = !user.is_empty()
        && domain
            .split_once('.')
            .is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    (!is_whole).then_some("the email looks incomplete")
}

pub(super) fn validate_phone(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    let digits = value.text.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.text.bytes().filter(u8::is_ascii_alphabetic).count();
    // In `1 800 FLOWERS` letters represent digits.
    let digits = if (3..7).contains(&digits) && digits + letters >= 10 {
        digits + letters
    } else {
        digits
    };
    let message = match parse_numeric_text(&value.text) {
        NumericText::LostDigits => {
            "a spreadsheet rounded the number; format the column as text and export again"
        }
        _ if digits >= TWO_NUMBERS => "looks like several phone numbers",
        _ if digits == 7 => "no area code",
        _ if digits < 7 => "too few digits for a phone number",
        _ => return,
    };
    check.warn(
        Field::Phone,
        value.column,
        message!("{message}; sent unchanged"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_emails_are_not_odd() {
        for email in [
            "jo@example.com",
            "j.o'brien+gutters@mail.example.co.uk",
            "josé@exämple.com",
        ] {
            assert_eq!(odd_email(email), None, "{email}");
        }
    }

    #[test]
    fn odd_emails_are_told() {
        for email in [
            "jo",
            "jo@gmail",
            "mailto:jo@example.com",
            "a@example.com; b@example.com",
            "@example.com",
            "jo@.com",
        ] {
            assert!(odd_email(email).is_some(), "{email}");
        }
    }
}
