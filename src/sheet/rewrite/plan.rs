//! What a rewrite keeps, drops and appends, and its result.

use crate::model::counted;
use crate::sheet::UnsyncedFolder;
use crate::sheet::{FileFormat, Fingerprint};

/// Which columns are appended or dropped, and what happens to the rest of the file.
#[derive(Clone, Copy, Debug)]
pub struct RewritePlan<'a> {
    /// Columns to the right of the sheet's own.
    pub appended: &'a [AppendedColumn],
    /// Headers of columns that are left out, where all of them are there: columns of an earlier copy. A header may
    /// continue in brackets.
    pub dropped: &'a [&'a str],
    /// The header of a column that is left out along with those, if it is in front of them.
    pub dropped_too: Option<&'a str>,
    /// What happens to everything around the rows.
    pub surroundings: Surroundings,
    /// What happens to rows of a text that have fewer values than there are headers.
    pub short_rows: ShortRows,
    /// Whether a text gets a byte order mark.
    pub mark: ByteOrderMark,
    /// The file's fingerprint when its rows were checked; a different one is [`SheetError::Changed`].
    ///
    /// [`SheetError::Changed`]: crate::sheet::SheetError::Changed
    pub fingerprint: Option<Fingerprint>,
}

impl RewritePlan<'_> {
    /// The zero-based columns that are left out: those that an earlier copy appended.
    pub(in crate::sheet) fn dropped_of(&self, headers: &[String]) -> Vec<usize> {
        let is_there = |dropped: &&str| headers.iter().any(|header| is_column(header, dropped));
        if !self.dropped.iter().all(is_there) {
            return Vec::new();
        }
        let is_dropped = |column: &usize| {
            let is_any = |dropped: &&str| is_column(&headers[*column], dropped);
            self.dropped.iter().any(is_any)
        };
        let mut dropped: Vec<usize> = (0..headers.len()).filter(is_dropped).collect();
        // A column of that name elsewhere is the user's.
        let in_front = dropped.first().and_then(|first| first.checked_sub(1));
        if let (Some(header), Some(column)) = (self.dropped_too, in_front)
            && is_column(&headers[column], header)
        {
            dropped.insert(0, column);
        }
        dropped
    }
}

/// Whether a header is that of a column, perhaps with more in brackets.
fn is_column(header: &str, name: &str) -> bool {
    let more = header.trim().strip_prefix(name);
    more.is_some_and(|more| more.is_empty() || more.starts_with(" ("))
}

/// Whether a UTF-8 text gets a byte order mark, without which spreadsheets take it for another encoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteOrderMark {
    /// Where the original has one.
    AsOriginal,
    /// Also where it holds more than ASCII.
    WhereNeeded,
}

/// One column to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppendedColumn {
    /// Its header.
    pub header: String,
    /// The number format of its numbers and dates in a workbook; none for the default.
    pub number_format: Option<String>,
    /// The widest that the column becomes in a workbook, in characters; longer text wraps.
    pub widest: u16,
}

/// What happens to everything around the rows: lines above the headers, blank lines, other sheets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surroundings {
    /// It is kept as far as the format can be written: everything in an .xlsx, the lines above the headers otherwise.
    Kept,
    /// It is left out: only some of the rows are wanted.
    LeftOut,
}

/// What happens to rows of a text that have fewer values than there are headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShortRows {
    /// They stay short, so that a missing delimiter remains visible and typing it completes the row.
    Kept,
    /// They are padded, so that the appended values are below their headers.
    Filled,
}

/// What is appended to one row, and which of its cells are highlighted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowAddition {
    /// A value for each appended column.
    pub values: Vec<AppendedValue>,
    /// Cells to highlight, where only some rows are kept; text files ignore them.
    pub highlights: Vec<Highlight>,
}

/// One appended value.
#[derive(Clone, Debug, PartialEq)]
pub enum AppendedValue {
    /// Nothing.
    Empty,
    /// Text, also where it begins with `=`.
    Text(String),
    /// A number.
    Number(f64),
    /// A day.
    Date(jiff::civil::Date),
    /// A day with its time.
    Moment(jiff::civil::DateTime),
}

/// A cell that is wrong, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Highlight {
    /// The zero-based column in the sheet as it was read.
    pub column: usize,
    /// The text of the note.
    pub note: String,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rewritten {
    /// Rows, without the headers.
    pub rows: u64,
    /// What a person should know of the copy.
    pub notes: Vec<RewriteNote>,
    /// The file's folder, where it could not be synced.
    pub unsynced: Option<UnsyncedFolder>,
}

/// Where the copy differs from the original in a way that a person could meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RewriteNote {
    /// The format cannot be written, so the copy is XLSX.
    AsXlsx(FileFormat),
    /// Characters that the file's encoding does not have, written as `?`.
    Replaced {
        /// How many.
        characters: u64,
    },
    /// Cells that XLSX has no room for, cut to 32,767 characters.
    Shortened {
        /// How many.
        cells: u64,
    },
    /// Highlighted cells without a note, because the sheet has reached the maximum number of notes.
    WithoutNotes {
        /// How many.
        cells: u64,
    },
}

impl RewriteNote {
    /// A lowercase fragment without a full stop.
    pub fn sentence(self) -> String {
        match self {
            Self::AsXlsx(format) => format!("{} is written as XLSX", format.name()),
            Self::Replaced { characters } => format!(
                "{} that the file's encoding does not have became `?`",
                counted(characters, "character")
            ),
            Self::Shortened { cells } => {
                format!("{} cut to 32,767 characters", counted(cells, "cell"))
            }
            Self::WithoutNotes { cells } => {
                format!("{} marked without a note", counted(cells, "cell"))
            }
        }
    }
}
