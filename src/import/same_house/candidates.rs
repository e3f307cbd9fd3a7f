//! Finds the rows that may have the house of another row or of an earlier request, by hashes alone.

use hashbrown::{HashMap, HashSet};

use crate::import::same_house::MAX_COMPARED_HOUSES;
use crate::import::{CheckedFile, Error, RowHouseKey};
use crate::journal::{StoredHouseKey, SubmissionIndex};
use crate::model::{CustomerSketch, HouseHash, StreetNameSketch};

/// Maximum number of rows of one hash whose sketches are compared to avoid reading them again.
const MAX_COMPARED_SKETCHES: usize = 64;

/// Maximum number of rows of a file that one customer has. A name, email or phone of more rows is an office's or
/// invented: it gives no reason for a warning, and to compare its rows would take most of the time of a check.
const MAX_ROWS_OF_CUSTOMER: u32 = 250;

/// Maximum number of rows of a file in which a customer's other rows are looked for to warn of them: their short hashes
/// collide in larger ones, and for a single pair the whole file is read a second time.
const MAX_ROWS_COMPARED_BY_CUSTOMER: usize = 100_000;

/// The rows that have to be compared.
#[derive(Debug, Default)]
pub(super) struct Candidates {
    /// Those that may have the house of another, and those with a decision; sorted indices.
    pub(super) rows: Vec<usize>,
    /// For rows whose house may be known under other postal codes or without its number, the hashes there.
    pub(super) elsewhere: HashMap<usize, Vec<HouseHash>>,
    /// All of these hashes.
    elsewhere_hashes: HashSet<HouseHash>,
}

/// Finds the candidates among the new rows; `is_new` has each row by its index.
pub(super) fn find_candidates(
    checked: &CheckedFile,
    index: &SubmissionIndex,
    is_new: &[bool],
) -> Result<Candidates, Error> {
    let mut candidates = Candidates::default();
    let customers = CustomerRows::count(checked, is_new);
    let mut rows: Vec<RowHouseKey> = Vec::new();
    for of_number in checked
        .houses
        .chunk_by(|one, other| one.house_hash.number() == other.house_hash.number())
    {
        rows.clear();
        rows.extend(of_number.iter().filter(|house| is_new[house.row as usize]));
        let Some(first) = rows.first() else {
            continue;
        };
        let mut stored = index.houses_of_number(first.house_hash)?;
        stored.sort_unstable_by_key(|house| house.house_hash);
        for group in rows.chunk_by(|one, other| one.house_hash == other.house_hash) {
            candidates.add_of_one_hash(group, &stored);
        }
        candidates.add_elsewhere(&customers, &rows, &stored);
    }
    if !checked.derived_ids.is_empty() {
        let new = checked.houses.iter();
        let new = new.filter(|house| is_new[house.row as usize]);
        candidates.add_without_number(new, index)?;
    }
    let is_decided = |row: &usize| {
        let id = checked.rows[*row].external_id();
        checked.decisions.contains_key(row) || id.is_some_and(|id| index.decision(id).is_some())
    };
    if !checked.decisions.is_empty() || index.has_decisions() {
        let new_rows = (0..is_new.len()).filter(|row| is_new[*row]);
        candidates.rows.extend(new_rows.filter(is_decided));
    }
    candidates.rows.sort_unstable();
    candidates.rows.dedup();
    Ok(candidates)
}

impl Candidates {
    /// The last row that is compared with the houses of a hash; `None` if rows with other postal codes are, too.
    pub(super) fn last_row(&self, checked: &CheckedFile, house_hash: HouseHash) -> Option<usize> {
        let houses = &checked.houses;
        let end = houses.partition_point(|house| house.house_hash <= house_hash);
        let mut of_hash = houses[..end]
            .iter()
            .rev()
            .take_while(|house| house.house_hash == house_hash)
            .map(|house| house.row as usize);
        let last = of_hash.find(|row| self.rows.binary_search(row).is_ok())?;
        (!self.elsewhere_hashes.contains(&house_hash)).then_some(last)
    }

    /// Adds the rows of a hash that is in the journal, or that several rows have.
    fn add_of_one_hash(&mut self, group: &[RowHouseKey], stored: &[StoredHouseKey]) {
        let house_hash = group[0].house_hash;
        let is_stored = stored
            .binary_search_by_key(&house_hash, |house| house.house_hash)
            .is_ok();
        let meets_another = |house: &RowHouseKey| {
            let mut others = group.iter().filter(|other| other.row != house.row);
            group.len() > MAX_COMPARED_SKETCHES
                || others.any(|other| {
                    other.words == house.words
                        || other.street_name.may_match(house.street_name)
                        || other.customer.may_agree(house.customer)
                })
        };
        let meeting = group
            .iter()
            .filter(|house| is_stored || meets_another(house));
        self.rows.extend(meeting.map(|house| house.row as usize));
    }

    /// Adds the rows whose house number and customer are known under another postal code, or in a row of the file with
    /// another one: it may have been corrected.
    fn add_elsewhere(
        &mut self,
        customers: &CustomerRows,
        rows: &[RowHouseKey],
        stored: &[StoredHouseKey],
    ) {
        if rows.len() + stored.len() < 2 {
            return;
        }
        let of_rows = rows.iter().map(|house| CandidateHouse {
            house_hash: house.house_hash,
            customer: house.customer,
            row: Some((house.row as usize, house.street_name)),
            is_of_derived_id: false,
        });
        let of_requests = stored.iter().map(|house| CandidateHouse {
            house_hash: house.house_hash,
            customer: house.customer,
            row: None,
            is_of_derived_id: house.has_derived_id,
        });
        let houses: Vec<CandidateHouse> = of_rows.chain(of_requests).collect();
        let keys = houses
            .iter()
            .flat_map(|house| house.customer.keys().map(move |key| (key, house)));
        let mut by_customer: Vec<_> = keys.collect();
        by_customer.sort_unstable_by_key(|(key, _)| *key);
        for of_customer in by_customer.chunk_by(|one, other| one.0 == other.0) {
            // A corrected postal code changes the id of an earlier request that was derived.
            let are_compared = customers.are_compared(of_customer[0].0)
                || of_customer.iter().any(|(_, house)| house.is_of_derived_id);
            for (_, house) in of_customer.iter().filter(|_| are_compared) {
                let Some((row, _)) = house.row else {
                    continue;
                };
                let others = of_customer.iter().map(|(_, other)| other);
                let others = others.filter(|other| house.may_be_corrected(other));
                let house_hashes = others
                    .map(|other| other.house_hash)
                    .take(MAX_COMPARED_HOUSES);
                self.add_hashes(row, house_hashes);
            }
        }
    }

    /// Adds the rows whose customer has requests without a house number in their postal code: the number may have been
    /// filled in since.
    fn add_without_number<'h>(
        &mut self,
        new: impl Iterator<Item = &'h RowHouseKey>,
        index: &SubmissionIndex,
    ) -> Result<(), Error> {
        let mut by_customer: HashMap<u64, Vec<HouseHash>> = HashMap::new();
        for house in index.houses_without_number()? {
            for key in house.house_hash.customer_keys(house.customer) {
                by_customer.entry(key).or_default().push(house.house_hash);
            }
        }
        for house in new.filter(|_| !by_customer.is_empty()) {
            let keys = house.house_hash.customer_keys(house.customer);
            let others = keys.filter_map(|key| by_customer.get(&key)).flatten();
            let others = others.filter(|other| **other != house.house_hash).copied();
            self.add_hashes(house.row as usize, others);
        }
        Ok(())
    }

    /// Adds a row if there are other hashes of its house.
    fn add_hashes(&mut self, row: usize, house_hashes: impl Iterator<Item = HouseHash>) {
        let mut house_hashes = house_hashes.peekable();
        if house_hashes.peek().is_some() {
            self.rows.push(row);
            let elsewhere = self.elsewhere.entry(row).or_default();
            elsewhere.extend(house_hashes);
            self.elsewhere_hashes.extend(elsewhere.iter());
            elsewhere.sort_unstable();
            elsewhere.dedup();
        }
    }
}

/// Of which customers the new rows are compared across postal codes.
#[derive(Debug)]
enum CustomerRows {
    /// Of all: ids are derived, so that no two rows of one house are sent because of an edit.
    All,
    /// Of none: the file has too many rows.
    None,
    /// Of those with few rows, by the parts of their sketches.
    Counted(HashMap<CustomerKey, u32>),
}

/// A part of a [`CustomerSketch`].
type CustomerKey = (usize, u16);

impl CustomerRows {
    fn count(checked: &CheckedFile, is_new: &[bool]) -> Self {
        if !checked.derived_ids.is_empty() {
            return Self::All;
        }
        if checked.houses.len() > MAX_ROWS_COMPARED_BY_CUSTOMER {
            return Self::None;
        }
        let mut rows = HashMap::new();
        let new = checked.houses.iter();
        let new = new.filter(|house| is_new[house.row as usize]);
        for key in new.flat_map(|house| house.customer.keys()) {
            *rows.entry(key).or_default() += 1;
        }
        Self::Counted(rows)
    }

    fn are_compared(&self, key: CustomerKey) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Counted(rows) => rows
                .get(&key)
                .is_none_or(|rows| *rows <= MAX_ROWS_OF_CUSTOMER),
        }
    }
}

/// What is known of a house of a row or of a stored request.
#[derive(Clone, Copy, Debug)]
struct CandidateHouse {
    house_hash: HouseHash,
    customer: CustomerSketch,
    /// The index of the row and the sketch of its street; `None` for a stored request.
    row: Option<(usize, StreetNameSketch)>,
    /// Whether it is a stored request with a derived id.
    is_of_derived_id: bool,
}

impl CandidateHouse {
    /// Whether one may be the other with a corrected postal code.
    fn may_be_corrected(&self, other: &Self) -> bool {
        let names = self.row.zip(other.row);
        let may_match = names.is_none_or(|((_, name), (_, other))| name.may_match(other));
        self.house_hash != other.house_hash && may_match
    }
}
