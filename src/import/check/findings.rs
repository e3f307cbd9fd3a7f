//! Stores the findings of a check: those about single rows in a [`FindingSpool`], those about the whole table as a few
//! numbers per row, whose messages are composed when they are read.

use serde::{Deserialize, Serialize};

use crate::import::check::spool::FindingSpool;
use crate::import::check::table_finding::TableFinding;
use crate::model::{Field, RowNumber, Severity};
use crate::sheet::CellRange;
use crate::table::Columns;

/// A finding about a row; [`crate::model::Problem`] adds the cell and the header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Finding {
    pub(super) severity: Severity,
    pub(super) field: Option<Field>,
    pub(super) column: Option<usize>,
    pub(super) message: String,
}

/// Number of findings by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// Findings that make rows invalid.
    pub errors: u64,
    /// Warnings about rows that are sent.
    pub warnings: u64,
    /// Values that were normalized.
    pub tidied: u64,
}

impl ProblemCounts {
    /// Number of findings of a severity.
    pub fn of(&self, severity: Severity) -> u64 {
        match severity {
            Severity::Error => self.errors,
            Severity::Warning => self.warnings,
            Severity::Tidied => self.tidied,
        }
    }

    fn add(&mut self, severity: Severity) {
        let count = match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Tidied => &mut self.tidied,
        };
        *count += 1;
    }
}

/// The findings while rows are checked.
#[derive(Debug, Default)]
pub(super) struct FindingCollector {
    spool: FindingSpool,
    table_findings: Vec<(RowNumber, TableFinding)>,
    pub(super) counts: ProblemCounts,
}

impl FindingCollector {
    /// Adds a finding about a single row.
    pub(super) fn add(&mut self, row: RowNumber, finding: Finding) -> std::io::Result<()> {
        self.counts.add(finding.severity);
        self.spool.push(&(row, finding))
    }

    /// Adds a finding about the whole table, listed with that row.
    pub(super) fn add_table_finding(&mut self, row: RowNumber, table_finding: TableFinding) {
        self.counts.add(table_finding.severity());
        self.table_findings.push((row, table_finding));
    }

    /// Completes the findings, so that they can be read in the file's order.
    pub(super) fn finish(mut self, columns: &Columns, merges: &[CellRange]) -> CheckFindings {
        self.table_findings.sort_by_key(|(row, _)| *row);
        CheckFindings {
            spool: self.spool,
            table_findings: self.table_findings,
            columns: columns.clone(),
            merges: merges.to_owned(),
        }
    }
}

/// All findings of a check, read by [`crate::import::CheckedFile::problems`].
#[derive(Debug)]
pub struct CheckFindings {
    pub(super) spool: FindingSpool,
    /// Sorted by row.
    pub(super) table_findings: Vec<(RowNumber, TableFinding)>,
    pub(super) columns: Columns,
    pub(super) merges: Vec<CellRange>,
}
