//! The unit, from one column or from those of several kinds, such as building and apartment.

use std::borrow::Cow;

use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{
    Field, Severity, StreetCell, UnitClass, bare_unit, excerpt, is_excel_date, is_unit_text,
    named_units,
};
use crate::table::UnitKind;

/// A unit with the kind of its column.
type UnitCell<'a> = (CellValue<'a>, Option<UnitKind>);

impl<'a> RowCheck<'a> {
    /// The filled units, joined, without those that another or the street has. A bare one among several has the word of its
    /// kind in front, and so has a lot or building.
    pub(super) fn unit(&mut self, street: Option<&str>) -> Option<CellValue<'a>> {
        let columns = self.columns;
        let units = columns.units();
        let filled =
            units.filter_map(|(column, kind)| Some((self.value(Field::Line2, column)?, kind)));
        let mut filled: Vec<UnitCell<'a>> = filled.collect();
        // A date is reported as it is written.
        if let Some(date) = filled
            .iter()
            .position(|(unit, _)| is_excel_date(&unit.text))
        {
            return Some(filled.swap_remove(date).0);
        }
        if !self.rules.as_is {
            self.drop_repeated(&mut filled, street);
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

    /// Removes the units that are given twice: here, or bare ones at the end of the street.
    fn drop_repeated(&mut self, filled: &mut Vec<UnitCell<'a>>, street: Option<&str>) {
        let of_street = match street {
            Some(street) if !filled.is_empty() => self.units_of_street(street),
            _ => Vec::new(),
        };
        let mut of_cells: Vec<_> = filled.iter().map(units_of_cell).collect();
        // A unit of no kind is dropped before one with its word.
        let mut order: Vec<usize> = (0..filled.len()).rev().collect();
        order.sort_by_key(|&at| filled[at].1.is_some());
        let mut dropped = Vec::new();
        for at in order {
            let [unit] = &of_cells[at][..] else { continue };
            let text = &filled[at].0.text;
            let is_bare = bare_unit(text).is_some();
            let has = |units: &[NamedUnit]| {
                let is_same = |other: &NamedUnit| other.1 == unit.1 && other.0.may_be(unit.0);
                units.iter().any(is_same)
            };
            let others = of_cells.iter().enumerate();
            let mut others = others.filter(|(other, _)| *other != at);
            let is_in_another =
                (is_bare || is_unit_text(text)) && others.any(|(_, units)| has(units));
            if is_in_another || is_bare && has(&of_street) {
                of_cells[at].clear();
                dropped.push(at);
            }
        }
        dropped.sort_unstable();
        for at in dropped.into_iter().rev() {
            let (unit, _) = filled.remove(at);
            let message = format!("`{}` is given twice; sent once", excerpt(&unit.text));
            self.add(
                Severity::Tidied,
                Some(Field::Line2),
                Some(unit.column),
                message,
            );
        }
    }

    /// The units at the end of a street.
    fn units_of_street(&self, street: &str) -> Vec<NamedUnit> {
        let unit = StreetCell::parse(street, self.postal_code()).unit;
        let unit = unit.trim_matches([' ', ',', '(', ')']);
        if bare_unit(unit).is_some() || is_unit_text(unit) {
            named_units(unit)
        } else {
            Vec::new()
        }
    }
}

/// A class and a name.
type NamedUnit = (UnitClass, String);

/// The units of a cell; a bare one is of the kind of its column.
fn units_of_cell((unit, kind): &UnitCell<'_>) -> Vec<NamedUnit> {
    match (bare_unit(&unit.text), kind) {
        (Some(name), Some(kind)) => {
            vec![(UnitClass::of_word(kind.word), name.to_lowercase())]
        }
        _ => named_units(&unit.text),
    }
}
