//! Finds the header row, by known headers among the first rows, and the delimiter of a text file.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::model::{RowNumber, excerpt};
use crate::sheet::Delimiter;
use crate::sheet::SheetError;
use crate::sheet::column_letters;
use crate::sheet::csv::encoding::{Charset, decoded};
use crate::sheet::csv::read::TextRows;
use crate::table::columns::Columns;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::reading::DelimiterSource;

/// Maximum number of rows searched for headers.
pub(super) const SEARCHED: usize = 60;

/// How much text is examined for the delimiter.
const SAMPLE: u64 = 256 << 10;

/// Minimum number of known headers in a header row.
const ENOUGH: usize = 2;

/// One of the first rows of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CandidateRow {
    pub(super) number: RowNumber,
    pub(super) cells: Vec<String>,
}

impl CandidateRow {
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| cell.trim().is_empty())
    }
}

/// The headers that were found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Headers {
    /// None where the table has none.
    pub(super) row: Option<RowNumber>,
    pub(super) names: Vec<String>,
    /// How many fields they feed.
    pub(super) score: usize,
    /// The cells of the row above them, which may be titles of several columns.
    pub(super) titles: Vec<String>,
    /// The row of the titles.
    pub(super) titles_row: Option<RowNumber>,
    /// The first rows below them.
    pub(super) below: Vec<CandidateRow>,
}

impl Headers {
    /// Headers without surrounding rows.
    pub(super) fn new(row: Option<RowNumber>, names: Vec<String>) -> Self {
        Self {
            row,
            names,
            score: 0,
            titles: Vec::new(),
            titles_row: None,
            below: Vec::new(),
        }
    }

    /// Adds the titles above and the rows below.
    fn with_surroundings(mut self, rows: &[CandidateRow]) -> Self {
        let above = |row: &&CandidateRow| Some(row.number) < self.row && !row.is_blank();
        let titles = rows.iter().rev().find(above);
        self.titles_row = titles.map(|row| row.number);
        self.titles = titles.map(|row| row.cells.clone()).unwrap_or_default();
        let below = rows.iter().filter(|row| Some(row.number) > self.row);
        self.below = below.cloned().collect();
        self
    }
}

/// Finds the headers among a table's first rows.
pub(super) fn headers(
    rows: &[CandidateRow],
    options: &TableOptions,
) -> Result<Headers, SheetError> {
    let filled = || rows.iter().filter(|row| !row.is_blank());
    let first = filled().next().ok_or(SheetError::Empty)?;
    match options.header_row {
        HeaderRow::Absent => {
            let width = filled().map(|row| row.cells.len()).max().unwrap_or(0);
            let names = (0..width).map(column_letters).collect();
            Ok(Headers::new(None, names).with_surroundings(rows))
        }
        HeaderRow::At(asked) => rows
            .iter()
            .find(|row| row.number.0 == asked)
            .map(|row| of_row(row, options).with_surroundings(rows))
            .ok_or(SheetError::NoHeaderRow { row: asked }),
        HeaderRow::Found => {
            let complete = filled()
                .filter_map(|row| Some((row, Columns::complete_fields(&row.cells, options)?)));
            let complete: Vec<_> = complete.collect();
            if let [(first, fields), others @ ..] = &complete[..]
                && let Some((other, _)) =
                    others.iter().find(|(_, other)| !other.starts_with(fields))
            {
                return Err(SheetError::SeveralTables {
                    rows: (first.number, other.number),
                });
            }
            let best = match complete.first() {
                Some((row, _)) => Some(of_row(row, options)),
                None => filled()
                    .map(|row| of_row(row, options))
                    .reduce(|best, next| if next.score > best.score { next } else { best }),
            };
            match best {
                Some(best) if best.score >= ENOUGH || !looks_like_data(first) => {
                    refuse_customer_above(&best, rows)?;
                    Ok(best.with_surroundings(rows))
                }
                _ => Err(SheetError::NoHeaders {
                    row: first.number,
                    sample: sample(first),
                }),
            }
        }
    }
}

/// Refuses a row above the headers that is a customer: above the second of two tables, those of the first would be lost.
/// Titles have fewer cells, and neither emails nor houses.
fn refuse_customer_above(headers: &Headers, rows: &[CandidateRow]) -> Result<(), SheetError> {
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    let width = filled(&headers.names);
    let is_house = |cell: &String| {
        let number = cell.trim().split(' ').next().unwrap_or_default();
        let is_number = number.bytes().all(|byte| byte.is_ascii_digit());
        !number.is_empty() && is_number && cell.contains(char::is_alphabetic)
    };
    let is_customer = |row: &&CandidateRow| {
        Some(row.number) < headers.row
            && filled(&row.cells) * 4 >= width.max(ENOUGH * 2) * 3
            && row
                .cells
                .iter()
                .any(|cell| cell.contains('@') || is_house(cell))
    };
    match (rows.iter().find(is_customer), headers.row) {
        (Some(row), Some(header_row)) => Err(SheetError::CustomerAboveHeaders {
            row: row.number,
            sample: sample(row),
            header_row,
        }),
        _ => Ok(()),
    }
}

fn of_row(row: &CandidateRow, options: &TableOptions) -> Headers {
    Headers {
        score: Columns::score(&row.cells, options),
        ..Headers::new(Some(row.number), row.cells.clone())
    }
}

fn looks_like_data(row: &CandidateRow) -> bool {
    row.cells
        .iter()
        .any(|cell| cell.contains('@') || cell.bytes().filter(u8::is_ascii_digit).count() > 2)
}

fn sample(row: &CandidateRow) -> String {
    let cells = row.cells.iter().map(|cell| cell.trim());
    let filled: Vec<&str> = cells.filter(|cell| !cell.is_empty()).take(3).collect();
    excerpt(&filled.join(", ")).into_owned()
}

/// The delimiter and headers of a text file.
pub(super) struct TextHead {
    pub(super) delimiter: Delimiter,
    pub(super) delimited_by: DelimiterSource,
    pub(super) headers: Headers,
}

/// Finds delimiter and headers of a text file.
pub(super) fn text(
    file: &mut File,
    charset: Charset,
    options: &TableOptions,
) -> Result<TextHead, SheetError> {
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    let mut sample = Vec::new();
    let mut start = file.take(SAMPLE);
    let read = match charset {
        Charset::Utf8 => start.read_to_end(&mut sample),
        other => decoded(start, other).take(SAMPLE).read_to_end(&mut sample),
    };
    read.map_err(SheetError::Read)?;
    let (declared, skipped) = declared_delimiter(&sample);
    let (candidates, delimited_by) = match (options.delimiter, declared) {
        (Some(asked), _) => (vec![asked], DelimiterSource::Asked),
        (None, Some(declared)) => (vec![declared], DelimiterSource::File),
        (None, None) => {
            let usual = [b',', b';', b'\t', b'|'].map(Delimiter);
            (usual.to_vec(), DelimiterSource::Headers)
        }
    };
    let mut best: Option<(Delimiter, Headers)> = None;
    let mut cause = None;
    for delimiter in candidates {
        let rows = first_rows(&sample, delimiter, skipped, options)?;
        match headers(&rows, options) {
            Ok(mut found) => {
                pad_to_rows(&mut found, &rows);
                let worth = |headers: &Headers| (headers.score, headers.names.len());
                if best
                    .as_ref()
                    .is_none_or(|(_, best)| worth(&found) > worth(best))
                {
                    best = Some((delimiter, found));
                }
            }
            // Headers were found with this delimiter.
            Err(
                error
                @ (SheetError::SeveralTables { .. } | SheetError::CustomerAboveHeaders { .. }),
            ) => return Err(error),
            Err(error) => cause = cause.or(Some(error)),
        }
    }
    let (delimiter, headers) = best.ok_or(cause.unwrap_or(SheetError::Empty))?;
    Ok(TextHead {
        delimiter,
        delimited_by,
        headers,
    })
}

/// Some exports end every row with a delimiter, but not the headers: then the last column has no name.
fn pad_to_rows(headers: &mut Headers, rows: &[CandidateRow]) {
    let below = rows
        .iter()
        .filter(|row| headers.row.is_some_and(|header| row.number > header) && !row.is_blank());
    let widths: Vec<usize> = below.map(|row| row.cells.len()).collect();
    let Some(&width) = widths.first() else { return };
    if width > headers.names.len()
        && widths.iter().all(|other| *other == width)
        && ends_empty(headers, rows)
    {
        headers.names.resize(width, String::new());
    }
}

/// Whether all cells beyond the last header are empty.
fn ends_empty(headers: &Headers, rows: &[CandidateRow]) -> bool {
    let below = rows.iter().filter(|row| Some(row.number) > headers.row);
    below
        .flat_map(|row| row.cells.iter().skip(headers.names.len()))
        .all(|cell| cell.trim().is_empty())
}

/// Excel's `sep=;` in the first line: the delimiter, and how many lines it takes.
fn declared_delimiter(sample: &[u8]) -> (Option<Delimiter>, u32) {
    match sample.get(..5) {
        Some([s, e, p, b'=', delimiter])
            if [*s, *e, *p].eq_ignore_ascii_case(b"sep")
                && matches!(sample.get(5), None | Some(b'\r' | b'\n')) =>
        {
            (Some(Delimiter(*delimiter)), 1)
        }
        _ => (None, 0),
    }
}

fn first_rows(
    sample: &[u8],
    delimiter: Delimiter,
    skipped: u32,
    options: &TableOptions,
) -> Result<Vec<CandidateRow>, SheetError> {
    let mut rows = TextRows::new(sample, delimiter);
    let mut found = Vec::new();
    loop {
        match rows.next() {
            Ok(Ok(row)) if row.placed.line <= skipped => {}
            Ok(Ok(row)) => found.push(CandidateRow {
                number: RowNumber(row.placed.line),
                cells: row
                    .record
                    .iter()
                    .map(|field| String::from_utf8_lossy(field).into_owned())
                    .collect(),
            }),
            Err(cause @ SheetError::TooManyColumns { .. }) => return Err(cause),
            Err(cause @ SheetError::StrayQuote { .. }) if found.is_empty() => return Err(cause),
            // The sample may end within a quoted cell; errors are reported when the rows are read.
            Ok(Err(_)) | Err(_) => return Ok(found),
        }
        if is_enough(&found, options) {
            return Ok(found);
        }
    }
}

/// Whether enough rows were read to find the headers.
pub(super) fn is_enough(rows: &[CandidateRow], options: &TableOptions) -> bool {
    match options.header_row {
        HeaderRow::At(row) => rows.last().is_some_and(|last| last.number.0 >= row),
        HeaderRow::Found | HeaderRow::Absent => rows.len() >= SEARCHED,
    }
}
