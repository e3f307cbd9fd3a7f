//! The customer's name, from one column or from those of first and last name.

use std::borrow::Cow;

use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::Field;
use crate::table::{NameFrom, NameOrder, first_last};

/// The documented limit, in characters: Unicode scalar values.
///
/// # Source
/// The sections on POST /measurements and on limits in the service's description.
const NAME_LIMIT: usize = 120;

impl<'a> RowCheck<'a> {
    pub(super) fn name(&mut self) -> Cow<'a, str> {
        let value = match self.columns.name_from {
            NameFrom::Whole => self.whole_name().or_else(|| self.joined_name()),
            NameFrom::Parts => self.joined_name().or_else(|| self.optional(Field::Name)),
        };
        let Some(value) = value else {
            let fields = [Field::Name, Field::LastName, Field::FirstName];
            if !self.has_error_in(&fields) {
                let column = self.first_column(&fields);
                self.error(Field::Name, column, "no name".to_owned());
            }
            return Cow::default();
        };
        self.limit(Field::Name, &value, NAME_LIMIT);
        value.text
    }

    /// The name from one column; `Patel, Chloé` becomes `Chloé Patel` if the whole column has this form.
    fn whole_name(&mut self) -> Option<CellValue<'a>> {
        let value = self.optional(Field::Name)?;
        if self.columns.name_order == NameOrder::AsWritten || self.rules.as_is {
            return Some(value);
        }
        let Some(turned) = first_last(&value.text) else {
            return Some(value);
        };
        self.tidied(Field::Name, value.column, &value.text, &turned, "");
        Some(CellValue {
            text: Cow::Owned(turned),
            ..value
        })
    }

    fn joined_name(&mut self) -> Option<CellValue<'a>> {
        let first = self.optional(Field::FirstName);
        let last = self.optional(Field::LastName);
        match (first, last) {
            (Some(first), Some(last)) => Some(CellValue {
                text: Cow::Owned(format!("{} {}", first.text, last.text)),
                ..first
            }),
            (one, other) => one.or(other),
        }
    }
}
