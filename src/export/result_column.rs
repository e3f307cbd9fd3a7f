//! What a result column is made of; the list of them is in `columns`.

use crate::export::ResultRecord;
use crate::export::column_value::ColumnValue;
use crate::model::MeasurementResult;

/// A column that holds one value for each measurement.
#[derive(Clone, Copy, Debug)]
pub(super) struct ResultColumn {
    /// The name in CSV and JSON. For a value of the measurement's result it is also the service's name.
    pub(super) key: &'static str,
    /// The header in sheets; equal to the key if no sheet contains the column.
    pub(super) header: &'static str,
    /// What the values are, which decides the number format in sheets.
    pub(super) kind: ColumnKind,
    /// The maximum width in sheets, in characters; longer values wrap or are cut off on the screen.
    pub(super) max_width: u16,
    getter: ColumnGetter,
}

/// The values of a column: their unit, and thereby number format and alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum ColumnKind {
    /// Text on one line.
    Text,
    /// Text that may be long and wraps.
    WrappedText,
    /// A whole number.
    Count,
    /// Decimal feet.
    Feet,
    /// Decimal inches.
    Inches,
    /// Numbers of different units.
    Mixed,
    /// A point in time, displayed in the time zone of the export.
    Moment,
    /// Text that links to a web page.
    Link,
    /// No value: an image lies over the cell.
    Picture,
}

impl ColumnKind {
    /// Returns the number format of a cell; `None` for the general format.
    pub(super) const fn number_format(self) -> Option<&'static str> {
        match self {
            Self::Count => Some("#,##0"),
            Self::Feet | Self::Mixed => Some("#,##0.0##"),
            Self::Moment => Some("yyyy-mm-dd hh:mm"),
            Self::Text | Self::WrappedText | Self::Inches | Self::Link | Self::Picture => None,
        }
    }
}

/// How a column gets its value.
#[derive(Clone, Copy, Debug)]
enum ColumnGetter {
    /// From the measurement and the row that it was requested for.
    Record(for<'a> fn(&'a ResultRecord) -> ColumnValue<'a>),
    /// From the result; empty while there is none.
    Result(for<'a> fn(&'a MeasurementResult) -> ColumnValue<'a>),
}

impl ResultColumn {
    /// A column whose value comes from the measurement or the row that it was requested for.
    pub(super) const fn new(
        key: &'static str,
        value: for<'a> fn(&'a ResultRecord) -> ColumnValue<'a>,
    ) -> Self {
        Self::with_getter(key, ColumnGetter::Record(value))
    }

    /// A column whose value comes from the result; empty while there is none.
    pub(super) const fn from_result(
        key: &'static str,
        value: for<'a> fn(&'a MeasurementResult) -> ColumnValue<'a>,
    ) -> Self {
        Self::with_getter(key, ColumnGetter::Result(value))
    }

    const fn with_getter(key: &'static str, getter: ColumnGetter) -> Self {
        Self {
            key,
            header: key,
            kind: ColumnKind::Text,
            max_width: 0,
            getter,
        }
    }

    /// Adds what sheets need to show the column.
    pub(super) const fn in_sheets(
        self,
        header: &'static str,
        kind: ColumnKind,
        max_width: u16,
    ) -> Self {
        Self {
            header,
            kind,
            max_width,
            ..self
        }
    }

    /// Returns the position in a table's list of columns, starting at 0.
    ///
    /// # Panics
    /// If the list does not contain the column.
    pub(super) fn index_in(&self, columns: &[Self]) -> usize {
        columns
            .iter()
            .position(|column| column.key == self.key)
            .expect("callers name a column of their own table")
    }

    /// Whether the value comes from the measurement's result.
    pub(super) const fn is_of_result(&self) -> bool {
        matches!(self.getter, ColumnGetter::Result(_))
    }

    /// Returns the value for a measurement. The result of a withdrawn measurement is included.
    pub(super) fn value<'a>(&self, record: &'a ResultRecord) -> ColumnValue<'a> {
        match self.getter {
            ColumnGetter::Record(value) => value(record),
            ColumnGetter::Result(value) => record.measurement.result.as_ref().map(value).into(),
        }
    }

    /// Returns the value in a result; `None` if the column has no value of it.
    pub(super) fn result_value<'a>(
        &self,
        result: &'a MeasurementResult,
    ) -> Option<ColumnValue<'a>> {
        match self.getter {
            ColumnGetter::Record(_) => None,
            ColumnGetter::Result(value) => Some(value(result)),
        }
    }

    /// Returns the value for a measurement, without values of a result that is not valid now.
    pub(super) fn valid_value<'a>(&self, record: &'a ResultRecord) -> ColumnValue<'a> {
        if self.is_of_result() && record.valid_result().is_none() {
            return ColumnValue::Empty;
        }
        self.value(record)
    }
}
