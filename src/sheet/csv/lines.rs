//! Line numbers as an editor shows them, counted beneath the CSV parser.
//!
//! The parser counts from where it *started* to parse, which is too small after blank lines, and it ignores lone
//! carriage returns. So this reader keeps the raw bytes of the current row and counts lines. It also limits the length
//! of a row: one that exceeds the limit, as after a quote that is never closed, ends the reading.

use std::io::Read;
use std::ops::Range;

/// The raw bytes of one row; no real row comes near.
pub(in crate::sheet) const ROW_LIMIT: usize = 4 << 20;

/// A reader that remembers what was read since the last row.
#[derive(Debug)]
pub(in crate::sheet) struct LineReader<R> {
    source: R,
    kept: Vec<u8>,
    /// Where the row in flight begins in `kept`.
    start: usize,
    /// How many bytes were handed out before `kept`.
    before: u64,
    /// The line on which the row in flight begins.
    line: u32,
    front: LineEndState,
    ended: bool,
}

/// The position of a row in a text file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowPosition {
    /// The line of its first byte.
    pub(crate) line: u32,
    /// Empty lines in front of it.
    pub(crate) blank: u32,
}

impl<R> LineReader<R> {
    pub(in crate::sheet) fn new(source: R) -> Self {
        Self {
            source,
            kept: Vec::new(),
            start: 0,
            before: 0,
            line: 1,
            front: LineEndState::Row,
            ended: false,
        }
    }

    /// Consumes the bytes up to `end` as one row, and returns its position.
    pub(in crate::sheet) fn take_row(&mut self, end: u64) -> RowPosition {
        let bytes = &self.kept[self.start..self.index(end)];
        let last = bytes.last().copied();
        let (blank, row) = skip_line_ends(bytes, self.front);
        let taken = bytes.len();
        let line = self.line.saturating_add(blank);
        self.line = line.saturating_add(line_ends(row));
        if let Some(last) = last {
            self.front = if last == b'\r' {
                LineEndState::Feed
            } else {
                LineEndState::Row
            };
        }
        self.start += taken;
        RowPosition { line, blank }
    }

    /// The raw bytes from the row in flight up to `end`, and the line on which they begin.
    pub(in crate::sheet) fn raw(&self, end: u64) -> (&[u8], u32) {
        let bytes = &self.kept[self.start..self.index(end)];
        let (blank, row) = skip_line_ends(bytes, self.front);
        (row, self.line.saturating_add(blank))
    }

    /// The raw bytes of the row in flight as far as they were read, and the line on which they begin.
    pub(in crate::sheet) fn in_flight(&self) -> (&[u8], u32) {
        self.raw(self.before + self.kept.len() as u64)
    }

    /// Whether `end` is the end of the file.
    pub(in crate::sheet) fn is_end(&self, end: u64) -> bool {
        self.ended && self.index(end) == self.kept.len()
    }

    /// Whether the row in flight broke the limit.
    pub(in crate::sheet) fn is_over_limit(&self) -> bool {
        self.kept.len() - self.start > ROW_LIMIT
    }

    fn index(&self, end: u64) -> usize {
        let index = usize::try_from(end - self.before).unwrap_or(usize::MAX);
        index.clamp(self.start, self.kept.len())
    }
}

impl<R: Read> Read for LineReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        if self.is_over_limit() {
            return Err(std::io::Error::other("a row is larger than the limit"));
        }
        self.before += self.start as u64;
        self.kept.drain(..self.start);
        self.start = 0;
        let read = self.source.read(buffer)?;
        self.ended = read == 0;
        self.kept.extend_from_slice(&buffer[..read]);
        Ok(read)
    }
}

/// Which line end may precede a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LineEndState {
    /// The row itself.
    Row,
    /// The line feed that completes the carriage return at the end of the previous row.
    Feed,
}

/// Skips the line ends at the front; a line feed right after a carriage return ends no further line.
fn skip_line_ends(bytes: &[u8], front: LineEndState) -> (u32, &[u8]) {
    let mut rest = match bytes {
        [b'\n', rest @ ..] if front == LineEndState::Feed => rest,
        all => all,
    };
    let mut ends = 0;
    loop {
        rest = match rest {
            [b'\r', b'\n', rest @ ..] | [b'\r' | b'\n', rest @ ..] => rest,
            row => return (ends, row),
        };
        ends += 1;
    }
}

/// How many lines end in the bytes: `\r\n`, `\n` and a lone `\r` once each.
pub(in crate::sheet) fn line_ends(bytes: &[u8]) -> u32 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let lone_returns = memchr::memchr_iter(b'\r', bytes)
        .filter(|&at| bytes.get(at + 1) != Some(&b'\n'))
        .count();
    u32::try_from(feeds + lone_returns).unwrap_or(u32::MAX)
}

/// A part of a row in quotes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::sheet) struct QuotedText {
    /// Its bytes between the quotes.
    pub(in crate::sheet) text: Range<usize>,
    /// The zero-based column in which the quote opens.
    pub(in crate::sheet) column: usize,
    /// What follows it.
    pub(in crate::sheet) followed_by: AfterQuotes,
}

/// What follows the text in quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sheet) enum AfterQuotes {
    /// The end of the cell.
    CellEnd,
    /// More text.
    Text,
    /// Nothing: the quote is not closed.
    Nothing,
}

/// The texts in quotes of a row's raw bytes.
pub(in crate::sheet) fn quoted_texts(raw: &[u8], delimiter: u8) -> Vec<QuotedText> {
    let is_end = |byte: u8| byte == delimiter || byte == b'\r' || byte == b'\n';
    let mut found = Vec::new();
    let (mut column, mut at) = (0, 0);
    while at < raw.len() {
        if raw[at] == b'"' {
            let start = at + 1;
            let end = closing_quote(raw, start);
            at = end.map_or(raw.len(), |end| end + 1);
            let cell_end = raw[at..].iter().position(|byte| is_end(*byte));
            let rest = &raw[at..cell_end.map_or(raw.len(), |length| at + length)];
            let is_blank = String::from_utf8_lossy(rest).trim().is_empty();
            found.push(QuotedText {
                text: start..end.unwrap_or(raw.len()),
                column,
                followed_by: match end {
                    None => AfterQuotes::Nothing,
                    Some(_) if is_blank => AfterQuotes::CellEnd,
                    Some(_) => AfterQuotes::Text,
                },
            });
        }
        while at < raw.len() && !is_end(raw[at]) {
            at += 1;
        }
        let is_next = raw.get(at) == Some(&delimiter);
        column = if is_next { column + 1 } else { 0 };
        at += 1;
    }
    found
}

/// Where the quote stands that closes a text; two quotes stand for one in it.
fn closing_quote(raw: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr::memchr(b'"', raw.get(at..)?)?;
        if raw.get(at + 1) != Some(&b'"') {
            return Some(at);
        }
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(text: &str) -> Vec<(u32, u32)> {
        let mut reader = ::csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .buffer_capacity(4)
            .from_reader(LineReader::new(text.as_bytes()));
        let mut record = ::csv::ByteRecord::new();
        let mut found = Vec::new();
        while reader.read_byte_record(&mut record).unwrap() {
            let end = reader.position().byte();
            let placed = reader.get_mut().take_row(end);
            found.push((placed.line, placed.blank));
        }
        found
    }

    #[test]
    fn rows_stand_on_the_editors_lines_whatever_ends_them() {
        assert_eq!(lines_of("a\nb\nc\n"), [(1, 0), (2, 0), (3, 0)]);
        assert_eq!(lines_of("a\r\nb\r\nc"), [(1, 0), (2, 0), (3, 0)]);
        assert_eq!(lines_of("a\rb\rc\r"), [(1, 0), (2, 0), (3, 0)]);
        assert_eq!(lines_of("a\r\nb\nc\rd"), [(1, 0), (2, 0), (3, 0), (4, 0)]);
    }

    #[test]
    fn blank_lines_count_for_the_row_below_them() {
        assert_eq!(lines_of("a\n\n\nb\n"), [(1, 0), (4, 2)]);
        assert_eq!(lines_of("\r\n\r\na\r\n\r\nb"), [(3, 2), (5, 1)]);
        assert_eq!(lines_of("a\r\rb"), [(1, 0), (3, 1)]);
    }

    #[test]
    fn a_line_end_inside_quotes_counts() {
        assert_eq!(lines_of("a,\"x\ny\"\nb\n"), [(1, 0), (3, 0)]);
        assert_eq!(lines_of("a,\"x\r\ny\rz\"\r\nb"), [(1, 0), (4, 0)]);
    }

    #[test]
    fn texts_in_quotes_are_found_with_what_follows_them() {
        let found = |raw: &str| {
            let texts = quoted_texts(raw.as_bytes(), b',').into_iter();
            let texts = texts.map(|one| (raw[one.text].to_owned(), one.column, one.followed_by));
            texts.collect::<Vec<_>>()
        };
        let one = |text: &str, column, followed_by| (text.to_owned(), column, followed_by);
        assert_eq!(
            found("a,b,\"open\nmore"),
            [one("open\nmore", 2, AfterQuotes::Nothing)]
        );
        assert_eq!(
            found("a,\"closed\",c\n"),
            [one("closed", 1, AfterQuotes::CellEnd)]
        );
        assert_eq!(found("a,5\" pipe,c\n"), []);
        assert_eq!(
            found("a,\"say \"\"hi\"\"\",\"x"),
            [
                one("say \"\"hi\"\"", 1, AfterQuotes::CellEnd),
                one("x", 2, AfterQuotes::Nothing)
            ]
        );
        assert_eq!(
            found("a,\"Kim\nwants 6\" gutters\r\nb,\"x\" ,c"),
            [
                one("Kim\nwants 6", 1, AfterQuotes::Text),
                one("x", 1, AfterQuotes::CellEnd)
            ]
        );
    }
}
