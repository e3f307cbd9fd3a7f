//! Units, house numbers and countries: which of several addresses their columns belong to.

use crate::model::Field;
use crate::table::address_groups::Grouping;
use crate::table::columns::PARTS;

impl Grouping<'_> {
    /// Adds units, house numbers and the like, and countries; returns the columns of units and numbers of no group.
    pub(super) fn add_others(&mut self) -> Vec<usize> {
        let is_other = |(_, field): &(usize, Field)| !PARTS.contains(field);
        let mut others: Vec<(usize, Field)> = self.parts.clone();
        others.retain(is_other);
        others.sort_by_key(|(column, _)| self.is_plain(*column));
        let mut outside = Vec::new();
        for (column, field) in others {
            let is_named = self.head.qualifiers().meaning(column).is_some();
            let is_qualified = is_named && PARTS.iter().any(|part| self.has_part(column, *part));
            let own = self.qualified(column).filter(|_| !self.is_plain(column));
            let group = match field {
                _ if own.is_some() || is_qualified => own,
                Field::Country => self.group_of_country(column),
                Field::Line2 => self.group_of_unit(column),
                _ => self.group_of_number(column),
            };
            if group.is_some() {
                self.add(group, vec![(column, field)]);
            } else if field != Field::Country {
                outside.push(column);
            }
        }
        outside
    }

    /// The address in front that has no country, or the only one without a qualifier; `None` for a single country beside
    /// addresses with qualifiers, which is that of all.
    fn group_of_country(&self, column: usize) -> Option<usize> {
        let countries = self
            .parts
            .iter()
            .filter(|(_, field)| *field == Field::Country);
        if countries.count() == 1 && !self.is_titled {
            return self.only_plain();
        }
        let front = (0..column).rev().filter_map(|front| self.group_of(front));
        let mut front = front.filter(|at| self.groups[*at].title == self.title(column));
        front.find(|at| !self.groups[*at].has(Field::Country))
    }

    /// The address of the only street without a qualifier, or of the street directly behind or in front of a number.
    fn group_of_number(&self, column: usize) -> Option<usize> {
        let mut adjacent = self.adjacent(column).into_iter().rev().flatten();
        let street = adjacent.find(|other| self.parts.contains(&(*other, Field::Line1)));
        let only = || (self.groups.len() == 1).then_some(0);
        self.only_plain()
            .or_else(|| self.group_of(street?))
            .or_else(only)
    }

    /// The address of the street directly in front of a unit, or the only one directly beside it; elsewhere the one of
    /// the nearest street, or of several addresses the only one without a qualifier.
    fn group_of_unit(&self, unit: usize) -> Option<usize> {
        let is_street = |column: &usize| self.parts.contains(&(*column, Field::Line1));
        // Of several addresses, one with a unit of its own has no other.
        let group_of = |column: Option<usize>| {
            let at = self.group_of(column?)?;
            let own = &self.groups[at].qualifier;
            let own_unit = self.head.qualifiers().column(own, Field::Line2);
            let has_own = self.groups.len() > 1 && !own.is_empty() && own_unit.is_some();
            let has_title = self.groups[at].title == self.title(unit);
            (has_title && !has_own).then_some(at)
        };
        let [front, behind] = self.adjacent(unit);
        let in_front = (0..unit).rev().filter(is_street);
        let behind_it = (unit..self.head.names.len()).filter(is_street);
        let nearest = || {
            in_front
                .chain(behind_it)
                .find_map(|street| group_of(Some(street)))
        };
        let mut adjacent: Vec<usize> = [front, behind].into_iter().filter_map(group_of).collect();
        adjacent.dedup();
        let places = self.groups.iter().filter(|group| group.place().is_some());
        match adjacent[..] {
            [in_front, ..] if front.as_ref().is_some_and(is_street) => Some(in_front),
            // A unit without a qualifier is of the address without one, also in front of another street.
            [only] if self.groups[only].qualifier.is_empty() => Some(only),
            [only] => self.only_plain().or(Some(only)),
            _ if places.count() > 1 => self.only_plain(),
            _ => nearest(),
        }
    }

    /// The columns directly in front of and behind a unit or number, apart from others.
    fn adjacent(&self, column: usize) -> [Option<usize>; 2] {
        let is_other = |other: &usize| {
            let mut parts = self.parts.iter().filter(|(part, _)| part == other);
            parts.any(|(_, field)| *field != Field::Country && !PARTS.contains(field))
        };
        let front = (0..column).rfind(|other| !is_other(other));
        let behind = (column + 1..self.head.names.len()).find(|other| !is_other(other));
        [front, behind]
    }

    /// The only group of a street without a qualifier whose header tells that it is one.
    fn only_plain(&self) -> Option<usize> {
        let is_plain = |at: &usize| {
            let street = self.groups[*at].column_of(Field::Line1);
            self.groups[*at].qualifier.is_empty()
                && street.is_some_and(|one| self.head.is_known(one))
        };
        let mut plain = (0..self.groups.len()).filter(is_plain);
        plain.next().filter(|_| plain.next().is_none())
    }
}
