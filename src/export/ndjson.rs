//! One JSON object per line, each a measurement.

use std::io::Write;

use crate::export::json::JsonObject;
use crate::export::{Error, ExportResults};

/// Writes the selected measurements.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and those of the journal.
pub(super) fn write(results: &ExportResults<'_>, mut out: impl Write) -> Result<(), Error> {
    results.each_selected(&mut |record| {
        serde_json::to_writer(&mut out, &JsonObject(record))
            .map_err(|error| Error::Stream(error.into()))?;
        out.write_all(b"\n").map_err(Error::Stream)
    })?;
    out.flush().map_err(Error::Stream)
}
