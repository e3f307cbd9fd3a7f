//! Comma-separated values: UTF-8, CRLF and quotes as RFC 4180 has them, one measurement a line.

use std::io::Write;

use crate::export::columns::{ExcelSafe, KEYS};
use crate::export::{Error, ExportResults};
use crate::sheet::CsvWriter;

/// Writes the lines that are asked for.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and those of the journal.
pub(super) fn write(
    results: &ExportResults<'_>,
    safety: ExcelSafe,
    mut out: impl Write,
) -> Result<(), Error> {
    if safety == ExcelSafe::On {
        out.write_all("\u{feff}".as_bytes())
            .map_err(Error::Stream)?;
    }
    let mut writer = CsvWriter::new(out);
    writer
        .write_row(KEYS.map(|(key, _)| key))
        .map_err(Error::Stream)?;
    results.each_selected(&mut |line| {
        let fields = KEYS.iter().map(|(_, get)| get(line).to_field(safety));
        writer.write_row(fields).map_err(Error::Stream)
    })?;
    writer.flush().map_err(Error::Stream)
}
