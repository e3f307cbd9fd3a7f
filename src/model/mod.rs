//! The words of the trade: no I/O, no clock, no async.
//!
//! A *row* of the user's file is checked into a [`Request`], answered by a [`Measurement`], and ends a run in exactly
//! one [`Outcome`].

mod adaptive_limit;
mod address_key;
mod budget;
mod country;
mod creation_status;
mod field;
mod field_error;
mod field_names;
mod hash;
mod measurement;
mod openings;
mod outcome;
mod placement;
mod problem;
mod rate;
mod region;
mod request;
mod same_house;
mod source;
mod submitted_version;
mod team;
mod text;
mod timeline;
mod warning;
mod whole_address;

pub use adaptive_limit::AdaptiveLimit;
pub use address_key::AddressKey;
pub use budget::{Admission, QuotaBudget, QuotaShare, QuotaSlot};
pub use country::Country;
pub use creation_status::CreationStatus;
pub use field::Field;
pub use field_error::FieldError;
pub use field_names::FieldNames;
pub use hash::ContentHash;
pub use measurement::{
    Asset, Downspout, Measurement, MeasurementResult, PlacedAddress, RequestRecord, Status,
};
pub use openings::SlotOpenings;
pub use outcome::{Outcome, Outcomes};
pub use placement::placed_elsewhere;
pub use problem::{Problem, Severity};
pub use rate::{Rate, RateError};
pub use region::region_codes;
pub(crate) use region::{Region, RegionStanding, fold_place};
pub use request::{Address, Customer, Request};
pub use same_house::{
    AddressMatch, CustomerSketch, HouseDecision, HouseLookup, NameSketch, StreetAddress,
    customers_agree, customers_differ,
};
pub use source::{RowNumber, TableSource};
pub use submitted_version::SubmittedVersion;
pub use team::{AppIdentity, Team};
pub use text::{EXCERPT, counted, each_folded, excerpt, is_same_text, printable};
pub use timeline::Timeline;
pub use warning::{ResponseWarning, WarningKind};
pub use whole_address::{WholeAddress, WholeAddressError};
