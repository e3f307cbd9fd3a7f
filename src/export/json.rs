//! JSON, one array with an object per measurement, and NDJSON, one such object per line. Downspouts and images are arrays
//! of the object.

use std::io::Write;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::export::columns::RECORD_COLUMNS;
use crate::export::{Error, ExportResults, ResultRecord};

/// Writes the selected measurements as one array.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and [`Error::Journal`].
pub(super) fn write_array(results: &ExportResults<'_>, mut out: impl Write) -> Result<(), Error> {
    let mut before: &[u8] = b"[\n";
    results.each_selected(&mut |record| {
        out.write_all(before).map_err(Error::Stream)?;
        before = b",\n";
        serde_json::to_writer(&mut out, &JsonObject(record))
            .map_err(|error| Error::Stream(error.into()))
    })?;
    let end = if before == b"[\n" { b"[]\n" } else { b"\n]\n" };
    out.write_all(end)
        .and_then(|()| out.flush())
        .map_err(Error::Stream)
}

/// Writes the selected measurements as NDJSON.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and [`Error::Journal`].
pub(super) fn write_lines(results: &ExportResults<'_>, mut out: impl Write) -> Result<(), Error> {
    results.each_selected(&mut |record| {
        serde_json::to_writer(&mut out, &JsonObject(record))
            .map_err(|error| Error::Stream(error.into()))?;
        out.write_all(b"\n").map_err(Error::Stream)
    })?;
    out.flush().map_err(Error::Stream)
}

/// The object of a measurement, with its keys in their documented order.
struct JsonObject<'a>(&'a ResultRecord);

impl Serialize for JsonObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(RECORD_COLUMNS.len() + 2))?;
        for column in RECORD_COLUMNS {
            map.serialize_entry(column.key, &column.value(self.0))?;
        }
        let result = self.0.measurement.result.as_ref();
        let downspouts = result.map_or(&[][..], |result| &result.downspouts);
        map.serialize_entry("downspouts", downspouts)?;
        let assets = result.map_or(&[][..], |result| &result.asset_pack);
        map.serialize_entry("asset_pack", assets)?;
        map.end()
    }
}
