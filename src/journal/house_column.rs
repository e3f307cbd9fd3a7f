//! The columns `house` and `customer` of requests, by which earlier requests for a house are looked up.

use crate::model::{CustomerSketch, HouseHash, Request, StreetAddress, is_derived_id};

/// Set in the column `customer` of a request whose id was derived.
const HAS_DERIVED_ID: i64 = 1 << CustomerSketch::BITS;

/// The values of both columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Returns the hash of a house as a column value.
pub(super) fn from_hash(house: HouseHash) -> i64 {
    house.0.cast_signed()
}
