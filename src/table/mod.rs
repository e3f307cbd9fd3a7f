//! Files to rows, and rows back to files, in the user's own layout.
//!
//! [`open`] finds out by evidence what a file is: its kind by content, its encoding and delimiter, the sheet, the header
//! row, and which column feeds which field. What it found stands in [`Reading`] and [`Columns`]; [`Table::next_row`]
//! then streams the rows. A thread of its own reads ahead, so that the rows cost no memory beyond a few batches.
//!
//! What a value means is none of this room's business: `import::check` judges values.

mod added;
mod address;
mod address_blocks;
mod address_choice;
mod batch;
mod columns;
mod compound;
mod decision_column;
mod document;
mod document_properties;
mod encoding;
mod error;
mod feed;
mod file_digest;
mod foreign;
mod guard;
mod kind;
mod layout;
mod lines;
mod marks;
mod mend;
mod merge;
mod names;
mod number;
mod ods;
mod opened;
mod options;
mod parts;
mod plain;
mod reading;
mod refusal;
pub mod rejects;
mod sheet;
mod sniff;
mod stream;
mod synonyms;
mod text;
mod unique;
mod workbook;

pub use address::{cell_address, column_letters};
pub use batch::{Batch, Cell, Kind, Row};
pub use columns::{Column, Columns, NameFrom, NameOrder};
pub use decision_column::DecisionColumn;
pub use document::{Document, Fingerprint};
pub use document_properties::DocumentProperties;
pub use encoding::Charset;
pub use error::{AddressTitle, Error, Fault, Missing, NearHeader};
pub use file_digest::file_sha256;
pub use kind::Form;
pub use merge::Merge;
pub use names::first_last;
pub use opened::{Table, open};
pub use options::{Delimiter, HeaderRow, HiddenRows, IdColumn, Options};
pub use plain::{PlainSheet, plain_sheet};
pub use reading::{DelimitedBy, PassedOver, Reading, WhyPassed};
pub use refusal::{is_refusal, or_refused};
pub use stream::READER_THREAD;
