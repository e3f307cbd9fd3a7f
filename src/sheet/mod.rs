//! Files as cells: format detection, limits, one reader per format, the rewriting of a user's file, and the one way a
//! file is replaced.
//!
//! [`crate::table`] gives the cells a meaning; nothing here depends on the fields of a request.

mod batch;
mod cell_address;
mod cell_range;
pub(crate) mod csv;
mod error;
pub(crate) mod feed;
mod file_digest;
pub(crate) mod file_format;
pub(crate) mod foreign;
mod input_file;
mod limits;
mod number;
mod number_code;
mod number_formats;
mod ods;
mod output;
mod plain;
mod regular_file;
pub mod rewrite;
pub(crate) mod row_details;
pub(crate) mod stream;
mod temporary_file;
pub(crate) mod workbook;
mod xls;
mod xlsb;
mod xlsx;
mod xml;

pub use batch::{Cell, CellKind, Row, RowBatch, RowVisibility};
pub use cell_address::{cell_address, column_letters, column_of};
pub use cell_range::CellRange;
pub use csv::MISSING_VALUES;
pub use csv::delimiter::Delimiter;
pub use csv::encoding::Charset;
pub use csv::write::{csv_io_error, csv_writer};
pub use error::{Error, SheetError};
pub use file_digest::{file_sha256, sha256};
pub use file_format::FileFormat;
pub use input_file::{Fingerprint, InputFile, damaged_by_panic};
pub use output::{
    create_file, folder_of, rename_into_place, replace_file, sync_and_rename, sync_folder,
};
pub use plain::{PlainSheet, plain_sheet};
pub use regular_file::{
    canonical, numbered_path, open_regular, resolved_path, same_file, stored_path,
};
pub use stream::READER_THREAD;
pub use temporary_file::{
    remove_temporary_files, shared_temporary_file, temporary_file, temporary_folder,
};
pub use xlsx::document_properties::DocumentProperties;
pub use xlsx::save::{end_rows, save_workbook, workbook_bytes};
