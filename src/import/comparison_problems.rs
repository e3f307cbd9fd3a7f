//! The results of the comparison with earlier requests, as problems of rows.

use crate::import::{CheckedFile, RowOutcomes};
use crate::model::{Problem, Severity};

/// An error for each row that is not sent because of an earlier request, and the warnings about rows that are sent;
/// sorted by row.
pub fn comparison_problems(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, _) in rows.rejected() {
        let Some(rejection) = rows.rejection(index) else {
            continue;
        };
        let row = checked.rows[index].number;
        for (field, message) in &rejection.messages {
            problems.push(checked.problem_of(row, *field, Severity::Error, message.clone()));
        }
    }
    for warning in rows.warnings() {
        let row = checked.rows[warning.index].number;
        let message = warning.message.clone();
        problems.push(checked.problem_of(row, warning.field, Severity::Warning, message));
    }
    problems.sort_by_key(|problem| problem.row);
    problems
}
