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
use crate::table::columns::PARTS;
use crate::table::detected_layout::DelimiterSource;
use crate::table::error::TableError;
use crate::table::options::{HeaderRow, TableOptions};
use crate::table::street_cells::is_street;
use crate::table::synonyms::{fold_cell, header_meaning};
use crate::table::table_head::{CandidateRow, TableHead};

/// Maximum number of rows searched for headers.
pub(super) const MAX_HEADER_SEARCH_ROWS: usize = 60;

/// How much text is examined for the delimiter.
const SAMPLE_BYTES: u64 = 256 << 10;

/// Minimum number of known headers in a header row.
const MIN_KNOWN_HEADERS: usize = 2;

/// Minimum number of digits of a phone number.
const PHONE_DIGITS: usize = 10;

/// Finds the headers among a table's first rows.
pub(super) fn headers(
    rows: &[CandidateRow],
    options: &TableOptions,
) -> Result<TableHead, TableError> {
    let filled = || rows.iter().filter(|row| !row.is_blank());
    let first = filled().next().ok_or(SheetError::Empty)?;
    match options.header_row {
        HeaderRow::Absent => {
            let width = filled().map(|row| row.cells.len()).max().unwrap_or(0);
            let names = (0..width).map(column_letters).collect();
            Ok(TableHead::new(None, names).with_surroundings(rows))
        }
        HeaderRow::At(wanted) => rows
            .iter()
            .find(|row| row.number.0 == wanted)
            .map(|row| head_of_row(row, &named_fields(row, options)).with_surroundings(rows))
            .ok_or(TableError::NoHeaderRow { row: wanted }),
        HeaderRow::Found => match likeliest(filled(), options) {
            Some(best) if best.score >= MIN_KNOWN_HEADERS || !looks_like_data(first) => {
                Ok(best.with_surroundings(rows))
            }
            _ => Err(TableError::NoHeaders {
                row: first.number,
                sample: sample(first),
            }),
        },
    }
}

/// The likeliest headers among these rows: the first that is complete, or the likelier one of each two.
fn likeliest<'a>(
    rows: impl Iterator<Item = &'a CandidateRow>,
    options: &TableOptions,
) -> Option<TableHead> {
    let mut best = None;
    for row in rows {
        let fields = named_fields(row, options);
        let head = head_of_row(row, &fields);
        if is_complete(&fields) {
            return Some(head);
        }
        best = match best {
            Some(best) => Some(likelier(best, head)),
            None => Some(head),
        };
    }
    best
}

/// The likelier headers of two rows: those that name more fields. One may be in any row, such as the town of Mobile, so a
/// lower row that names only one has to have more cells.
fn likelier(best: TableHead, next: TableHead) -> TableHead {
    let width = |head: &TableHead| {
        head.names
            .iter()
            .filter(|name| !name.trim().is_empty())
            .count()
    };
    let is_wide = next.score >= MIN_KNOWN_HEADERS || width(&next) > width(&best);
    if next.score > best.score && is_wide {
        next
    } else {
        best
    }
}

/// Refuses a row above the headers that is a customer: above the second of two tables, those of the first would be lost.
/// A customer has nearly as many cells as the headers, with a house and an email or phone.
pub(super) fn refuse_customer_above(
    headers: &TableHead,
    rows: &[CandidateRow],
    options: &TableOptions,
) -> Result<(), TableError> {
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
            && filled(&row.cells) * 4 >= width.max(MIN_KNOWN_HEADERS * 2) * 3
            && row.cells.iter().any(is_house)
            && row.cells.iter().any(is_contact)
    };
    let is_found = options.header_row == HeaderRow::Found && headers.score >= MIN_KNOWN_HEADERS;
    match (
        rows.iter().find(is_customer).filter(|_| is_found),
        headers.row,
    ) {
        (Some(row), Some(header_row)) => Err(TableError::CustomerAboveHeaders {
            row: row.number,
            sample: sample(row),
            header_row,
        }),
        _ => Ok(()),
    }
}

fn head_of_row(row: &CandidateRow, fields: &BTreeSet<Field>) -> TableHead {
    let mut headers = TableHead::new(Some(row.number), row.cells.clone());
    headers.score = fields.len();
    headers
}

/// Whether a row whose cells name these fields names all that a request needs, so that it can only be the headers. The id
/// may be derived.
fn is_complete(fields: &BTreeSet<Field>) -> bool {
    let has = |field: &Field| fields.contains(field);
    let has_any = |fields: &[Field]| fields.iter().any(has);
    (has(&Field::Address) || PARTS.iter().all(has))
        && has_any(&[Field::Name, Field::FirstName, Field::LastName])
        && has_any(&[Field::Email, Field::Phone])
}

/// The fields that the cells of a row name.
fn named_fields(row: &CandidateRow, options: &TableOptions) -> BTreeSet<Field> {
    let named = |cell: &String| {
        let is_mapped = |(_, header): &&(Field, String)| fold_cell(cell) == fold_cell(header);
        let by_option = || options.map.iter().find(is_mapped).map(|(field, _)| *field);
        header_meaning(cell).map(|one| one.field).or_else(by_option)
    };
    row.cells.iter().filter_map(named).collect()
}

/// Whether a cell is an email, a street or a number: headers have years and numbers beside their words. With another
/// delimiter than the file's, a cell has several.
fn looks_like_data(row: &CandidateRow) -> bool {
    let cells = row.cells.iter();
    let mut cells = cells.flat_map(|cell| cell.split(Delimiter::DETECTED.map(char::from)));
    cells.any(|cell| {
        let cell = cell.trim();
        let digits = cell.chars().filter(char::is_ascii_digit).count();
        let letters = cell.chars().filter(|c| c.is_alphabetic()).count();
        let is_year = cell.len() == 4 && ["19", "20"].iter().any(|start| cell.starts_with(start));
        let is_number = digits > 2 && digits > letters && !is_year;
        cell.contains('@') || is_number || digits > 2 && is_street(cell)
    })
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
    pub(super) headers: TableHead,
}

/// Finds delimiter and headers of a text file.
pub(super) fn find_text_head(
    file: &mut File,
    charset: Charset,
    options: &TableOptions,
) -> Result<TextHead, TableError> {
    let sample = sample_of(file, charset).map_err(SheetError::Read)?;
    let (declared, skipped) = declared_delimiter(&sample);
    let (candidates, delimited_by) = match (options.delimiter, declared) {
        (Some(delimiter), _) => (vec![delimiter], DelimiterSource::Asked),
        (None, Some(declared)) => (vec![declared], DelimiterSource::File),
        (None, None) => {
            // One that is nowhere in the text separates nothing.
            let usual = Delimiter::DETECTED.into_iter();
            let found = usual.filter(|byte| *byte == b',' || sample.contains(byte));
            (found.map(Delimiter).collect(), DelimiterSource::Headers)
        }
    };
    let mut search = HeadSearch::default();
    for delimiter in candidates {
        let first = first_rows(&sample, delimiter, skipped, options)?;
        search.add(delimiter, first, options);
    }
    let (delimiter, headers, first) = search.best()?;
    refuse_customer_above(&headers, &first.rows, options)?;
    Ok(TextHead {
        delimiter,
        delimited_by,
        headers,
    })
}

/// The start of a text, decoded.
fn sample_of(file: &mut File, charset: Charset) -> std::io::Result<Vec<u8>> {
    file.seek(SeekFrom::Start(0))?;
    let mut sample = Vec::new();
    let mut start = file.take(SAMPLE_BYTES);
    match charset {
        Charset::Utf8 => start.read_to_end(&mut sample)?,
        other => decoded(start, other)
            .take(SAMPLE_BYTES)
            .read_to_end(&mut sample)?,
    };
    Ok(sample)
}

/// The best headers of a text, of those that the delimiters make of it, and the first errors of the other delimiters.
#[derive(Default)]
struct HeadSearch {
    best: Option<(Delimiter, TableHead, FirstRows)>,
    cause: Option<TableError>,
    stray_quote: Option<SheetError>,
}

impl HeadSearch {
    fn add(&mut self, delimiter: Delimiter, mut first: FirstRows, options: &TableOptions) {
        match headers(&first.rows, options) {
            Ok(mut found) => {
                pad_to_rows(&mut found, &first.rows);
                let worth = |headers: &TableHead| (headers.score, headers.names.len());
                let is_better = |best: &TableHead| worth(&found) > worth(best);
                if self
                    .best
                    .as_ref()
                    .is_none_or(|(_, best, _)| is_better(best))
                {
                    self.best = Some((delimiter, found, first));
                }
            }
            Err(error) => {
                self.stray_quote = self.stray_quote.take().or(first.stray_quote.take());
                self.cause = self.cause.take().or(Some(error));
            }
        }
    }

    /// The delimiter with the best headers.
    fn best(self) -> Result<(Delimiter, TableHead, FirstRows), TableError> {
        let Some((delimiter, headers, mut first)) = self.best else {
            let stray = self.stray_quote.map(TableError::from).or(self.cause);
            return Err(stray.unwrap_or(SheetError::Empty.into()));
        };
        // A quote in the headers hides them from their own delimiter only.
        let stray = self.stray_quote;
        let stray = stray.filter(|_| headers.score < MIN_KNOWN_HEADERS);
        match first.stray_quote.take().or(stray) {
            Some(stray) => Err(stray.into()),
            None => Ok((delimiter, headers, first)),
        }
    }
}

/// Some programs write a trailing delimiter in every row except the header row; the extra column then gets an empty
/// header.
fn pad_to_rows(headers: &mut TableHead, rows: &[CandidateRow]) {
    let below = || {
        let below = rows.iter().filter(|row| Some(row.number) > headers.row);
        below.filter(|row| !row.is_blank())
    };
    let mut added = below().flat_map(|row| row.cells.iter().skip(headers.names.len()));
    let width = below().map(|row| row.cells.len()).min();
    if let Some(width) = width.filter(|width| *width > headers.names.len())
        && headers.row.is_some()
        && added.all(|cell| cell.trim().is_empty())
    {
        headers.names.resize(width, String::new());
    }
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
            Ok(Some(row)) if row.placed.line <= skipped => {}
            Ok(Some(row)) => found.rows.push(CandidateRow {
                number: RowNumber(row.placed.line),
                cells: row
                    .record
                    .iter()
                    .map(|field| String::from_utf8_lossy(field).into_owned())
                    .collect(),
            }),
            Err(cause @ SheetError::TooManyColumns { .. }) => return Err(cause),
            Err(cause @ (SheetError::StrayQuote { .. } | SheetError::SpacedQuote { .. })) => {
                found.stray_quote = Some(cause);
                return Ok(found);
            }
            // The sample may end within a quoted cell; errors are reported when the rows are read.
            Ok(None) | Err(_) => return Ok(found),
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
        HeaderRow::Found | HeaderRow::Absent => rows.len() >= MAX_HEADER_SEARCH_ROWS,
    }
}
