//! What a workbook of `export` shows: its `Summary` by label, and the rows of its tables by header.

use std::collections::HashMap;

use jiff::Timestamp;
use jiff::civil::DateTime;
use serde_json::{Value, json};

use crate::export::columns::{EXTERNAL_ID, MEASUREMENT};
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::workbook::{OriginLabel, SEALS, SUMMARY, SealColumn, part_name};
use crate::export::{StatusCounts, ZoneName};
use crate::journal::Binding;
use crate::sheet::{self, Document, Fault, PlainSheet, plain_sheet};

/// What `Summary` shows.
#[derive(Debug)]
pub(super) struct ShownSummary {
    /// Whose results they are.
    pub(super) owner: Binding,
    pub(super) zone: ZoneName,
    pub(super) period: Option<String>,
    /// The number, where the workbook is a sealed export.
    pub(super) sealed: Option<u64>,
    /// Rows of `Measurements`.
    pub(super) completed: Option<u64>,
    /// All measurements of the journal, whether on a sheet or not.
    pub(super) all: u64,
    pub(super) seals: Vec<ShownSeal>,
}

/// A line of the list of earlier sealed exports.
#[derive(Debug)]
pub(super) struct ShownSeal {
    pub(super) number: u64,
    pub(super) measurements: u64,
    pub(super) adjustments: u64,
    pub(super) sealed_at: Timestamp,
    pub(super) file: String,
    pub(super) period: Option<String>,
}

/// Reads `Summary`; none where it is not that of an export.
pub(super) fn summary(document: &Document) -> Result<Option<ShownSummary>, sheet::Error> {
    let mut sheet = plain_sheet(document, SUMMARY)?;
    let mut values: HashMap<String, String> = HashMap::new();
    let mut seals = None;
    while let Some(row) = sheet.next_row()? {
        let cell = |column: usize| row.cell(column).text.trim().to_owned();
        if cell(0) == SEALS {
            seals = Some(Vec::new());
        } else if let Some(seals) = &mut seals {
            seals.extend(seal(&cell));
        }
        for column in [0, 3, 6] {
            values.entry(cell(column)).or_insert(cell(column + 1));
        }
    }
    let value = |origin: OriginLabel| values.get(origin.label()).cloned();
    let count = |label: &str| values.get(label).and_then(|text| whole(text));
    let owner = || {
        Some(Binding {
            base_url: value(OriginLabel::Service)?,
            client_id: value(OriginLabel::ClientId)?,
            app_name: value(OriginLabel::App).unwrap_or_default(),
            team_id: value(OriginLabel::TeamId)?,
            team_name: value(OriginLabel::Team).unwrap_or_default(),
            connected_at: value(OriginLabel::Connected).unwrap_or_default(),
        })
    };
    Ok(owner().map(|owner| ShownSummary {
        owner,
        zone: value(OriginLabel::TimeZone)
            .and_then(|name| ZoneName::named(&name))
            .unwrap_or_else(ZoneName::utc),
        period: value(OriginLabel::Period),
        sealed: value(OriginLabel::Sealed).and_then(|text| whole(&text)),
        completed: count("Completed measurements"),
        all: StatusCounts::names()
            .filter_map(|name| count(&name.replace('_', " ")))
            .sum(),
        seals: seals.unwrap_or_default(),
    }))
}

/// A line of the list; none for its headers and for what stands below it.
fn seal(cell: &dyn Fn(usize) -> String) -> Option<ShownSeal> {
    let text = |column: SealColumn| cell(column as usize);
    Some(ShownSeal {
        number: whole(&text(SealColumn::Number))?,
        measurements: whole(&text(SealColumn::Measurements))?,
        adjustments: whole(&text(SealColumn::Adjustments))?,
        sealed_at: text(SealColumn::SealedAt).parse().ok()?,
        file: text(SealColumn::File),
        period: Some(text(SealColumn::Period)).filter(|period| !period.is_empty()),
    })
}

/// A cell whose content is not of its column's kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnreadableCell;

/// A row of a table.
pub(super) struct ShownRow<'a> {
    columns: &'a HashMap<String, usize>,
    row: sheet::Row<'a>,
}

impl ShownRow<'_> {
    /// The cell below a header; empty where there is none.
    pub(super) fn text(&self, header: &str) -> &str {
        let column = self.columns.get(header);
        column.map_or("", |column| self.row.cell(*column).text)
    }

    /// A cell that holds something.
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
            | ColumnKind::Prose
            | ColumnKind::Moment
            | ColumnKind::Link
            | ColumnKind::Picture => json!(self.some(column.header)),
        };
        Some(value)
    }

    /// A number; none for anything else.
    pub(super) fn number(&self, header: &str) -> Option<f64> {
        let number: f64 = self.text(header).trim().parse().ok()?;
        number.is_finite().then_some(number)
    }

    /// A count; none for anything else.
    pub(super) fn count(&self, header: &str) -> Option<u64> {
        whole(self.text(header))
    }

    /// A moment on the wall clock of a zone.
    pub(super) fn moment(&self, header: &str, zone: &ZoneName) -> Option<Timestamp> {
        let text = self.text(header).trim().replace(' ', "T");
        let wall: DateTime = text.parse().ok()?;
        zone.at(wall)
    }
}

/// Visits the rows of a table, on all sheets that it fills.
pub(super) fn each_row(
    document: &Document,
    table: &str,
    visit: &mut dyn FnMut(&ShownRow<'_>),
) -> Result<(), sheet::Error> {
    visit_sheet(plain_sheet(document, table)?, visit)?;
    // A table that is longer than a sheet continues on further sheets.
    for part in 1.. {
        match plain_sheet(document, &part_name(table, part)) {
            Ok(sheet) => visit_sheet(sheet, visit)?,
            Err(error) if matches!(error.fault, Fault::NoSuchSheet { .. }) => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn visit_sheet(
    mut sheet: PlainSheet,
    visit: &mut dyn FnMut(&ShownRow<'_>),
) -> Result<(), sheet::Error> {
    let mut columns: HashMap<String, usize> = HashMap::new();
    while let Some(row) = sheet.next_row()? {
        if columns.is_empty() {
            let headers = (0..HEADERS).map(|column| row.cell(column).text.trim().to_owned());
            columns = headers.zip(0..).collect();
            continue;
        }
        let row = ShownRow {
            columns: &columns,
            row,
        };
        if row.some(MEASUREMENT.header).is_some() || row.some(EXTERNAL_ID.header).is_some() {
            visit(&row);
        }
    }
    Ok(())
}

/// Columns that are looked through for headers; a person may have added some.
const HEADERS: usize = 60;

/// A whole number as sheets hold it.
fn whole(text: &str) -> Option<u64> {
    let text = text.trim();
    text.parse().ok().or_else(|| {
        let (whole, fraction) = text.split_once('.')?;
        fraction
            .bytes()
            .all(|digit| digit == b'0')
            .then(|| whole.parse().ok())?
    })
}
