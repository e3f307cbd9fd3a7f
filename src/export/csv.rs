//! Comma-separated values: UTF-8, CRLF and quotes as RFC 4180 has them, one measurement a line.

use std::io::Write;

use csv::{Terminator, WriterBuilder};

use crate::export::keys::{ExcelSafe, KEYS};
use crate::export::{Error, Results};

/// Writes the lines that are asked for.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and those of the journal.
pub(super) fn write(
    results: &Results<'_>,
    safety: ExcelSafe,
    out: impl Write,
) -> Result<(), Error> {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(out);
    writer
        .write_record(KEYS.map(|(key, _)| key))
        .map_err(failed)?;
    results.each_selected(&mut |line| {
        let fields = KEYS.iter().map(|(_, get)| get(line).to_field(safety));
        writer.write_record(fields).map_err(failed)
    })?;
    writer.flush().map_err(Error::Stream)
}

fn failed(error: csv::Error) -> Error {
    Error::Stream(error.into())
}
