//! The columns `house` and `customer` of requests, by which earlier requests for a house are looked up.

use rusqlite::Connection;

use crate::model::{CustomerSketch, HouseHash, Request, StreetAddress, is_derived_id};

/// Set in the column `customer` of a request whose id was derived.
const HAS_DERIVED_ID: i64 = 1 << CustomerSketch::BITS;

/// The values of both columns; 0 for a request that cannot be read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HouseColumns {
    pub(super) house: i64,
    pub(super) customer: i64,
}

impl From<&Request> for HouseColumns {
    fn from(request: &Request) -> Self {
        let mut customer = CustomerSketch::from(&request.customer)
            .to_bits()
            .cast_signed();
        if is_derived_id(&request.external_id) {
            customer |= HAS_DERIVED_ID;
        }
        Self {
            house: from_hash(StreetAddress::new(&request.address).house_hash()),
            customer,
        }
    }
}

impl HouseColumns {
    /// Returns the hash of the house.
    pub(super) fn house_hash(self) -> HouseHash {
        HouseHash(self.house.cast_unsigned())
    }

    /// Returns the sketch of the customer.
    pub(super) fn sketch(self) -> CustomerSketch {
        CustomerSketch::from_bits(self.customer.cast_unsigned())
    }

    /// Whether the id was derived.
    pub(super) fn has_derived_id(self) -> bool {
        self.customer & HAS_DERIVED_ID != 0
    }
}

/// Computes the columns of requests that were stored without them.
pub(super) fn fill_missing(connection: &Connection) -> rusqlite::Result<()> {
    for table in ["requests", "unanswered_versions", "held_houses"] {
        let select = format!("SELECT rowid, request FROM {table} WHERE house IS NULL");
        let update = format!("UPDATE {table} SET house = ?2, customer = ?3 WHERE rowid = ?1");
        let mut missing = connection.prepare(&select)?;
        let mut update = connection.prepare(&update)?;
        let missing = missing
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(i64, String)>>>()?;
        for (row, request) in missing {
            let request: Option<Request> = serde_json::from_str(&request).ok();
            let columns = request.as_ref().map(HouseColumns::from).unwrap_or_default();
            update.execute([row, columns.house, columns.customer])?;
        }
    }
    Ok(())
}

/// Returns the hash of a house as a column value.
pub(super) fn from_hash(house: HouseHash) -> i64 {
    house.0.cast_signed()
}
