//! The unit, from one column or from those of several kinds, such as building and apartment.

use std::borrow::Cow;

use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{Field, bare_unit, excerpt, is_excel_date, is_unit_text};
use crate::table::UnitKind;

impl<'a> RowCheck<'a> {
    /// The filled units, joined. A bare one among several has the word of its kind in front, and so has a lot or building.
    pub(super) fn unit(&mut self) -> Option<CellValue<'a>> {
        let columns = self.columns;
        let units = columns.units();
        let filled =
            units.filter_map(|(column, kind)| Some((self.value(Field::Line2, column)?, kind)));
        let mut filled: Vec<(CellValue<'a>, Option<UnitKind>)> = filled.collect();
        // A date is reported as it is written.
        if let Some(date) = filled
            .iter()
            .position(|(unit, _)| is_excel_date(&unit.text))
        {
            return Some(filled.swap_remove(date).0);
        }
        let is_one = filled.len() == 1;
        for (unit, kind) in &mut filled {
            let Some(kind) = kind.filter(|kind| kind.is_worded || !is_one) else {
                continue;
            };
            if let Some(name) = bare_unit(&unit.text) {
                unit.text = Cow::Owned(format!("{} {name}", kind.word));
            } else if kind.is_worded && !is_unit_text(&unit.text) {
                let message = format!("`{}` is not a unit; sent unchanged", excerpt(&unit.text));
                self.warn(Field::Line2, unit.column, message);
            }
        }
        let mut filled = filled.into_iter().map(|(unit, _)| unit);
        let first = filled.next()?;
        Some(filled.fold(first, |units, unit| CellValue {
            text: Cow::Owned(format!("{}, {}", units.text, unit.text)),
            ..units
        }))
    }
}
