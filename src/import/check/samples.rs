//! Samples for the user to look at before anything is sent: cells of each column in the same rows, and addresses split
//! into their parts.

use crate::import::check::check_threads::TableChecker;
use crate::import::check::trailing::{TrailingRow, classify_trailing_row};
use crate::import::{AddressSample, MappedColumn};
use crate::model::{Field, RowNumber, excerpt};
use crate::sheet::Row;
use crate::table::{Column, Columns, NameFrom};

/// Number of rows that are shown.
const MAX_SAMPLES: usize = 3;
/// Number of rows that are searched for samples.
const MAX_SAMPLED_ROWS: usize = 1000;

/// The cells of the first rows in the columns that are used.
#[derive(Debug)]
pub(super) struct ColumnSamples {
    columns: Vec<SampledColumn>,
    /// The rows that are shown.
    pub(super) shown: Vec<RowNumber>,
    rows: usize,
}

#[derive(Debug)]
struct SampledColumn {
    field: Field,
    column: usize,
    /// Its cells in the rows that are shown.
    cells: Vec<String>,
    /// The first row in which it is not empty, and its cell there.
    first: Option<(RowNumber, String)>,
}

impl ColumnSamples {
    pub(super) fn new(columns: &Columns) -> Self {
        let column = |(field, column): (Field, Column<'_>)| SampledColumn {
            field,
            column: column.index,
            cells: Vec::new(),
            first: None,
        };
        Self {
            columns: columns.mapped().map(column).collect(),
            shown: Vec::new(),
            rows: 0,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.rows >= MAX_SAMPLED_ROWS
    }

    pub(super) fn add(&mut self, row: &Row<'_>, columns: &Columns) {
        // Totals and footers are not samples of the columns.
        let is_total = || {
            matches!(
                classify_trailing_row(row, columns),
                Some(TrailingRow::Total(_))
            )
        };
        if self.is_full() || !columns.has_address(row) || is_total() {
            return;
        }
        self.rows += 1;
        let is_shown = self.shown.len() < MAX_SAMPLES;
        if is_shown {
            self.shown.push(row.number);
        }
        for column in &mut self.columns {
            let text = row.cell(column.column).text.trim();
            if !text.is_empty() && column.first.is_none() {
                column.first = Some((row.number, text.to_owned()));
            }
            if is_shown {
                column.cells.push(text.to_owned());
            }
        }
    }

    pub(super) fn into_mapping(self, columns: &Columns) -> Vec<MappedColumn> {
        let columns = self.columns.into_iter().map(|sampled| MappedColumn {
            only_where: only_where(columns, sampled.field),
            field: sampled.field,
            header: columns.headers()[sampled.column].clone(),
            name: columns.name_of(sampled.column),
            samples: sampled.cells,
            first: sampled.first,
        });
        columns.collect()
    }
}

/// In which rows a name is used, if another one goes before it.
fn only_where(columns: &Columns, field: Field) -> Option<String> {
    match (columns.name_from, field) {
        (NameFrom::Parts, Field::Name) => Some("first and last name are empty".to_owned()),
        (NameFrom::Mapped, Field::FirstName | Field::LastName) => {
            let name = columns.supplying(Field::Name)?;
            Some(format!("`{}` is empty", excerpt(&columns.name_of(name))))
        }
        _ => None,
    }
}

/// The first rows whose whole addresses could be split, or whose streets or units were joined.
#[derive(Debug)]
pub(super) struct AddressSamples<'a> {
    checker: TableChecker<'a>,
    found: &'a mut Vec<AddressSample>,
    rows: usize,
}

impl<'a> AddressSamples<'a> {
    /// Number of rows that are shown.
    const MAX_SHOWN_ROWS: usize = 4;

    pub(super) fn new(checker: &TableChecker<'a>, found: &'a mut Vec<AddressSample>) -> Self {
        Self {
            checker: checker.clone(),
            found,
            rows: 0,
        }
    }

    pub(super) fn is_full(&self) -> bool {
        let columns = self.checker.columns;
        let is_absent = |field| columns.indexes_of(field).is_empty();
        let mut kinds = columns.units().filter_map(|(_, kind)| kind);
        let are_units_as_written =
            columns.indexes_of(Field::Line2).len() < 2 && kinds.all(|kind| !kind.is_worded);
        (is_absent(Field::Address) && is_absent(Field::HouseNumber) && are_units_as_written)
            || self.found.len() >= Self::MAX_SHOWN_ROWS
            || self.rows >= MAX_SAMPLED_ROWS
    }

    pub(super) fn add(&mut self, row: Row<'_>) {
        if self.is_full() {
            return;
        }
        self.rows += 1;
        let number = row.number;
        let address = self.checker.begin_check(row).draft().into_request().address;
        if !address.line1.is_empty() {
            self.found.push(AddressSample {
                row: number,
                address,
            });
        }
    }
}
