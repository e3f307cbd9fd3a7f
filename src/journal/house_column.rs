//! The columns `house` and `customer` of requests, by which earlier requests for a house are looked up.

use rusqlite::{Connection, Row};

use crate::model::{CustomerSketch, HouseHash, Request, StreetAddress, is_derived_id};

/// Set in the column `customer` of a request whose id was derived.
const HAS_DERIVED_ID: i64 = 1 << CustomerSketch::BITS;

/// What the journal's index shows of the house of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredHouseKey {
    /// Equal for all requests that may be for this house.
    pub house_hash: HouseHash,
    /// Differs for most other customers.
    pub customer: CustomerSketch,
    /// Whether the request's id was derived from the row.
    pub has_derived_id: bool,
}

impl From<&Request> for StoredHouseKey {
    fn from(request: &Request) -> Self {
        Self {
            house_hash: StreetAddress::new(&request.address).house_hash(),
            customer: CustomerSketch::from(&request.customer),
            has_derived_id: is_derived_id(&request.external_id),
        }
    }
}

impl StoredHouseKey {
    /// Returns the values of both columns.
    pub(super) fn columns(self) -> [i64; 2] {
        let customer = self.customer.to_bits().cast_signed();
        let mark = if self.has_derived_id {
            HAS_DERIVED_ID
        } else {
            0
        };
        [from_hash(self.house_hash), customer | mark]
    }

    /// Reads the columns, of which `house` is at this place.
    pub(super) fn from_row(row: &Row<'_>, at: usize) -> rusqlite::Result<Self> {
        let (house, customer): (i64, i64) = (row.get(at)?, row.get(at + 1)?);
        Ok(Self {
            house_hash: HouseHash(house.cast_unsigned()),
            customer: CustomerSketch::from_bits(customer.cast_unsigned()),
            has_derived_id: customer & HAS_DERIVED_ID != 0,
        })
    }
}

/// Returns the other numbers of a range, each with the hash of the house, as values of the columns of `house_ranges`.
pub(super) fn range_columns(request: &Request) -> Vec<[i64; 2]> {
    let address = StreetAddress::new(&request.address);
    let house = from_hash(address.house_hash());
    let others = address.house_hashes().skip(1);
    others.map(|other| [from_hash(other), house]).collect()
}

/// Stores them, so that a house is found under each number of its range.
pub(super) fn store_range(connection: &Connection, range: &[[i64; 2]]) -> rusqlite::Result<()> {
    let sql = "INSERT OR IGNORE INTO house_ranges (other_house, house) VALUES (?1, ?2)";
    for columns in range {
        connection.prepare_cached(sql)?.execute(*columns)?;
    }
    Ok(())
}

/// Returns the hash of a house as a column value.
pub(super) fn from_hash(house: HouseHash) -> i64 {
    house.0.cast_signed()
}
