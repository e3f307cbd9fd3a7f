//! Cells as rows with a meaning: headers, columns, layout, rejects.
//!
//! [`open`] detects the format of a file by its content, its encoding and delimiter, the sheet, the header row, and which
//! column feeds which field. The result is in [`DetectedLayout`] and [`Columns`]; [`Table::next_row`] then streams the
//! rows. A separate thread reads ahead, and only a few batches of rows are in memory.
//!
//! Values are not interpreted here: `import::check` does that.

mod address_additions;
mod address_choice;
mod address_groups;
mod address_names;
pub mod annotate;
mod column_search;
mod columns;
mod contact_columns;
mod contact_guess;
mod decision_column;
mod detected_layout;
mod error;
mod field_columns;
mod header_digest;
mod header_guess;
mod headers;
mod known_table;
mod located;
mod missing_field;
mod misspelled_headers;
mod names;
mod near_columns;
mod numbered_streets;
mod options;
mod qualifiers;
mod reader;
pub mod rejects;
mod rejects_columns;
mod sheet_choice;
mod single_address;
mod street_cells;
mod street_columns;
mod synonyms;
mod table_head;
mod totals;
mod unique;
mod unit_columns;
mod unused_parts;
mod whole_addresses;

pub(crate) use address_names::house_rank;
pub use columns::{Column, Columns, NameFrom, NameOrder};
pub use decision_column::DecisionColumn;
pub use detected_layout::{DelimiterSource, DetectedLayout, SkipReason, SkippedSheet};
pub use error::{Error, TableError};
pub use header_digest::HeaderDigest;
pub use known_table::KnownTable;
pub use missing_field::{
    AddressTitle, MissingField, SuggestedHeader, UnsuitableColumn, UnsuitableReason,
};
pub use names::first_last;
pub(crate) use near_columns::is_of_customer_record;
pub use options::{HeaderRow, TableOptions};
pub use reader::{Table, open, reopen};
pub use rejects_columns::{FIRST_RESULT, SECOND_RESULT, is_decision_header};
pub use sheet_choice::sheet_names;
pub(crate) use street_cells::is_street;
pub use street_columns::{STREET_ADDITIONS, is_number_suffix};
pub(crate) use synonyms::fold_cell;
pub use synonyms::known_field;
pub(crate) use totals::total_label;
pub use unit_columns::UnitKind;
