//! Email and phone: sent unchanged, with a warning if they look wrong.

use std::borrow::Cow;

use crate::import::check::numbers::{NumericText, digits_of};
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::Field;

pub(super) fn judge_email(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    if let Some(message) = odd_email(&value.text) {
        check.warn(
            Field::Email,
            value.column,
            format!("{message}; sent unchanged"),
        );
    }
}

fn odd_email(email: &str) -> Option<&'static str> {
    if email
        .get(..7)
        .is_some_and(|start| start.eq_ignore_ascii_case("mailto:"))
    {
        return Some("starts with mailto:");
    }
    let Some((user, domain)) = email.split_once('@') else {
        return Some("an email without @");
    };
    if domain.contains('@') || email.contains([';', ',', ' ', '/', '\n']) {
        return Some("looks like several emails");
    }
    let is_whole = !user.is_empty()
        && domain
            .split_once('.')
            .is_some_and(|(name, rest)| !name.is_empty() && !rest.is_empty());
    (!is_whole).then_some("the email looks cut off")
}

pub(super) fn judge_phone(check: &mut RowCheck<'_>, value: &CellValue<'_>) {
    let digits = value.text.bytes().filter(u8::is_ascii_digit).count();
    let letters = value.text.bytes().filter(u8::is_ascii_alphabetic).count();
    // In `1 800 FLOWERS` letters represent digits.
    let digits = if (3..7).contains(&digits) && digits + letters >= 10 {
        digits + letters
    } else {
        digits
    };
    let message = match digits_of(&value.text) {
        NumericText::Lost => {
            "a spreadsheet shortened the number; format the column as text and export again"
        }
        _ if digits == 7 => "no area code",
        _ if digits < 7 => "too few digits for a phone number",
        _ => return,
    };
    check.warn(
        Field::Phone,
        value.column,
        format!("{message}; sent unchanged"),
    );
}

/// A phone number without the label in front of it, such as `Phone:`, `Tel.` or `m:`.
pub(super) fn without_phone_label(text: Cow<'_, str>) -> Cow<'_, str> {
    match labelled_number(&text) {
        Some(number) => Cow::Owned(number.to_owned()),
        None => text,
    }
}

/// The number after a label; none without a label, or with more letters than an extension has.
fn labelled_number(text: &str) -> Option<&str> {
    const LABELS: [&str; 22] = [
        "phone",
        "telephone",
        "téléphone",
        "tel",
        "tél",
        "ph",
        "cell",
        "cellular",
        "cellulaire",
        "cel",
        "mobile",
        "mob",
        "home",
        "work",
        "office",
        "main",
        "domicile",
        "bureau",
        "number",
        "no",
        "numéro",
        "primary",
    ];
    /// Labels only if a punctuation mark follows.
    const LETTERS: [&str; 8] = ["p", "t", "c", "m", "h", "w", "o", "b"];
    const EXTENSIONS: [&str; 5] = ["x", "ext", "extension", "poste", "p"];
    let start = text.find(|c: char| c.is_ascii_digit() || "+(".contains(c))?;
    let (label, number) = text.split_at(start);
    let is_marked = label.trim_end().ends_with([':', '.', '#', '-']);
    let mut words = label
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek()?;
    let is_label = |word: &str| {
        let word = word.to_lowercase();
        LABELS.contains(&word.as_str()) || is_marked && LETTERS.contains(&word.as_str())
    };
    let mut others = number
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty());
    let is_number = others.all(|word| EXTENSIONS.contains(&word.to_lowercase().as_str()));
    (is_number && words.all(is_label)).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_in_front_of_a_phone_number_is_removed() {
        for (written, number) in [
            ("Phone: (613) 555-0199", "(613) 555-0199"),
            ("Tel. 613-555-0199", "613-555-0199"),
            ("Tél. : 613 555-0199 poste 12", "613 555-0199 poste 12"),
            ("Cell:+1 613 555 0199", "+1 613 555 0199"),
            ("m: 6135550199", "6135550199"),
            ("Home phone - 613-555-0199 x4", "613-555-0199 x4"),
        ] {
            assert_eq!(labelled_number(written), Some(number), "{written}");
        }
        for text in [
            "(613) 555-0199",
            "613-555-0199 (cell)",
            "call 613-555-0199",
            "Phone: 613-555-0199 / Cell: 613-555-0100",
            "1 800 FLOWERS",
            "m 6135550199",
            "Ada 613-555-0199",
            "none",
        ] {
            assert_eq!(labelled_number(text), None, "{text}");
        }
    }

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
