//! Domain types and the decisions that need no I/O, no clock and no async.
//!
//! A *row* of the user's file is checked into a [`Request`], answered by a [`Measurement`], and ends a run in exactly
//! one [`Outcome`].

mod account;
mod adaptive_limit;
mod address;
mod address_key;
mod content_hash;
mod country;
mod creation_status;
mod customer;
mod derived_id;
mod excel_date;
mod field;
mod field_error;
mod field_names;
mod house_number;
mod json_time;
mod measurement;
mod named_enum;
mod outcome;
mod placement;
mod problem;
mod quota;
mod quota_share;
mod rate;
mod region;
mod request;
mod response_meaning;
mod response_warning;
mod same_house;
mod slot_openings;
mod street_types;
mod submitted_version;
mod table_source;
mod text;
mod timeline;
mod whole_address;
mod word_lists;

pub use account::{Account, AppIdentity, Team};
pub use adaptive_limit::AdaptiveLimit;
pub use address::Address;
pub use address_key::AddressKey;
pub use content_hash::{ContentHash, hexadecimal};
pub use country::Country;
pub use creation_status::CreationStatus;
pub use customer::Customer;
pub use derived_id::{derived_id, derived_id_prefix, is_derived_id};
pub use excel_date::{is_excel_date, month_number};
pub use field::Field;
pub use field_error::FieldError;
pub use field_names::FieldNames;
pub use house_number::{has_house_number, is_ordinal};
pub use json_time::{json_time, json_time_of_service, serialize_json_time, serialize_known_time};
pub use measurement::{
    Asset, Downspout, Measurement, MeasurementResult, PlacedAddress, RequestRecord,
    ReturnedCustomer, ReturnedExternal, Status,
};
pub(crate) use named_enum::named_enum;
pub use outcome::{Outcome, OutcomeCounts};
pub use placement::misplaced_fields;
pub use problem::{CONTACT_ELSEWHERE, DATED_ID, HEADING, Problem, Severity};
pub use quota::{Admission, QuotaBudget, QuotaSlot};
pub use quota_share::QuotaShare;
pub use rate::{Rate, RateError};
pub use region::region_codes;
pub(crate) use region::{Region, RegionKind, fold_city, fold_place};
pub use request::Request;
pub use response_meaning::ResponseMeaning;
pub use response_warning::{ResponseWarning, WarningKind};
use same_house::customer_keys;
pub(crate) use same_house::short_postal_code;
pub use same_house::{
    AddressMatch, AddressText, CustomerSketch, HouseDecision, HouseHash, StreetAddress, StreetCell,
    StreetNameSketch, StreetPart, customers_agree, customers_differ, is_house_number_only,
    is_same_customer, may_be_one_person, may_be_street_type, shared_contact, text_digest,
};
pub use slot_openings::SlotOpenings;
pub(crate) use street_types::ends_street;
pub use table_source::{RowNumber, SampledRows, TableSource, row_name};
pub(crate) use text::shortened;
pub use text::{
    EXCERPT_CHARS, and_more, digits, excerpt, first_of, for_each_folded, group_digits, has_digit,
    has_only_digits, is_of_digits, is_same_text, joined_with_and, letters_and_digits,
    nonzero_counts, pluralize, printable, printable_lines, ungarbled, without_plus_four,
};
pub use timeline::Timeline;
pub use whole_address::{
    WholeAddress, WholeAddressError, bare_unit, is_unit_text, postal_code_at_end,
};
pub(crate) use whole_address::{
    is_canadian_postal_code, is_standalone_unit, is_street_direction, is_street_type, is_unit,
    is_zip,
};
pub(crate) use word_lists::WordList;
