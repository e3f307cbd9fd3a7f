//! What was found in the rows: every error, and as many warnings and mended values as a person would ever read.

use crate::model::{Field, Problem, RowNumber, Severity};
use crate::table::{Columns, cell_address};

/// Warnings, and mended values, that are kept one by one; all are counted.
pub(super) const KEPT: usize = 20_000;

/// How many findings there are, kept or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Findings that make rows invalid.
    pub errors: u64,
    /// Findings that a person should look at.
    pub warnings: u64,
    /// Values that were mended.
    pub tidied: u64,
}

impl Counts {
    /// How many findings of a severity there are.
    pub fn of(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Tidied => self.tidied,
        }
    }

    fn add(&mut self, severity: Severity) -> u64 {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Tidied => &mut self.tidied,
        };
        *count += 1;
        *count
    }
}

/// One finding about a row, before it gets its cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) field: Option<Field>,
    pub(super) column: Option<usize>,
    pub(super) message: String,
}

/// Everything that was found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    pub(super) problems: Vec<Problem>,
    pub(super) counts: Counts,
}

impl Findings {
    pub(super) fn add(&mut self, row: RowNumber, columns: &Columns, finding: Finding) {
        let count = self.counts.add(finding.severity);
        if finding.severity != Severity::Error && count > KEPT as u64 {
            return;
        }
        let column = finding
            .column
            .and_then(|column| columns.headers().get(column));
        self.problems.push(Problem {
            row,
            cell: finding.column.map(|column| cell_address(column, row)),
            column: column.cloned(),
            field: finding.field,
            severity: finding.severity,
            message: finding.message,
        });
    }

    /// The findings in the file's order.
    pub(super) fn into_sorted(mut self) -> (Vec<Problem>, Counts) {
        self.problems
            .sort_by_key(|problem| (problem.row, problem.severity));
        (self.problems, self.counts)
    }
}
