//! The user's own sheet with the results appended: their rows, their order, their columns and styles, and ours behind.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::export::run::{ExportOptions, UnsealedExport, exported};
use crate::export::{
    Error, ExcelSafe, ExportResults, LineSelection, OutputFile, ResultLine, ResultSurvey, ZoneName,
};
use crate::journal::JournalSnapshot;
use crate::model::{Outcome, RowNumber, Status};
use crate::sheet::rewrite::{
    AppendedColumn, AppendedValue, ByteOrderMark, RewritePlan, RowAddition, ShortRows, Surroundings,
};
use crate::sheet::{Document, FileFormat, Fingerprint};
use crate::table::{Columns, TableOptions, annotate};

/// A number format of the workbook, where the usual one will not do.
type NumberFormat = Option<&'static str>;

/// The columns that are appended: header, number format, and the widest that they become, in characters.
const COLUMNS: [(&str, NumberFormat, u16); 12] = [
    ("Measurement status", None, 20),
    ("Why no result", None, 40),
    (COMPLETED, Some("yyyy-mm-dd hh:mm"), 18),
    ("Gutter length (ft)", Some("#,##0.00"), 12),
    ("Gutter size (in)", None, 8),
    ("Corners", Some("#,##0"), 8),
    ("Downspouts", Some("#,##0"), 8),
    ("Downspout length (ft)", Some("#,##0.00"), 12),
    ("Installer message", None, 44),
    ("Images", Some("#,##0"), 8),
    ("Measurement", None, 28),
    ("Request", None, 60),
];

/// The column whose times are those of a zone, which its header names.
const COMPLETED: &str = "Completed";

fn appended(
    (header, number_format, widest): (&str, NumberFormat, u16),
    zone: &ZoneName,
) -> AppendedColumn {
    let header = match header {
        COMPLETED => format!("{COMPLETED} ({})", zone.name()),
        other => other.to_owned(),
    };
    AppendedColumn {
        header,
        number_format: number_format.map(str::to_owned),
        widest,
    }
}

/// The user's table, and whose row is whose.
#[derive(Debug)]
pub struct CustomerSheet<'a> {
    /// The table.
    pub document: &'a Document,
    /// What it is: a text is written as one.
    pub form: FileFormat,
    /// How it is read.
    pub options: &'a TableOptions,
    /// What it looked like when it was checked.
    pub fingerprint: Fingerprint,
    /// What each row is, as its check found.
    pub rows: &'a HashMap<RowNumber, CustomerRow>,
}

/// What a row of the user's is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerRow {
    /// The row of an external id; a duplicate has that of the row it doubles.
    Of(Box<str>),
    /// Never sent, for these reasons.
    Invalid(String),
    /// Its id has the measurement of another house, as this says.
    Conflict(String),
    /// Never sent, because a person decided that another id's measurement is enough, as this says.
    SkippedHouse(String),
    /// A total or a report's footer: nobody's row.
    Skipped,
}

/// Writes the table again beside its place, with the results of its rows.
///
/// # Errors
/// [`Error::Own`] where the table cannot be read or written and [`Error::Interrupted`], both with the old file intact,
/// and those of the journal.
pub fn to_customer_sheet(
    snapshot: &JournalSnapshot,
    order: &ExportOptions,
    sheet: &CustomerSheet<'_>,
    place: &OutputFile,
) -> Result<UnsealedExport, Error> {
    let ids = sheet.rows.values().filter_map(CustomerRow::id);
    let ids: HashSet<Box<str>> = ids.map(Box::from).collect();
    let selection = LineSelection {
        ids: Some(Arc::new(ids)),
        ..order.selection.clone()
    };
    let results = order.results(snapshot, selection)?;
    let safety = match sheet.form {
        FileFormat::Text => order.safety,
        FileFormat::Xlsx | FileFormat::Xlsb | FileFormat::Xls | FileFormat::Ods => ExcelSafe::Off,
    };
    let mut known: HashMap<Box<str>, Vec<AppendedValue>> = HashMap::new();
    results.each_selected(&mut |line| {
        known.insert(
            Box::from(line.external_id.as_str()),
            values(line, &order.zone, safety),
        );
        Ok(())
    })?;
    let refused = refused(&results)?;
    let unanswered = snapshot.unanswered_ids()?;
    let of_id = |id: &str| match (known.get(id), refused.get(id)) {
        (Some(values), _) => values.clone(),
        (None, Some(message)) => reason(message),
        (None, None) if unanswered.contains(id) => reason("pending: sent, and not answered yet"),
        (None, None) => reason("never imported"),
    };
    let each = |_: &Columns, row: RowNumber| {
        let values = match sheet.rows.get(&row) {
            None => reason("never imported"),
            Some(CustomerRow::Invalid(message)) => reason(&format!("invalid: {message}")),
            Some(CustomerRow::Conflict(message)) => reason(&format!("conflict: {message}")),
            Some(CustomerRow::SkippedHouse(message)) => reason(message),
            Some(CustomerRow::Skipped) => vec![AppendedValue::Empty; COLUMNS.len()],
            Some(CustomerRow::Of(id)) => of_id(id),
        };
        Some(RowAddition {
            values,
            highlights: Vec::new(),
        })
    };
    let appended = COLUMNS.map(|column| appended(column, &order.zone));
    let plan = RewritePlan {
        appended: &appended,
        dropped: &COLUMNS.map(|(header, ..)| header),
        dropped_too: &[],
        surroundings: Surroundings::Kept,
        short_rows: ShortRows::Filled,
        mark: match safety {
            ExcelSafe::On => ByteOrderMark::WhereNeeded,
            ExcelSafe::Off => ByteOrderMark::AsOriginal,
        },
        fingerprint: Some(sheet.fingerprint),
    };
    let ready = place.temporary_file(|file| {
        let to = (file, place.path());
        annotate::write_into(sheet.document, sheet.options, &plan, each, to)
            .map(drop)
            .map_err(|error| Error::Own(Box::new(error)))
    })?;
    order.unless_stopped()?;
    let survey = ResultSurvey::of(&results)?;
    let mut exported = exported(&survey);
    // Rows of other files are no concern of this one.
    exported.not_found = survey.selected.not_found();
    exported.address_differs = survey.selected.address_differs();
    exported.other_addresses.retain(|one| {
        let ids = results.selection.ids.as_ref();
        ids.is_some_and(|ids| ids.contains(one.external_id.as_str()))
    });
    Ok(UnsealedExport { ready, exported })
}

impl CustomerRow {
    /// The id whose measurement is the row's, where it can have one.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Of(id) => Some(id),
            Self::Invalid(_) | Self::Conflict(_) | Self::SkippedHouse(_) | Self::Skipped => None,
        }
    }
}

/// Why rows that were sent have no measurement.
fn refused(results: &ExportResults<'_>) -> Result<HashMap<Box<str>, String>, Error> {
    let mut refused = HashMap::new();
    results.each_rejected(&mut |row| {
        let speaks = matches!(
            row.outcome,
            Outcome::Refused | Outcome::Conflict | Outcome::SameHouse
        );
        if let Some(id) = row.external_id.as_deref().filter(|_| speaks) {
            refused.insert(
                Box::from(id),
                format!("{}: {}", row.outcome.name(), row.error),
            );
        }
        Ok(())
    })?;
    Ok(refused)
}

/// The cells of a row that has no measurement.
fn reason(reason: &str) -> Vec<AppendedValue> {
    let mut values = vec![AppendedValue::Empty; COLUMNS.len()];
    values[1] = AppendedValue::Text(reason.to_owned());
    values
}

fn values(line: &ResultLine, zone: &ZoneName, safety: ExcelSafe) -> Vec<AppendedValue> {
    let completed = line.completed();
    let number = |value: Option<f64>| value.map_or(AppendedValue::Empty, AppendedValue::Number);
    let figure = |get: fn(&crate::model::MeasurementResult) -> Option<f64>| {
        number(completed.and_then(|(result, _)| get(result)))
    };
    let text = |text: Option<&str>| {
        text.map_or(AppendedValue::Empty, |text| {
            AppendedValue::Text(safety.field(text))
        })
    };
    let status = line.status().replace('_', " ");
    let why = match (completed, line.differing_address()) {
        (Some(_), _) => AppendedValue::Empty,
        (None, Some(answered)) => AppendedValue::Text(format!(
            "the service's last answer has another address: {}",
            answered.one_line()
        )),
        (None, None) if line.is_usable() && line.measurement.status == Status::Complete => {
            AppendedValue::Text("complete, and its result was not there yet".to_owned())
        }
        (None, None) => AppendedValue::Text(status.clone()),
    };
    vec![
        AppendedValue::Text(status),
        why,
        completed.map_or(AppendedValue::Empty, |(_, at)| {
            AppendedValue::Moment(zone.wall(at))
        }),
        figure(|result| Some(result.gutter_length_ft)),
        figure(|result| result.gutter_size_in),
        figure(|result| Some(result.corner_count.into())),
        figure(|result| Some(result.downspout_count.into())),
        figure(|result| Some(result.downspout_length_ft)),
        text(completed.and_then(|(result, _)| result.installer_message.as_deref())),
        figure(|result| u32::try_from(result.asset_pack.len()).ok().map(f64::from)),
        text(Some(&line.measurement.id)),
        text(line.measurement.request.url.as_deref()),
    ]
}
