//! Parts of an address whose words stand in front of its street alone, such as `Service street, City, Zip`.

use std::ops::Range;

use crate::model::Field;
use crate::table::address_blocks::{AddressBlock, AddressBlocks};

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
