//! Whose numbers a workbook shows, and which sealed exports there were before: labels with values on `Summary`.
//!
//! A lost journal is restored from what stands here and in the tables, so that nothing has to be hidden.

use rust_xlsxwriter::{Worksheet, XlsxError};

use crate::export::ExportResults;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::style;

/// One label of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::export) enum OriginLabel {
    Service,
    App,
    ClientId,
    Team,
    TeamId,
    Connected,
    AsOf,
    TimeZone,
    Period,
    Sealed,
}

impl OriginLabel {
    const ALL: [Self; 10] = [
        Self::Service,
        Self::App,
        Self::ClientId,
        Self::Team,
        Self::TeamId,
        Self::Connected,
        Self::AsOf,
        Self::TimeZone,
        Self::Period,
        Self::Sealed,
    ];

    /// As the sheet says it.
    pub(in crate::export) fn label(self) -> &'static str {
        match self {
            Self::Service => "Service",
            Self::App => "App",
            Self::ClientId => "App's client id",
            Self::Team => "Team",
            Self::TeamId => "Team id",
            Self::Connected => "Connected since",
            Self::AsOf => "As of",
            Self::TimeZone => "Time zone",
            Self::Period => "Period",
            Self::Sealed => "Sealed export",
        }
    }

    fn value(self, results: &ExportResults<'_>) -> Option<String> {
        let about = &results.about;
        let owner = about.owner.as_ref();
        match self {
            Self::Service => owner.map(|owner| owner.base_url.clone()),
            Self::App => owner.map(|owner| owner.app_name.clone()),
            Self::ClientId => owner.map(|owner| owner.client_id.clone()),
            Self::Team => owner.map(|owner| owner.team_name.clone()),
            Self::TeamId => owner.map(|owner| owner.team_id.clone()),
            Self::Connected => owner.map(|owner| owner.connected_at.clone()),
            Self::AsOf => about.as_of.map(|as_of| as_of.to_string()),
            Self::TimeZone => Some(about.zone.name().to_owned()),
            Self::Period => results
                .selection
                .period
                .as_ref()
                .map(|period| period.name().to_owned()),
            Self::Sealed => about.sealed.map(|number| number.to_string()),
        }
    }
}

/// The heading of the list of earlier sealed exports.
pub(in crate::export) const SEALS: &str = "Sealed exports before";

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

impl SealColumn {
    const ALL: [Self; 6] = [
        Self::Number,
        Self::Measurements,
        Self::SealedAt,
        Self::Adjustments,
        Self::File,
        Self::Period,
    ];

    fn header(self) -> &'static str {
        match self {
            Self::Number => "Number",
            Self::Measurements => "Measurements",
            Self::SealedAt => "Sealed at",
            Self::Adjustments => "Adjustments",
            Self::File => "File",
            Self::Period => "Period",
        }
    }
}

/// Writes the labels with their values. Returns the next free row.
pub(super) fn write(
    sheet: &mut Worksheet,
    row: u32,
    last_column: u16,
    results: &ExportResults<'_>,
) -> Result<u32, XlsxError> {
    let mut next = row;
    for origin in OriginLabel::ALL {
        let Some(value) = origin.value(results) else {
            continue;
        };
        sheet.write_string_with_format(next, 0, origin.label(), &style::label())?;
        sheet.merge_range(next, 1, next, last_column, &value, &style::quiet())?;
        next += 1;
    }
    Ok(next)
}

/// Writes the list of earlier sealed exports, where there are any. Returns the next free row.
pub(super) fn write_seals(
    sheet: &mut Worksheet,
    row: u32,
    results: &ExportResults<'_>,
) -> Result<u32, XlsxError> {
    let seals = &results.about.sealed_before;
    if seals.is_empty() {
        return Ok(row);
    }
    sheet.write_string_with_format(row, 0, SEALS, &style::heading())?;
    for column in SealColumn::ALL {
        let format = style::label();
        sheet.write_string_with_format(row + 1, column as u16, column.header(), &format)?;
    }
    let mut next = row + 2;
    for seal in seals {
        let file = seal.path.file_name().unwrap_or_default().to_string_lossy();
        let period = seal.period.as_deref().unwrap_or_default();
        let count = style::figure(ColumnKind::Count);
        let counts = [
            (SealColumn::Number, seal.number),
            (SealColumn::Measurements, seal.measurements),
            (SealColumn::Adjustments, seal.adjustments),
        ];
        for (column, number) in counts {
            #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
            sheet.write_number_with_format(next, column as u16, number as f64, &count)?;
        }
        let sealed_at = seal.sealed_at.to_string();
        let texts = [
            (SealColumn::SealedAt, sealed_at.as_str()),
            (SealColumn::File, &*file),
            (SealColumn::Period, period),
        ];
        for (column, text) in texts {
            sheet.write_string_with_format(next, column as u16, text, &style::label())?;
        }
        next += 1;
    }
    Ok(next + 1)
}
