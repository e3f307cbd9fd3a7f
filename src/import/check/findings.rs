//! What was found in the rows, kept outside of memory: the findings of each row as it is judged go to a [`FindingSpool`], and
//! what only the whole table shows is kept as a few numbers a row, put into words when it is read.

use std::sync::Arc;

use crate::import::check::finding::Finding;
use crate::import::check::late_finding::LateFinding;
use crate::import::check::spool::{FindingSpool, SpooledFinding};
use crate::model::{RowNumber, Severity};
use crate::sheet::MergedRange;
use crate::table::Columns;

/// How many findings there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProblemCounts {
    /// Findings that make rows invalid.
    pub errors: u64,
    /// Findings that a person should look at.
    pub warnings: u64,
    /// Values that were mended.
    pub tidied: u64,
}

impl ProblemCounts {
    /// How many findings of a severity there are.
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

/// Findings as they come.
#[derive(Debug, Default)]
pub(super) struct Findings {
    spool: FindingSpool,
    late: Vec<(RowNumber, LateFinding)>,
    pub(super) counts: ProblemCounts,
}

impl Findings {
    /// Adds a finding about the row that is being judged.
    pub(super) fn add(&mut self, row: RowNumber, finding: Finding) -> std::io::Result<()> {
        self.counts.add(finding.severity);
        self.spool.push(&SpooledFinding { row, finding })
    }

    /// Adds a finding about any row.
    pub(super) fn add_late(&mut self, row: RowNumber, late: LateFinding) {
        self.counts.add(late.severity());
        self.late.push((row, late));
    }

    /// All findings, to be read in the file's order.
    pub(super) fn finish(
        mut self,
        columns: &Columns,
        merges: &[MergedRange],
    ) -> std::io::Result<CheckFindings> {
        self.late.sort_by_key(|(row, _)| *row);
        self.spool.flush()?;
        Ok(CheckFindings(Arc::new(RowFacts {
            spool: self.spool,
            late: self.late,
            columns: columns.clone(),
            merges: merges.to_owned(),
        })))
    }
}

/// Everything that was found, which [`crate::import::CheckedFile::problems`] puts into words.
#[derive(Clone, Debug)]
pub struct CheckFindings(pub(super) Arc<RowFacts>);

#[derive(Debug)]
pub(super) struct RowFacts {
    pub(super) spool: FindingSpool,
    /// By row.
    pub(super) late: Vec<(RowNumber, LateFinding)>,
    pub(super) columns: Columns,
    pub(super) merges: Vec<MergedRange>,
}
