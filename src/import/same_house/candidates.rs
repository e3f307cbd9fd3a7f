//! Finds the rows that may have the house of another row or of an earlier request, by hashes alone.

use std::collections::HashMap;

use crate::import::same_house::COMPARED;
use crate::import::{CheckedFile, Error, RowHouse};
use crate::journal::{StoredHouse, SubmissionIndex};
use crate::model::{CustomerSketch, HouseLookup, NameSketch, is_derived_id};

/// Maximum number of rows of one lookup whose sketches are compared to avoid reading them again.
const SKETCHED: usize = 64;

/// The rows that have to be compared.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Those that may have the house of another, and those with a decision; sorted indices.
    pub(super) rows: Vec<usize>,
    /// For rows whose house may be known under other postal codes, the lookups there.
    pub(super) elsewhere: HashMap<usize, Vec<HouseLookup>>,
}

/// Finds the candidates among the `fresh` rows, given by their index in ascending order.
pub(super) fn find_candidates(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    fresh: &[usize],
) -> Result<Candidates, Error> {
    let mut candidates = Candidates::default();
    if fresh.is_empty() {
        return Ok(candidates);
    }
    let mut is_fresh = vec![false; checked.rows.len()];
    for number in fresh {
        is_fresh[*number] = true;
    }
    let mut rows: Vec<RowHouse> = Vec::new();
    for of_number in checked
        .houses
        .chunk_by(|one, other| one.lookup.number() == other.lookup.number())
    {
        rows.clear();
        rows.extend(
            of_number
                .iter()
                .filter(|house| is_fresh[house.row as usize]),
        );
        let Some(first) = rows.first() else {
            continue;
        };
        let mut stored = index.houses_of_number(first.lookup)?;
        stored.sort_unstable_by_key(|house| house.lookup);
        for group in rows.chunk_by(|one, other| one.lookup == other.lookup) {
            candidates.add_of_one_lookup(group, &stored);
        }
        candidates.add_elsewhere(checked, &rows, &stored);
    }
    let is_decided = |number: &&usize| {
        let id = checked.rows[**number].external_id();
        checked.decisions.contains_key(*number) || id.is_some_and(|id| index.decision(id).is_some())
    };
    if !checked.decisions.is_empty() || index.has_decisions() {
        candidates.rows.extend(fresh.iter().filter(is_decided));
    }
    candidates.rows.sort_unstable();
    candidates.rows.dedup();
    Ok(candidates)
}

impl Candidates {
    /// Adds the rows of a lookup that is in the journal, or that several rows have.
    fn add_of_one_lookup(&mut self, group: &[RowHouse], stored: &[StoredHouse]) {
        let lookup = group[0].lookup;
        let is_stored = stored
            .binary_search_by_key(&lookup, |house| house.lookup)
            .is_ok();
        let meets_another = |house: &RowHouse| {
            let is_other = |other: &&RowHouse| {
                other.row != house.row && other.number_bits == house.number_bits
            };
            let mut others = group.iter().filter(is_other);
            group.len() > SKETCHED
                || others.any(|other| {
                    other.name.may_match(house.name) || other.customer.may_agree(house.customer)
                })
        };
        let meeting = group
            .iter()
            .filter(|house| is_stored || meets_another(house));
        self.rows.extend(meeting.map(|house| house.row as usize));
    }

    /// Adds the rows whose house number and customer are known under another postal code, if either id is derived: a
    /// corrected postal code changes a derived id, so the row would be requested again.
    fn add_elsewhere(&mut self, checked: &CheckedFile, rows: &[RowHouse], stored: &[StoredHouse]) {
        if checked.derived_ids.is_empty() && !stored.iter().any(|house| house.has_derived_id) {
            return;
        }
        let rows: Vec<HouseOfNumber> = rows
            .iter()
            .map(|house| HouseOfNumber::of_row(house, checked))
            .collect();
        let stored = stored.iter().map(HouseOfNumber::from);
        let mut by_customer: HashMap<_, Vec<HouseOfNumber>> = HashMap::new();
        for house in rows.iter().copied().chain(stored) {
            for key in house.customer.keys() {
                by_customer.entry(key).or_default().push(house);
            }
        }
        for house in &rows {
            let found = house
                .customer
                .keys()
                .filter_map(|key| by_customer.get(&key));
            let found = found
                .flatten()
                .filter(|other| house.may_be_corrected(other));
            let mut lookups: Vec<_> = found.map(|other| other.lookup).take(COMPARED).collect();
            if let Some(row) = house.row.filter(|_| !lookups.is_empty()) {
                lookups.sort_unstable();
                lookups.dedup();
                self.rows.push(row);
                self.elsewhere.insert(row, lookups);
            }
        }
    }
}

/// What is known of a house of a row or of a stored request.
#[derive(Clone, Copy, Debug)]
struct HouseOfNumber {
    lookup: HouseLookup,
    customer: CustomerSketch,
    has_derived_id: bool,
    /// The index of the row; none for a stored request.
    row: Option<usize>,
    /// None for a stored request.
    name: Option<NameSketch>,
}

impl HouseOfNumber {
    fn of_row(house: &RowHouse, checked: &CheckedFile) -> Self {
        let row = house.row as usize;
        Self {
            lookup: house.lookup,
            customer: house.customer,
            has_derived_id: checked.rows[row].external_id().is_some_and(is_derived_id),
            row: Some(row),
            name: Some(house.name),
        }
    }

    /// Whether one may be the other with a corrected postal code.
    fn may_be_corrected(&self, other: &Self) -> bool {
        let names_differ = match (self.name, other.name) {
            (Some(name), Some(other)) => !name.may_match(other),
            _ => false,
        };
        (self.has_derived_id || other.has_derived_id)
            && self.lookup != other.lookup
            && !names_differ
    }
}

impl From<&StoredHouse> for HouseOfNumber {
    fn from(house: &StoredHouse) -> Self {
        Self {
            lookup: house.lookup,
            customer: house.customer,
            has_derived_id: house.has_derived_id,
            row: None,
            name: None,
        }
    }
}
