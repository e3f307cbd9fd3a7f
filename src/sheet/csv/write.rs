//! Writes comma-separated values: UTF-8, CRLF, and quotes as in RFC 4180.

use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};

/// A writer of rows, comma-separated.
#[derive(Debug)]
pub struct CsvWriter<W: Write> {
    writer: Writer<W>,
}

impl<W: Write> CsvWriter<W> {
    /// Writes to `out`, buffered.
    pub fn new(out: W) -> Self {
        let writer = WriterBuilder::new()
            .terminator(Terminator::CRLF)
            .from_writer(out);
        Self { writer }
    }

    /// Writes one row; every row has as many fields as the first.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_row(
        &mut self,
        fields: impl IntoIterator<Item = impl AsRef<[u8]>>,
    ) -> io::Result<()> {
        self.writer.write_record(fields).map_err(io_error)
    }

    /// Writes what is buffered.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// The error of the operating system with its kind, which the library's own conversion hides.
pub(super) fn io_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}
