//! Which columns are the address, and how the text of an address comes apart.

mod address_words;
mod contact_of_address;
mod country;
mod mixed_addresses;
pub(crate) mod owner_of_parts;
mod place_behind_street;
mod place_in_cell;
mod place_of_street;
mod splitting;
mod street_of_another_place;
mod two_addresses;
mod unit_contents;
mod unit_of_another_street;
pub(crate) mod units;
mod whole_address;
mod whole_address_cases;
