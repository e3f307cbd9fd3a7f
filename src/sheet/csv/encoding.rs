//! Detects and decodes the encoding of a text file, over the whole file.
//!
//! A byte order mark decides. Without one, a file that is UTF-8 from end to end is UTF-8; a file with no valid
//! multi-byte sequence at all is read as Windows-1252, with a note to the user; and a file that is UTF-8 in some
//! places and not in others is damaged and refused.

use std::io::{Read, Seek, SeekFrom};

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};

use crate::sheet::SheetError;
use crate::sheet::csv::decoding_reader::DecodingReader;
use crate::sheet::regular_file::head_of;

/// The encoding of a text file, and how it was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// UTF-8 from end to end.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8Marked,
    /// UTF-16 with a byte order mark.
    Utf16(&'static Encoding),
    /// Not UTF-8, so read as Windows-1252.
    Fallback,
    /// As given by `--encoding`.
    Asked(&'static Encoding),
}

impl Charset {
    /// The name in a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf8Marked => "UTF-8 with a byte order mark",
            Self::Utf16(_) => "UTF-16",
            Self::Fallback => "Windows-1252",
            Self::Asked(encoding) => encoding.name(),
        }
    }

    /// How it was found.
    pub fn evidence(self) -> &'static str {
        match self {
            Self::Utf8 => "which every byte of the file is",
            Self::Utf8Marked | Self::Utf16(_) => "by the byte order mark at the start",
            Self::Fallback => {
                "the last resort: the file has bytes that are not UTF-8, and none that must be"
            }
            Self::Asked(_) => "as --encoding says",
        }
    }

    /// The encoding itself.
    pub fn encoding(self) -> &'static Encoding {
        match self {
            Self::Utf8 | Self::Utf8Marked => UTF_8,
            Self::Fallback => WINDOWS_1252,
            Self::Utf16(encoding) | Self::Asked(encoding) => encoding,
        }
    }
}

/// Bytes read at a time.
const CHUNK_BYTES: usize = 1 << 20;

/// Finds the encoding, and leaves the file at its start.
pub(crate) fn find(
    file: &mut (impl Read + Seek),
    named: Option<&str>,
) -> Result<Charset, SheetError> {
    if let Some(name) = named {
        let encoding = Encoding::for_label(name.trim().as_bytes())
            .ok_or_else(|| SheetError::UnknownEncoding(name.to_owned()))?;
        return Ok(Charset::Asked(encoding));
    }
    let charset = match Encoding::for_bom(&head_of(file, 3)?) {
        None => detect(scan(file)?, Charset::Utf8)?,
        Some((mark, _)) if mark == UTF_8 => detect(scan(file)?, Charset::Utf8Marked)?,
        Some((utf16, _)) => Charset::Utf16(utf16),
    };
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    Ok(charset)
}

/// A reader that yields UTF-8 for a file in any encoding, without its byte order mark.
pub(crate) fn decoded<R: Read>(source: R, charset: Charset) -> impl Read {
    DecodingReader::new(source, charset.encoding())
}

/// What the bytes of a file are.
#[derive(Debug, Default)]
struct ByteScan {
    /// Valid sequences of more than one byte.
    multi_byte: bool,
    /// The editor's line of the first byte that is not UTF-8, and its text.
    stray: Option<(u32, String)>,
    /// Most bytes cannot occur in a text.
    is_binary: bool,
}

fn detect(scan: ByteScan, utf8: Charset) -> Result<Charset, SheetError> {
    if scan.is_binary {
        return Err(SheetError::NotATable("binary data"));
    }
    match scan.stray {
        None => Ok(utf8),
        Some((line, text)) if scan.multi_byte || utf8 == Charset::Utf8Marked => {
            Err(SheetError::StrayBytes { line, text })
        }
        Some(_) => Ok(Charset::Fallback),
    }
}

fn scan(file: &mut impl Read) -> Result<ByteScan, SheetError> {
    let mut scan = ByteScan::default();
    let mut bytes = Vec::new();
    let mut lines = 1_u32;
    loop {
        let kept = bytes.len();
        let mut chunk = file.by_ref().take((CHUNK_BYTES - kept) as u64);
        let read = chunk.read_to_end(&mut bytes).map_err(SheetError::Read)?;
        if bytes.is_empty() {
            return Ok(scan);
        }
        // The first chunk decides, so that a large file of another kind is not read to its end.
        if lines == 1 && kept == 0 && is_binary(&bytes) {
            scan.is_binary = true;
            return Ok(scan);
        }
        let end = if read == 0 {
            ChunkEnd::OfFile
        } else {
            ChunkEnd::OfChunk
        };
        let left = scan.chunk(&bytes, lines, end);
        if scan.stray.is_none() {
            lines = lines.saturating_add(estimated_line_ends(&bytes));
        }
        if read == 0 {
            return Ok(scan);
        }
        bytes.drain(..bytes.len() - left);
    }
}

/// Whether most bytes cannot occur in a text. A control character in some cells does not count: it is removed from its
/// cell.
fn is_binary(bytes: &[u8]) -> bool {
    let is_control = |byte: &&u8| matches!(byte, 0..=8 | 0xE..=0x1F | 0x7F);
    let controls = bytes.iter().filter(is_control).count();
    // Nearly every file: nothing else is looked at.
    if controls * 50 <= bytes.len() {
        return false;
    }
    let invalid = bytes.utf8_chunks().map(|chunk| chunk.invalid().len());
    let odd = controls + invalid.sum::<usize>();
    odd * 5 > bytes.len()
}

/// What follows a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChunkEnd {
    OfChunk,
    OfFile,
}

impl ByteScan {
    /// Examines a chunk; returns how many bytes at its end are the beginning of a sequence.
    fn chunk(&mut self, mut bytes: &[u8], lines: u32, end: ChunkEnd) -> usize {
        let start = bytes;
        loop {
            match std::str::from_utf8(bytes) {
                Ok(text) => {
                    self.multi_byte |= !text.is_ascii();
                    return 0;
                }
                Err(error) => {
                    let (valid, rest) = bytes.split_at(error.valid_up_to());
                    self.multi_byte |= !valid.is_ascii();
                    let skip = match (error.error_len(), end) {
                        (Some(length), _) => length,
                        (None, ChunkEnd::OfFile) => rest.len(),
                        (None, ChunkEnd::OfChunk) => return rest.len(),
                    };
                    let before = start.len() - rest.len();
                    self.stray.get_or_insert_with(|| {
                        let line = lines.saturating_add(estimated_line_ends(&start[..before]));
                        (line, line_around(start, before))
                    });
                    if self.multi_byte {
                        return 0;
                    }
                    bytes = &rest[skip..];
                }
            }
        }
    }
}

/// How many lines end in the bytes, roughly: `\r\n` and `\n` once, a lone `\r` where there is no `\n` at all.
fn estimated_line_ends(bytes: &[u8]) -> u32 {
    let feeds = memchr::memchr_iter(b'\n', bytes).count();
    let ends = match feeds {
        0 => memchr::memchr_iter(b'\r', bytes).count(),
        _ => feeds,
    };
    u32::try_from(ends).unwrap_or(u32::MAX)
}

/// The line around a byte, with U+FFFD for what is not UTF-8.
fn line_around(bytes: &[u8], at: usize) -> String {
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    let start = bytes[..at].iter().rposition(is_end);
    let line = &bytes[start.map_or(0, |end| end + 1)..];
    let end = line.iter().position(is_end).unwrap_or(line.len());
    String::from_utf8_lossy(&line[..end]).into_owned()
}

/// Decodes to UTF-8 by the byte order mark alone; without one the bytes are taken for UTF-8.
pub(crate) fn decoded_by_mark<R: Read>(source: R) -> impl Read {
    DecodingReader::new(source, UTF_8)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use encoding_rs::{UTF_16BE, UTF_16LE};

    use super::*;

    fn found(bytes: &[u8]) -> Result<Charset, SheetError> {
        find(&mut Cursor::new(bytes), None)
    }

    #[test]
    fn a_byte_order_mark_decides() {
        assert_eq!(found(b"\xEF\xBB\xBFid").unwrap(), Charset::Utf8Marked);
        assert_eq!(found(b"\xFF\xFEi\0").unwrap(), Charset::Utf16(UTF_16LE));
        assert_eq!(found(b"\xFE\xFF\0i").unwrap(), Charset::Utf16(UTF_16BE));
    }

    #[test]
    fn text_without_any_utf8_sequence_is_windows_1252() {
        assert_eq!(found(b"Montr\xE9al\n").unwrap(), Charset::Fallback);
        assert_eq!(found("Montréal\n".as_bytes()).unwrap(), Charset::Utf8);
    }

    #[test]
    fn stray_bytes_among_utf8_stop_with_their_line() {
        let cause = found(b"Qu\xC3\xA9bec\nok\nMontr\xE9al\n").unwrap_err();
        assert!(
            matches!(cause, SheetError::StrayBytes { line: 3, .. }),
            "{cause}"
        );
        let cause = found(b"Montr\xE9al\nQu\xC3\xA9bec\n").unwrap_err();
        assert!(
            matches!(cause, SheetError::StrayBytes { line: 1, .. }),
            "{cause}"
        );
    }

    #[test]
    fn a_sequence_across_chunks_is_whole() {
        let mut bytes = vec![b'a'; CHUNK_BYTES - 1];
        bytes.extend_from_slice("é".as_bytes());
        assert_eq!(found(&bytes).unwrap(), Charset::Utf8);
    }

    #[test]
    fn a_control_character_in_a_cell_makes_no_file_binary() {
        let text = "ID,Name,Street\n1,Ada\0,12 Elm\x07 Street\n";
        assert_eq!(found(text.as_bytes()).unwrap(), Charset::Utf8);
    }

    #[test]
    fn binary_data_is_no_table() {
        assert!(matches!(
            found(b"\0\x01\x02"),
            Err(SheetError::NotATable(_))
        ));
    }
}
