//! The user's own sheet with the results appended: its rows, order, columns and styles stay, and result columns follow.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use crate::export::column_value::ColumnValue;
use crate::export::columns::{CUSTOMER_SHEET_COLUMNS as COLUMNS, WHY_NO_RESULT};
use crate::export::result_column::{ColumnKind, ResultColumn};
use crate::export::{
    Error, ExportOptions, ExportSummary, FormulaEscaping, OutputFile, RecordFilter, ResultRecord,
    ResultStatistics, TimeZoneName, UnsealedExport,
};
use crate::journal::JournalSnapshot;
use crate::model::{Outcome, RowNumber, Status};
use crate::sheet::rewrite::{
    AppendedColumn, AppendedValue, EarlierColumns, RewriteOutput, RewritePlan, RowAddition,
};
use crate::table::annotate;
use crate::table::{Columns, KnownTable};

/// Returns a column to append. The header of times names their time zone.
fn appended(column: &ResultColumn, zone: &TimeZoneName) -> AppendedColumn {
    let header = match column.kind {
        ColumnKind::Moment => format!("{} ({})", column.header, zone.name()),
        _ => column.header.to_owned(),
    };
    AppendedColumn {
        header,
        number_format: column.kind.number_format().map(str::to_owned),
        max_width: column.max_width,
    }
}

/// The user's table, and the external id of each row.
#[derive(Debug)]
pub struct CustomerSheet<'a> {
    /// The table.
    pub table: KnownTable<'a>,
    /// The rows, as their check found them.
    pub rows: &'a HashMap<RowNumber, CustomerRow>,
}

impl CustomerSheet<'_> {
    /// Returns the external ids of its rows.
    pub(super) fn external_ids(&self) -> Arc<HashSet<Box<str>>> {
        let ids = self.rows.values().filter_map(CustomerRow::id);
        Arc::new(ids.map(Box::from).collect())
    }
}

/// A row of the user's table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CustomerRow {
    /// A row with an external id; a duplicate has the id of the row that it repeats.
    Identified(Box<str>),
    /// A row that gets no numbers, with its outcome and an explanation. Its id may have the measurement of another house.
    WithoutResult(Outcome, String),
    /// A total, a footer or a note below the table, which belongs to no customer.
    Skipped,
}

/// Writes a copy of the table, with the results of its rows, to a temporary file.
///
/// # Errors
/// [`Error::CustomerSheet`] if the table cannot be read or written and [`Error::Interrupted`], both with the old file
/// intact, and [`Error::Journal`].
pub fn to_customer_sheet(
    snapshot: &JournalSnapshot,
    options: &ExportOptions,
    sheet: &CustomerSheet<'_>,
    output: &OutputFile,
) -> Result<UnsealedExport, Error> {
    // Only a text file can be read as formulas.
    let formula_escaping = if sheet.table.layout.format.is_text() {
        options.formula_escaping
    } else {
        FormulaEscaping::Off
    };
    let (found, statistics) = SheetResults::read(snapshot, options, sheet, formula_escaping)?;
    let row_counts = found.row_counts(sheet);
    let each = |_: &Columns, row: RowNumber| {
        Some(RowAddition {
            values: found.values(sheet.rows.get(&row)),
            highlights: Vec::new(),
        })
    };
    let appended = COLUMNS.map(|column| appended(&column, &options.zone));
    let plan = RewritePlan {
        appended: &appended,
        earlier: EarlierColumns::Block(&COLUMNS.map(|column| column.header)),
        keeps_surroundings: true,
        fills_short_rows: true,
        adds_mark: formula_escaping == FormulaEscaping::On,
    };
    let mut notes = Vec::new();
    let ready = output.temporary_file(|file| {
        let path = output.path();
        annotate::write_into(sheet.table, &plan, each, RewriteOutput { file, path })
            .map(|rewritten| notes = rewritten.notes)
            .map_err(|error| Error::CustomerSheet(Box::new(error)))
    })?;
    options.unless_stopped()?;
    let summary = ExportSummary {
        row_counts,
        notes,
        ..ExportSummary::new(statistics)
    };
    Ok(UnsealedExport { ready, summary })
}

/// What the journal has for the ids of the table.
struct SheetResults(HashMap<Box<str>, AppendedCells>);

impl SheetResults {
    /// Reads what the journal has for the ids of a table, and the statistics of its measurements alone.
    fn read(
        snapshot: &JournalSnapshot,
        options: &ExportOptions,
        sheet: &CustomerSheet<'_>,
        formula_escaping: FormulaEscaping,
    ) -> Result<(Self, ResultStatistics), Error> {
        let ids = sheet.external_ids();
        let filter = RecordFilter {
            external_ids: Some(Arc::clone(&ids)),
            ..options.filter.clone()
        };
        let results = options.results(snapshot, filter)?;
        let mut known: HashMap<Box<str>, AppendedCells> = HashMap::new();
        let mut statistics = ResultStatistics::with_visitor(&results, &mut |filtered| {
            if filtered.is_selected {
                let record = &filtered.record;
                let id = Box::from(record.external_id.as_str());
                let why_none = why_no_numbers(record);
                let values = values(record, &options.zone, formula_escaping);
                known.insert(id, AppendedCells { values, why_none });
            }
            Ok(())
        })?;
        statistics.all = statistics.selected;
        let others = &mut statistics.other_addresses;
        others.retain(|one| ids.contains(one.external_id.as_str()));
        results.each_rejected(&mut |row| {
            let is_final = matches!(
                row.outcome,
                Outcome::Refused | Outcome::Conflict | Outcome::SameHouse
            );
            if let Some(id) = row.external_id.as_deref().filter(|_| is_final) {
                let without_result = || AppendedCells::without_result(row.outcome, &row.error);
                known.entry(id.into()).or_insert_with(without_result);
            }
            Ok(())
        })?;
        for id in snapshot.unanswered_ids()? {
            let unanswered = || {
                let reason = "pending: sent, no response yet";
                AppendedCells::without("sent, no response yet", reason)
            };
            known.entry(id).or_insert_with(unanswered);
        }
        Ok((Self(known), statistics))
    }

    /// Returns what a row shows; `None` for one that belongs to no customer.
    fn of(&self, row: &CustomerRow) -> Option<Cow<'_, AppendedCells>> {
        Some(match row {
            CustomerRow::Skipped => return None,
            CustomerRow::WithoutResult(outcome, reason) => {
                Cow::Owned(AppendedCells::without_result(*outcome, reason))
            }
            CustomerRow::Identified(id) => match self.0.get(id) {
                Some(known) => Cow::Borrowed(known),
                None => Cow::Owned(AppendedCells::without(NEVER_IMPORTED, NEVER_IMPORTED)),
            },
        })
    }

    /// Returns the numbers of rows without numbers, by reason.
    fn row_counts(&self, sheet: &CustomerSheet<'_>) -> RowCounts {
        let mut row_counts = RowCounts::default();
        for result in sheet.rows.values().filter_map(|row| self.of(row)) {
            row_counts.rows += 1;
            if let Some(reason) = result.why_none {
                *row_counts.without_numbers.entry(reason).or_default() += 1;
            }
        }
        row_counts
    }

    /// Returns the cells of a row.
    fn values(&self, row: Option<&CustomerRow>) -> Vec<AppendedValue> {
        let Some(row) = row else {
            return AppendedCells::without(NEVER_IMPORTED, NEVER_IMPORTED).values;
        };
        // Keep the user's own totals below the results.
        let result = self.of(row);
        result.map_or_else(Vec::new, |result| result.into_owned().values)
    }
}

/// What a row shows.
#[derive(Clone)]
struct AppendedCells {
    values: Vec<AppendedValue>,
    /// Why it has no numbers, in a few words.
    why_none: Option<&'static str>,
}

const NEVER_IMPORTED: &str = "never imported";

impl AppendedCells {
    fn without(why_none: &'static str, reason: &str) -> Self {
        let mut values = vec![AppendedValue::Empty; COLUMNS.len()];
        values[WHY_NO_RESULT.index_in(&COLUMNS)] = AppendedValue::Text(reason.to_owned());
        let why_none = Some(why_none);
        Self { values, why_none }
    }

    fn without_result(outcome: Outcome, reason: &str) -> Self {
        match outcome {
            Outcome::SameHouse => Self::without(outcome.words(), reason),
            _ => Self::without(outcome.words(), &format!("{}: {reason}", outcome.name())),
        }
    }
}

/// Returns in a few words why a measurement has no numbers; `None` if it has.
fn why_no_numbers(record: &ResultRecord) -> Option<&'static str> {
    if record.valid_result().is_some() {
        return None;
    }
    if !record.is_usable() {
        return Some(match record.other_house() {
            Some(_) => "with another address in the service's last response",
            None => "not found by the service",
        });
    }
    Some(match record.measurement.status {
        Status::Pending | Status::InProgress => "waiting at the contractor",
        Status::Complete => "complete, result not yet available",
        Status::Canceled => "canceled",
    })
}

/// The rows of the user's own sheet, with the numbers of those that got none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowCounts {
    /// The number of all rows, without totals and footers.
    pub rows: u64,
    /// The number of rows without numbers, by reason.
    pub without_numbers: BTreeMap<&'static str, u64>,
}

impl CustomerRow {
    /// Returns the id of the row's measurement, if it can have one.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Identified(id) => Some(id),
            Self::WithoutResult(..) | Self::Skipped => None,
        }
    }
}

/// Returns the cells of a row that has a measurement.
fn values(
    record: &ResultRecord,
    zone: &TimeZoneName,
    formula_escaping: FormulaEscaping,
) -> Vec<AppendedValue> {
    let value = |column: &ResultColumn| match column.valid_value(record) {
        ColumnValue::Text(text) => AppendedValue::Text(formula_escaping.field(&text)),
        ColumnValue::Link { url: Some(url), .. } => {
            AppendedValue::Text(formula_escaping.field(url))
        }
        ColumnValue::Moment(moment) => AppendedValue::Moment(zone.to_local(moment)),
        other => other
            .number()
            .map_or(AppendedValue::Empty, AppendedValue::Number),
    };
    COLUMNS.iter().map(value).collect()
}
