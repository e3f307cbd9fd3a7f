//! Stores the problems of a check: those about single rows in a [`ProblemSpool`], those about the whole table as a few
//! numbers per row, whose messages are composed when they are read.

use std::collections::BTreeMap;

use crate::import::check::problem_message::RowProblem;
use crate::import::check::problem_spool::ProblemSpool;
use crate::import::check::problems::CheckProblems;
use crate::import::check::table_problem::{RowGroup, RowGroupCount, TableProblem};
use crate::model::{RowNumber, Severity};
use crate::sheet::CellRange;

/// Number of problems by severity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// Problems that make rows invalid.
    pub errors: u64,
    /// Warnings about rows that are sent.
    pub warnings: u64,
    /// Values that were normalized.
    pub tidied: u64,
}

impl ProblemCounts {
    /// Number of problems of a severity.
    pub fn with_severity(&self, severity: Severity) -> u64 {
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

/// The problems while rows are checked.
#[derive(Debug, Default)]
pub(super) struct ProblemCollector {
    spool: ProblemSpool,
    table_problems: Vec<(RowNumber, TableProblem)>,
    /// By what rows have in common.
    pub(super) counted: BTreeMap<RowGroup, RowGroupCount>,
    pub(super) counts: ProblemCounts,
}

impl ProblemCollector {
    /// Adds a problem about a single row.
    pub(super) fn add(&mut self, row: RowNumber, problem: RowProblem) -> std::io::Result<()> {
        self.counts.add(problem.severity);
        self.spool.push(&(row, problem))
    }

    /// Adds a problem about the whole table, listed with that row.
    pub(super) fn add_table_problem(&mut self, row: RowNumber, table_problem: TableProblem) {
        self.counts.add(table_problem.severity());
        self.table_problems.push((row, table_problem));
    }

    /// Adds a problem for each kind of counted rows.
    pub(super) fn add_counted(&mut self) {
        for (&group, rows) in &self.counted {
            let problem = TableProblem::Counted { group };
            self.counts.add(problem.severity());
            self.table_problems.push((rows.first_rows[0], problem));
        }
    }

    /// Completes the problems, so that they can be read in the file's order.
    pub(super) fn finish(mut self, merges: &[CellRange]) -> CheckProblems {
        self.table_problems.sort_by_key(|(row, _)| *row);
        CheckProblems {
            spool: self.spool,
            table_problems: self.table_problems,
            counted: self.counted,
            merges: merges.to_owned(),
        }
    }
}
