//! Text files: rows by the csv crate, row numbers by [`LineReader`].

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use csv::{ByteRecord, Reader, ReaderBuilder};

use crate::model::RowNumber;
use crate::sheet::Delimiter;
use crate::sheet::SheetError;
use crate::sheet::batch::RowVisibility;
use crate::sheet::cell_address::column_letters;
use crate::sheet::csv::encoding::{Charset, decoded};
use crate::sheet::csv::lines::{
    AfterQuotes, LineReader, QuotedText, ROW_LIMIT, RowPosition, line_ends, quoted_texts,
};
use crate::sheet::stream::BatchSender;

/// The columns that a sheet can have; a text file with more is not a table of houses.
pub(crate) const COLUMN_LIMIT: usize = 16_384;
/// The least number of cells of a row that can be lost in another one.
const MIN_WIDTH: usize = 3;
/// Bytes in which a line end is looked for at a time.
const CHUNK_BYTES: u64 = 64 << 10;

/// How a text file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TextDialect {
    pub(crate) charset: Charset,
    pub(crate) delimiter: Delimiter,
}

/// Rows of a text, each with its line.
pub(crate) struct TextRows<R> {
    reader: Reader<LineReader<R>>,
    record: ByteRecord,
    delimiter: u8,
    /// The blank lines after the last row, once it was read.
    trailing_blank: u32,
}

/// One row of a text.
pub(crate) struct TextRow<'a> {
    pub(crate) placed: RowPosition,
    pub(crate) record: &'a ByteRecord,
}

impl<R: Read> TextRows<R> {
    pub(crate) fn new(source: R, delimiter: Delimiter) -> Self {
        let reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(delimiter.0)
            .buffer_capacity(64 << 10)
            .from_reader(LineReader::new(source));
        Self {
            reader,
            record: ByteRecord::new(),
            delimiter: delimiter.0,
            trailing_blank: 0,
        }
    }

    /// The next row; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<TextRow<'_>>, SheetError> {
        match self.reader.read_byte_record(&mut self.record) {
            Ok(true) => {}
            Ok(false) => {
                let end = self.reader.position().byte();
                self.trailing_blank = self.reader.get_mut().take_row(end).blank;
                return Ok(None);
            }
            Err(error) => return Err(self.cause_of(error)),
        }
        let end = self.reader.position().byte();
        let lines = self.reader.get_mut();
        if lines.is_end(end) {
            let (raw, line) = lines.raw(end);
            refuse_open_quote(raw, line, self.delimiter)?;
        }
        if memchr::memchr2(b'\n', b'\r', self.record.as_slice()).is_some() {
            let (raw, line) = lines.raw(end);
            refuse_stray_quote(raw, line, self.delimiter, self.record.len())?;
        }
        if memchr::memchr(b'"', self.record.as_slice()).is_some() {
            let (raw, line) = lines.raw(end);
            refuse_spaced_quote(&self.record, (raw, line), self.delimiter)?;
        }
        let placed = lines.take_row(end);
        if self.record.len() > COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns(RowNumber(placed.line)));
        }
        if placed.line == u32::MAX {
            return Err(SheetError::TooManyRows { limit: u32::MAX });
        }
        Ok(Some(TextRow {
            placed,
            record: &self.record,
        }))
    }

    fn cause_of(&self, error: csv::Error) -> SheetError {
        let lines = self.reader.get_ref();
        if lines.is_over_limit() {
            let (raw, line) = lines.in_flight();
            return refuse_open_quote(raw, line, self.delimiter)
                .err()
                .unwrap_or(SheetError::RowTooLarge {
                    row: RowNumber(line),
                    limit_mib: ROW_LIMIT >> 20,
                });
        }
        let reason = error.to_string();
        match error.into_kind() {
            csv::ErrorKind::Io(error) => SheetError::Read(error),
            _ => SheetError::Damaged(reason),
        }
    }
}

fn refuse_open_quote(raw: &[u8], line: u32, delimiter: u8) -> Result<(), SheetError> {
    match quoted_texts(raw, delimiter).pop() {
        Some(last) if last.followed_by == AfterQuotes::Nothing => Err(SheetError::UnclosedQuote {
            line: line.saturating_add(line_ends(&raw[..last.text.start])),
            column: column_letters(last.column),
        }),
        _ => Ok(()),
    }
}

/// Refuses a quote that joins lines to one cell if text follows where it is closed, or if the lines have the delimiters
/// of rows. It is a stray one, such as inches or a ditto mark, and the rows up to the next quote would be lost in its
/// cell. `width` is the number of cells of the row.
fn refuse_stray_quote(
    raw: &[u8],
    line: u32,
    delimiter: u8,
    width: usize,
) -> Result<(), SheetError> {
    let is_stray = |one: &QuotedText| {
        let text = &raw[one.text.clone()];
        let is_joined = memchr::memchr2(b'\n', b'\r', text).is_some();
        let is_followed = one.followed_by == AfterQuotes::Text;
        is_joined && (is_followed || has_rows(text, one.column, delimiter, width))
    };
    match quoted_texts(raw, delimiter).into_iter().find(is_stray) {
        None => Ok(()),
        Some(one) => Err(SheetError::StrayQuote {
            line: line.saturating_add(line_ends(&raw[..one.text.start])),
            column: column_letters(one.column),
            last: line.saturating_add(line_ends(&raw[..one.text.end])),
        }),
    }
}

/// Refuses quotes around a cell behind a space: they quote nothing, so that they and the delimiters between them would
/// be text.
fn refuse_spaced_quote(
    record: &ByteRecord,
    (raw, line): (&[u8], u32),
    delimiter: u8,
) -> Result<(), SheetError> {
    // `"a" and "b"` is text, and so is a cell in quotes that begins with a space and a quote.
    let is_quoted = |cell: &[u8]| match cell.trim_ascii() {
        [b'"', text @ .., b'"'] => text
            .split(|byte| *byte == b'"')
            .skip(1)
            .step_by(2)
            .all(<[u8]>::is_empty),
        _ => false,
    };
    let is_spaced = |cell: &[u8]| {
        cell.starts_with(b" ")
            && is_quoted(cell)
            && memchr::memmem::find_iter(raw, cell).any(|at| at == 0 || raw[at - 1] == delimiter)
    };
    match record.iter().position(is_spaced) {
        None => Ok(()),
        Some(column) => Err(SheetError::SpacedQuote {
            line,
            column: column_letters(column),
        }),
    }
}

/// Whether the lines of a cell are the end of a row, whole rows, and the start of a row up to the same column: each has
/// just as many delimiters. In a list in a sentence, a space follows each of them.
fn has_rows(text: &[u8], column: usize, delimiter: u8, width: usize) -> bool {
    let mut ends = memchr::memchr_iter(delimiter, text);
    if width < MIN_WIDTH || ends.all(|at| text.get(at + 1) == Some(&b' ')) {
        return false;
    }
    let line_end = if text.contains(&b'\n') { b'\n' } else { b'\r' };
    let lines = text.split(|byte| *byte == line_end);
    let counts = lines.map(|line| memchr::memchr_iter(delimiter, line).count());
    match counts.collect::<Vec<usize>>().as_slice() {
        [first, between @ .., last] => {
            *first + 1 + column == width
                && *last == column
                && between.iter().all(|count| *count + 1 == width)
        }
        _ => false,
    }
}

/// Refuses a file without a line end in as many bytes as a row may have, and leaves any other at its start. In every
/// encoding that is read a line end has one of these bytes.
pub(crate) fn refuse_endless_line(file: &mut (impl Read + Seek)) -> Result<(), SheetError> {
    let mut chunk = Vec::new();
    let mut read = 0;
    while read < ROW_LIMIT {
        chunk.clear();
        let mut next = file.by_ref().take(CHUNK_BYTES);
        let length = next.read_to_end(&mut chunk).map_err(SheetError::Read)?;
        if length == 0 || memchr::memchr2(b'\n', b'\r', &chunk).is_some() {
            return file.rewind().map_err(SheetError::Read);
        }
        read += length;
    }
    Err(SheetError::NoLineEnd {
        limit_mib: ROW_LIMIT >> 20,
    })
}

/// Opens the text of a file from its start.
pub(crate) fn rows_of(
    mut file: File,
    layout: TextDialect,
    read: Arc<AtomicU64>,
) -> Result<TextRows<Box<dyn Read + Send>>, SheetError> {
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    let counted = CountingReader { file, read };
    let source: Box<dyn Read + Send> = match layout.charset {
        Charset::Utf8 => Box::new(counted),
        other => Box::new(decoded(counted, other)),
    };
    Ok(TextRows::new(source, layout.delimiter))
}

/// Feeds every row below the headers.
pub(crate) fn feed(
    file: File,
    layout: TextDialect,
    below: Option<RowNumber>,
    feed: &mut BatchSender,
) -> Result<(), SheetError> {
    let read = Arc::new(AtomicU64::new(0));
    let mut rows = rows_of(file, layout, Arc::clone(&read))?;
    while let Some(row) = rows.next()? {
        let number = RowNumber(row.placed.line);
        if below.is_some_and(|header| number <= header) {
            continue;
        }
        feed.batch.blank_lines += u64::from(row.placed.blank);
        feed.batch.bytes = read.load(Ordering::Relaxed);
        feed.batch.begin(number, RowVisibility::Visible);
        // The whole file was UTF-8 when it was opened, or is being decoded to it.
        let text = std::str::from_utf8(row.record.as_slice()).map_err(|_| SheetError::Changed)?;
        let ends = (0..row.record.len()).filter_map(|field| row.record.range(field));
        feed.batch.text_cells(text, ends.map(|range| range.end));
        if feed.turn().is_err() {
            return Ok(());
        }
    }
    feed.batch.blank_lines += u64::from(rows.trailing_blank);
    feed.batch.bytes = read.load(Ordering::Relaxed);
    Ok(())
}

struct CountingReader {
    file: File,
    read: Arc<AtomicU64>,
}

impl Read for CountingReader {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.file.read(buffer)?;
        self.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}
