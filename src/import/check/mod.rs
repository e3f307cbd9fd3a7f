//! Checks the rows of a file: which may be sent, and what is wrong with the others.
//!
//! A bad row never stops the check. Rows are not kept in memory, only their ids and hashes.

#[macro_use]
mod problem_message;

mod address;
mod cells;
mod check_threads;
mod closed_rows;
mod contact;
mod country;
mod customer;
mod draft;
mod external;
mod identity;
mod ids;
pub(super) mod numbers;
mod place_in_cell;
mod postal_code;
mod problem_collector;
mod problem_spool;
mod problems;
mod requests;
mod rereader;
mod row;
mod row_check;
mod row_collector;
mod samples;
mod shape;
mod street;
mod street_remarks;
mod table_problem;
mod text_normalization;
mod trailing;
mod unit;
mod whole_address;

use hashbrown::DefaultHashBuilder;

use crate::import::check::check_threads::{CheckThreadPool, TableChecker};
use crate::import::check::row_collector::RowCollector;
use crate::import::check::samples::{AddressSamples, ColumnSamples};
use crate::import::{AddressSample, CheckedFile, ImportInput, MappedColumn};
use crate::model::{FieldNames, RowNumber, excerpt};
use crate::sheet::{self, SheetError};
use crate::table::{self, Table, TableError};

pub use country::CountryCounts;
pub use customer::NAME_LIMIT;
pub use external::{ID_LIMIT, LABEL_LIMIT};
pub use problem_collector::ProblemCounts;
pub use problems::{CheckProblems, Problems};
pub use requests::RequestReader;
pub(in crate::import) use rereader::RowRereader;
pub use row::{LINE1_LIMIT, NOTES_LIMIT};

/// The progress of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CheckProgress {
    /// Rows read.
    pub rows: u64,
    /// Bytes of the file that were read; 0 if that is unknown.
    pub bytes: u64,
    /// Bytes of the whole file.
    pub of_bytes: u64,
}

/// Reads the whole file once and checks every row.
///
/// # Errors
/// Only if the file cannot be used at all; a bad row is a problem in the result.
pub fn check(
    input: &ImportInput,
    mut progress: impl FnMut(CheckProgress),
) -> Result<CheckedFile, table::Error> {
    let mut table = table::open(&input.file, &input.options)?;
    let columns = table.columns().clone();
    let layout = table.layout().clone();
    let mut samples = ColumnSamples::new(&columns);
    let mut address_samples = Vec::new();
    let hasher = DefaultHashBuilder::default();
    let mut collector = RowCollector::new(&input.rules, hasher.clone());
    let of_bytes = table.fingerprint().length();
    std::thread::scope(|scope| {
        let checker = TableChecker::new(&columns, &input.rules, &layout, &hasher);
        let mut addresses = AddressSamples::new(&checker, &mut address_samples);
        let mut threads = CheckThreadPool::start(scope, &checker);
        while let Some(batch) = table.next_batch()? {
            if !samples.is_full() {
                batch.rows().for_each(|row| samples.add(&row, &columns));
            }
            if !addresses.is_full() {
                batch.rows().for_each(|row| addresses.add(row));
            }
            threads.submit(batch);
            while threads.is_full() {
                take(&mut threads, &mut collector, &table)?;
            }
            progress(CheckProgress {
                rows: collector.rows.len() as u64,
                bytes: table.bytes_read(),
                of_bytes,
            });
        }
        while take(&mut threads, &mut collector, &table)? {}
        Ok::<(), table::Error>(())
    })?;
    Ok(finish(&table, collector, samples, address_samples)?)
}

/// Adds the next checked batch; false if there is none.
fn take(
    threads: &mut CheckThreadPool,
    collector: &mut RowCollector,
    table: &Table,
) -> Result<bool, table::Error> {
    let Some((batch, checked)) = threads.take() else {
        return Ok(false);
    };
    table.recycle(batch);
    collector
        .add_batch(checked)
        .map_err(|error| not_kept(table, error))?;
    if let Some(cause) = collector.other_encoding.take() {
        return Err(cause.in_file(&table.layout().file).into());
    }
    // A second header row directly below the first (technical and readable names) belongs to the same table.
    let header_row = table.layout().header_row;
    match (header_row, collector.other_table) {
        (Some(first), Some(second)) if second.0 > first.0 + 1 => Err(table::Error {
            file: table.layout().file.clone(),
            cause: TableError::SeveralTables {
                rows: (first, second),
            },
        }),
        _ => Ok(true),
    }
}

fn not_kept(table: &Table, error: std::io::Error) -> sheet::Error {
    SheetError::ProblemStore(error).in_file(&table.layout().file)
}

fn finish(
    table: &Table,
    mut collector: RowCollector,
    samples: ColumnSamples,
    address_samples: Vec<AddressSample>,
) -> Result<CheckedFile, sheet::Error> {
    let columns = table.columns();
    let houses = collector
        .end(table)
        .map_err(|error| not_kept(table, error))?;
    let counts = collector.problems.counts;
    let skipped_rows: usize = collector.skipped.iter().map(|group| group.rows.len()).sum();
    let stored_problems = collector.problems.finish(table.merges());
    let sampled_rows = samples.shown.clone();
    let mapping = samples.into_mapping(columns);
    Ok(CheckedFile {
        field_names: field_names(&mapping, table.layout().header_row),
        source: table.source().clone(),
        layout: table.layout().clone(),
        columns: columns.clone(),
        saved_formulas: table.saved_formulas(),
        hidden_read: collector.hidden,
        hidden_left_out: table.hidden_left_out(),
        mapping,
        sampled_rows,
        address_samples,
        unused: columns.unused().map(str::to_owned).collect(),
        unused_names: columns.unused_names().collect(),
        rows: collector.rows,
        derived_ids: collector.derived_ids,
        blank_skipped: table.blank_skipped() + skipped_rows as u64,
        skipped: collector.skipped,
        notes: collector.notes,
        houses,
        decisions: collector.decisions,
        stored_problems,
        counts,
        countries: collector.countries,
        fingerprint: table.fingerprint(),
    })
}

/// The user's name for each field that a column feeds: the header, cut to a readable length.
fn field_names(mapping: &[MappedColumn], header_row: Option<RowNumber>) -> FieldNames {
    let mut names = FieldNames::default();
    // Of several columns of one field, the first is read first.
    for column in mapping.iter().rev() {
        let name = match header_row {
            Some(_) => excerpt(&column.name).into_owned(),
            None => format!("column {}", column.header),
        };
        names.insert(column.field, name);
    }
    names
}
