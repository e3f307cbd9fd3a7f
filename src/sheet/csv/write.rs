//! Writes comma-separated values: UTF-8, CRLF, and quotes as in RFC 4180.

use std::io::{self, Write};

use csv::{Terminator, Writer, WriterBuilder};

/// A writer of comma-separated rows to `out`, buffered; every row has as many fields as the first.
pub fn csv_writer<W: Write>(out: W) -> Writer<W> {
    WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(out)
}

/// The error of the operating system with its kind, which the library's own conversion hides.
pub fn csv_io_error(error: csv::Error) -> io::Error {
    let text = error.to_string();
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        _ => io::Error::other(text),
    }
}
