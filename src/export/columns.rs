//! The public keys of a line, in their order, and how each gets its value. CSV, JSON and NDJSON share them.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::export::ResultLine;

/// Whether text that a spreadsheet would take for a formula is quoted in CSV.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExcelSafe {
    /// A leading apostrophe where Excel would run the text.
    On,
    /// Text as it is, as RFC 4180 has it.
    #[default]
    Off,
}

impl ExcelSafe {
    /// Text as a field of CSV has it.
    pub(super) fn field(self, text: &str) -> String {
        match self {
            Self::On if is_formula(text) => format!("'{text}"),
            Self::On | Self::Off => text.to_owned(),
        }
    }
}

/// One value of a line.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ColumnValue<'a> {
    Nothing,
    Text(Cow<'a, str>),
    Moment(Timestamp),
    Count(u64),
    Number(f64),
}

type Get = for<'a> fn(&'a ResultLine) -> ColumnValue<'a>;

/// Every key with its value.
pub(super) const KEYS: [(&str, Get); 33] = [
    ("external_id", |line| text(&line.external_id)),
    ("source_file", |line| {
        ColumnValue::Text(line.source.file_name().into())
    }),
    ("source_row", |line| ColumnValue::Count(line.row.0.into())),
    ("outcome", |line| text(line.outcome.name())),
    ("measurement_id", |line| text(&line.measurement.id)),
    ("request_id", |line| text(&line.measurement.request.id)),
    ("status", |line| text(line.status())),
    ("created_at", |line| {
        ColumnValue::Moment(line.measurement.created_at)
    }),
    ("updated_at", |line| {
        ColumnValue::Moment(line.measurement.updated_at)
    }),
    ("completed_at", |line| {
        line.measurement
            .completed_at
            .map_or(ColumnValue::Nothing, ColumnValue::Moment)
    }),
    ("name", |line| text(line.customer())),
    ("email", |line| {
        optional_text(line.measurement.request.email.as_deref())
    }),
    ("phone", |line| {
        optional_text(line.measurement.request.phone.as_deref())
    }),
    ("notes", |line| {
        optional_text(line.measurement.request.notes.as_deref())
    }),
    ("line1", |line| text(&line.measurement.address.line1)),
    ("line2", |line| {
        optional_text(line.measurement.address.line2.as_deref())
    }),
    ("city", |line| text(&line.measurement.address.city)),
    ("region", |line| text(&line.measurement.address.region)),
    ("postal_code", |line| {
        text(&line.measurement.address.postal_code)
    }),
    ("country", |line| text(&line.measurement.address.country)),
    ("formatted", |line| {
        optional_text(line.measurement.address.formatted.as_deref())
    }),
    ("lat", |line| number(line.measurement.address.lat)),
    ("lng", |line| number(line.measurement.address.lng)),
    ("gutter_length_ft", |line| {
        number(result(line).map(|result| result.gutter_length_ft))
    }),
    ("gutter_size_in", |line| {
        number(result(line).and_then(|result| result.gutter_size_in))
    }),
    ("corner_count", |line| {
        count(result(line).map(|result| result.corner_count))
    }),
    ("downspout_count", |line| {
        count(result(line).map(|result| result.downspout_count))
    }),
    ("downspout_length_ft", |line| {
        number(result(line).map(|result| result.downspout_length_ft))
    }),
    ("installer_message", |line| {
        optional_text(result(line).and_then(|result| result.installer_message.as_deref()))
    }),
    ("request_url", |line| {
        optional_text(line.measurement.request.url.as_deref())
    }),
    ("external_url", |line| {
        optional_text(line.measurement.request.external_url.as_deref())
    }),
    ("external_label", |line| {
        optional_text(line.measurement.request.external_label.as_deref())
    }),
    ("sealed", |line| {
        line.sealed()
            .map_or(ColumnValue::Nothing, ColumnValue::Count)
    }),
];

fn result(line: &ResultLine) -> Option<&crate::model::MeasurementResult> {
    line.measurement.result.as_ref()
}

fn text(text: &str) -> ColumnValue<'_> {
    ColumnValue::Text(text.into())
}

fn optional_text(value: Option<&str>) -> ColumnValue<'_> {
    value.map_or(ColumnValue::Nothing, text)
}

fn number(value: Option<f64>) -> ColumnValue<'static> {
    value.map_or(ColumnValue::Nothing, ColumnValue::Number)
}

fn count(value: Option<u32>) -> ColumnValue<'static> {
    value.map_or(ColumnValue::Nothing, |count| {
        ColumnValue::Count(count.into())
    })
}

impl ColumnValue<'_> {
    /// As a field of CSV; nothing is an empty one.
    pub(super) fn to_field(&self, safety: ExcelSafe) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Text(text) => safety.field(text),
            Self::Moment(moment) => moment.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
        }
    }
}

impl Serialize for ColumnValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Moment(moment) => serializer.collect_str(moment),
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Number(number) => serializer.serialize_f64(*number),
        }
    }
}

/// What Excel and its kin would run, or strip to something they would run.
///
/// See <https://owasp.org/www-community/attacks/CSV_Injection>.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}
