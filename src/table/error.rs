//! Why the table of a file cannot be found or read, as data.

use crate::model::{Country, Field, RowNumber, excerpt};
use crate::sheet::{self, SheetError};
use crate::table::missing_field::{
    differing_rows, listed, listed_addresses, listed_names, missing_sentence, numbered_addresses,
};
use crate::table::{AddressTitle, MissingField};

/// A file that cannot be used as a table, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {cause}")]
pub struct Error {
    /// The file's name as the user knows it.
    pub file: String,
    /// What is wrong with it.
    #[source]
    pub cause: TableError,
}

impl From<sheet::Error> for Error {
    fn from(sheet::Error { file, cause }: sheet::Error) -> Self {
        Self {
            file,
            cause: cause.into(),
        }
    }
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// Its file.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// No row looks like headers.
    #[error("no headers found: row {row} looks like data ({sample})")]
    NoHeaders {
        /// The first row that holds something.
        row: RowNumber,
        /// Its first cells.
        sample: String,
    },
    /// Two rows are headers of different columns.
    #[error("rows {} and {} are headers of different columns", .rows.0, .rows.1)]
    SeveralTables {
        /// The rows.
        rows: (RowNumber, RowNumber),
    },
    /// A row above the headers looks like a customer, who would not be read.
    #[error("row {row} is above the headers (row {header_row}) and looks like data ({sample})")]
    CustomerAboveHeaders {
        /// The first such row.
        row: RowNumber,
        /// Its first cells.
        sample: String,
        /// The row of the headers.
        header_row: RowNumber,
    },
    /// `--header-row` points below the table.
    #[error("there is no row {row} to take headers from")]
    NoHeaderRow {
        /// The row that the user gave.
        row: u32,
    },
    /// Required fields that no header names.
    #[error("{}", missing_sentence(.missing, .whole_addresses, .street.as_deref(), *.differing))]
    MissingFields {
        /// What is missing, each with the nearest header.
        missing: Vec<MissingField>,
        /// Columns with whole addresses, which could replace the parts: headers and letters. `missing` then names
        /// no part of the address.
        whole_addresses: Box<[(String, String)]>,
        /// The street of an address in parts beside them, which may be the house's as well: header and letters.
        street: Option<Box<(String, String)>>,
        /// Number of the first rows in which those columns have different addresses, and of those rows.
        differing: (usize, usize),
        /// The headers found.
        headers: Vec<String>,
        /// The row of the headers.
        header_row: RowNumber,
        /// The country of the addresses, for examples in hints.
        country: Country,
    },
    /// Two columns that could be one field.
    #[error("{} could both be {field}", listed(.columns))]
    Ambiguous {
        /// The field.
        field: Field,
        /// The columns' headers, with their letters.
        columns: Vec<(String, String)>,
    },
    /// `--map` names one column for two parts of the address.
    #[error("--map {} and --map {} name the same column, `{}`", .parts.0, .parts.1, excerpt(.header))]
    TwoParts {
        /// The parts.
        parts: (Field, Field),
        /// The header of the column.
        header: String,
    },
    /// The parts of an address are of two addresses.
    #[error("{} belong to different addresses", listed(.columns))]
    TwoAddresses {
        /// A column of each: header and letters.
        columns: Vec<(String, String)>,
        /// The column of each part, by letters, for each address that can be chosen; `HEADER` where only the user knows
        /// it. None where `--address` chooses one of them.
        addresses: Vec<Vec<(Field, String)>>,
    },
    /// Several addresses side by side, each whole.
    #[error("{}: {}{}", numbered_addresses(.blocks.len()), listed_addresses(.blocks), differing_rows(*.differing))]
    SeveralAddresses {
        /// Each of them.
        blocks: Vec<AddressTitle>,
        /// Number of the first rows in which they differ, and of those rows.
        differing: (usize, usize),
        /// What else is missing, each with the nearest header.
        missing: Vec<MissingField>,
    },
    /// `--address` names none of the addresses.
    #[error("there is no address `{wanted}`")]
    NoSuchAddress {
        /// What the user gave.
        wanted: String,
        /// The addresses that there are.
        blocks: Vec<AddressTitle>,
    },
    /// `--map` or `--id-column` names a header that is not there.
    #[error("there is no column `{}` for {field}", excerpt(.header))]
    NoSuchHeader {
        /// The field.
        field: Field,
        /// The header that the user gave.
        header: String,
        /// The headers found.
        headers: Vec<String>,
    },
    /// Several sheets whose headers fit.
    #[error("several sheets have fitting headers: {}", listed_names(.0))]
    SeveralSheets(Vec<String>),
    /// Headers that fit are in hidden sheets only.
    #[error("only hidden sheets have fitting headers: {}", listed_names(.0))]
    HiddenSheets(Vec<String>),
}
