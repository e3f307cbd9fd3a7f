//! Compares the ids of rows: repeated ids, similar ids, and plain numbers that other files may use too.

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::import::check::identity::folded_key;
use crate::import::check::problem_collector::ProblemCollector;
use crate::import::check::table_problem::{HouseComparison, TableProblem};
use crate::import::{CheckedRow, RowHouseKey};
use crate::model::HouseHash;

/// An index of rows by id, without a second copy of the ids.
#[derive(Debug, Default)]
pub(super) struct IdIndex {
    /// Half of the key of each id, so that growing and searching need not read the ids, and the index of its row. Similar
    /// ids have the same key.
    table: HashTable<(u32, u32)>,
    hasher: DefaultHashBuilder,
    /// Pairs of rows with similar ids, by index: the first of them, and each of the others.
    similar_ids: Vec<(u32, u32)>,
    /// The houses of valid rows; in the file's order while rows are added.
    houses: Vec<RowHouseKey>,
    /// Those of ranges again, under the other numbers.
    ranges: Vec<RowHouseKey>,
    /// The largest id, as long as every id is a whole number.
    largest_number: Option<u64>,
}

impl IdIndex {
    /// `hasher` must be the one that makes the keys of ids.
    pub(super) fn new(hasher: DefaultHashBuilder) -> Self {
        Self {
            hasher,
            largest_number: Some(0),
            ..Self::default()
        }
    }

    /// Adds a row that has an id; returns the index of the earlier row with the same one.
    pub(super) fn add(&mut self, id: &str, key: u64, rows: &[CheckedRow]) -> Option<usize> {
        let half = half_of(key);
        let is_same = |&(other, index): &(u32, u32)| {
            other == half && rows[index as usize].external_id() == Some(id)
        };
        if let Some(&(_, index)) = self.table.find(whole_of(half), is_same) {
            return Some(index as usize);
        }
        let index = u32::try_from(rows.len()).expect("row numbers are 32 bits wide");
        self.table
            .insert_unique(whole_of(half), (half, index), |&(half, _)| whole_of(half));
        None
    }

    /// Adds the house of a valid row, and compares its id with those of earlier rows.
    pub(super) fn add_house(
        &mut self,
        id: &str,
        key: u64,
        house: RowHouseKey,
        rows: &[CheckedRow],
    ) {
        let index = u32::try_from(rows.len()).expect("row numbers are 32 bits wide");
        let half = half_of(key);
        let is_similar = |other: u32| {
            let id = rows.get(other as usize).and_then(CheckedRow::external_id);
            id.is_some_and(|id| folded_key(id, &self.hasher) == key)
                && self
                    .houses
                    .binary_search_by_key(&other, |house| house.row)
                    .is_ok()
        };
        let known = self.table.iter_hash(whole_of(half));
        let others = known
            .filter(|(other, _)| *other == half)
            .map(|(_, other)| *other);
        if let Some(first) = others.filter(|other| is_similar(*other)).min() {
            self.similar_ids.push((first, index));
        }
        self.houses.push(RowHouseKey {
            row: index,
            ..house
        });
        let largest = self.largest_number.zip(id.parse().ok());
        self.largest_number = largest.map(|(largest, number)| largest.max(number));
    }

    /// Adds the hashes of the other numbers of the house that was added last.
    pub(super) fn add_range(&mut self, hashes: &[HouseHash]) {
        let of_hash = |house_hash: &HouseHash| {
            let last = *self.houses.last().expect("a house was added");
            RowHouseKey {
                house_hash: *house_hash,
                ..last
            }
        };
        self.ranges.extend(hashes.iter().map(of_hash));
    }

    /// Whether an earlier row, by index, has this house; one that is invalid is not known to have it.
    pub(super) fn compare_house(&self, earlier: usize, house: &RowHouseKey) -> HouseComparison {
        let of_row = |house: &RowHouseKey| house.row as usize;
        let Ok(at) = self.houses.binary_search_by_key(&earlier, of_row) else {
            return HouseComparison::Other;
        };
        let of = |house: &RowHouseKey| (house.house_hash, house.street_name);
        if of(&self.houses[at]) == of(house) {
            HouseComparison::Same
        } else {
            HouseComparison::Other
        }
    }

    /// Adds warnings about similar ids.
    pub(super) fn warn_of_similar(&self, rows: &[CheckedRow], problems: &mut ProblemCollector) {
        for &(first, second) in &self.similar_ids {
            let number = rows[second as usize].number;
            problems.add_table_problem(number, TableProblem::SimilarIds { first, second });
        }
    }

    /// The houses of all rows, sorted.
    pub(super) fn take_houses(&mut self) -> Vec<RowHouseKey> {
        let mut houses = std::mem::take(&mut self.houses);
        houses.append(&mut self.ranges);
        houses.sort_unstable_by_key(|house| (house.house_hash, house.row));
        houses
    }

    /// Adds a warning if all ids are plain numbers, as other files may have too.
    pub(super) fn warn_of_row_numbers(&self, rows: &[CheckedRow], problems: &mut ProblemCollector) {
        let count = self.houses.len() as u64;
        let Some((first, largest)) = self.houses.first().zip(self.largest_number) else {
            return;
        };
        if count < 3 || largest > count * 2 {
            return;
        }
        problems.add_table_problem(
            rows[first.row as usize].number,
            TableProblem::BareNumbers { largest },
        );
    }
}

/// The half of a hash that is stored.
fn half_of(hash: u64) -> u32 {
    // The upper half, because the table uses the lower bits first.
    u32::try_from(hash >> 32).expect("32 bits are left")
}

/// A hash of 64 bits from the stored half.
fn whole_of(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::CheckResult;
    use crate::model::{ContentHash, CustomerSketch, RowNumber, StreetAddress};

    /// The pairs of similar ids among valid rows.
    fn similar_ids(ids: &[&str]) -> Vec<(u32, u32)> {
        let hasher = DefaultHashBuilder::default();
        let mut known = IdIndex::new(hasher.clone());
        let mut rows = Vec::new();
        for (number, id) in (2..).map(RowNumber).zip(ids) {
            let address = StreetAddress::parse("12 Elm St", None, "M5V 1A1", None);
            let key = folded_key(id, &hasher);
            let house = RowHouseKey {
                house_hash: address.house_hash(),
                row: 0,
                house_digest: address.house_digest(None),
                words: address.words_sketch(),
                street_name: address.sketch(),
                customer: CustomerSketch::new("Ada", None, None),
            };
            assert_eq!(known.add(id, key, &rows), None);
            known.add_house(id, key, house, &rows);
            rows.push(CheckedRow {
                number,
                result: CheckResult::Valid {
                    external_id: (*id).into(),
                    content: ContentHash::from_fields([Some(*id)]),
                },
            });
        }
        known.similar_ids
    }

    #[test]
    fn ids_that_look_alike_are_told_beside_the_first_of_them() {
        assert_eq!(similar_ids(&["a1", "A1", "b1", "a 1"]), [(0, 1), (0, 3)]);
        assert_eq!(
            similar_ids(&["a1", "a2", "É", "é", "e\u{301}"]),
            [(2, 3), (2, 4)]
        );
    }
}
