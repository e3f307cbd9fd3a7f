//! The value of a field, normalized, or why it cannot be used.

use std::borrow::Cow;

use crate::import::check::numbers::{NumericText, parse_numeric_text};
use crate::import::check::problem_message::ProblemMessage;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::text_normalization::{
    LineBreaks, is_address_placeholder, is_ditto, is_no_contact, is_no_unit, is_of_other_encoding,
    is_other_address, is_placeholder, normalize,
};
use crate::model::{
    Field, Severity, WordList, excerpt, group_digits, is_of_digits, month_number, ungarbled,
};
use crate::sheet::CellKind;

static NOT_AVAILABLE: WordList = WordList::new("not_available");

/// Maximum length in characters of a field without a documented limit, before a warning.
const ODD_LENGTH: usize = 255;

impl<'a> RowCheck<'a> {
    pub(super) fn required(&mut self, field: Field) -> Option<CellValue<'a>> {
        let value = self.optional(field);
        if value.is_none() && !self.has_error_in(&[field]) {
            let column = self.first_column(&[field]);
            let is_filled = |column: &usize| !self.row.cell(*column).is_blank();
            let has_other = match field {
                Field::Line1 => self.columns.has_other_address,
                Field::Address => self.columns.other_addresses.iter().flatten().any(is_filled),
                _ => false,
            };
            let texts = self.columns.indexes_of(field).iter();
            let texts = texts
                .map(|column| normalize(self.row.cell(*column).text, LineBreaks::Replace).text);
            let lacks = match texts.into_iter().find(|text| !text.is_empty()) {
                // A placeholder, such as `TBD`.
                Some(text) => {
                    let noun = noun(field).trim_start_matches("the ");
                    message!("`{}` is no {noun}", excerpt(&text))
                }
                None => message!("{} is empty", noun(field)),
            };
            let message = if has_other {
                message!(
                    "{}; if the house has the other address of this row, type it here",
                    lacks.text
                )
            } else {
                lacks
            };
            self.error(field, column, message);
        }
        value
    }

    /// The value of the field's first filled column, normalized; `None` if all are empty.
    pub(super) fn optional(&mut self, field: Field) -> Option<CellValue<'a>> {
        let columns = self.columns;
        columns
            .indexes_of(field)
            .iter()
            .find_map(|&column| self.value(field, column))
    }

    pub(super) fn value(&mut self, field: Field, column: usize) -> Option<CellValue<'a>> {
        let cell = self.row.cell(column);
        let value = CellValue {
            text: Cow::Borrowed(cell.text),
            column,
            is_number: cell.kind == CellKind::Number,
        };
        match cell.kind {
            CellKind::Empty => None,
            CellKind::Text => self.text(field, column, cell.text),
            CellKind::Number if self.is_empty_reference(field, cell.text) => {
                self.note_taken_as_empty(field, column, cell.text);
                None
            }
            CellKind::Number | CellKind::Formatted | CellKind::Boolean => Some(value),
            CellKind::Date | CellKind::DisplayDiffers if field == Field::Notes => Some(value),
            kind => {
                self.error(field, Some(column), no_value(kind, cell.text.trim()));
                None
            }
        }
    }

    fn text(&mut self, field: Field, column: usize, written: &'a str) -> Option<CellValue<'a>> {
        let value = |text| CellValue {
            text,
            column,
            is_number: false,
        };
        if self.rules.as_is {
            let is_filled = !written.trim().is_empty();
            return is_filled.then(|| value(Cow::Borrowed(written)));
        }
        let lines = if matches!(field, Field::Notes | Field::Address) {
            LineBreaks::Keep
        } else {
            LineBreaks::Replace
        };
        if self.is_fallback && is_of_person_or_place(field) && is_of_other_encoding(written) {
            self.other_encoding
                .get_or_insert((column, written.trim().to_owned()));
            return None;
        }
        let normalized = normalize(written, lines);
        if normalized.text.is_empty() {
            return None;
        }
        if self.report_no_value(field, column, &normalized.text) {
            return None;
        }
        let text = Self::whole_number(field, without_label(field, normalized.text));
        if text.is_empty() {
            self.note_taken_as_empty(field, column, written.trim());
            return None;
        }
        if text != written {
            let why = match (normalized.invisible, written.trim().contains(['\n', '\r'])) {
                (true, _) => " (an invisible character was removed)",
                (false, true) if lines == LineBreaks::Replace => " (a line break became a space)",
                (false, _) => "",
            };
            self.tidied(field, column, written, &text, why);
        }
        if is_key_field(field) && has_lost_letter(&text) {
            self.error(field, Some(column), lost_letter(&text));
            return None;
        }
        if !text.is_ascii() {
            if text.contains(char::REPLACEMENT_CHARACTER) && field != Field::Notes {
                self.error(field, Some(column), lost_character(&text));
                return None;
            }
            self.warn_if_garbled(field, column, written);
        }
        Some(value(text))
    }

    /// Whether a text stands for an empty cell, an error or the value above; reports which.
    fn report_no_value(&mut self, field: Field, column: usize, text: &str) -> bool {
        // A house number is not among them: without it, the street alone would be sent.
        let may_be_open = matches!(
            field,
            Field::Line2
                | Field::Region
                | Field::PostalCode
                | Field::Address
                | Field::Line1
                | Field::City
        );
        let is_contact = matches!(field, Field::Email | Field::Phone);
        let is_bare_unit = field == Field::Line2 && text.eq_ignore_ascii_case("x");
        if is_error_text(text) || field != Field::Notes && is_too_narrow(text) {
            self.error(field, Some(column), no_value(CellKind::Error, text));
        } else if is_placeholder(text)
            || is_contact && is_no_contact(text)
            || (may_be_open || is_contact) && is_address_placeholder(text) && !is_bare_unit
            || matches!(field, Field::Line1 | Field::Line2) && is_no_unit(text)
            || self.is_empty_reference(field, text)
        {
            self.note_taken_as_empty(field, column, text);
        } else if field != Field::Notes && is_ditto(text) {
            let message = message!("`{text}` is a ditto mark; type the value");
            self.error(field, Some(column), message);
        } else if may_be_open && is_other_address(text) {
            let message = message!("`{text}` refers to another address; type the address");
            self.error(field, Some(column), message);
        } else {
            return false;
        }
        true
    }

    /// Whether a text is what a formula shows for an empty cell that it refers to, in a field that is never 0.
    fn is_empty_reference(&self, field: Field, text: &str) -> bool {
        let is_never_zero =
            is_key_field(field) || matches!(field, Field::Line2 | Field::Email | Field::Phone);
        is_never_zero && ["0", "00", "0.0", "0.00"].contains(&text) && !self.rules.as_is
    }

    fn note_taken_as_empty(&mut self, field: Field, column: usize, text: &str) {
        let message = message!("`{text}` is taken as empty");
        self.add(Severity::Tidied, Some(field), Some(column), message);
    }

    /// Restores ids, phones, units, postal codes and house numbers that were stored as floats.
    fn whole_number(field: Field, text: Cow<'a, str>) -> Cow<'a, str> {
        if !matches!(
            field,
            Field::Id | Field::Phone | Field::PostalCode | Field::HouseNumber | Field::Line2
        ) {
            return text;
        }
        match parse_numeric_text(&text) {
            NumericText::Exact(digits) => Cow::Owned(digits),
            NumericText::AsWritten | NumericText::LostDigits => text,
        }
    }

    fn warn_if_garbled(&mut self, field: Field, column: usize, text: &str) {
        if let Some(once) = ungarbled(text) {
            let mut message = message!(
                "an earlier program used a wrong encoding; was it `{}`?",
                excerpt(&once)
            );
            // Its correction would have another id, and be requested again.
            if self.rules.derive_ids && is_key_field(field) {
                message.text += " Correct it first";
                self.error(field, Some(column), message);
            } else {
                self.warn(field, column, message);
            }
        } else if text.contains(char::REPLACEMENT_CHARACTER) {
            self.warn(field, column, lost_character(text));
        }
    }

    pub(super) fn limit(&mut self, field: Field, value: &CellValue<'_>, limit: usize) {
        if value.text.len() <= limit {
            return;
        }
        let length = characters(&value.text);
        if length > limit {
            let cut = if field == Field::Notes {
                " (--truncate-notes cuts them)"
            } else {
                ""
            };
            let message = message!(
                "{} characters; the limit is {}{cut}",
                group_digits(length),
                group_digits(limit)
            );
            self.error(field, Some(value.column), message);
        } else if value.text.encode_utf16().count() > limit {
            let message = message!(
                "{length} characters, but near the limit of {limit} a service may count emoji differently"
            );
            self.warn(field, value.column, message);
        }
    }

    pub(super) fn warn_if_long(&mut self, field: Field, value: &CellValue<'_>) {
        if value.text.len() > ODD_LENGTH {
            let length = characters(&value.text);
            if length > ODD_LENGTH {
                let message = message!(
                    "{} characters; the service may refuse it",
                    group_digits(length)
                );
                self.warn(field, value.column, message);
            }
        }
    }
}

/// A phone or postal code without the label that some programs write in front: `p:+16145550100` and `z:43200` in lead
/// forms of Facebook, `Phone:(514) 555-2213` in `QuickBooks`.
fn without_label(field: Field, text: Cow<'_, str>) -> Cow<'_, str> {
    let labels: &[&str] = match field {
        Field::Phone => &["p", "tel", "phone", "mobile"],
        Field::PostalCode => &["z"],
        _ => return text,
    };
    match text.split_once(':') {
        Some((label, value)) if labels.iter().any(|known| label.eq_ignore_ascii_case(known)) => {
            Cow::Owned(value.trim_start().to_owned())
        }
        _ => text,
    }
}

fn is_of_person_or_place(field: Field) -> bool {
    !matches!(field, Field::Notes | Field::Url | Field::Label)
}

fn is_name(field: Field) -> bool {
    matches!(field, Field::Name | Field::FirstName | Field::LastName)
}

/// Whether a field has the house or the customer, by which a request is recognized.
fn is_key_field(field: Field) -> bool {
    is_name(field) || matches!(field, Field::Address | Field::Line1 | Field::City)
}

/// Whether a letter with an accent became a `?`, as in `Montr?al`.
fn has_lost_letter(text: &str) -> bool {
    text.match_indices('?').any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + 1..]);
        before.ends_with(char::is_alphabetic) && after.starts_with(char::is_alphabetic)
    })
}

/// The message about a cell whose value is not known: a number that is shown otherwise, a date, or a formula without a
/// result.
fn no_value(kind: CellKind, text: &str) -> ProblemMessage {
    match kind {
        CellKind::DisplayDiffers => message!(
            "holds `{text}`, but its number format displays something else; format the cell as text and type the right value"
        ),
        CellKind::Date => became_a_date(text),
        CellKind::Uncalculated => {
            message!("the formula was never calculated; open the file in Excel and save it")
        }
        _ if is_too_narrow(text) => {
            message!(
                "no value, only `#`: the column was too narrow; widen it in Excel and save again"
            )
        }
        _ => message!(
            "no value ({}); open the file in Excel, correct the formula and save",
            excerpt(text)
        ),
    }
}

/// The message about a letter that another program replaced by `?`, because its encoding does not have it.
fn lost_letter(text: &str) -> ProblemMessage {
    message!(
        "a letter was lost when the file was saved: `{}`; type it again, or export the file again as CSV UTF-8",
        excerpt(text)
    )
}

/// The message about a character that another program replaced by U+FFFD, because it could not decode it.
fn lost_character(text: &str) -> ProblemMessage {
    message!(
        "`{}` has lost a character (�); type it again, or export the file again as UTF-8",
        excerpt(text)
    )
}

/// The number of Unicode scalar values, as the service counts characters.
pub(super) fn characters(text: &str) -> usize {
    text.chars().count()
}

fn noun(field: Field) -> &'static str {
    match field {
        Field::Address => "the address",
        Field::Line1 => "the street address",
        Field::City => "the city",
        Field::Region => "the province or state",
        Field::PostalCode => "the postal code",
        other => other.name(),
    }
}

pub(super) fn became_a_date(text: &str) -> ProblemMessage {
    match plain_numbers(text) {
        Some(numbers) => message!(
            "became a date (`{}`); was it {numbers}? Format the column as text and type it again",
            excerpt(text)
        ),
        None => message!(
            "became a date (`{}`); format the column as text and type it again",
            excerpt(text)
        ),
    }
}

/// The likely original text of a date: `3-4 or 4-3`, because the day is in front in some countries.
fn plain_numbers(text: &str) -> Option<String> {
    let number = |part: &str| month_number(part).or_else(|| part.parse().ok());
    let date = text.split(' ').next()?;
    let parts: Vec<usize> = date.split('-').map(number).collect::<Option<_>>()?;
    let (month, day) = match parts.as_slice() {
        [year, month, day] if *year > 31 => (month, day),
        // `3-Jan` was typed as 1-3 or 3-1.
        [day, month] if !date.starts_with(char::is_alphabetic) => (month, day),
        [month, other] => (month, other),
        _ => return None,
    };
    // `Jan-45` has no day.
    Some(if month == day || *day > 31 {
        format!("{month}-{day}")
    } else {
        format!("{month}-{day} or {day}-{month}")
    })
}

/// Whether a text is an error of a formula in any language: `#REF!`, `#¡VALOR!`, `#NOM?`, `#N/A`, `Err:502`. `#12` is
/// a unit.
fn is_error_text(text: &str) -> bool {
    let Some(name) = text.strip_prefix('#') else {
        let number = text.strip_prefix("Err:").unwrap_or_default();
        return is_of_digits(number);
    };
    let is_of_name = |c: char| c.is_uppercase() || c.is_ascii_digit() || "/_¡¿".contains(c);
    let is_name = |name: &str| {
        let letters = name.chars().filter(|c| c.is_uppercase()).count();
        letters >= 2 && name.chars().all(is_of_name)
    };
    NOT_AVAILABLE.has(name) || name.strip_suffix(['!', '?']).is_some_and(is_name)
}

/// Whether a text is what Excel shows of a number or a date in a narrow column.
fn is_too_narrow(text: &str) -> bool {
    text.len() >= 2 && text.bytes().all(|byte| byte == b'#')
}
