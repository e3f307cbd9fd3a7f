//! Parts of an address whose words stand in front of its street alone, such as `Service street, City, Zip`.

use std::ops::Range;

use crate::model::Field;
use crate::table::address_blocks::{AddressBlock, AddressBlocks};
use crate::table::address_sets::AddressSets;
use crate::table::analyzed_headers::Headers;
use crate::table::synonyms::Meaning;

impl AddressBlocks {
    /// Adds to a street with words in front the parts without any that follow it, beside another street: `Billing street,
    /// Billing city, Service street, City`.
    pub(super) fn add_parts_without_words(&mut self) {
        let blocks = self.blocks.iter().enumerate();
        let mut streets: Vec<(usize, usize)> = blocks
            .flat_map(|(block, one)| one.columns.iter().map(move |column| (block, column)))
            .filter(|(_, (_, field))| *field == Field::Line1)
            .map(|(block, (column, _))| (*column, block))
            .collect();
        streets.sort_unstable();
        for (at, &(street, block)) in streets.iter().enumerate() {
            let next = streets
                .get(at + 1)
                .map_or(usize::MAX, |(column, _)| *column);
            let parts = self.parts_without_words(&self.blocks[block], street..next);
            let has = |(_, field): &(usize, Field)| self.blocks[block].has(*field);
            let is_only_street = streets.iter().all(|(_, other)| *other == block);
            if self.blocks[block].set.is_none() || is_only_street || parts.iter().any(has) {
                continue;
            }
            for other in &mut self.blocks {
                other.columns.retain(|column| !parts.contains(column));
            }
            // `Service address, Billing address, City, Zip`: the place is also that of the other street, if the user names it.
            if at > 0 && streets[at - 1].0 + 1 == street {
                self.shared.extend(parts.iter().map(|(column, _)| *column));
            }
            self.blocks[block].columns.extend(parts);
        }
        self.blocks.retain(|block| !block.columns.is_empty());
    }

    /// Moves each unit without words in front, beside several addresses, to the one that it stands in or beside.
    pub(super) fn place_units(
        &mut self,
        headers: &Headers,
        sets: &AddressSets,
        meanings: &[Option<Meaning>],
    ) {
        let is_unit = |column: &usize| {
            let field = meanings[*column].map(|meaning| meaning.field);
            field == Some(Field::Line2) && sets.set_of(&headers.names[*column]).is_none()
        };
        let units: Vec<usize> = (0..meanings.len()).filter(is_unit).collect();
        let is_titled = |block: &AddressBlock| !block.title.is_empty();
        if units.is_empty() || self.addresses().count() < 2 || self.addresses().any(is_titled) {
            return;
        }
        for block in &mut self.blocks {
            block.columns.retain(|(column, _)| !units.contains(column));
        }
        let places = units.iter().map(|unit| self.address_around(*unit, &units));
        let places: Vec<Option<usize>> = places.collect();
        for (unit, place) in units.into_iter().zip(places) {
            match place {
                Some(block) => {
                    let columns = &mut self.blocks[block].columns;
                    columns.push((unit, Field::Line2));
                    columns.sort_unstable_by_key(|(column, _)| *column);
                }
                None => self.units_outside.push(unit),
            }
        }
        self.blocks.retain(|block| !block.columns.is_empty());
    }

    /// The address that has the columns on both sides of a unit, or the street in front of it; otherwise the only one
    /// directly beside it. `units` are the columns of all units.
    fn address_around(&self, unit: usize, units: &[usize]) -> Option<usize> {
        let blocks = self.blocks.iter().enumerate();
        let columns = blocks.filter(|(_, block)| block.is_address());
        let columns = columns.flat_map(|(at, block)| {
            let columns = block.columns.iter();
            columns.map(move |(column, field)| (*column, *field, at))
        });
        let columns: Vec<(usize, Field, usize)> = columns.collect();
        let before = columns
            .iter()
            .filter(|(column, ..)| *column < unit)
            .max_by_key(|one| one.0);
        let after = columns
            .iter()
            .filter(|(column, ..)| *column > unit)
            .min_by_key(|one| one.0);
        let is_beside = |one: &&(usize, Field, usize)| {
            let mut between = one.0.min(unit) + 1..one.0.max(unit);
            between.all(|column| units.contains(&column))
        };
        match (before, after) {
            (Some((_, _, one)), Some((_, _, other))) if one == other => Some(*one),
            (Some((_, Field::Line1 | Field::StreetType, street)), _) => Some(*street),
            _ => match (before.filter(is_beside), after.filter(is_beside)) {
                (Some((_, _, one)), None) | (None, Some((_, _, one))) => Some(*one),
                _ => None,
            },
        }
    }

    /// The columns in a range that have no words in front and no street of their own.
    fn parts_without_words(
        &self,
        street: &AddressBlock,
        range: Range<usize>,
    ) -> Vec<(usize, Field)> {
        let others = self.blocks.iter();
        let others = others.filter(|other| other.set.is_none() && other.title == street.title);
        let parts = others.flat_map(|other| {
            let is_again = |(column, field): &(usize, Field)| {
                let mut columns = other.columns.iter();
                columns.any(|(earlier, same)| earlier < column && same == field)
            };
            let columns = other.columns.iter();
            columns.filter(move |column| !other.has(Field::Line1) || is_again(column))
        });
        parts
            .filter(|(column, _)| range.contains(column))
            .filter(|(column, field)| !street.is_address() || !self.is_shared(*column, *field))
            .copied()
            .collect()
    }

    /// Whether a column behind whole addresses has the part of all of them.
    fn is_shared(&self, column: usize, field: Field) -> bool {
        let parts = self.blocks.iter().flat_map(|block| &block.columns);
        field == Field::Country || is_only_region_behind(column, parts.copied())
    }
}

/// Whether a column is the only region of several addresses and stands behind them, so that it is that of all. `parts`
/// are the address columns of the sheet.
pub(super) fn is_only_region_behind(
    region: usize,
    parts: impl Iterator<Item = (usize, Field)>,
) -> bool {
    let mut parts = parts.filter(|(_, field)| *field != Field::Country);
    parts.all(|(column, field)| (column == region) == (field == Field::Region) && column <= region)
}
