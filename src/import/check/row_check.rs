//! The check of a single row: the row, the rules, and the problems so far.

use std::borrow::Cow;

use crate::import::CheckRules;
use crate::import::check::problem_message::{ProblemMessage, RowProblem};
use crate::model::{Field, Severity, excerpt, printable};
use crate::sheet::{FileFormat, Row};
use crate::table::Columns;

/// The check of a single row.
pub(super) struct RowCheck<'a> {
    pub(super) row: Row<'a>,
    pub(super) columns: &'a Columns,
    pub(super) rules: &'a CheckRules,
    pub(super) format: FileFormat,
    /// Whether text was decoded with the fallback encoding.
    pub(super) is_fallback: bool,
    /// The first text of another encoding, with its column: the file is decoded wrongly.
    pub(super) other_encoding: Option<(usize, String)>,
    pub(super) problems: Vec<RowProblem>,
}

/// A value with the column that it came from.
#[derive(Clone, Debug)]
pub(super) struct CellValue<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) column: usize,
    /// Whether the cell is a number, which has no leading zeros.
    pub(super) is_number: bool,
}

impl<'a> RowCheck<'a> {
    pub(super) fn new(
        row: Row<'a>,
        columns: &'a Columns,
        rules: &'a CheckRules,
        format: FileFormat,
    ) -> Self {
        Self {
            row,
            columns,
            rules,
            format,
            is_fallback: false,
            other_encoding: None,
            problems: Vec::new(),
        }
    }

    pub(super) fn is_invalid(&self) -> bool {
        self.problems
            .iter()
            .any(|problem| problem.severity == Severity::Error)
    }

    pub(super) fn tidied(
        &mut self,
        field: Field,
        column: usize,
        before: &str,
        after: &str,
        why: &str,
    ) {
        let (before, after) = (excerpt(before), excerpt(after));
        let message = if printable(&before) == after {
            // The difference is not in the quoted part, or not visible.
            let why = if why.is_empty() {
                " (spaces were removed)"
            } else {
                why
            };
            message!("`{after}`{why}")
        } else {
            message!("`{before}` → `{after}`{why}")
        };
        self.add(Severity::Tidied, Some(field), Some(column), message);
    }

    pub(super) fn error(&mut self, field: Field, column: Option<usize>, message: ProblemMessage) {
        self.add(Severity::Error, Some(field), column, message);
    }

    pub(super) fn warn(&mut self, field: Field, column: usize, message: ProblemMessage) {
        self.add(Severity::Warning, Some(field), Some(column), message);
    }

    pub(super) fn add(
        &mut self,
        severity: Severity,
        field: Option<Field>,
        column: Option<usize>,
        message: ProblemMessage,
    ) {
        self.problems.push(RowProblem {
            severity,
            field,
            column,
            message,
        });
    }

    pub(super) fn has_error_in(&self, fields: &[Field]) -> bool {
        self.problems.iter().any(|problem| {
            problem.severity == Severity::Error
                && problem.field.is_some_and(|field| fields.contains(&field))
        })
    }

    pub(super) fn first_column(&self, fields: &[Field]) -> Option<usize> {
        fields
            .iter()
            .find_map(|field| self.columns.supplying(*field))
    }
}
