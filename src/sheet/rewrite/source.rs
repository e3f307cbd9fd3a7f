//! A table whose place in its file is known.

use std::fs::File;

use crate::model::RowNumber;
use crate::sheet::csv::read::TextDialect;
use crate::sheet::file_format::FileFormat;
use crate::sheet::input_file::{Fingerprint, InputFile};
use crate::sheet::workbook::OpenWorkbook;

/// The table that is rewritten.
pub(crate) struct SourceTable<'a> {
    pub(crate) input_file: &'a InputFile,
    /// The file's fingerprint when the table was located.
    pub(crate) fingerprint: Fingerprint,
    pub(crate) region: TableRegion,
    pub(crate) content: SourceContent,
}

/// Where the headers and rows of a table are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TableRegion {
    /// The header of each column.
    pub(crate) headers: Vec<String>,
    /// The zero-based column of streets or whole addresses, which every filter of this table contains.
    pub(crate) street: Option<usize>,
    /// None where the table has no headers.
    pub(crate) header_row: Option<RowNumber>,
    /// A row above the headers that belongs to them: titles over groups of columns.
    pub(crate) title_row: Option<RowNumber>,
    /// Whether hidden rows are left out.
    pub(crate) visible_only: bool,
}

/// The open file.
pub(crate) enum SourceContent {
    /// A text file.
    Text { file: File, layout: TextDialect },
    /// A sheet of a workbook.
    Workbook(SourceWorkbook),
}

/// The sheet that is rewritten, with its workbook.
pub(crate) struct SourceWorkbook {
    pub(crate) book: OpenWorkbook,
    pub(crate) format: FileFormat,
    pub(crate) sheet: String,
}
