//! All problems of the rows of a run, and how the next run recognizes them.

use crate::import::{CheckedFile, RowEdit, RowOutcomes, RowWarning};
use crate::journal::ReportedProblems;
use crate::model::{ContentHash, Outcome, Problem, RowNumber, Severity};
use crate::sheet;

/// Every problem of the rows: the problems of the check in the file's order, and then those of the comparison with
/// earlier requests and of the service's answers. Errors of rows whose corrected versions were accepted are omitted.
///
/// # Errors
/// If the problems of the check cannot be read; each item may have the same error.
pub fn row_problems<'a>(
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
) -> Result<impl Iterator<Item = Result<Problem, sheet::Error>> + 'a, sheet::Error> {
    let problems = checked.problems()?;
    let compared = comparison_problems(checked, rows).map(Ok);
    let is_listed = move |problem: &Result<Problem, sheet::Error>| !matches!(problem, Ok(problem) if is_corrected(checked, rows, problem));
    Ok(problems.chain(compared).filter(is_listed))
}

/// What the comparison with earlier requests found, sorted by row: an error for each row that is not sent, the warnings
/// about rows that are sent, and a warning for each row that was edited after it was submitted, at its first edited
/// field.
pub fn comparison_problems<'a>(
    checked: &'a CheckedFile,
    rows: &'a RowOutcomes,
) -> impl Iterator<Item = Problem> + 'a {
    let mut warnings: Vec<&RowWarning> = rows.warnings().iter().collect();
    warnings.sort_by_key(|warning| warning.index);
    let mut warnings = warnings.into_iter().peekable();
    (0..checked.rows.len()).flat_map(move |index| {
        let row = checked.rows[index].number;
        let warned = |field, message| checked.problem_of(row, field, Severity::Warning, message);
        let mut problems = match rows.outcome(index) {
            outcome if Outcome::REJECTED.contains(&outcome) => rejection(checked, rows, index),
            _ => Vec::new(),
        };
        while let Some(warning) = warnings.next_if(|warning| warning.index == index) {
            problems.push(warned(warning.field, warning.message.clone()));
        }
        let edit = rows.edited().get(&index);
        problems.extend(edit.map(|edit| edit_problem(checked, index, edit)));
        problems
    })
}

/// Why a row was rejected, as errors; empty for an invalid row, whose problems are in the check.
pub(super) fn rejection(checked: &CheckedFile, rows: &RowOutcomes, index: usize) -> Vec<Problem> {
    let (row, kind) = (checked.rows[index].number, rows.outcome(index).name());
    let error = |(field, message)| Problem {
        kind: kind.into(),
        ..checked.problem_of(row, field, Severity::Error, message)
    };
    let reason = rows.rejection(index).unwrap_or_default();
    reason.messages().into_iter().map(error).collect()
}

fn edit_problem(checked: &CheckedFile, index: usize, edit: &RowEdit) -> Problem {
    let row = checked.rows[index].number;
    let field = edit.fields.first().copied();
    checked.problem_of(row, field, Severity::Warning, edit_message(checked, edit))
}

/// Names the edited fields of a row as the user does, and both addresses if street or unit differ by more than their
/// spelling.
pub fn edit_message(checked: &CheckedFile, edit: &RowEdit) -> String {
    let names = edit
        .fields
        .iter()
        .map(|field| checked.field_names.name_of(*field));
    let names: Vec<String> = names.collect();
    let fields = match names.as_slice() {
        [] => String::new(),
        names => format!(" ({})", names.join(", ")),
    };
    let addresses = edit.addresses.as_ref();
    let addresses = addresses.map_or_else(String::new, |[was, now]| {
        if edit.is_other_house {
            format!(
                "; it was submitted for {was}; {now} is not requested: if that is another house, give the row a new id, otherwise put the submitted address back"
            )
        } else {
            format!("; it was submitted for {was}, and is {now} now: tell the contractor")
        }
    });
    format!("edited after it was submitted{fields}{addresses}; the service keeps what it has")
}

/// Whether a row has another street or unit than what was requested under its id, and the run before did not report it.
pub fn has_address_edit(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    before: &ReportedProblems,
) -> bool {
    let mut edited = rows.edited().iter();
    edited.any(|(&index, edit)| {
        let problem = || edit_problem(checked, index, edit);
        edit.addresses.is_some() && !before.contains(problem_digest(checked, rows, &problem()))
    })
}

/// Whether a problem is an error of a row whose corrected version was accepted or skipped.
pub fn is_corrected(checked: &CheckedFile, rows: &RowOutcomes, problem: &Problem) -> bool {
    problem.severity == Severity::Error
        && row_index(checked, problem.row).is_some_and(|index| rows.is_corrected_or_skipped(index))
}

/// The errors and warnings of a run, as the journal stores them.
///
/// # Errors
/// As [`row_problems`].
pub(super) fn reported_problems(
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> Result<ReportedProblems, sheet::Error> {
    let reported = row_problems(checked, rows)?.filter_map(|problem| match problem {
        Ok(problem) if problem.severity == Severity::Tidied => None,
        problem => Some(problem.map(|problem| problem_digest(checked, rows, &problem))),
    });
    reported.collect()
}

/// The outcome of the row of a problem; `None` for a problem of the headers.
pub fn problem_outcome(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    problem: &Problem,
) -> Option<Outcome> {
    row_index(checked, problem.row).map(|index| rows.outcome(index))
}

/// A digest that is equal in every run that finds the same problem in the same row. A row is recognized by its external
/// id or, if it has none that can be used, by its number.
pub fn problem_digest(checked: &CheckedFile, rows: &RowOutcomes, problem: &Problem) -> ContentHash {
    let index = row_index(checked, problem.row);
    let id = index.and_then(|index| checked.rows[index].external_id());
    let number = problem.row.to_string();
    let number = id.is_none().then_some(number.as_str());
    // The message about a house that was requested before changes with the state of its measurement.
    let message = match index.and_then(|index| rows.same_house_rows().get(&index)) {
        Some(earlier) if problem.severity == Severity::Error => &earlier.external_id,
        _ => &problem.message,
    };
    let severity = problem.severity.name();
    ContentHash::from_fields([id, number, Some(severity), Some(message)])
}

/// The index of the row of this number; `None` if there is no such row.
pub fn row_index(checked: &CheckedFile, row: RowNumber) -> Option<usize> {
    let rows = &checked.rows;
    rows.binary_search_by_key(&row, |row| row.number).ok()
}
