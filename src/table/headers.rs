//! Finds the header row, by known headers among the first rows, and the delimiter of a text file.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::model::{Field, RowNumber, excerpt};
use crate::sheet::Delimiter;
use crate::sheet::SheetError;
use crate::sheet::column_letters;
use crate::sheet::csv::encoding::{Charset, decoded};
use crate::sheet::csv::read::TextRows;
use crate::table::analyzed_headers::{CandidateRow, Headers};
use crate::table::columns::PARTS;
use crate::table::columns_by_cells::columns_by_cells;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::reading::DelimiterSource;
use crate::table::synonyms::{fold, meaning};

/// Maximum number of rows searched for headers.
pub(super) const SEARCHED: usize = 60;

/// How much text is examined for the delimiter.
const SAMPLE: u64 = 256 << 10;

/// Minimum number of known headers in a header row.
const ENOUGH: usize = 2;

/// Minimum number of digits of a phone number.
const PHONE_DIGITS: usize = 10;

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
                .enumerate()
                .filter_map(|(at, row)| Some((at, row, complete_fields(&row.cells, options)?)));
            let complete = one_of_adjacent(complete.collect());
            if let [(_, first, fields), others @ ..] = &complete[..]
                && let Some((_, other, _)) =
                    others.iter().find(|(_, _, other)| differs(fields, other))
            {
                return Err(SheetError::SeveralTables {
                    rows: (first.number, other.number),
                });
            }
            // A title of one cell, with a date, is neither headers nor a customer.
            let is_wide = |row: &&CandidateRow| {
                row.cells
                    .iter()
                    .filter(|cell| !cell.trim().is_empty())
                    .count()
                    > 1
            };
            let first = match filled().find(is_wide) {
                Some(wide) if looks_like_data(first) => wide,
                _ => first,
            };
            let below = || filled().filter(|row| row.number >= first.number);
            let best = match complete.first() {
                Some((_, row, _)) => Some(of_row(row, options)),
                None => below()
                    .map(|row| of_row(row, options))
                    .reduce(|best, next| if next.score > best.score { next } else { best }),
            };
            match best {
                Some(best) if best.score >= ENOUGH || !looks_like_data(first) => {
                    Ok(best.with_surroundings(rows))
                }
                _ => Err(SheetError::NoHeaders {
                    row: first.number,
                    sample: sample(first),
                    columns: columns_by_cells(first),
                }),
            }
        }
    }
}

/// A row that can be headers: its position among the filled rows, and the field of each cell.
type CompleteRow<'a> = (usize, &'a CandidateRow, Vec<Option<Field>>);

/// Keeps one of two headers in rows after each other, such as names for programs above names for people: the one that names
/// more, or the lower one.
fn one_of_adjacent(mut rows: Vec<CompleteRow<'_>>) -> Vec<CompleteRow<'_>> {
    let named = |(_, _, fields): &CompleteRow<'_>| fields.iter().flatten().count();
    if let [first, second, ..] = &rows[..]
        && second.0 == first.0 + 1
    {
        rows.remove(usize::from(named(first) > named(second)));
    }
    rows
}

/// Whether two header rows have different fields in one column.
fn differs(one: &[Option<Field>], other: &[Option<Field>]) -> bool {
    let mut pairs = one.iter().zip(other);
    pairs.any(|pair| matches!(pair, (Some(one), Some(other)) if one != other))
}

/// Refuses a row above the headers that is a customer: above the second of two tables, those of the first would be lost.
/// A customer has nearly as many cells as the headers, with a house and an email or phone.
pub(super) fn refuse_customer_above(
    headers: &Headers,
    rows: &[CandidateRow],
    options: &TableOptions,
) -> Result<(), SheetError> {
    let filled = |cells: &[String]| cells.iter().filter(|cell| !cell.trim().is_empty()).count();
    let width = filled(&headers.names);
    let digits = |text: &str| text.bytes().filter(u8::is_ascii_digit).count();
    let is_house = |cell: &String| {
        let number = cell.trim().split(' ').next().unwrap_or_default();
        !number.is_empty() && digits(number) == number.len() && cell.contains(char::is_alphabetic)
    };
    let is_contact = |cell: &String| {
        cell.contains('@') || (digits(cell) >= PHONE_DIGITS && !cell.contains(char::is_alphabetic))
    };
    let is_customer = |row: &&CandidateRow| {
        Some(row.number) < headers.row
            && filled(&row.cells) * 4 >= width.max(ENOUGH * 2) * 3
            && row.cells.iter().any(is_house)
            && row.cells.iter().any(is_contact)
    };
    let is_found = options.header_row == HeaderRow::Found && headers.score >= ENOUGH;
    match (
        rows.iter().find(is_customer).filter(|_| is_found),
        headers.row,
    ) {
        (Some(row), Some(header_row)) => Err(SheetError::CustomerAboveHeaders {
            row: row.number,
            sample: sample(row),
            header_row,
        }),
        _ => Ok(()),
    }
}

fn of_row(row: &CandidateRow, options: &TableOptions) -> Headers {
    let fields = named_fields(&row.cells, options);
    let distinct: BTreeSet<Field> = fields.into_iter().flatten().collect();
    let mut headers = Headers::new(Some(row.number), row.cells.clone());
    headers.score = distinct.len();
    headers
}

/// The field of each cell if a row of cells names all that a request needs, so that it can only be the headers. The id
/// may be derived.
fn complete_fields(cells: &[String], options: &TableOptions) -> Option<Vec<Option<Field>>> {
    let fields = named_fields(cells, options);
    let has = |field: &Field| fields.contains(&Some(*field));
    let has_any = |fields: &[Field]| fields.iter().any(has);
    let is_complete = (has(&Field::Address) || PARTS.iter().all(has))
        && has_any(&[Field::Name, Field::FirstName, Field::LastName])
        && has_any(&[Field::Email, Field::Phone]);
    is_complete.then_some(fields)
}

/// The field that each cell names.
fn named_fields(cells: &[String], options: &TableOptions) -> Vec<Option<Field>> {
    let named = |cell: &String| {
        let asked = |(_, header): &&(Field, String)| fold(cell) == fold(header);
        let by_option = || options.map.iter().find(asked).map(|(field, _)| *field);
        meaning(cell).map(|one| one.field).or_else(by_option)
    };
    cells.iter().map(named).collect()
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
    let mut best: Option<(Delimiter, Headers, FirstRows)> = None;
    let (mut cause, mut stray) = (None, None);
    for delimiter in candidates {
        let mut first = first_rows(&sample, delimiter, skipped, options)?;
        match headers(&first.rows, options) {
            Ok(mut found) => {
                pad_to_rows(&mut found, &first.rows);
                let worth = |headers: &Headers| (headers.score, headers.names.len());
                if best
                    .as_ref()
                    .is_none_or(|(_, best, _)| worth(&found) > worth(best))
                {
                    best = Some((delimiter, found, first));
                }
            }
            // Complete headers were found with this delimiter.
            Err(error @ SheetError::SeveralTables { .. }) => return Err(error),
            Err(error) => {
                stray = stray.or(first.stray_quote.take());
                cause = cause.or(Some(error));
            }
        }
    }
    let Some((delimiter, headers, first)) = best else {
        return Err(stray.or(cause).unwrap_or(SheetError::Empty));
    };
    // A quote in the headers hides them from their own delimiter only.
    let stray = stray.filter(|_| headers.score < ENOUGH);
    if let Some(stray) = first.stray_quote.or(stray) {
        return Err(stray);
    }
    refuse_customer_above(&headers, &first.rows, options)?;
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

/// The first rows of a text, as one delimiter separates them.
#[derive(Default)]
struct FirstRows {
    rows: Vec<CandidateRow>,
    /// The stray quote that ends them, if one does.
    stray_quote: Option<SheetError>,
}

fn first_rows(
    sample: &[u8],
    delimiter: Delimiter,
    skipped: u32,
    options: &TableOptions,
) -> Result<FirstRows, SheetError> {
    let mut rows = TextRows::new(sample, delimiter);
    let mut found = FirstRows::default();
    loop {
        match rows.next() {
            Ok(Ok(row)) if row.placed.line <= skipped => {}
            Ok(Ok(row)) => found.rows.push(CandidateRow {
                number: RowNumber(row.placed.line),
                cells: row
                    .record
                    .iter()
                    .map(|field| String::from_utf8_lossy(field).into_owned())
                    .collect(),
            }),
            Err(cause @ SheetError::TooManyColumns { .. }) => return Err(cause),
            Err(cause @ SheetError::StrayQuote { .. }) => {
                found.stray_quote = Some(cause);
                return Ok(found);
            }
            // The sample may end within a quoted cell; errors are reported when the rows are read.
            Ok(Err(_)) | Err(_) => return Ok(found),
        }
        if is_enough(&found.rows, options) {
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
