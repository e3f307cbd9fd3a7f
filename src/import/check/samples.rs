//! Samples for the user to look at before anything is sent: values of each column, and addresses split into their parts.

use crate::import::check::check_threads::TableChecker;
use crate::import::check::trailing::{TrailingRow, classify_trailing_row};
use crate::import::{AddressSample, MappedColumn};
use crate::model::{Field, excerpt};
use crate::sheet::Row;
use crate::table::{Columns, NameFrom};

/// Number of samples per column.
const MAX_SAMPLES: usize = 3;
/// Number of rows that are searched for samples.
const MAX_SAMPLED_ROWS: usize = 1000;

/// Sample values of the columns that are used.
#[derive(Debug)]
pub(super) struct ColumnSamples {
    columns: Vec<(Field, usize, Vec<String>)>,
    rows: usize,
}

impl ColumnSamples {
    pub(super) fn new(columns: &Columns) -> Self {
        Self {
            columns: columns
                .mapped()
                .map(|(field, column)| (field, column.index, Vec::new()))
                .collect(),
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
        for (_, column, samples) in &mut self.columns {
            let text = row.cell(*column).text.trim();
            if samples.len() < MAX_SAMPLES
                && !text.is_empty()
                && !samples.iter().any(|sample| sample == text)
            {
                samples.push(text.to_owned());
            }
        }
    }

    pub(super) fn into_mapping(self, columns: &Columns) -> Vec<MappedColumn> {
        self.columns
            .into_iter()
            .map(|(field, column, samples)| MappedColumn {
                only_where: only_where(columns, field),
                field,
                header: columns.headers()[column].clone(),
                name: columns.name_of(column),
                samples,
            })
            .collect()
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
