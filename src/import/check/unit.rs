//! The unit, from one column or from those of several kinds, such as building and apartment.

use std::borrow::Cow;

use crate::import::check::numbers::is_date_or_time;
use crate::import::check::row_check::{CellValue, RowCheck};
use crate::model::{
    Field, Severity, StreetCell, UnitClass, bare_unit, excerpt, has_house_number, is_unit_text,
    named_units, postal_code_at_end,
};
use crate::table::{UnitKind, is_measure, is_street};

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
            .position(|(unit, _)| is_date_or_time(&unit.text))
        {
            return Some(filled.swap_remove(date).0);
        }
        let street = street.filter(|_| !filled.is_empty()).unwrap_or_default();
        let of_street = self.units_of_street(street);
        if !self.rules.as_is {
            filled.retain(|(cell, _)| !self.is_left_out(cell, street));
            self.drop_repeated(&mut filled, &of_street);
        }
        self.warn_of_other_units(&filled, &of_street, street);
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

    /// Whether a cell has another street, a place or a size instead of a unit; such a cell is not sent.
    fn is_left_out(&mut self, cell: &CellValue<'_>, street: &str) -> bool {
        let text = cell.text.as_ref();
        let is_other_street =
            || has_house_number(street) && has_house_number(text) && is_street(text);
        let place = postal_code_at_end(text, "");
        let is_size = || text.contains(char::is_alphabetic) && is_measure(text);
        if is_unit_text(text) || !(place.is_some() || is_other_street() || is_size()) {
            return false;
        }
        // The end of the row's own address is left out without a warning.
        let severity = match place {
            Some(code) if code == self.postal_code() => Severity::Tidied,
            _ => Severity::Warning,
        };
        let message = format!("`{}` is not a unit; not sent", excerpt(text));
        self.add(severity, Some(Field::Line2), Some(cell.column), message);
        true
    }

    /// Warns of cells with another unit than the one at the end of the street.
    fn warn_of_other_units(
        &mut self,
        filled: &[UnitCell<'_>],
        of_street: &[NamedUnit],
        street: &str,
    ) {
        for cell in filled {
            let units = units_of_cell(cell);
            let pairs = units
                .iter()
                .flat_map(|unit| of_street.iter().map(move |other| (unit, other)));
            let pairs = pairs.filter(|(unit, other)| unit.0.may_be(other.0));
            let are_same: Vec<bool> = pairs.map(|(unit, other)| unit.1 == other.1).collect();
            if !are_same.is_empty() && !are_same.contains(&true) {
                let message = format!(
                    "`{}`, but the street `{}` has another unit; both are sent",
                    excerpt(&cell.0.text),
                    excerpt(street)
                );
                self.warn(Field::Line2, cell.0.column, message);
            }
        }
    }

    /// Removes the units that are given twice: here, or bare ones at the end of the street.
    fn drop_repeated(&mut self, filled: &mut Vec<UnitCell<'a>>, of_street: &[NamedUnit]) {
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
            if is_in_another || is_bare && has(of_street) {
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
