//! CSV as RFC 4180 defines it, in UTF-8 with CRLF: one measurement per line.

use std::io::Write;

use crate::export::column_value::FormulaEscaping;
use crate::export::columns::RECORD_COLUMNS;
use crate::export::{Error, ExportResults};
use crate::sheet::{csv_io_error, csv_writer};

/// Writes the selected measurements.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and [`Error::Journal`].
pub(super) fn write(
    results: &ExportResults<'_>,
    formula_escaping: FormulaEscaping,
    mut out: impl Write,
) -> Result<(), Error> {
    if formula_escaping == FormulaEscaping::On {
        out.write_all("\u{feff}".as_bytes())
            .map_err(Error::Stream)?;
    }
    let failed = |error| Error::Stream(csv_io_error(error));
    let mut writer = csv_writer(out);
    writer
        .write_record(RECORD_COLUMNS.map(|column| column.key))
        .map_err(failed)?;
    results.each_selected(&mut |record| {
        let fields = RECORD_COLUMNS
            .iter()
            .map(|column| column.value(record).to_field(formula_escaping));
        writer.write_record(fields).map_err(failed)
    })?;
    writer.flush().map_err(Error::Stream)
}
