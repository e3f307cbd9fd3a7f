//! Ids across rows: the same one twice, ones that look alike, ones that another file will use again.

use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

use crate::import::check::findings::{Finding, Findings};
use crate::import::{CheckedRow, Standing};
use crate::model::{ContentHash, Field, RowNumber, Severity};
use crate::table::Columns;

/// Rows whose ids are known, found by id without keeping a second copy of it.
#[derive(Debug, Default)]
pub(super) struct Ids {
    table: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Keys by which ids that look alike meet, with their rows' indices.
    alike: Vec<(u64, u32)>,
    /// Keys by which rows of one roof meet.
    roofs: Vec<(u64, u32)>,
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
    pub(super) roof: u64,
}

impl Ids {
    /// Adds a row that has an id; returns the index of the earlier row with the same one.
    pub(super) fn add(&mut self, id: &str, rows: &[CheckedRow]) -> Option<usize> {
        let hash = self.hasher.hash_one(id);
        let found = self
            .table
            .find(hash, |&index| id_of(&rows[index as usize]) == Some(id));
        if let Some(&index) = found {
            return Some(index as usize);
        }
        let index = u32::try_from(rows.len()).expect("row numbers are 32 bits wide");
        let hasher = &self.hasher;
        self.table.insert_unique(hash, index, |&other| {
            // The new row is not among the rows yet, and is not asked for while the table grows.
            rows.get(other as usize)
                .and_then(id_of)
                .map_or(hash, |other| hasher.hash_one(other))
        });
        None
    }

    /// Notes what a sendable row could be mistaken for.
    pub(super) fn note(&mut self, index: usize, id: &str, keys: Keys) {
        let index = u32::try_from(index).expect("row numbers are 32 bits wide");
        self.alike.push((keys.id, index));
        self.roofs.push((keys.roof, index));
        match id.parse::<u64>() {
            Ok(number) if self.numbers.all => {
                self.numbers.largest = self.numbers.largest.max(number);
            }
            _ => self.numbers.all = false,
        }
    }

    /// Warns of ids that look alike, of roofs that do, and of ids that every file has.
    pub(super) fn warn(
        mut self,
        rows: &[CheckedRow],
        columns: &Columns,
        prefixed: Prefixed,
        findings: &mut Findings,
    ) {
        let id_column = columns.of(Field::Id).first().copied();
        self.alike.sort_unstable();
        for (one, other) in meeting(&self.alike) {
            let (first, second) = (&rows[one], &rows[other]);
            let (Some(id), Some(similar)) = (id_of(second), id_of(first)) else {
                continue;
            };
            let message = format!(
                "`{id}` and `{similar}` in row {} differ by case or spaces alone; are both whole, 18 characters long where they are Salesforce's?",
                first.number
            );
            findings.add(
                second.number,
                columns,
                warning(Field::Id, id_column, message),
            );
        }
        self.roofs.sort_unstable();
        let line1 = columns.of(Field::Line1).first().copied();
        for (one, other) in meeting(&self.roofs) {
            let (first, second) = (rows[one].number, rows[other].number);
            let message = format!("rows {first} and {second} look like one roof");
            findings.add(second, columns, warning(Field::Line1, line1, message));
        }
        self.warn_of_row_numbers(rows, columns, prefixed, findings);
    }

    fn warn_of_row_numbers(
        &self,
        rows: &[CheckedRow],
        columns: &Columns,
        prefixed: Prefixed,
        findings: &mut Findings,
    ) {
        let count = self.alike.len() as u64;
        let Some(&(_, first)) = self.alike.iter().min_by_key(|(_, index)| *index) else {
            return;
        };
        if prefixed == Prefixed::Yes
            || !self.numbers.all
            || count < 3
            || self.numbers.largest > count * 2
        {
            return;
        }
        let message = format!(
            "ids are the bare numbers up to {}, and ids are unique in the whole app, for all its files: the next file's would collide; put something in front with --id-prefix",
            self.numbers.largest
        );
        let column = columns.of(Field::Id).first().copied();
        findings.add(
            rows[first as usize].number,
            columns,
            warning(Field::Id, column, message),
        );
    }
}

/// Whether ids get a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prefixed {
    Yes,
    No,
}

/// The first row of each key, with each of the others.
fn meeting(sorted: &[(u64, u32)]) -> impl Iterator<Item = (usize, usize)> {
    sorted
        .chunk_by(|one, other| one.0 == other.0)
        .flat_map(|group| {
            let first = group[0].1 as usize;
            group[1..]
                .iter()
                .map(move |(_, other)| (first, *other as usize))
        })
}

fn warning(field: Field, column: Option<usize>, message: String) -> Finding {
    Finding {
        severity: Severity::Warning,
        field: Some(field),
        column,
        message,
    }
}

/// The id of a row that has one.
pub(super) fn id_of(row: &CheckedRow) -> Option<&str> {
    match &row.standing {
        Standing::Valid { external_id, .. } => Some(external_id),
        Standing::Invalid { external_id } => external_id.as_deref(),
        Standing::Duplicate { .. } => None,
    }
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

/// The finding for a row whose id another row has with other content.
pub(super) fn rival(other: RowNumber, columns: &Columns) -> Finding {
    Finding {
        severity: Severity::Error,
        field: Some(Field::Id),
        column: columns.of(Field::Id).first().copied(),
        message: format!(
            "row {other} has the same id and other content; the service would keep the first and ignore the second"
        ),
    }
}
