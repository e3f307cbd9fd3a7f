//! What was detected of a file, as data and as sentences.

use crate::model::{RowNumber, excerpt, pluralize};
use crate::sheet::Delimiter;
use crate::sheet::csv::encoding::Charset;
use crate::sheet::file_format::FileFormat;
use crate::table::HeaderDigest;

/// What was detected of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetectedLayout {
    /// The file's name as the user knows it.
    pub file: String,
    /// The file format, by content.
    pub format: FileFormat,
    /// The sheet's name; `None` for text.
    pub sheet: Option<String>,
    /// The encoding; `None` for workbooks.
    pub charset: Option<Charset>,
    /// The delimiter; `None` for workbooks.
    pub delimiter: Option<Delimiter>,
    /// How the delimiter was determined; `None` for workbooks.
    pub delimited_by: Option<DelimiterSource>,
    /// The header row; `None` for a table without headers.
    pub header_row: Option<RowNumber>,
    /// The digest of the headers; `None` until they are found.
    pub header_digest: Option<HeaderDigest>,
    /// How many fields the headers feed by themselves.
    pub known_headers: usize,
    /// The other sheets of the workbook, and why they were skipped.
    pub passed_over: Vec<SkippedSheet>,
}

impl DetectedLayout {
    /// The layout of a file of which only the format was detected so far.
    pub(super) fn new(file: String, format: FileFormat) -> Self {
        Self {
            file,
            format,
            ..Self::default()
        }
    }
}

/// How the delimiter was determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DelimiterSource {
    /// `--delimiter`.
    Asked,
    /// The line `sep=` at the top of the file.
    File,
    /// The known headers that it yields.
    Headers,
}

/// A sheet that was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkippedSheet {
    /// Its name.
    pub sheet: String,
    /// Why.
    pub why: SkipReason,
}

/// Why a sheet was not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkipReason {
    /// Another one was requested.
    NotAsked,
    /// It is hidden; a hidden sheet must be requested.
    Hidden,
    /// Its headers leave a required field without a column.
    HeadersDoNotFit,
}

impl DetectedLayout {
    /// `leads.csv: Windows-1252, semicolons, headers in row 3`.
    pub fn sentence(&self) -> String {
        let mut parts = Vec::new();
        let format = self.format.name();
        match FileFormat::from_file_name(&self.file).filter(|claimed| *claimed != self.format) {
            Some(claimed) => {
                parts.push(format!("{format} though its name says {}", claimed.name()));
            }
            None if self.format == FileFormat::Text => {}
            None => parts.push(format.to_owned()),
        }
        if let (Some(charset), Some(delimiter)) = (self.charset, self.delimiter) {
            parts.push(charset.name().to_owned());
            parts.push(delimiter.plural());
        }
        if let Some(sheet) = &self.sheet {
            let unread = self.unread_sheets();
            let unread = unread.map(|names| format!(" (not read: {names})"));
            parts.push(format!("sheet `{sheet}`{}", unread.unwrap_or_default()));
        }
        parts.push(match self.header_row {
            Some(row) => format!("headers in row {row}"),
            None => "no headers".to_owned(),
        });
        format!("{}: {}", self.file, parts.join(", "))
    }

    /// The sheets that were not read, hidden ones marked, for instance `` `Quebec`, `Notes` (hidden) ``; none without
    /// such a sheet.
    pub fn unread_sheets(&self) -> Option<String> {
        let names = self.passed_over.iter().map(|other| {
            let hidden = match other.why {
                SkipReason::Hidden => " (hidden)",
                SkipReason::NotAsked | SkipReason::HeadersDoNotFit => "",
            };
            format!("`{}`{hidden}", excerpt(&other.sheet))
        });
        let names: Vec<String> = names.collect();
        (!names.is_empty()).then(|| names.join(", "))
    }

    /// The names of the sheets that were not read.
    pub fn other_sheets(&self) -> impl Iterator<Item = &str> {
        self.passed_over.iter().map(|other| other.sheet.as_str())
    }

    /// The reasons for what was detected, one per line.
    pub fn evidence(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let Some(charset) = self.charset {
            lines.push(format!(
                "encoding: {}, {}",
                charset.name(),
                charset.evidence()
            ));
        }
        if let (Some(delimiter), Some(by)) = (self.delimiter, self.delimited_by) {
            let by = match by {
                DelimiterSource::Asked => "as --delimiter says".to_owned(),
                DelimiterSource::File => "as the line `sep=` at the top says".to_owned(),
                DelimiterSource::Headers => {
                    format!("with which {} headers are known", self.known_headers)
                }
            };
            lines.push(format!("delimiter: {}, {by}", delimiter.plural()));
        }
        if let Some(row) = self.header_row {
            let known = pluralize(self.known_headers as u64, "known header");
            let above = match row.0 {
                1 => String::new(),
                row => format!(
                    "; {} above them skipped",
                    pluralize(u64::from(row) - 1, "row")
                ),
            };
            lines.push(format!("headers: row {row}, {known}{above}"));
        }
        for SkippedSheet { sheet, why } in &self.passed_over {
            let why = match why {
                SkipReason::NotAsked => "another sheet was requested",
                SkipReason::Hidden => "it is hidden",
                SkipReason::HeadersDoNotFit => "its headers do not fit",
            };
            lines.push(format!("sheet `{sheet}` skipped: {why}"));
        }
        lines
    }
}
