//! Comparison of addresses under different external ids, so that no house is requested twice.
//!
//! The comparison of [`crate::model::AddressKey`] is looser: it is right for one id and its response, but across ids it
//! would match neighbours.

mod address_match;
mod address_text;
mod customer_sketch;
mod fnv;
mod house_decision;
mod number_in_front;
mod number_ranges;
mod numbers;
pub(super) mod postal_rules;
mod single_letters;
mod street_address;
mod street_cells;
mod street_name;
mod street_parts;
pub(super) mod street_words;
mod units;

pub use address_match::AddressMatch;
pub use address_text::AddressText;
pub(super) use customer_sketch::customer_keys;
pub use customer_sketch::{
    CustomerSketch, customers_agree, customers_differ, is_same_customer, may_be_one_person,
    shared_contact,
};
pub use fnv::text_digest;
pub use house_decision::HouseDecision;
pub(super) use number_in_front::with_plain_number;
pub(crate) use postal_rules::short_postal_code;
pub use street_address::{HouseHash, StreetAddress};
pub use street_cells::{StreetCell, StreetPart, is_house_number_only};
pub use street_name::StreetNameSketch;
pub use street_words::may_be_street_type;
