//! The plan and the summary of an import as text.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::import::planned_time::PlannedTime;
use crate::cli::problem_lines::{ProblemLine, ProblemLines};
use crate::cli::row_hints::conflict_cause;
use crate::import::{
    CheckedFile, ImportInput, RowOutcomes, SubmissionPlan, comparison_problems, problem_outcome,
    row_index,
};
use crate::model::{
    Field, Outcome, Problem, Request, Severity, TableSource, group_digits, nonzero_counts,
    pluralize, printable,
};
use crate::sheet;

/// Maximum number of lines with warnings about rows before the question.
const FIRST: usize = 5;

/// Maximum number of lines in any other list.
const LISTED: usize = 20;

/// What a run will do: rows, requests, and when it ends, by itself or at the latest.
pub(super) fn plan(
    source: &TableSource,
    plan: &SubmissionPlan,
    time: &PlannedTime,
    now: Timestamp,
) -> String {
    let schedule = &time.schedule;
    let repeated = plan.unanswered.len() as u64;
    let rows = plan.send.len() as u64 - repeated;
    let mut text = format!(
        "{}: {} to submit",
        source.file_name(),
        pluralize(rows, "row")
    );
    let outcomes = plan.rows.outcomes();
    // They add up to the rows of the file.
    let others = outcomes.iter().map(|(outcome, count)| match outcome {
        Outcome::Pending => (count - rows, "left for later"),
        outcome => (count, outcome.words()),
    });
    let others = nonzero_counts(others, ", ");
    if !others.is_empty() {
        let _ = write!(text, ", {others}");
    }
    if rows < outcomes.total() {
        let _ = write!(text, ", of {}", group_digits(outcomes.total()));
    }
    if repeated > 0 {
        let again = pluralize(repeated, "earlier request");
        let _ = write!(text, "; {again} sent again");
    }
    if schedule.requests == 0 {
        return text;
    }
    let _ = write!(text, "; {}", pluralize(schedule.requests, "request"));
    text + &time.text(now)
}

/// The warnings that are shown before anything is sent.
pub(super) struct FirstWarnings {
    /// Those about which houses are requested.
    pub(super) about_houses: Vec<String>,
    /// The first of those about rows to submit, whose addresses cannot be corrected afterwards.
    pub(super) about_rows: Vec<String>,
}

/// Finds the warnings that are shown before anything is sent.
///
/// # Errors
/// If the problems of the check cannot be read.
pub(super) fn first_warnings(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> Result<FirstWarnings, sheet::Error> {
    let is_of_address = |problem: &Problem| {
        let is_part = |field: Field| field == Field::Address || field.is_address_part();
        problem.cell.is_some() && problem.field.is_some_and(is_part)
    };
    let is_submitted = |problem: &Problem| {
        let outcome = problem_outcome(checked, rows, problem);
        problem.severity == Severity::Warning && outcome == Some(Outcome::Pending)
    };
    let mut about_rows = ProblemLines::new(Some(FIRST));
    about_rows.extend(comparison_problems(checked, rows).filter(is_submitted));
    if checked.counts.with_severity(Severity::Warning) > 0 {
        for problem in checked.problems()? {
            let problem = problem?;
            if is_of_address(&problem) && is_submitted(&problem) {
                about_rows.add(problem);
            }
        }
    }
    let mut houses = ProblemLines::new(Some(LISTED));
    houses.extend(about_houses(checked, rows));
    let cause = conflict_cause(rows, input).into_iter();
    Ok(FirstWarnings {
        about_houses: cause.chain(warning_lines(&houses, checked)).collect(),
        about_rows: warning_lines(&about_rows, checked).collect(),
    })
}

/// The addresses and ids of the first requests: `first: 12 Elm St, Ottawa, ON K1A 0B1 (A-1)`.
pub(super) fn houses(first: &[Request]) -> String {
    let houses: Vec<String> = first
        .iter()
        .map(|request| {
            let house = format!("{} ({})", request.address.one_line(), request.external_id);
            printable(&house)
        })
        .collect();
    format!("first: {}", houses.join(" · "))
}

/// The number of rows by outcome.
pub(super) fn summary(checked: &CheckedFile, rows: &RowOutcomes, team: Option<&str>) -> String {
    let outcomes = rows.outcomes();
    let mut text = format!(
        "{}: {}",
        checked.source.file_name(),
        pluralize(outcomes.total(), "row")
    );
    if let Some(team) = team {
        let _ = write!(text, ", team {team}");
    }
    for (outcome, rows) in outcomes.iter().filter(|(_, rows)| *rows > 0) {
        let _ = write!(text, "\n  {:>8} {}", group_digits(rows), outcome.name());
    }
    let others: usize = checked.skipped.iter().map(|group| group.rows.len()).sum();
    let blank = checked.blank_skipped - others as u64;
    if blank > 0 {
        let _ = write!(text, "\n  {} skipped", pluralize(blank, "blank row"));
    }
    for sentence in checked.skipped_sentences() {
        let _ = write!(text, "\n  {sentence}");
    }
    text
}

/// What a run that found nothing new leaves to a person: rejected rows, and rejects that were kept.
pub(super) fn still_to_do(rows: u64, kept: &[String]) -> String {
    let rows = (rows > 0).then(|| format!("{} still to be corrected", pluralize(rows, "row")));
    let kept = (!kept.is_empty()).then(|| {
        let kept = kept.join(" and ");
        format!("rows that are not in it any more are kept in {kept}: correct and import them, or delete the file")
    });
    let matters: Vec<String> = rows.into_iter().chain(kept).collect();
    matters.join("; ")
}

/// How many rows left the file before the service answered.
pub(super) fn missing_rows(missing: u64, file: &str) -> String {
    format!(
        "{} left pending by the last import of {file}, no longer in it and without a response of the service: import a sheet that has them",
        pluralize(missing, "row")
    )
}

/// The warnings at the end of a run: about houses, by the comparison with earlier requests, and by the answers. Cells
/// with warnings are left to `check`.
pub(super) fn row_warnings(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> Vec<String> {
    let mut lines = ProblemLines::new(Some(LISTED));
    let compared = comparison_problems(checked, rows);
    let problems = about_houses(checked, rows)
        .chain(compared)
        .chain(checked.duplicates());
    lines.extend(problems.filter(|problem| problem.severity == Severity::Warning));
    let cause = conflict_cause(rows, input).into_iter();
    cause.chain(warning_lines(&lines, checked)).collect()
}

/// The errors of rejected rows with their outcomes, and the number of those that only the rejects name.
///
/// # Errors
/// If the problems of the check cannot be read.
pub(super) fn rejected_rows(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    rejects: Option<&str>,
) -> Result<Vec<String>, sheet::Error> {
    if rows.outcomes().rejected() == 0 {
        return Ok(Vec::new());
    }
    let lines = ProblemLines::from_rows(checked, rows, Some(LISTED))?;
    let line = |line: &ProblemLine| {
        let index = row_index(checked, line.problem.row)?;
        let outcome = match rows.outcome(index) {
            Outcome::SameHouse => "not sent".to_owned(),
            Outcome::Conflict => {
                let id = checked.rows[index].external_id().unwrap_or_default();
                format!("conflict: `{id}`")
            }
            outcome => outcome.name().to_owned(),
        };
        Some(format!(
            "{}: {outcome}: {}",
            line.places(),
            line.message(checked)
        ))
    };
    let omitted = lines.omitted(Severity::Error).map(|more| match rejects {
        Some(path) => format!("{more} in {path}"),
        None => more,
    });
    let lines = lines.with_severity(Severity::Error).filter_map(line);
    Ok(lines.chain(omitted).collect())
}

/// The lines of warnings, and the number of others.
fn warning_lines(lines: &ProblemLines, checked: &CheckedFile) -> impl Iterator<Item = String> {
    let shown = lines.with_severity(Severity::Warning);
    let shown = shown.map(|line| format!("{}: {}", line.places(), line.message(checked)));
    shown.chain(lines.omitted(Severity::Warning))
}

/// The warnings about which houses are sent, unless no row is still to be submitted.
fn about_houses(checked: &CheckedFile, rows: &RowOutcomes) -> impl Iterator<Item = Problem> {
    let is_pending = rows.outcomes().count(Outcome::Pending) > 0;
    checked.warnings_about_houses().filter(move |_| is_pending)
}
