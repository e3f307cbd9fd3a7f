//! Decodes a text file to UTF-8 while it is read.

use std::io::{self, Cursor, Read};

use encoding_rs::{Decoder, Encoding};

/// Bytes decoded at a time.
const CHUNK_BYTES: usize = 64 << 10;

/// A reader that yields UTF-8; invalid bytes become replacement characters. A byte order mark takes precedence over the
/// encoding, and is left out.
pub(super) struct DecodingReader<R> {
    source: R,
    decoder: Decoder,
    encoded: Vec<u8>,
    decoded: Cursor<String>,
    has_ended: bool,
}

impl<R: Read> DecodingReader<R> {
    pub(super) fn new(source: R, encoding: &'static Encoding) -> Self {
        Self {
            source,
            decoder: encoding.new_decoder(),
            encoded: vec![0; CHUNK_BYTES],
            decoded: Cursor::default(),
            has_ended: false,
        }
    }

    /// Decodes the next chunk, or at the end what the decoder still has.
    fn fill(&mut self) -> io::Result<()> {
        let read = self.source.read(&mut self.encoded)?;
        self.has_ended = read == 0;
        let mut text = std::mem::take(self.decoded.get_mut());
        text.clear();
        let most = self.decoder.max_utf8_buffer_length(read);
        text.reserve(most.expect("a chunk is far smaller than memory"));
        let chunk = &self.encoded[..read];
        // The text has room for the whole chunk.
        let _ = self
            .decoder
            .decode_to_string(chunk, &mut text, self.has_ended);
        self.decoded = Cursor::new(text);
        Ok(())
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.decoded.read(out)? {
                0 if !out.is_empty() && !self.has_ended => self.fill()?,
                read => return Ok(read),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::{UTF_8, UTF_16LE, WINDOWS_1252};

    use super::*;

    fn read(bytes: &[u8], encoding: &'static Encoding) -> String {
        let mut text = Vec::new();
        let mut reader = DecodingReader::new(bytes, encoding);
        let mut part = [0; 3];
        while let length @ 1.. = reader.read(&mut part).unwrap() {
            text.extend_from_slice(&part[..length]);
        }
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn text_is_decoded_by_its_mark_or_else_by_its_encoding() {
        let utf16 = b"\xFF\xFE\xE9\0\x3C\xD8\xE0\xDF";
        assert_eq!(read(b"\xEF\xBB\xBFQu\xC3\xA9", UTF_8), "Qué");
        assert_eq!(read(b"Qu\xE9\x80", WINDOWS_1252), "Qué€");
        assert_eq!(read(utf16, UTF_16LE), "é🏠");
        assert_eq!(read(utf16, UTF_8), "é🏠");
        assert_eq!(read(b"", UTF_8), "");
    }

    #[test]
    fn invalid_bytes_are_replaced_and_long_texts_are_whole() {
        assert_eq!(read(b"a\xFFb\xC3", UTF_8), "a\u{fffd}b\u{fffd}");
        let long = "é".repeat(CHUNK_BYTES);
        assert_eq!(read(long.as_bytes(), UTF_8), long);
    }
}
