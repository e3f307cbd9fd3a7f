//! The origin of the measurements and the earlier sealed exports, in the sheet `Summary`.
//!
//! A lost journal is restored from these cells and from the tables, so nothing has to be hidden.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::export::ExportResults;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::sheet_setup::write_across;
use crate::export::workbook::style;
use crate::export::workbook::summary::local_time;

pub(in crate::export) const SERVICE: &str = "Service";
pub(in crate::export) const APP: &str = "App";
pub(in crate::export) const CLIENT_ID: &str = "App's client id";
pub(in crate::export) const TEAM: &str = "Team";
pub(in crate::export) const TEAM_ID: &str = "Team id";
pub(in crate::export) const CONNECTED: &str = "Connected since";
pub(in crate::export) const TIME_ZONE: &str = "Time zone";
pub(in crate::export) const PERIOD: &str = "Period";
pub(in crate::export) const SEALED: &str = "Sealed export";

/// Returns each label with its value, if there is one.
fn labels(results: &ExportResults<'_>) -> impl Iterator<Item = (&'static str, String)> {
    let context = &results.context;
    let owner = context.owner.as_ref();
    let period = results.filter.period.as_ref();
    let as_of = context.as_of.map(|at| local_time(at, &context.zone));
    let connected = owner.map(|owner| match owner.connected_at.parse() {
        Ok(at) => context.zone.to_exact(at),
        Err(_) => owner.connected_at.clone(),
    });
    let labels = [
        (SERVICE, owner.map(|owner| owner.base_url.clone())),
        (APP, owner.and_then(|owner| owner.app_name.clone())),
        (CLIENT_ID, owner.map(|owner| owner.client_id.clone())),
        (TEAM, owner.map(|owner| owner.team_name.clone())),
        (TEAM_ID, owner.map(|owner| owner.team_id.clone())),
        (CONNECTED, connected),
        ("As of", as_of),
        (TIME_ZONE, Some(context.zone.name().to_owned())),
        (PERIOD, period.map(|period| period.name().to_owned())),
        (SEALED, context.sealed.map(|number| number.to_string())),
    ];
    labels
        .into_iter()
        .filter_map(|(label, value)| Some((label, value?)))
}

/// Writes the labels with their values. Returns the next free row.
pub(super) fn write_labels(
    sheet: &mut Worksheet,
    row: u32,
    last_column: u16,
    results: &ExportResults<'_>,
) -> Result<u32, XlsxError> {
    let mut next = row;
    for (label, value) in labels(results) {
        sheet.write_string_with_format(next, 0, label, &style::label())?;
        let columns = (1, last_column);
        write_across(sheet, next, columns, &value, &style::secondary())?;
        next += 1;
    }
    Ok(next)
}

/// The heading of the list of earlier sealed exports.
pub(in crate::export) const SEALS: &str = "Sealed exports before";

/// What that list shows instead of a time that is not known.
pub(in crate::export) const UNKNOWN: &str = "unknown";

/// A column of that list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::export) enum SealColumn {
    Number = 0,
    Measurements = 1,
    SealedAt = 3,
    Adjustments = 4,
    File = 6,
    Period = 7,
}

const SEAL_HEADERS: [(SealColumn, &str); 6] = [
    (SealColumn::Number, "Number"),
    (SealColumn::Measurements, "Measurements"),
    (SealColumn::SealedAt, "Sealed at"),
    (SealColumn::Adjustments, "Adjustments"),
    (SealColumn::File, "File"),
    (SealColumn::Period, "Period"),
];

/// Writes the list of earlier sealed exports, if there are any. Returns the next free row.
pub(super) fn write_seals(
    sheet: &mut Worksheet,
    row: u32,
    results: &ExportResults<'_>,
) -> Result<u32, XlsxError> {
    let seals = &results.context.sealed_before;
    if seals.is_empty() {
        return Ok(row);
    }
    let (text, count) = (style::label(), style::figure(ColumnKind::Count));
    sheet.write_string_with_format(row, 0, SEALS, &style::heading())?;
    for (column, header) in SEAL_HEADERS {
        let format = match column {
            SealColumn::Number | SealColumn::Measurements | SealColumn::Adjustments => &count,
            SealColumn::SealedAt | SealColumn::File | SealColumn::Period => &text,
        };
        sheet.write_string_with_format(row + 1, column as u16, header, format)?;
    }
    let mut next = row + 2;
    for seal in seals {
        let counts = [
            (SealColumn::Number, seal.number),
            (SealColumn::Measurements, seal.measurements),
            (SealColumn::Adjustments, seal.adjustments),
        ];
        for (column, number) in counts {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
            sheet.write_number_with_format(next, column as u16, number as f64, &count)?;
        }
        let texts = [
            (
                SealColumn::SealedAt,
                seal.known_sealed_at()
                    .map_or(UNKNOWN.to_owned(), |at| results.context.zone.to_exact(at)),
            ),
            (SealColumn::File, seal.file_name()),
            (SealColumn::Period, seal.period.clone().unwrap_or_default()),
        ];
        for (column, value) in texts {
            sheet.write_string_with_format(next, column as u16, value, &text)?;
        }
        next += 1;
    }
    Ok(next + 1)
}
