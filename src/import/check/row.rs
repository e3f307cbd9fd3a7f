//! Makes a draft of a request from a row, and checks its fields.

use std::borrow::Cow;

use crate::import::check::address::validate_address;
use crate::import::check::cells::{became_a_date, characters};
use crate::import::check::contact::{validate_email, validate_phone};
use crate::import::check::draft::RowDraft;
use crate::import::check::numbers::is_any_date;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::whole_address::AddressParts;
use crate::model::{
    CONTACT_ELSEWHERE, Field, StreetCell, bare_unit, digits, ends_street, excerpt, group_digits,
    has_digit, has_house_number, is_canadian_postal_code, is_unit_text,
};
use crate::sheet::cell_address;
use crate::table::{fold_cell, is_street};

/// The documented limit of a street, in characters: Unicode scalar values.
///
/// # Source
/// S4.5, S8.
pub const LINE1_LIMIT: usize = 200;

/// The documented limit of the notes, in characters.
///
/// # Source
/// As [`LINE1_LIMIT`].
pub const NOTES_LIMIT: usize = 2000;

/// Words, folded, in front of the number of a home.
const HOMES: [&str; 6] = ["apt", "app", "appt", "unit", "suite", "ste"];

impl<'a> RowCheck<'a> {
    /// Reads and checks the row; the draft may be sent only if no problem is an error.
    pub(super) fn draft(&mut self) -> RowDraft<'a> {
        if self.is_ragged() || self.repeats_the_headers() || self.is_heading() {
            return RowDraft::default();
        }
        let mut draft = RowDraft {
            name: self.name(),
            notes: self.notes(),
            url: self.optional(Field::Url).map(|value| value.text),
            label: self.optional(Field::Label).map(|value| value.text),
            ..RowDraft::default()
        };
        self.read_address(&mut draft);
        self.read_contact(&mut draft);
        self.read_id(&mut draft);
        self.read_link(&mut draft);
        draft
    }

    fn notes(&mut self) -> Option<Cow<'a, str>> {
        let columns = self.columns;
        let cells = columns.indexes_of(Field::Notes).iter();
        let cells = cells.filter_map(|&column| self.value(Field::Notes, column));
        let mut value = cells.reduce(|one, other| CellValue {
            text: Cow::Owned(format!("{}\n{}", one.text, other.text)),
            ..one
        })?;
        let is_too_long = value.text.len() > NOTES_LIMIT && characters(&value.text) > NOTES_LIMIT;
        if is_too_long && self.rules.truncate_notes {
            let length = characters(&value.text);
            let cut: String = value.text.chars().take(NOTES_LIMIT).collect();
            let message = message!(
                "cut from {} to {} characters",
                group_digits(length),
                group_digits(NOTES_LIMIT)
            );
            self.warn(Field::Notes, value.column, message);
            value.text = Cow::Owned(cut);
        }
        self.limit(Field::Notes, &value, NOTES_LIMIT);
        Some(value.text)
    }

    fn read_address(&mut self, draft: &mut RowDraft<'a>) {
        let name = draft.name.clone();
        let Some(mut parts) = self.address_parts(&name) else {
            return;
        };
        if self.has_exchanged_cells(&parts) {
            return;
        }
        self.check_lines(&parts);
        validate_address(self, &mut parts, draft);
        let city = parts.city.map(|value| self.city_alone(value, draft));
        let city = city.map(|value| value.text).unwrap_or_default();
        let street = parts.line1;
        let line1 = street.map(|value| self.street_alone(value, &city, draft));
        self.warn_of_further_addresses(line1.as_ref());
        draft.line1 = line1.map(|value| value.text).unwrap_or_default();
        draft.line2 = parts.line2.map(|value| value.text);
        draft.city = city;
    }

    /// Whether city and postal code, or city and street, are in each other's columns: another house would be measured.
    fn has_exchanged_cells(&mut self, parts: &AddressParts<'a>) -> bool {
        let Some(city) = &parts.city else {
            return false;
        };
        let text = city.text.as_ref();
        let is_code =
            has_digit(text) && !text.contains(char::is_alphabetic) || is_canadian_postal_code(text);
        let other = match &parts.postal_code {
            Some(code) if is_code => Some(code),
            _ => parts.line1.as_ref().filter(|_| begins_with_street(text)),
        };
        let Some(other) = other.filter(|other| !has_digit(&other.text)) else {
            return false;
        };
        let message = message!(
            "`{}` is not a city, and `{}` in `{}` has no digit: are cells of this row in the wrong columns?",
            excerpt(text),
            excerpt(&other.text),
            self.columns.name_of(other.column)
        );
        self.error(Field::City, Some(city.column), message);
        true
    }

    /// Checks street, unit and city each by itself.
    fn check_lines(&mut self, parts: &AddressParts<'a>) {
        let AddressParts {
            line1, line2, city, ..
        } = parts;
        for (field, value) in [(Field::Line1, line1), (Field::Line2, line2)] {
            if let Some(value) = value.as_ref().filter(|value| is_any_date(&value.text)) {
                self.error(field, Some(value.column), became_a_date(&value.text));
            }
        }
        if let (Some(one), Some(two)) = (line1, line2) {
            self.check_first_against_second(one, two);
        }
        if let Some(value) = line1 {
            self.limit(Field::Line1, value, LINE1_LIMIT);
        }
        let has_letter = |value: &CellValue<'a>| value.text.contains(char::is_alphabetic);
        if let Some(value) = city.as_ref().filter(|city| !has_letter(city)) {
            let message = message!("the city has no letter");
            self.warn(Field::City, value.column, message);
        }
        if let Some(value) = city.as_ref().filter(|city| begins_with_street(&city.text)) {
            let message = message!("`{}` has a street in it", excerpt(&value.text));
            self.warn(Field::City, value.column, message);
        }
        for (field, value) in [(Field::Line2, line2), (Field::City, city)] {
            if let Some(value) = value {
                self.warn_if_long(field, value);
            }
        }
    }

    /// Reports a street that stands in the second line, and a unit that is another one than in the first line.
    fn check_first_against_second(&mut self, one: &CellValue<'a>, two: &CellValue<'a>) {
        let has_street = has_house_number(&two.text) && !is_unit_text(&two.text);
        if has_street && (is_unit_text(&one.text) || bare_unit(&one.text).is_some()) {
            let message = message!("line1 has only a unit, and line2 has the street; swap them");
            self.error(Field::Line1, Some(one.column), message);
        } else if has_street && !has_digit(&one.text) && is_street(&two.text) {
            let message =
                message!("line1 has no house number, and line2 has the street; swap them");
            self.error(Field::Line1, Some(one.column), message);
        }
        // Nearly all streets have one number, that of the house.
        let numbers = one.text.split(|c: char| !c.is_ascii_digit());
        if numbers.filter(|number| !number.is_empty()).count() < 2 || !has_digit(&two.text) {
            return;
        }
        let own = StreetCell::parse(&one.text, self.postal_code()).unit;
        let own = own.trim_start_matches([' ', ',']);
        let word = |unit: &str| fold_cell(unit.split(' ').next().unwrap_or_default());
        // `Bldg 4` is not the unit `2` in it.
        let is_home = own.starts_with('#') || HOMES.contains(&word(own).as_str());
        let is_bare = is_home && bare_unit(&two.text).is_some();
        let is_one_kind = is_bare || word(own) == word(&two.text);
        if has_digit(own) && is_one_kind && digits(own) != digits(&two.text) {
            let message = message!("the address says `{own}`, and this cell `{}`", two.text);
            self.error(Field::Line2, Some(two.column), message);
        }
    }

    fn read_contact(&mut self, draft: &mut RowDraft<'a>) {
        let email = self.optional(Field::Email);
        let phone = self.optional(Field::Phone);
        if email.is_none() && phone.is_none() && !self.has_error_in(&[Field::Email, Field::Phone]) {
            let column = self.first_column(&[Field::Email, Field::Phone]);
            let field = if self.columns.indexes_of(Field::Email).is_empty() {
                Field::Phone
            } else {
                Field::Email
            };
            let mut message = message!("no email and no phone; one of them is required");
            let has_contact = |(_, column): &(Field, usize)| {
                let text = self.row.cell(*column).text;
                text.contains('@') || has_digit(text)
            };
            let mut unused = self.columns.unused_contacts();
            if let Some((contact, column)) = unused.find(has_contact) {
                message.kind = CONTACT_ELSEWHERE.into();
                message.text = format!(
                    "{}; {} (`{}`) has `{}` and is not sent: {}",
                    message.text,
                    cell_address(column, self.row.number),
                    excerpt(&self.columns.name_of(column)),
                    excerpt(self.row.cell(column).text),
                    self.columns.flags_with(contact, Some(column))
                );
            }
            self.error(field, column, message);
        }
        if let Some(value) = &email {
            validate_email(self, value);
            self.warn_if_long(Field::Email, value);
        }
        if let Some(value) = &phone {
            validate_phone(self, value);
            self.warn_if_long(Field::Phone, value);
        }
        draft.email = email.map(|value| value.text);
        draft.phone = phone.map(|value| value.text);
    }
}

/// Whether the text of a city is a street, or begins with one; `100 Mile House` is a city.
fn begins_with_street(city: &str) -> bool {
    let is_type = |word: &str| ends_street(word.trim_end_matches('.'));
    has_house_number(city) && city.to_lowercase().split(' ').any(is_type)
}
