//! What a rewrite keeps, drops and appends, and its result.

use std::ops::Range;

use crate::model::pluralize;
use crate::sheet::{FileFormat, column_letters};

/// Which columns are appended or dropped, and what happens to the rest of the file.
#[derive(Clone, Copy, Debug)]
pub struct RewritePlan<'a> {
    /// Columns to the right of the sheet's own.
    pub appended: &'a [AppendedColumn],
    /// The columns of an earlier copy, which the appended ones replace.
    pub earlier: EarlierColumns<'a>,
    /// Whether everything around the rows is kept as far as the format can be written: everything in an .xlsx, the lines
    /// above the headers otherwise. It is left out where only some of the rows are wanted.
    pub keeps_surroundings: bool,
    /// Whether rows of a text that have fewer values than there are headers are only padded. Otherwise they also get a note
    /// behind the last header, which makes them invalid until somebody has seen to them.
    pub fills_short_rows: bool,
    /// Whether a UTF-8 text that holds more than ASCII gets a byte order mark if the original has none; without one,
    /// spreadsheets take it for another encoding.
    pub adds_mark: bool,
}

/// How the columns that an earlier copy appended are recognized. A header may continue in brackets.
#[derive(Clone, Copy, Debug)]
pub enum EarlierColumns<'a> {
    /// Columns with these headers, wherever they are, if all of them are there; with them one with the other header, if
    /// it is directly in front. The first tells what is wrong with a row.
    Anywhere(&'a [&'a str], &'a str),
    /// One header for each appended column: adjacent columns in this order. A column of that name elsewhere is the
    /// user's. Of several such blocks, the last is the earlier copy's.
    Block(&'a [&'a str]),
}

impl RewritePlan<'_> {
    /// The zero-based columns that are left out: those that an earlier copy appended.
    pub(in crate::sheet) fn dropped_of(&self, headers: &[String]) -> Vec<usize> {
        let EarlierColumns::Anywhere(names, in_front) = self.earlier else {
            return self
                .overwritten(headers)
                .map_or_else(Vec::new, Iterator::collect);
        };
        let is_there = |name: &&str| headers.iter().any(|header| is_column(header, name));
        if !names.iter().all(is_there) {
            return Vec::new();
        }
        let is_dropped = |column: &usize| is_any(&headers[*column], names);
        let mut dropped: Vec<usize> = (0..headers.len()).filter(is_dropped).collect();
        // A column of that name elsewhere is the user's.
        let before = dropped.first().and_then(|first| first.checked_sub(1));
        if let Some(column) = before.filter(|column| is_column(&headers[*column], in_front)) {
            dropped.insert(0, column);
        }
        dropped
    }

    /// The columns in whose place the appended ones are written; `None` if these follow all others.
    pub(in crate::sheet) fn overwritten(&self, headers: &[String]) -> Option<Range<usize>> {
        let EarlierColumns::Block(names) = self.earlier else {
            return None;
        };
        let is_block = |block: &[String]| {
            let mut pairs = block.iter().zip(names);
            pairs.all(|(header, name)| is_column(header, name))
        };
        let last = headers.len().checked_sub(names.len())?;
        let mut blocks = (0..=last).map(|first| first..first + names.len());
        blocks.rfind(|block| is_block(&headers[block.clone()]))
    }

    /// Tells of columns that are kept and have the headers of at least half of a block: an earlier copy's, of which the
    /// user removed or moved a column, or another copy of the block.
    pub(in crate::sheet) fn kept_note(&self, headers: &[String]) -> Option<RewriteNote> {
        let EarlierColumns::Block(names) = self.earlier else {
            return None;
        };
        let overwritten = self.overwritten(headers).unwrap_or_default();
        let is_kept = |column: &usize| !overwritten.contains(column);
        let kept: Vec<usize> = (0..headers.len())
            .filter(is_kept)
            .filter(|column| is_any(&headers[*column], names))
            .collect();
        let is_there = |name: &&&str| kept.iter().any(|column| is_column(&headers[*column], name));
        let is_half = 2 * names.iter().filter(is_there).count() >= names.len();
        is_half.then_some(RewriteNote::EarlierKept {
            columns: kept.len() as u64,
            first: *kept.first()?,
        })
    }
}

fn is_any(header: &str, names: &[&str]) -> bool {
    names.iter().any(|name| is_column(header, name))
}

/// Whether a header is that of a column, perhaps with more in brackets.
fn is_column(header: &str, name: &str) -> bool {
    let more = header.trim().strip_prefix(name);
    more.is_some_and(|more| more.is_empty() || more.starts_with(" ("))
}

/// One column to append.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AppendedColumn {
    /// Its header.
    pub header: String,
    /// The number format of its numbers and dates in a workbook; `None` for the default.
    pub number_format: Option<String>,
    /// Maximum width of the column in a workbook, in characters; longer text wraps.
    pub max_width: u16,
}

/// What is appended to one row, and which of its cells are highlighted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowAddition {
    /// A value for each appended column; none at all where the row stays as it is. So does a row that has values in
    /// columns of an earlier copy only.
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
    /// Differences between the copy and the original that are reported to the user.
    pub notes: Vec<RewriteNote>,
}

/// Where the copy differs from the original in a way that a person could meet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RewriteNote {
    /// The format cannot be written, so the copy is XLSX.
    AsXlsx(FileFormat),
    /// Everything around the rows should be kept, and cannot be.
    OneSheet,
    /// Columns that look like those of an earlier copy, and are kept because they may be the user's.
    EarlierKept {
        /// How many.
        columns: u64,
        /// The zero-based first of them.
        first: usize,
    },
    /// The user's filter or table does not contain the appended columns.
    OutsideRange {
        /// The table's name; `None` for a filter.
        table: Option<String>,
        /// Its cells, such as `A1:H7`.
        range: String,
        /// The zero-based columns between it and the appended ones.
        between: Range<usize>,
    },
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
    pub fn sentence(&self) -> String {
        match self {
            Self::AsXlsx(format) => format!("{} is written as XLSX", format.name()),
            Self::OneSheet => "this kind of workbook is written as an XLSX of the one sheet: other sheets, filters and conditional formats are left out, and formulas are replaced by their values".to_owned(),
            Self::EarlierKept { columns, first } => format!(
                "{} with the headers of results, from column {} on, kept as before: results are renewed only in the last columns that stand together in their order",
                pluralize(*columns, "column"),
                column_letters(*first)
            ),
            Self::OutsideRange {
                table,
                range,
                between,
            } => {
                let what = table.as_ref().map_or_else(
                    || "filter".to_owned(),
                    |table| format!("table {table}"),
                );
                let remedy = if table.is_none() {
                    "set it again over all columns, after moving any other list to another sheet"
                        .to_owned()
                } else if between.is_empty() {
                    "convert it to a range".to_owned()
                } else {
                    let (first, last) = (between.start, between.end - 1);
                    let columns = if first == last {
                        format!("column {}", column_letters(first))
                    } else {
                        format!("columns {} to {}", column_letters(first), column_letters(last))
                    };
                    format!(
                        "move what is in {columns} to another sheet, delete the emptied {columns} and export again"
                    )
                };
                format!(
                    "the results, from column {} on, are outside the {what} ({range}), and sorting by it would leave them beside other rows: before you sort by it, {remedy}",
                    column_letters(between.end)
                )
            }
            Self::Replaced { characters } => format!(
                "{} that the file's encoding does not have became `?`",
                pluralize(*characters, "character")
            ),
            Self::Shortened { cells } => {
                format!("{} cut to 32,767 characters", pluralize(*cells, "cell"))
            }
            Self::WithoutNotes { cells } => {
                format!("{} marked without a note", pluralize(*cells, "cell"))
            }
        }
    }
}
