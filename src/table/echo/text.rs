//! Text once more: its encoding, its delimiter, its line ends.

use std::io::{Read, Write};
use std::path::Path;

use csv::{Terminator, WriterBuilder};
use encoding_rs::{Encoding, UTF_16BE, UTF_16LE};

use crate::table::echo::{Addition, Extra, Failed, own_columns};
use crate::table::encoding::Charset;
use crate::table::options::Delimiter;
use crate::table::replace::replace;
use crate::table::{Document, Fault, Row, Table};

/// Text gathered before it is encoded.
const CHUNK: usize = 64 << 10;

pub(super) fn write(
    mut table: Table,
    path: &Path,
    headers: &[&str],
    each: &mut dyn FnMut(&Row<'_>) -> Option<Addition>,
) -> Result<u64, Failed> {
    let charset = table.reading().charset.unwrap_or(Charset::Utf8);
    let delimiter = table.reading().delimiter.unwrap_or(Delimiter(b','));
    let has_headers = table.reading().header_row.is_some();
    let names = table.columns().headers().to_vec();
    let own = own_columns(&names, headers);
    let terminator = line_end(table.document())?;
    let mut reading = None;
    let written = replace(path, |file| {
        let failed = |source| Fault::Write {
            path: path.to_owned(),
            source,
        };
        let mut text = WriterBuilder::new()
            .delimiter(delimiter.0)
            .terminator(terminator)
            .flexible(true)
            .from_writer(Encoded::new(file, charset));
        let io = |error: csv::Error| failed(error.into());
        if has_headers {
            let names = names[..own].iter().map(String::as_str);
            text.write_record(names.chain(headers.iter().copied()))
                .map_err(io)?;
        }
        let mut written = 0;
        loop {
            let row = match table.next_row() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    reading = Some(error);
                    return Err(Fault::Changed);
                }
            };
            let Some(addition) = each(&row) else { continue };
            // A row of another width keeps it: what is ragged must not look whole.
            let width = if row.width() == names.len() {
                own
            } else {
                row.width()
            };
            for column in 0..width {
                text.write_field(row.cell(column).text).map_err(io)?;
            }
            for extra in &addition.extras {
                text.write_field(shown(extra)).map_err(io)?;
            }
            text.write_record(None::<&[u8]>).map_err(io)?;
            written += 1;
        }
        let encoded = text
            .into_inner()
            .map_err(|error| failed(error.into_error()))?;
        encoded.finish().map_err(failed)?;
        Ok(written)
    });
    match reading {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}

fn shown(extra: &Extra) -> String {
    match extra {
        Extra::Empty => String::new(),
        Extra::Text(text) => text.clone(),
        Extra::Number(number) => number.to_string(),
        Extra::Date(date) => date.to_string(),
    }
}

/// The line end of the input's first line.
fn line_end(document: &Document) -> Result<Terminator, Fault> {
    let (file, _) = document.open()?;
    let mut head = Vec::new();
    file.take(CHUNK as u64)
        .read_to_end(&mut head)
        .map_err(Fault::Read)?;
    let feed = head.iter().position(|byte| *byte == b'\n');
    // In UTF-16 a zero byte stands between return and feed.
    let before = feed.map(|at| &head[at.saturating_sub(2)..at]);
    let returns = before.is_none_or(|before| before.contains(&b'\r'));
    Ok(if returns && head.contains(&b'\r') {
        Terminator::CRLF
    } else {
        Terminator::Any(b'\n')
    })
}

/// A writer that takes UTF-8 and writes the input's own encoding.
struct Encoded<W> {
    sink: W,
    charset: Charset,
    pending: Vec<u8>,
    begun: bool,
}

impl<W: Write> Encoded<W> {
    fn new(sink: W, charset: Charset) -> Self {
        Self {
            sink,
            charset,
            pending: Vec::new(),
            begun: false,
        }
    }

    fn finish(mut self) -> std::io::Result<()> {
        self.encode()?;
        self.sink.flush()
    }

    /// Encodes what is pending, but for the beginning of a character at its end.
    fn encode(&mut self) -> std::io::Result<()> {
        let whole = match std::str::from_utf8(&self.pending) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let text = String::from_utf8_lossy(&self.pending[..whole]).into_owned();
        if !self.begun {
            self.begun = true;
            self.sink.write_all(mark(self.charset))?;
        }
        self.sink
            .write_all(&encoded(&text, self.charset.encoding()))?;
        self.pending.drain(..whole);
        Ok(())
    }
}

impl<W: Write> Write for Encoded<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= CHUNK {
            self.encode()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The byte order mark that the input has.
fn mark(charset: Charset) -> &'static [u8] {
    match charset {
        Charset::Utf8Marked => b"\xEF\xBB\xBF",
        Charset::Utf16(encoding) if encoding == UTF_16BE => b"\xFE\xFF",
        Charset::Utf16(_) => b"\xFF\xFE",
        Charset::Utf8 | Charset::LastResort | Charset::Asked(_) => b"",
    }
}

fn encoded(text: &str, encoding: &'static Encoding) -> Vec<u8> {
    if encoding == UTF_16LE {
        return text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    }
    if encoding == UTF_16BE {
        return text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    }
    let (bytes, _, lossy) = encoding.encode(text);
    if !lossy {
        return bytes.into_owned();
    }
    // Only our own messages can hold a character that the input's encoding lacks.
    let mut bytes = Vec::with_capacity(text.len());
    for c in text.chars() {
        let mut buffer = [0; 4];
        let (one, _, lossy) = encoding.encode(c.encode_utf8(&mut buffer));
        bytes.extend_from_slice(if lossy { b"?" } else { &one });
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(charset: Charset) -> Vec<u8> {
        let mut sink = Vec::new();
        let mut writer = Encoded::new(&mut sink, charset);
        writer.write_all("é→".as_bytes()).unwrap();
        writer.finish().unwrap();
        sink
    }

    #[test]
    fn text_goes_back_in_its_own_encoding() {
        assert_eq!(written(Charset::Utf8Marked), "\u{feff}é→".as_bytes());
        assert_eq!(written(Charset::LastResort), b"\xE9?");
        assert_eq!(written(Charset::Utf16(UTF_16LE)), b"\xFF\xFE\xE9\0\x92\x21");
        assert_eq!(written(Charset::Utf16(UTF_16BE)), b"\xFE\xFF\0\xE9\x21\x92");
    }
}
