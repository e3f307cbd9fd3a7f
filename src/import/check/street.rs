//! The street, from one column or from those of house number, direction, name and type.

use std::borrow::Cow;

use crate::import::check::cells::became_a_date;
use crate::import::check::numbers::is_excel_date;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{Field, excerpt, has_house_number};
use crate::table::STREET_ADDITIONS;

impl<'a> RowCheck<'a> {
    /// The street with its house number in front; direction and type are joined in the order of their columns.
    pub(super) fn street(&mut self) -> Option<CellValue<'a>> {
        let street = self.required(Field::Line1)?;
        let columns = self.columns;
        // Most tables have the whole street in one column.
        let is_absent = |field: Field| columns.of(field).is_empty();
        if STREET_ADDITIONS.into_iter().all(is_absent) {
            return Some(street);
        }
        let number = self.optional(Field::HouseNumber);
        let mut parts = vec![street.clone()];
        for field in [Field::StreetDirection, Field::StreetType] {
            for &column in columns.of(field) {
                let part = self.value(field, column);
                parts.extend(part.filter(|part| !has_part(&street.text, field, &part.text)));
            }
        }
        parts.sort_by_key(|part| part.column);
        if let Some(number) = number.filter(|number| !begins_with(&street.text, &number.text)) {
            self.check_house_number(&number, &street.text);
            parts.insert(0, number);
        }
        if parts.len() == 1 {
            return Some(street);
        }
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_ref()).collect();
        Some(CellValue {
            text: Cow::Owned(texts.join(" ")),
            ..street
        })
    }

    fn check_house_number(&mut self, number: &CellValue<'a>, street: &str) {
        if is_excel_date(&number.text) {
            let message = became_a_date(&number.text);
            self.error(Field::HouseNumber, Some(number.column), message);
        } else if has_house_number(street) {
            let message = format!("the street has a number of its own: `{}`", excerpt(street));
            self.warn(Field::HouseNumber, number.column, message);
        }
    }
}

/// Whether a street begins with that house number.
fn begins_with(street: &str, number: &str) -> bool {
    let rest = street.strip_prefix(number);
    rest.is_some_and(|rest| rest.starts_with([' ', ',']))
}

/// Whether a street has that direction or type already.
fn has_part(street: &str, field: Field, part: &str) -> bool {
    let is_part = |word: Option<&str>| word.is_some_and(|word| word.eq_ignore_ascii_case(part));
    let mut words = street.split_whitespace();
    // `St Clair` does not end in the type `St`.
    is_part(words.clone().next_back()) || field == Field::StreetDirection && is_part(words.next())
}
