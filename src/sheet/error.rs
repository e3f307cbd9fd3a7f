//! Why a file cannot be read or written, as data.

use crate::model::{RowNumber, group_digits, pluralize};
use crate::sheet::csv::read::COLUMN_LIMIT;

/// A file that cannot be used, and why.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {cause}")]
pub struct Error {
    /// The file's name as the user knows it.
    pub file: String,
    /// What is wrong with it.
    #[source]
    pub cause: SheetError,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// No such file.
    #[error("there is no such file")]
    NotThere,
    /// A folder.
    #[error("it is a folder")]
    Folder,
    /// A pipe or a device, which cannot be read twice; to open a pipe may wait forever.
    #[error("it is not a regular file")]
    NotAFile,
    /// Reading it failed, for instance for lack of permission.
    #[error("cannot be read")]
    Read(#[source] std::io::Error),
    /// The temporary file in which the problems of its rows are kept.
    #[error("the problems of its rows cannot be stored in a temporary file")]
    ProblemStore(#[source] std::io::Error),
    /// The temporary file to which the sheets of an open document are unpacked.
    #[error("its sheets cannot be unpacked to a temporary file")]
    Unpacked(#[source] std::io::Error),
    /// The temporary file in which a stream is kept, so that it can be read twice.
    #[error("it cannot be copied to a temporary file")]
    Spooled(#[source] std::io::Error),
    /// An empty file.
    #[error("the file is empty")]
    Empty,
    /// Headers and nothing below.
    #[error("no rows to import: there is nothing below the headers in row {header_row}")]
    HeaderOnly {
        /// The row of the headers.
        header_row: RowNumber,
    },
    /// Hidden rows only, which are left out.
    #[error("no rows to import: {} below the headers, which --visible-only leaves out", pluralize(*.rows, "hidden row"))]
    HiddenOnly {
        /// The number of hidden rows.
        rows: u64,
    },
    /// A file that a program keeps beside a sheet that is open.
    #[error("it is the lock file of a sheet that is open, not a table")]
    LockFile,
    /// An archive that is not a workbook.
    #[error("it is {0}, not a table")]
    Archive(&'static str),
    /// Another kind of file.
    #[error("it is {0}, not a table")]
    NotATable(&'static str),
    /// A workbook that `export` wrote.
    #[error("it is a workbook of `gutterbatch export`, not a sheet of homeowners")]
    Exported,
    /// A text file without a line end where every table has many.
    #[error("no line ends in the first {limit_mib} MiB, so it is probably not a table")]
    NoLineEnd {
        /// How much was read, in mebibytes.
        limit_mib: usize,
    },
    /// A workbook that only its password opens.
    #[error("the workbook is protected by a password")]
    Password,
    /// A truncated or broken workbook.
    #[error("the workbook is damaged: {0}")]
    Damaged(String),
    /// An archive bomb: a file made to exhaust memory or disk.
    #[error("refused: it unpacks to more than {} MiB", group_digits(*.limit_mib))]
    Bomb {
        /// The limit that it breaks, in mebibytes.
        limit_mib: u64,
    },
    /// An archive bomb, recognized by its ratio of compression.
    #[error("refused: it unpacks to {} times its size", group_digits(*.times))]
    Inflates {
        /// Its size unpacked, in multiples of its size as it is.
        times: u64,
    },
    /// A cell of a workbook that is larger than any real one.
    #[error("refused: a cell is larger than {limit_mib} MiB")]
    CellTooLarge {
        /// The limit, in mebibytes.
        limit_mib: usize,
    },
    /// A workbook whose parts define their own entities.
    #[error("refused: the workbook contains a DOCTYPE, which no spreadsheet program writes")]
    Doctype,
    /// More columns than a sheet can have.
    #[error("row {0} has more than {limit} columns", limit = group_digits(COLUMN_LIMIT as u64))]
    TooManyColumns(RowNumber),
    /// Sheets whose rectangles hold more cells than memory should.
    #[error("the sheets span more than {} cells", group_digits(*.limit))]
    TooManyCells {
        /// The limit.
        limit: u64,
    },
    /// More rows than row numbers.
    #[error("the file has more than {} rows", group_digits(u64::from(*.limit)))]
    TooManyRows {
        /// The limit.
        limit: u32,
    },
    /// One row of a text file that is larger than any real one.
    #[error("row {row} is larger than {limit_mib} MiB")]
    RowTooLarge {
        /// Where it starts.
        row: RowNumber,
        /// The limit, in mebibytes.
        limit_mib: usize,
    },
    /// A quote that is never closed.
    #[error("a quote opened at line {line}, column {column}, is never closed")]
    UnclosedQuote {
        /// The editor's line of the quote.
        line: u32,
        /// The letters of its column.
        column: String,
    },
    /// A quote behind a space, which makes no quoted cell.
    #[error(
        "the quote at line {line}, column {column}, is behind a space, so it is part of the text"
    )]
    SpacedQuote {
        /// The editor's line of the quote.
        line: u32,
        /// The letters of its column.
        column: String,
    },
    /// A quote that takes lines which look like rows into one cell.
    #[error("the quote at line {line}, column {column}, makes the lines up to {last} one cell")]
    StrayQuote {
        /// The editor's line of the quote.
        line: u32,
        /// The letters of its column.
        column: String,
        /// The line on which the cell ends.
        last: u32,
    },
    /// UTF-8 but for some bytes.
    #[error("line {line} is not UTF-8 while the rest is")]
    StrayBytes {
        /// The editor's line of the first bad byte.
        line: u32,
        /// The line, with U+FFFD for what is not UTF-8.
        text: String,
    },
    /// `--encoding` names nothing known.
    #[error("--encoding: there is no encoding called `{0}`")]
    UnknownEncoding(String),
    /// Text that was read as Windows-1252, and is in another encoding.
    #[error("{cell}: `{text}` is garbled: the file is probably not Windows-1252")]
    OtherEncoding {
        /// The first such cell.
        cell: String,
        /// Its text.
        text: String,
    },
    /// `--sheet` names a sheet that is not there.
    #[error("there is no sheet `{wanted}`")]
    NoSuchSheet {
        /// The name or number that the user gave.
        wanted: String,
        /// The sheets that there are.
        sheets: Vec<String>,
    },
    /// `--sheet` for a file without sheets.
    #[error("there is no sheet `{wanted}`: the file is text")]
    TextHasNoSheets {
        /// The name or number that the user gave.
        wanted: String,
    },
    /// A workbook without a visible sheet.
    #[error("the workbook has no visible sheet")]
    NoSheet,
    /// An output file that cannot be written.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: std::path::PathBuf,
        /// The system's error.
        #[source]
        source: std::io::Error,
    },
    /// A file that would be replaced and that this program did not write.
    #[error("{} is not a file of rejected rows, so it is not replaced", .0.display())]
    NotOurs(std::path::PathBuf),
    /// A file that would be replaced and is the one that is read.
    #[error("{} is the input itself", .0.display())]
    IsInput(std::path::PathBuf),
    /// An extension of another format than the content.
    #[error("{} does not end in .{extension}, the format of the input", path.display())]
    Extension {
        /// The file to write.
        path: std::path::PathBuf,
        /// The extension that fits.
        extension: &'static str,
    },
    /// The file is not what it was when it was opened.
    #[error("the file changed since it was opened")]
    Changed,
}

impl SheetError {
    pub(crate) fn in_file(self, file: &str) -> Error {
        Error {
            file: file.to_owned(),
            cause: self,
        }
    }
}
