//! The list `problems` in the documents of `check` and `import`.

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::import::{self, CheckedFile, ImportSummary, RowOutcomes};
use crate::journal::ReportedProblems;
use crate::model::{Field, Outcome, Problem, Severity};
use crate::sheet;

/// The problems of the rows.
#[derive(Clone, Copy, Debug)]
pub(super) struct ProblemList<'a> {
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
    /// In an import, the problems that the previous run reported.
    reported_before: Option<&'a ReportedProblems>,
}

#[derive(Debug, Serialize)]
struct ProblemReport {
    row: u32,
    cell: Option<String>,
    column: Option<String>,
    field: Option<&'static str>,
    severity: &'static str,
    /// Only in an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<OutcomeName>,
    message: String,
    /// Whether the previous run did not report it; only in an import.
    #[serde(skip_serializing_if = "Option::is_none")]
    new: Option<bool>,
}

/// The outcome of a row; null for the headers.
#[derive(Debug, Serialize)]
struct OutcomeName(Option<&'static str>);

impl<'a> ProblemList<'a> {
    /// All problems, also values that were normalized.
    pub(super) fn from_check(checked: &'a CheckedFile, rows: &'a RowOutcomes) -> Self {
        Self {
            checked,
            rows,
            reported_before: None,
        }
    }

    /// The errors and warnings, with the outcomes of their rows.
    pub(super) fn from_import<E>(checked: &'a CheckedFile, summary: &'a ImportSummary<E>) -> Self {
        Self {
            checked,
            rows: &summary.rows,
            reported_before: Some(&summary.reported_before),
        }
    }

    /// The outcomes of the rows.
    pub(super) fn rows(&self) -> &'a RowOutcomes {
        self.rows
    }

    fn includes(&self, problem: &Problem) -> bool {
        self.reported_before.is_none() || problem.severity != Severity::Tidied
    }

    /// Whether the previous import did not report one of the problems.
    ///
    /// # Errors
    /// If the problems of the check cannot be read.
    pub(super) fn has_news(&self) -> Result<bool, sheet::Error> {
        for problem in import::row_problems(self.checked, self.rows)? {
            let problem = problem?;
            if self.includes(&problem) && self.report(problem).new == Some(true) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn report(&self, problem: Problem) -> ProblemReport {
        let (checked, rows) = (self.checked, self.rows);
        let is_new = |before: &ReportedProblems| {
            !before.contains(import::problem_digest(checked, rows, &problem))
        };
        let new = self.reported_before.map(is_new);
        let outcome = || {
            let outcome = import::problem_outcome(checked, rows, &problem);
            OutcomeName(outcome.map(Outcome::name))
        };
        ProblemReport {
            row: problem.row.0,
            outcome: new.map(|_| outcome()),
            cell: problem.cell,
            column: problem.column,
            field: problem.field.map(Field::name),
            severity: problem.severity.name(),
            message: problem.message,
            new,
        }
    }
}

impl Serialize for ProblemList<'_> {
    /// Serializes the problems one by one, because there may be millions.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut problems = serializer.serialize_seq(None)?;
        for problem in import::row_problems(self.checked, self.rows).map_err(S::Error::custom)? {
            let problem = problem.map_err(S::Error::custom)?;
            if self.includes(&problem) {
                problems.serialize_element(&self.report(problem))?;
            }
        }
        problems.end()
    }
}
