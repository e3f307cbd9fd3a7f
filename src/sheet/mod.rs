//! Files as cells: format detection, limits, one reader per format, the rewriting of a user's file, and the one way a
//! file is replaced.
//!
//! [`crate::table`] gives the cells a meaning; nothing here depends on the fields of a request.

mod address;
mod batch;
mod compound;
mod csv_writer;
mod delimiter;
mod document;
mod document_properties;
pub(crate) mod encoding;
mod error;
pub(crate) mod feed;
mod file_digest;
pub(crate) mod foreign;
pub(crate) mod format;
mod limits;
mod lines;
mod merge;
mod number;
mod ods;
mod output;
mod parts;
mod plain;
mod refusal;
mod regular_file;
mod repair;
pub mod rewrite;
pub(crate) mod scan;
pub(crate) mod stream;
pub(crate) mod text;
pub(crate) mod workbook;

pub use address::{cell_address, column_letters, column_of};
pub use batch::{Cell, CellKind, Row, RowBatch};
pub use csv_writer::CsvWriter;
pub use delimiter::Delimiter;
pub use document::{Document, Fingerprint};
pub use document_properties::DocumentProperties;
pub use encoding::{Charset, utf8_read_as_windows_1252};
pub use error::{AddressTitle, Error, Fault, Missing, NearHeader};
pub use feed::HiddenRows;
pub use file_digest::{file_sha256, sha256};
pub use format::FileFormat;
pub use merge::MergedRange;
pub use output::{UnsyncedFolder, folder_of, put, replace, sync_folder};
pub use plain::{PlainSheet, plain_sheet};
pub use refusal::{is_refusal, or_refused, refusal_of};
pub use regular_file::open_regular;
pub use stream::READER_THREAD;
