//! The unit, from one column or from those of several kinds, such as building and apartment.

use std::borrow::Cow;

use crate::import::check::numbers::is_any_date;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::import::check::trailing::has_contact_in;
use crate::model::{
    Field, Severity, bare_unit, excerpt, has_house_number, is_unit_text, postal_code_at_end,
};
use crate::table::{UnitKind, is_street};

/// A unit with the kind of its column.
type UnitCell<'a> = (CellValue<'a>, Option<UnitKind>);

impl<'a> RowCheck<'a> {
    /// The filled units, joined. A bare one among several has the word of its kind in front, and so has a lot or
    /// building.
    pub(super) fn unit(&mut self, street: Option<&str>) -> Option<CellValue<'a>> {
        let columns = self.columns;
        let units = columns.units();
        let filled =
            units.filter_map(|(column, kind)| Some((self.value(Field::Line2, column)?, kind)));
        let mut filled: Vec<UnitCell<'a>> = filled.collect();
        // A date is reported as it is written.
        if let Some(date) = filled.iter().position(|(unit, _)| is_any_date(&unit.text)) {
            return Some(filled.swap_remove(date).0);
        }
        if filled.is_empty() {
            return None;
        }
        let street = street.unwrap_or_default();
        if !self.rules.as_is {
            filled.retain(|(cell, _)| !self.is_left_out(cell, street));
            for (cell, _) in filled.iter().filter(|(cell, _)| is_contact(&cell.text)) {
                let message = message!("`{}` is not a unit; sent unchanged", excerpt(&cell.text));
                self.warn(Field::Line2, cell.column, message);
            }
        }
        let is_one = filled.len() == 1;
        for (unit, kind) in &mut filled {
            let Some(kind) = kind.filter(|kind| kind.is_worded || !is_one) else {
                continue;
            };
            if let Some(name) = bare_unit(&unit.text) {
                unit.text = Cow::Owned(format!("{} {name}", kind.word));
            } else if kind.is_worded && !is_unit_text(&unit.text) {
                let message = message!("`{}` is not a unit; sent unchanged", excerpt(&unit.text));
                self.warn(Field::Line2, unit.column, message);
            }
        }
        // Two columns may have the same unit.
        filled.dedup_by(|(one, _), (other, _)| one.text.eq_ignore_ascii_case(&other.text));
        let mut filled = filled.into_iter().map(|(unit, _)| unit);
        let first = filled.next()?;
        Some(filled.fold(first, |units, unit| CellValue {
            text: Cow::Owned(format!("{}, {}", units.text, unit.text)),
            ..units
        }))
    }

    /// Whether a cell has another street or a place instead of a unit; such a cell is not sent.
    fn is_left_out(&mut self, cell: &CellValue<'_>, street: &str) -> bool {
        let text = cell.text.as_ref();
        let is_other_street = || {
            [street, text]
                .into_iter()
                .all(|one| has_house_number(one) && is_street(one))
        };
        let place = postal_code_at_end(text, "");
        if is_unit_text(text) || !(place.is_some() || is_other_street()) {
            return false;
        }
        // The end of the row's own address is left out without a warning.
        let severity = match place {
            Some(code) if code == self.postal_code() => Severity::Tidied,
            _ => Severity::Warning,
        };
        let message = message!("`{}` is not a unit; not sent", excerpt(text));
        self.add(severity, Some(Field::Line2), Some(cell.column), message);
        true
    }
}

/// Whether a text is an email or a phone number.
fn is_contact(text: &str) -> bool {
    let is_email = text
        .split_once('@')
        .is_some_and(|(user, domain)| !user.is_empty() && domain.contains('.'));
    is_email || !text.contains(char::is_alphabetic) && has_contact_in(text)
}
