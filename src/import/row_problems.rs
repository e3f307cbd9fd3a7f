//! All problems of the rows of a run, and how the next run recognizes them.

use crate::import::{CheckedFile, RowOutcomes};
use crate::journal::ReportedProblems;
use crate::model::{ContentHash, Field, Outcome, Problem, Severity};
use crate::sheet;

/// Every problem of the rows: the findings of the check in the file's order, and then those of the comparison with
/// earlier requests and of the service's answers. Errors of rows whose corrected versions were accepted are omitted.
///
/// # Errors
/// If the findings of the check cannot be read; each item may have the same error.
pub fn row_problems<'a>(
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
) -> Result<impl Iterator<Item = Result<Problem, sheet::Error>> + 'a, sheet::Error> {
    let found = checked.problems()?;
    let compared = comparison_problems(checked, rows).into_iter().map(Ok);
    let is_listed = move |problem: &Result<Problem, sheet::Error>| !matches!(problem, Ok(problem) if is_corrected(checked, rows, problem));
    Ok(found.chain(compared).filter(is_listed))
}

/// An error for each row that is not sent because of an earlier request, and the warnings about rows that are sent;
/// sorted by row.
pub fn comparison_problems(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (index, _) in rows.rejected() {
        let Some(rejection) = rows.rejection(index) else {
            continue;
        };
        problems.extend(rejection.problems(checked, checked.rows[index].number));
    }
    for warning in rows.warnings() {
        let row = checked.rows[warning.index].number;
        let message = warning.message.clone();
        problems.push(checked.problem_of(row, warning.field, Severity::Warning, message));
    }
    problems.sort_by_key(|problem| problem.row);
    problems
}

/// A warning for each row that was edited after it was submitted, at the first edited field.
pub fn edit_problems<'a>(
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
) -> impl Iterator<Item = Problem> + 'a {
    rows.changed().iter().map(|(&index, edits)| {
        let fields: Vec<Field> = edits.iter().map(|edit| edit.field).collect();
        let message = edited_message(checked, &fields) + KEEPS;
        let row = checked.rows[index].number;
        checked.problem_of(row, fields.first().copied(), Severity::Warning, message)
    })
}

/// What follows from an edit of a submitted row.
pub const KEEPS: &str = "; the service keeps what it has";

/// Says that these fields of a row were edited, by the names that the user has for them.
pub fn edited_message(checked: &CheckedFile, fields: &[Field]) -> String {
    let names: Vec<String> = fields.iter().map(|field| checked.name_of(*field)).collect();
    let names = match names.as_slice() {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    };
    format!("edited after it was submitted{names}")
}

/// Whether a problem is an error of a row whose corrected version was accepted.
pub fn is_corrected(checked: &CheckedFile, rows: &RowOutcomes, problem: &Problem) -> bool {
    problem.severity == Severity::Error
        && index_of(checked, problem).is_some_and(|index| rows.corrected().contains_key(&index))
}

/// The errors and warnings of a run, as the journal stores them.
///
/// # Errors
/// As [`row_problems`].
pub(super) fn reported_problems(
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> Result<ReportedProblems, sheet::Error> {
    let problems = row_problems(checked, rows)?.chain(edit_problems(checked, rows).map(Ok));
    let reported = problems.filter_map(|problem| match problem {
        Ok(problem) if problem.severity == Severity::Tidied => None,
        problem => Some(problem.map(|problem| problem_digest(checked, rows, &problem))),
    });
    reported.collect()
}

/// The outcome of the row of a problem; none for a problem of the headers.
pub fn problem_outcome(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    problem: &Problem,
) -> Option<Outcome> {
    index_of(checked, problem).map(|index| rows.outcome(index))
}

/// A digest that is equal in every run that finds the same problem in the same row. A row is recognized by its external
/// id or, if it has none that can be used, by its number.
pub fn problem_digest(checked: &CheckedFile, rows: &RowOutcomes, problem: &Problem) -> ContentHash {
    let index = index_of(checked, problem);
    let id = index.and_then(|index| checked.rows[index].external_id());
    let number = problem.row.to_string();
    let number = id.is_none().then_some(number.as_str());
    // The message about a house that was requested before changes with the state of its measurement.
    let message = match index.and_then(|index| rows.held().get(&index)) {
        Some(earlier) if problem.severity == Severity::Error => &earlier.external_id,
        _ => &problem.message,
    };
    let severity = problem.severity.name();
    ContentHash::from_fields([id, number, Some(severity), Some(message)])
}

fn index_of(checked: &CheckedFile, problem: &Problem) -> Option<usize> {
    let rows = &checked.rows;
    rows.binary_search_by_key(&problem.row, |row| row.number)
        .ok()
}
