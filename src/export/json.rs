//! A JSON array with one object per measurement, which contains downspouts and images as arrays.

use std::io::Write;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::export::columns::RECORD_COLUMNS;
use crate::export::{Error, ExportResults, ResultRecord};
use crate::model::{Asset, Downspout};

/// Writes the selected measurements.
///
/// # Errors
/// [`Error::Stream`] when `out` fails, and those of the journal.
pub(super) fn write(results: &ExportResults<'_>, mut out: impl Write) -> Result<(), Error> {
    let mut before: &[u8] = b"[\n";
    results.each_selected(&mut |record| {
        out.write_all(before)?;
        before = b",\n";
        serde_json::to_writer(&mut out, &object(record))
            .map_err(|error| Error::Stream(error.into()))
    })?;
    out.write_all(if before == b"[\n" { b"[]\n" } else { b"\n]\n" })?;
    out.flush().map_err(Error::Stream)
}

/// Returns the object of a measurement, with its keys in their documented order.
pub(super) fn object(record: &ResultRecord) -> impl Serialize {
    JsonLine(record)
}

struct JsonLine<'a>(&'a ResultRecord);

impl Serialize for JsonLine<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(RECORD_COLUMNS.len() + 2))?;
        for column in RECORD_COLUMNS {
            map.serialize_entry(column.key, &column.value(self.0))?;
        }
        let result = self.0.measurement.result.as_ref();
        let downspouts: Option<Vec<_>> = result.map(|result| {
            result
                .downspouts
                .iter()
                .map(ExportedDownspout::of)
                .collect()
        });
        map.serialize_entry("downspouts", &downspouts)?;
        let assets: Option<Vec<_>> =
            result.map(|result| result.asset_pack.iter().map(ExportedAsset::of).collect());
        map.serialize_entry("asset_pack", &assets)?;
        map.end()
    }
}

#[derive(Serialize)]
struct ExportedDownspout {
    length_ft: f64,
    floors: u32,
    size_in: Option<f64>,
}

impl ExportedDownspout {
    fn of(downspout: &Downspout) -> Self {
        Self {
            length_ft: downspout.length_ft,
            floors: downspout.floors,
            size_in: downspout.size_in,
        }
    }
}

#[derive(Serialize)]
struct ExportedAsset<'a> {
    kind: &'a str,
    url: &'a str,
    content_type: &'a str,
}

impl<'a> ExportedAsset<'a> {
    fn of(asset: &'a Asset) -> Self {
        Self {
            kind: &asset.kind,
            url: &asset.url,
            content_type: &asset.content_type,
        }
    }
}
