//! The value of one column for one measurement, and how text formats write it.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Serialize, Serializer};

use crate::model::{json_time, serialize_json_time};

/// Whether CSV protects text that a spreadsheet program would evaluate as a formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FormulaEscaping {
    /// Such text gets a leading apostrophe.
    On,
    /// Text is written unchanged, as RFC 4180 requires.
    #[default]
    Off,
}

impl FormulaEscaping {
    /// Returns text as it is written to a CSV field, before quoting.
    pub(super) fn field(self, text: &str) -> String {
        match self {
            Self::On if is_formula(text) => format!("'{text}"),
            Self::On | Self::Off => text.to_owned(),
        }
    }
}

/// One value of a measurement.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum ColumnValue<'a> {
    /// No value: an empty field or cell, `null` in JSON.
    Empty,
    /// Text, even if it looks like a number.
    Text(Cow<'a, str>),
    /// A point in time, in UTC.
    Moment(Timestamp),
    /// A whole number.
    Count(u64),
    /// A decimal number.
    Number(f64),
    /// Text with the address of a web page. Only workbooks can hold both: CSV and JSON write the text, `--for` writes
    /// the address.
    Link {
        /// The displayed text.
        text: &'a str,
        /// The address, if the service gave one.
        url: Option<&'a str>,
    },
}

impl ColumnValue<'_> {
    /// Returns the value as a CSV field, before quoting.
    pub(super) fn to_field(&self, formula_escaping: FormulaEscaping) -> String {
        match self {
            Self::Empty => String::new(),
            Self::Text(text) => formula_escaping.field(text),
            Self::Link { text, .. } => formula_escaping.field(text),
            Self::Moment(moment) => json_time(*moment),
            Self::Count(count) => count.to_string(),
            Self::Number(number) => number.to_string(),
        }
    }

    /// Returns the number of a cell; `None` for other values.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            #[expect(
                clippy::cast_precision_loss,
                reason = "counts of a roof are far below 2^53"
            )]
            Self::Count(count) => Some(*count as f64),
            Self::Number(number) => Some(*number),
            Self::Empty | Self::Text(_) | Self::Moment(_) | Self::Link { .. } => None,
        }
    }
}

macro_rules! conversions {
    ($($type:ty, $value:ident => $converted:expr;)*) => {$(
        impl<'a> From<$type> for ColumnValue<'a> {
            fn from($value: $type) -> Self {
                $converted
            }
        }
    )*};
}

conversions! {
    &'a str, text => Self::Text(text.into());
    &'a String, text => Self::Text(text.into());
    String, text => Self::Text(text.into());
    Cow<'a, str>, text => Self::Text(text);
    Timestamp, moment => Self::Moment(moment);
    u64, count => Self::Count(count);
    u32, count => Self::Count(count.into());
    f64, number => Self::Number(number);
}

impl<'a, T: Into<ColumnValue<'a>>> From<Option<T>> for ColumnValue<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Empty, T::into)
    }
}

impl Serialize for ColumnValue<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Empty => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Link { text, .. } => serializer.serialize_str(text),
            Self::Moment(moment) => serialize_json_time(moment, serializer),
            Self::Count(count) => serializer.serialize_u64(*count),
            Self::Number(number) => serializer.serialize_f64(*number),
        }
    }
}

/// Whether a spreadsheet program would evaluate the text as a formula, possibly after stripping its first character.
///
/// See <https://owasp.org/www-community/attacks/CSV_Injection>.
fn is_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'])
}
