//! Text in the encoding that the file has.

use std::io::{self, Write};

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// The byte order mark of UTF-8.
pub(in crate::sheet) const UTF_8_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The encoding of a file to write, with its byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::sheet) struct TargetEncoding {
    pub(in crate::sheet) encoding: &'static Encoding,
    pub(in crate::sheet) mark: &'static [u8],
}

impl TargetEncoding {
    /// The encoding given by the original's byte order mark; without one, the encoding it was read in.
    pub(in crate::sheet) fn detect(head: &[u8], read_in: &'static Encoding) -> Self {
        let (encoding, mark): (_, &[u8]) = match head {
            [0xEF, 0xBB, 0xBF, ..] => (UTF_8, UTF_8_MARK),
            [0xFF, 0xFE, ..] => (UTF_16LE, b"\xFF\xFE"),
            [0xFE, 0xFF, ..] => (UTF_16BE, b"\xFE\xFF"),
            _ => (read_in, b""),
        };
        Self { encoding, mark }
    }

    /// Whether the text is UTF-8 and does not say so.
    pub(in crate::sheet) fn lacks_mark(self) -> bool {
        self.encoding == UTF_8 && self.mark.is_empty()
    }
}

/// Takes UTF-8 and writes it in the target's encoding.
///
/// A character that the encoding does not have becomes `?` and is counted: any other replacement would be
/// mistaken for the user's text.
pub(in crate::sheet) struct EncodingWriter<W> {
    out: W,
    target: TargetEncoding,
    /// The beginning of a character whose end is still to come.
    begun: Vec<u8>,
    bytes: Vec<u8>,
    pub(in crate::sheet) replaced: u64,
    /// Whether no other character was written so far.
    pub(in crate::sheet) is_ascii: bool,
}

impl<W: Write> EncodingWriter<W> {
    pub(in crate::sheet) fn new(mut out: W, target: TargetEncoding) -> io::Result<Self> {
        out.write_all(target.mark)?;
        Ok(Self {
            out,
            target,
            begun: Vec::new(),
            bytes: Vec::new(),
            replaced: 0,
            is_ascii: true,
        })
    }

    fn encode(&mut self, text: &str) -> io::Result<()> {
        self.is_ascii &= text.is_ascii();
        if self.target.encoding == UTF_8 {
            return self.out.write_all(text.as_bytes());
        }
        self.bytes.clear();
        if self.target.encoding == UTF_16LE {
            let units = text.encode_utf16().flat_map(u16::to_le_bytes);
            self.bytes.extend(units);
        } else if self.target.encoding == UTF_16BE {
            let units = text.encode_utf16().flat_map(u16::to_be_bytes);
            self.bytes.extend(units);
        } else {
            self.encode_single(text);
        }
        self.out.write_all(&self.bytes)
    }

    fn encode_single(&mut self, text: &str) {
        let encoding = self.target.encoding;
        let (bytes, _, has_unmappable) = encoding.encode(text);
        if !has_unmappable {
            self.bytes.extend_from_slice(&bytes);
            return;
        }
        for character in text.chars() {
            let mut buffer = [0; 4];
            let (bytes, _, is_unmappable) = encoding.encode(character.encode_utf8(&mut buffer));
            if is_unmappable {
                self.replaced += 1;
                self.bytes.push(b'?');
            } else {
                self.bytes.extend_from_slice(&bytes);
            }
        }
    }
}

impl<W: Write> Write for EncodingWriter<W> {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        let mut bytes = std::mem::take(&mut self.begun);
        bytes.extend_from_slice(buffer);
        let valid = match std::str::from_utf8(&bytes) {
            Ok(_) => bytes.len(),
            Err(error) => error.valid_up_to(),
        };
        self.begun = bytes.split_off(valid);
        let text = std::str::from_utf8(&bytes).map_err(io::Error::other)?;
        self.encode(text)?;
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{SHIFT_JIS, WINDOWS_1252};

    use super::*;

    fn encoded(text: &str, encoding: &'static Encoding, head: &[u8]) -> (Vec<u8>, u64) {
        let mut bytes = Vec::new();
        let mut encoded =
            EncodingWriter::new(&mut bytes, TargetEncoding::detect(head, encoding)).unwrap();
        for byte in text.as_bytes() {
            encoded.write_all(&[*byte]).unwrap();
        }
        let replaced = encoded.replaced;
        (bytes, replaced)
    }

    #[test]
    fn characters_survive_however_their_bytes_arrive() {
        let (bytes, replaced) = encoded("Montréal €", WINDOWS_1252, b"id");
        assert_eq!((bytes.as_slice(), replaced), (&b"Montr\xE9al \x80"[..], 0));
        let (bytes, _) = encoded("é🏠", UTF_8, b"\xFF\xFEi\0");
        assert_eq!(bytes, b"\xFF\xFE\xE9\0\x3C\xD8\xE0\xDF");
        let (bytes, _) = encoded("é", UTF_8, b"\xEF\xBB\xBFid");
        assert_eq!(bytes, b"\xEF\xBB\xBF\xC3\xA9");
    }

    #[test]
    fn what_the_encoding_lacks_becomes_a_question_mark() {
        let (bytes, replaced) = encoded("a → b → c", WINDOWS_1252, b"id");
        assert_eq!((bytes.as_slice(), replaced), (&b"a ? b ? c"[..], 2));
        let (bytes, replaced) = encoded("東京 é", SHIFT_JIS, b"id");
        assert_eq!(
            (bytes.as_slice(), replaced),
            (&b"\x93\x8c\x8b\x9e ?"[..], 1)
        );
    }
}
