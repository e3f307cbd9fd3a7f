//! Reading an exported workbook: `Summary` by label, and the rows of the tables by header.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Value, json};

use crate::export::columns::{EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::workbook::{
    BLOCKS, COMPLETED, SEALS, SUMMARY, SealColumn, UNKNOWN, part_name, provenance,
};
use crate::export::{StatusCounts, TimeZoneName};
use crate::model::Account;
use crate::sheet::{self, InputFile, PlainSheet, SheetError, plain_sheet};

/// The contents of `Summary`.
#[derive(Debug)]
pub(super) struct WorkbookSummary {
    /// The account that the measurements belong to.
    pub(super) owner: Account,
    pub(super) zone: TimeZoneName,
    pub(super) period: Option<String>,
    /// The number, if the workbook is a sealed export.
    pub(super) sealed: Option<u64>,
    /// The number of rows of `Measurements`.
    pub(super) completed: Option<u64>,
    /// The number of measurements in the journal, whether a sheet contains them or not.
    pub(super) all: u64,
    pub(super) seals: Vec<SummarySeal>,
}

/// A row of the list of earlier sealed exports.
#[derive(Debug)]
pub(super) struct SummarySeal {
    pub(super) number: u64,
    pub(super) measurements: u64,
    pub(super) adjustments: u64,
    pub(super) sealed_at: Timestamp,
    pub(super) file: String,
    pub(super) period: Option<String>,
}

/// Reads `Summary`; `None` if it is not that of an export.
pub(super) fn read_summary(
    input_file: &InputFile,
) -> Result<Option<WorkbookSummary>, sheet::Error> {
    let mut sheet = plain_sheet(input_file, SUMMARY)?;
    let mut values: HashMap<String, String> = HashMap::new();
    let mut seals = None;
    while let Some(row) = sheet.next_row()? {
        let cell = |column: usize| row.cell(column).text.trim().to_owned();
        if cell(0) == SEALS {
            seals = Some(Vec::new());
        } else if let Some(seals) = &mut seals {
            seals.extend(seal(&cell));
        }
        for column in BLOCKS.map(usize::from) {
            values.entry(cell(column)).or_insert(cell(column + 1));
        }
    }
    let value = |label: &str| values.get(label).cloned();
    let count = |label: &str| values.get(label).and_then(|text| whole_number(text));
    let owner = || {
        Some(Account {
            base_url: value(provenance::SERVICE)?,
            client_id: value(provenance::CLIENT_ID)?,
            app_name: value(provenance::APP),
            team_id: value(provenance::TEAM_ID)?,
            team_name: value(provenance::TEAM).unwrap_or_default(),
            connected_at: value(provenance::CONNECTED).map_or_else(String::new, |at| {
                at.parse().map_or(at, |at: Timestamp| at.to_string())
            }),
        })
    };
    Ok(owner().map(|owner| WorkbookSummary {
        owner,
        zone: value(provenance::TIME_ZONE)
            .and_then(|name| TimeZoneName::from_name(&name))
            .unwrap_or_else(TimeZoneName::utc),
        period: value(provenance::PERIOD),
        sealed: value(provenance::SEALED).and_then(|text| whole_number(&text)),
        completed: count(COMPLETED),
        all: StatusCounts::names()
            .filter_map(|name| count(&name.replace('_', " ")))
            .sum(),
        seals: seals.unwrap_or_default(),
    }))
}

/// Reads a row of the list of sealed exports; `None` for its headers and for the rows below it.
fn seal(cell: &dyn Fn(usize) -> String) -> Option<SummarySeal> {
    let text = |column: SealColumn| cell(column as usize);
    Some(SummarySeal {
        number: whole_number(&text(SealColumn::Number))?,
        measurements: whole_number(&text(SealColumn::Measurements))?,
        adjustments: whole_number(&text(SealColumn::Adjustments))?,
        sealed_at: match text(SealColumn::SealedAt).as_str() {
            UNKNOWN => Timestamp::UNIX_EPOCH,
            time => time.parse().ok()?,
        },
        file: text(SealColumn::File),
        period: Some(text(SealColumn::Period)).filter(|period| !period.is_empty()),
    })
}

/// A cell whose content is not of its column's kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadableCell;

/// A row of a table.
pub(super) struct TableRow<'a> {
    columns: &'a HashMap<String, usize>,
    row: sheet::Row<'a>,
}

impl TableRow<'_> {
    /// Returns the text of the cell below a header; empty if there is no such column.
    pub(super) fn text(&self, header: &str) -> &str {
        let column = self.columns.get(header);
        column.map_or("", |column| self.row.cell(*column).text)
    }

    /// Returns the text of a cell that is not empty.
    pub(super) fn some(&self, header: &str) -> Option<&str> {
        Some(self.text(header)).filter(|text| !text.is_empty())
    }

    /// Reads a cell that may be empty.
    ///
    /// # Errors
    /// [`UnreadableCell`] if it has content that `read` cannot read.
    pub(super) fn optional<T>(
        &self,
        header: &str,
        read: impl FnOnce(&Self, &str) -> Option<T>,
    ) -> Result<Option<T>, UnreadableCell> {
        match self.some(header) {
            None => Ok(None),
            Some(_) => read(self, header).map(Some).ok_or(UnreadableCell),
        }
    }

    /// Reads a cell as the service writes its value, `null` if it is empty; `None` for a number that cannot be read.
    pub(super) fn json(&self, column: &ResultColumn) -> Option<Value> {
        let value = match column.kind {
            ColumnKind::Count => json!(self.optional(column.header, Self::count).ok()?),
            ColumnKind::Feet | ColumnKind::Inches | ColumnKind::Mixed => {
                json!(self.optional(column.header, Self::number).ok()?)
            }
            ColumnKind::Text
            | ColumnKind::WrappedText
            | ColumnKind::Moment
            | ColumnKind::Link
            | ColumnKind::Picture => json!(self.some(column.header)),
        };
        Some(value)
    }

    /// Reads a number; `None` for anything else.
    pub(super) fn number(&self, header: &str) -> Option<f64> {
        let number: f64 = self.text(header).trim().parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// Reads a count; `None` for anything else.
    pub(super) fn count(&self, header: &str) -> Option<u64> {
        whole_number(self.text(header))
    }

    /// Reads a local time of a zone.
    pub(super) fn moment(&self, header: &str, zone: &TimeZoneName) -> Option<Timestamp> {
        let text = self.text(header).trim().replace(' ', "T");
        let local: DateTime = text.parse().ok()?;
        zone.to_timestamp(local)
    }
}

/// Calls `visit` with the rows of a table, on all of its sheets.
pub(super) fn each_row(
    input_file: &InputFile,
    table: &str,
    visit: &mut dyn FnMut(&TableRow<'_>),
) -> Result<(), sheet::Error> {
    visit_sheet(plain_sheet(input_file, table)?, visit)?;
    // A table that is longer than a sheet continues on further sheets.
    for part in 1.. {
        match plain_sheet(input_file, &part_name(table, part)) {
            Ok(sheet) => visit_sheet(sheet, visit)?,
            Err(error) if matches!(error.cause, SheetError::NoSuchSheet { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn visit_sheet(
    mut sheet: PlainSheet,
    visit: &mut dyn FnMut(&TableRow<'_>),
) -> Result<(), sheet::Error> {
    let mut columns: HashMap<String, usize> = HashMap::new();
    while let Some(row) = sheet.next_row()? {
        if columns.is_empty() {
            let headers = (0..MAX_COLUMNS).map(|column| row.cell(column).text.trim().to_owned());
            columns = headers.zip(0..).collect();
            continue;
        }
        let row = TableRow {
            columns: &columns,
            row,
        };
        if row.some(MEASUREMENT.header).is_some() || row.some(EXTERNAL_ID.header).is_some() {
            visit(&row);
        }
    }
    Ok(())
}

/// Maximum number of columns to search for headers; a person may have added some.
const MAX_COLUMNS: usize = 60;

/// Reads a whole number, possibly with a fraction of zeros.
fn whole_number(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let (whole, fraction) = text.split_once('.')?;
        fraction
            .bytes()
            .all(|digit| digit == b'0')
            .then(|| whole.parse().ok())?
    })
}
