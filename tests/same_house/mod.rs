//! One house under two ids, which is requested once.

mod derived_ids;
mod exchanged_addresses;
mod held_houses;
mod house_comparison;
mod house_decisions;
mod house_ranges;
pub(crate) mod houses;
mod houses_in_check;
mod normalized_addresses;
mod other_postal_code;
mod skipped_results;
pub(crate) mod unanswered;
mod unasked_send;
