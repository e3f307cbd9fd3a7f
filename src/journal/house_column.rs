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

/// The house of a request as the journal stores it.
#[derive(Clone, Debug)]
pub(super) struct StoredHouse {
    key: StoredHouseKey,
    /// The hashes of the other numbers of a range.
    others: Vec<HouseHash>,
}

impl From<&Request> for StoredHouse {
    fn from(request: &Request) -> Self {
        let address = StreetAddress::new(&request.address);
        Self {
            key: StoredHouseKey {
                house_hash: address.house_hash(),
                customer: CustomerSketch::from(&request.customer),
                has_derived_id: is_derived_id(&request.external_id),
            },
            others: address.house_hashes().skip(1).collect(),
        }
    }
}

impl StoredHouse {
    /// Stores the other numbers of a range, so that the house is found under each, and returns the values of both
    /// columns.
    pub(super) fn store(&self, connection: &Connection) -> rusqlite::Result<[i64; 2]> {
        let columns = self.key.columns();
        let sql = "INSERT OR IGNORE INTO house_ranges (other_house, house) VALUES (?1, ?2)";
        for other in &self.others {
            let mut statement = connection.prepare_cached(sql)?;
            statement.execute([from_hash(*other), columns[0]])?;
        }
        Ok(columns)
    }
}

impl StoredHouseKey {
    /// Returns the values of both columns.
    fn columns(self) -> [i64; 2] {
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

/// Returns the hash of a house as a column value.
pub(super) fn from_hash(house: HouseHash) -> i64 {
    house.0.cast_signed()
}
