//! Cities behind streets, such as `28 Rose St, Dublin` in a row of another city: reported only if other rows have that
//! city, because the words behind a comma may also name a building or a unit.

use std::collections::{BTreeMap, HashSet};

use hashbrown::DefaultHashBuilder;

use crate::import::check::identity::folded_key;
use crate::import::check::place_in_cell::other_place_behind;
use crate::import::check::table_finding::TableFinding;
use crate::model::RowNumber;

/// The city of a row and what stands behind its street, as hashes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowCity {
    city: u64,
    behind_street: Option<u64>,
}

impl RowCity {
    pub(super) fn new(line1: &str, city: &str, hasher: &DefaultHashBuilder) -> Self {
        let behind = other_place_behind(line1, city);
        Self {
            city: folded_key(city, hasher),
            behind_street: behind.map(|place| folded_key(place, hasher)),
        }
    }
}

/// The cities of a file, and the places behind its streets.
#[derive(Debug, Default)]
pub(super) struct StreetCities {
    cities: HashSet<u64>,
    /// By place, the first row with it, and the number of such rows.
    behind_streets: BTreeMap<u64, (RowNumber, u64)>,
}

impl StreetCities {
    /// Adds a row that is sent.
    pub(super) fn add(&mut self, number: RowNumber, row: RowCity) {
        self.cities.insert(row.city);
        if let Some(place) = row.behind_street {
            self.behind_streets.entry(place).or_insert((number, 0)).1 += 1;
        }
    }

    /// A finding for each city of the file that stands behind streets of rows of other cities, with the first such row.
    pub(super) fn findings(&self) -> impl Iterator<Item = (RowNumber, TableFinding)> {
        let places = self.behind_streets.iter();
        let cities = places.filter(|(place, _)| self.cities.contains(place));
        cities.map(|(_, &(first, count))| (first, TableFinding::OtherCity { count }))
    }
}
