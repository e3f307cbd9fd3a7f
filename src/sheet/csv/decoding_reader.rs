//! Decodes a text file to UTF-8 while it is read.

use std::io::{self, Read};
use std::ops::Range;

use encoding_rs::{CoderResult, Decoder, Encoding};

/// Bytes decoded at a time.
const CHUNK: usize = 64 << 10;

/// A reader that yields UTF-8; invalid bytes become replacement characters. A byte order mark takes precedence over the
/// encoding, and is left out.
pub(super) struct DecodingReader<R> {
    source: R,
    decoder: Decoder,
    encoded: Vec<u8>,
    /// The part of `encoded` that is not decoded yet.
    unread: Range<usize>,
    decoded: Vec<u8>,
    /// The part of `decoded` that was not returned yet.
    ready: Range<usize>,
    progress: SourceProgress,
}

/// How far the source is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SourceProgress {
    Reading,
    AtEnd,
    /// At the end, and the decoder has returned everything.
    Finished,
}

impl<R: Read> DecodingReader<R> {
    pub(super) fn new(source: R, encoding: &'static Encoding) -> Self {
        Self {
            source,
            decoder: encoding.new_decoder(),
            encoded: vec![0; CHUNK],
            unread: 0..0,
            decoded: vec![0; CHUNK],
            ready: 0..0,
            progress: SourceProgress::Reading,
        }
    }

    /// Decodes the next part; nothing is ready only at the end.
    fn fill(&mut self) -> io::Result<()> {
        while self.ready.is_empty() && self.progress != SourceProgress::Finished {
            if self.unread.is_empty() && self.progress == SourceProgress::Reading {
                let read = self.source.read(&mut self.encoded)?;
                self.unread = 0..read;
                if read == 0 {
                    self.progress = SourceProgress::AtEnd;
                }
            }
            let is_last = self.progress == SourceProgress::AtEnd;
            let encoded = &self.encoded[self.unread.clone()];
            let (result, read, written, _) =
                self.decoder
                    .decode_to_utf8(encoded, &mut self.decoded, is_last);
            self.unread.start += read;
            self.ready = 0..written;
            if is_last && result == CoderResult::InputEmpty {
                self.progress = SourceProgress::Finished;
            }
        }
        Ok(())
    }
}

impl<R: Read> Read for DecodingReader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.ready.is_empty() {
            self.fill()?;
        }
        let ready = &self.decoded[self.ready.clone()];
        let length = ready.len().min(out.len());
        out[..length].copy_from_slice(&ready[..length]);
        self.ready.start += length;
        Ok(length)
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
        let long = "é".repeat(CHUNK);
        assert_eq!(read(long.as_bytes(), UTF_8), long);
    }
}
