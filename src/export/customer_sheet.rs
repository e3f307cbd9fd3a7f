//! The user's own sheet with the results appended: its rows, order, columns and styles stay, and result columns follow.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::export::column_value::ColumnValue;
use crate::export::columns::{CUSTOMER_SHEET_COLUMNS as COLUMNS, WHY_NO_RESULT};
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::{
    Error, ExcelSafe, ExportOptions, ExportOutcome, ExportResults, LineSelection, LineUse,
    OutputFile, ResultLine, ResultSurvey, UnsealedExport, ZoneName,
};
use crate::journal::JournalSnapshot;
use crate::model::{Outcome, RowNumber};
use crate::sheet::rewrite::{
    AppendedColumn, AppendedValue, ByteOrderMark, RewritePlan, RowAddition, ShortRows, Surroundings,
};
use crate::sheet::{Document, FileFormat, Fingerprint};
use crate::table::{Columns, TableOptions, annotate};

/// Returns a column to append. The header of times names their time zone.
fn appended(column: &ResultColumn, zone: &ZoneName) -> AppendedColumn {
    let header = match column.kind {
        ColumnKind::Moment => format!("{} ({})", column.header, zone.name()),
        _ => column.header.to_owned(),
    };
    AppendedColumn {
        header,
        number_format: column.kind.number_format().map(str::to_owned),
        widest: column.widest,
    }
}

/// The user's table, and the external id of each row.
#[derive(Debug)]
pub struct CustomerSheet<'a> {
    /// The table.
    pub document: &'a Document,
    /// What it is: a text is written as one.
    pub form: FileFormat,
    /// How it is read.
    pub options: &'a TableOptions,
    /// The fingerprint of the file when it was checked.
    pub fingerprint: Fingerprint,
    /// The rows, as their check found them.
    pub rows: &'a HashMap<RowNumber, CustomerRow>,
}

/// A row of the user's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerRow {
    /// A row with an external id; a duplicate has the id of the row that it repeats.
    Of(Box<str>),
    /// Never sent, for these reasons.
    Invalid(String),
    /// Its id has the measurement of another house, as this says.
    Conflict(String),
    /// Never sent, because a person decided that another id's measurement is enough, as this says.
    SkippedHouse(String),
    /// A total or a report's footer, which belongs to no customer.
    Skipped,
}

/// Writes a copy of the table, with the results of its rows, to a temporary file.
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
    let survey = ResultSurvey::with_visitor(&results, &mut |line, asked| {
        if asked == LineUse::For {
            let id = Box::from(line.external_id.as_str());
            known.insert(id, values(line, &order.zone, safety));
        }
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
    let appended = COLUMNS.map(|column| appended(&column, &order.zone));
    let plan = RewritePlan {
        appended: &appended,
        dropped: &COLUMNS.map(|column| column.header),
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
    let mut exported = ExportOutcome::new(&survey);
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

/// Returns the cells of a row that has no measurement.
fn reason(reason: &str) -> Vec<AppendedValue> {
    let mut values = vec![AppendedValue::Empty; COLUMNS.len()];
    values[WHY_NO_RESULT.index_in(&COLUMNS)] = AppendedValue::Text(reason.to_owned());
    values
}

/// Returns the cells of a row that has a measurement.
fn values(line: &ResultLine, zone: &ZoneName, safety: ExcelSafe) -> Vec<AppendedValue> {
    let value = |column: &ResultColumn| match column.valid_value(line) {
        ColumnValue::Nothing | ColumnValue::Link { url: None, .. } => AppendedValue::Empty,
        ColumnValue::Text(text) => AppendedValue::Text(safety.field(&text)),
        ColumnValue::Link { url: Some(url), .. } => AppendedValue::Text(safety.field(url)),
        ColumnValue::Moment(moment) => AppendedValue::Moment(zone.wall(moment)),
        #[expect(
            clippy::cast_precision_loss,
            reason = "counts of a roof are far below 2^53"
        )]
        ColumnValue::Count(count) => AppendedValue::Number(count as f64),
        ColumnValue::Number(number) => AppendedValue::Number(number),
    };
    COLUMNS.iter().map(value).collect()
}
