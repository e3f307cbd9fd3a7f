//! Ids across rows: the same one twice, ones that look alike, ones that another file will use again.

use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::import::check::findings::Findings;
use crate::import::check::late::Late;
use crate::import::{CheckedRow, RowHouse, Standing};
use crate::model::{ContentHash, CustomerSketch, HouseLookup, NameSketch, RowNumber};

/// Rows whose ids are known, found by id without keeping a second copy of it.
#[derive(Debug, Default)]
pub(super) struct Ids {
    /// Of each id half its hash, so that growing and passing by touch no id, and its row's index.
    table: HashTable<(u32, u32)>,
    hasher: DefaultHashBuilder,
    /// Keys by which ids that look alike meet, with their rows' indices.
    alike: Vec<(u64, u32)>,
    /// By which rows of one house meet.
    houses: Vec<RowHouse>,
    numbers: Numbers,
}

/// Whether every id so far is a small whole number.
#[derive(Debug)]
struct Numbers {
    all: bool,
    largest: u64,
}

impl Default for Numbers {
    fn default() -> Self {
        Self {
            all: true,
            largest: 0,
        }
    }
}

/// The keys of a row, besides its id.
#[derive(Clone, Copy, Debug)]
pub(super) struct Keys {
    pub(super) id: u64,
    pub(super) house: HouseLookup,
    pub(super) name: NameSketch,
    pub(super) customer: CustomerSketch,
}

impl Ids {
    /// Adds a row that has an id; returns the index of the earlier row with the same one.
    pub(super) fn add(&mut self, id: &str, rows: &[CheckedRow]) -> Option<usize> {
        let half = half_of(self.hasher.hash_one(id));
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

    /// Notes what a sendable row could be mistaken for.
    pub(super) fn note(&mut self, index: usize, id: &str, keys: Keys) {
        let index = u32::try_from(index).expect("row numbers are 32 bits wide");
        self.alike.push((keys.id, index));
        self.houses.push(RowHouse {
            lookup: keys.house,
            row: index,
            name: keys.name,
            customer: keys.customer,
        });
        match id.parse::<u64>() {
            Ok(number) if self.numbers.all => {
                self.numbers.largest = self.numbers.largest.max(number);
            }
            _ => self.numbers.all = false,
        }
    }

    /// Warns of ids that look alike, and of ids that every file has; returns the houses of all rows.
    pub(super) fn warn(
        mut self,
        rows: &[CheckedRow],
        prefixed: Prefixed,
        findings: &mut Findings,
    ) -> Vec<RowHouse> {
        self.alike.sort_unstable();
        for (first, second) in meeting(&self.alike) {
            let number = rows[second as usize].number;
            findings.add_late(number, Late::Alike { first, second });
        }
        self.warn_of_row_numbers(rows, prefixed, findings);
        self.houses.sort_unstable();
        self.houses
    }

    fn warn_of_row_numbers(
        &self,
        rows: &[CheckedRow],
        prefixed: Prefixed,
        findings: &mut Findings,
    ) {
        let count = self.alike.len() as u64;
        let Some(&(_, first)) = self.alike.iter().min_by_key(|(_, index)| *index) else {
            return;
        };
        let Numbers { all, largest } = self.numbers;
        if prefixed == Prefixed::Yes || !all || count < 3 || largest > count * 2 {
            return;
        }
        findings.add_late(rows[first as usize].number, Late::BareNumbers { largest });
    }
}

/// The half of a hash that is kept.
fn half_of(hash: u64) -> u32 {
    // The upper half, which the table would otherwise use last.
    u32::try_from(hash >> 32).expect("32 bits are left")
}

/// A whole hash made of a half, spread over all bits.
fn whole_of(half: u32) -> u64 {
    u64::from(half).wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// Whether ids get a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefixed {
    Yes,
    No,
}

/// The first row of each key, with each of the others.
fn meeting(sorted: &[(u64, u32)]) -> impl Iterator<Item = (u32, u32)> {
    sorted
        .chunk_by(|one, other| one.0 == other.0)
        .flat_map(|group| {
            let first = group[0].1;
            group[1..].iter().map(move |(_, other)| (first, *other))
        })
}

/// What a row is beside an earlier one with the same id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twin {
    /// The same content: sent once.
    Duplicate(RowNumber),
    /// Other content: the service would keep the first and ignore the second.
    Rival,
}

/// Compares a row with the earlier one of the same id; no content means that it is invalid already.
pub(super) fn twin(earlier: &CheckedRow, content: Option<ContentHash>) -> Twin {
    match (&earlier.standing, content) {
        (Standing::Valid { content: first, .. }, Some(content)) if *first == content => {
            Twin::Duplicate(earlier.number)
        }
        _ => Twin::Rival,
    }
}
