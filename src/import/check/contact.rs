//! Email and phone: sent unchanged, with a warning if they look wrong.

use std::borrow::Cow;

use crate::import::check::numbers::{NumericText, parse_numeric_text};
use crate::import::check::problem_message::ProblemMessage;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::Field;

/// Number of digits of two phone numbers; one has at most 15, and an extension.
const TWO_NUMBERS: usize = 19;

pub(super) fn validate_email(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    if let Some(message) = odd_email(&value.text) {
        check.warn(Field::Email, value.column, sent_unchanged(message));
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
    if domain.contains('@') {
        return Some("looks like several emails");
    }
    if email.contains(['<', ' ', ';', ',', '/']) {
        return Some("the email has a space or a mark in it, or a name beside it");
    }
    let is_whole = !user.is_empty()
        && domain
            .split_once('.')
            .is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    (!is_whole).then_some("the email looks incomplete")
}

pub(super) fn validate_phone(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    if odd_email(&value.text).is_none() {
        let flags = check.columns.flags_with(Field::Email, Some(value.column));
        let message = message!(
            "an email, not a phone number; move it to a column of emails, or use {flags} if this column has emails only; sent unchanged"
        );
        return check.warn(Field::Phone, value.column, message);
    }
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
        _ if digits >= TWO_NUMBERS => {
            let message = message!("looks like several phone numbers; all are sent");
            return check.warn(Field::Phone, value.column, message);
        }
        _ if digits == 7 => "no area code",
        _ if digits < 7 => "too few digits for a phone number",
        _ => match odd_digits(&value.text) {
            Some(message) => message,
            None => return,
        },
    };
    check.warn(Field::Phone, value.column, sent_unchanged(message));
}

/// The message of a value that is sent although it looks wrong; each cause is a kind of its own.
fn sent_unchanged(cause: &'static str) -> ProblemMessage {
    ProblemMessage {
        kind: Cow::Borrowed(cause),
        text: format!("{cause}; sent unchanged"),
    }
}

/// What is wrong with the digits of a phone number in Canada or the United States.
fn odd_digits(phone: &str) -> Option<&'static str> {
    let digits: Vec<u8> = phone.bytes().filter(u8::is_ascii_digit).collect();
    // Behind a letter or a mark stands an extension.
    let is_alone = !phone.contains(|c: char| c.is_alphabetic() || "#*;,/".contains(c));
    let own = match digits.as_slice() {
        _ if phone.contains('+') => return None,
        [b'1', own @ ..] if own.len() >= 10 => own,
        own => own,
    };
    match own.len() {
        8 => Some("8 digits; a phone number has 10"),
        9 => Some("9 digits; a phone number has 10"),
        11 if is_alone => Some("11 digits; a phone number has 10"),
        10.. if own[0] < b'2' => Some("no area code begins with 0 or 1"),
        _ => None,
    }
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
            "Ann Lee <ann@example.com>",
            "ann@example,com",
            "@example.com",
            "jo@.com",
        ] {
            assert!(odd_email(email).is_some(), "{email}");
        }
    }

    #[test]
    fn phone_numbers_of_another_length_are_told() {
        for phone in [
            "614-555-010",
            "614-555-01011",
            "1234567890",
            "614-555-O1O1",
            "0000000000",
            "1-614-555-010",
        ] {
            assert!(odd_digits(phone).is_some(), "{phone}");
        }
        for phone in [
            "(614) 555-0101",
            "1 614 555 0101",
            "614-555-0101 x5",
            "614-555-0101 #5",
            "+44 20 7946 0958",
            "1-614-555-0101 ext. 12",
        ] {
            assert_eq!(odd_digits(phone), None, "{phone}");
        }
    }
}
