//! The plan and the summary of an import as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::check::with_column;
use crate::cli::import::planned_time::PlannedTime;
use crate::cli::row_hints::conflict_cause;
use crate::import::{
    CheckResult, CheckedFile, CheckedRow, ImportInput, RowOutcomes, SubmissionPlan,
    comparison_problems, problem_outcome, row_outcome, row_problems,
};
use crate::model::{
    Field, Outcome, Problem, Request, RowNumber, Severity, TableSource, and_more, first_of,
    group_digits, nonzero_counts, pluralize, printable,
};
use crate::sheet;

/// Maximum number of lines in a list.
const LISTED: usize = 20;

/// Maximum number of rejected rows, and of warnings before the question.
const FIRST: usize = 5;

/// Maximum number of cells that a warning before the question names.
const CELLS: usize = 5;

/// What a run will do: rows, requests, windows, and when it ends, by itself or at the latest.
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
    let others = [
        (outcomes.count(Outcome::Known), "known already"),
        (
            outcomes.count(Outcome::SameHouse),
            "of the same house not sent",
        ),
        (outcomes.count(Outcome::Duplicate), "duplicate"),
        (outcomes.count(Outcome::Invalid), "invalid"),
        (outcomes.count(Outcome::Refused), "refused before"),
        (outcomes.count(Outcome::Conflict), "in conflict"),
        (outcomes.count(Outcome::Pending) - rows, "held back"),
    ];
    let others = nonzero_counts(others, ", ");
    if !others.is_empty() {
        let _ = write!(text, ", {others}");
    }
    let _ = write!(text, ", of {}", group_digits(outcomes.total()));
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
    /// How many there are.
    pub(super) count: u64,
    /// The first of them. Those about which houses are requested come first, then those about the addresses of rows to
    /// submit, which cannot be corrected afterwards.
    pub(super) lines: Vec<String>,
    /// How many of the lines are about which houses are requested.
    pub(super) about_houses: usize,
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
    let compared = compared_warnings(checked, rows);
    let mut count = compared.len() as u64;
    let is_submitted = |problem: &Problem| is_pending_row(checked, rows, problem.row);
    let is_of_address = |problem: &Problem| {
        let is_part = |field: Field| field == Field::Address || field.is_address_part();
        problem.field.is_some_and(is_part)
    };
    let mut by_message: BTreeMap<String, Vec<String>> = BTreeMap::new();
    if checked.counts.with_severity(Severity::Warning) > 0 {
        for problem in checked.problems()? {
            let problem = problem?;
            if problem.severity != Severity::Warning {
                continue;
            }
            count += 1;
            if is_of_address(&problem)
                && is_submitted(&problem)
                && let Some(cell) = &problem.cell
            {
                let cells = by_message.entry(with_column(&problem)).or_default();
                cells.push(cell.clone());
            }
        }
    }
    let addresses = by_message.into_iter();
    let addresses =
        addresses.map(|(message, cells)| format!("{}: {message}", first_of(cells, CELLS, ", ")));
    let cause = conflict_cause(rows, input).into_iter();
    let mut lines: Vec<String> = cause.chain(about_houses(checked, rows)).collect();
    let about_houses = lines.len().min(FIRST);
    lines.extend(by_rows(compared.into_iter().filter(is_submitted)));
    lines.extend(addresses);
    Ok(FirstWarnings {
        count,
        lines: shortened(lines, FIRST),
        about_houses,
    })
}

/// The addresses of the first requests: `first 12 Elm St, Ottawa, ON K1A 0B1`.
pub(super) fn houses(first: &[Request]) -> String {
    let houses: Vec<String> = first
        .iter()
        .map(|request| printable(&request.address.one_line()))
        .collect();
    format!("first {}", houses.join(" · "))
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

/// The first invalid and refused rows, a line for each with its cells and messages, and the number of others in the rejects.
///
/// # Errors
/// If the problems of the check cannot be read.
pub(super) fn rejected_rows(
    checked: &CheckedFile,
    rows: &RowOutcomes,
    rejects: Option<&str>,
) -> Result<Vec<String>, sheet::Error> {
    let mut lines: Vec<(RowNumber, String)> = Vec::new();
    let outcomes = rows.outcomes();
    let rejected = outcomes.count(Outcome::Invalid) + outcomes.count(Outcome::Refused);
    if rejected == 0 {
        return Ok(Vec::new());
    }
    for problem in row_problems(checked, rows)? {
        let problem = problem?;
        let outcome = problem_outcome(checked, rows, &problem)
            .filter(|outcome| matches!(outcome, Outcome::Invalid | Outcome::Refused));
        let Some(outcome) = outcome.filter(|_| problem.severity == Severity::Error) else {
            continue;
        };
        let cell = problem.cell.iter().map(|cell| format!("{cell} "));
        let text = cell.collect::<String>() + &with_column(&problem);
        if let Some((row, line)) = lines.last_mut()
            && *row == problem.row
        {
            let _ = write!(line, "; {text}");
            continue;
        }
        if lines.len() == FIRST {
            break;
        }
        let line = format!("row {}: {}: {text}", problem.row, outcome.name());
        lines.push((problem.row, line));
    }
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    let more = and_more(rejected.saturating_sub(lines.len() as u64));
    if let Some(more) = more.filter(|_| !lines.is_empty()) {
        let place = rejects.map_or_else(String::new, |path| format!(" in {path}"));
        lines.push(more + &place);
    }
    Ok(lines)
}

/// How many rows left the file before the service answered.
pub(super) fn missing_rows(missing: u64, file: &str) -> String {
    format!(
        "{} left pending by the last import of {file}, no longer in it and without a response of the service: import a sheet that has them",
        pluralize(missing, "row")
    )
}

/// Warnings about rows, without those that were shown before; rows with the same warning share a line.
pub(super) fn row_warnings(
    input: &ImportInput,
    checked: &CheckedFile,
    rows: &RowOutcomes,
    shown: &BTreeSet<String>,
) -> Vec<String> {
    let mut lines: Vec<String> = about_houses(checked, rows).collect();
    let held = rows.same_house_rows().keys().filter_map(|index| {
        let (_, message) = rows.rejection(*index)?.messages().pop()?;
        let number = checked.rows[*index].number;
        Some(format!("row {number}: not sent: {message}"))
    });
    lines.extend(shortened(held.collect(), FIRST));
    lines.extend(conflict_cause(rows, input));
    let listed = match rows.conflict_cause() {
        Some(_) => FIRST,
        None => LISTED,
    };
    lines.extend(shortened(each_conflict(checked, rows), listed));
    lines.extend(by_rows(compared_warnings(checked, rows).into_iter()));
    lines.extend(checked.rows.iter().filter_map(duplicate));
    lines.retain(|line| !shown.contains(line));
    shortened(lines, LISTED)
}

/// The first lines, and the number of others.
fn shortened(mut lines: Vec<String>, listed: usize) -> Vec<String> {
    let more = lines.len().saturating_sub(listed) as u64;
    lines.truncate(listed);
    if more > 0 {
        lines.push(format!("and {} more", pluralize(more, "line")));
    }
    lines
}

/// The warnings of the comparison with earlier requests and of the answers.
fn compared_warnings(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<Problem> {
    let problems = comparison_problems(checked, rows);
    let is_warning = |problem: &Problem| problem.severity == Severity::Warning;
    problems.filter(is_warning).collect()
}

/// A line for each message, by the first row that it is about: `row 4: …`, or `3 rows: …`.
fn by_rows(problems: impl Iterator<Item = Problem>) -> impl Iterator<Item = String> {
    let mut by_message: BTreeMap<String, Vec<RowNumber>> = BTreeMap::new();
    for problem in problems {
        by_message
            .entry(problem.message)
            .or_default()
            .push(problem.row);
    }
    let mut lines: Vec<(String, Vec<RowNumber>)> = by_message.into_iter().collect();
    lines.sort_by_key(|(_, rows)| rows[0]);
    lines
        .into_iter()
        .map(|(message, rows)| match rows.as_slice() {
            [row] => format!("row {row}: {message}"),
            rows => format!("{}: {message}", pluralize(rows.len() as u64, "row")),
        })
}

/// The warnings about which houses are sent, unless no row is still to be submitted.
fn about_houses(checked: &CheckedFile, rows: &RowOutcomes) -> impl Iterator<Item = String> {
    let outcomes = rows.outcomes();
    let is_pending = outcomes.count(Outcome::Pending) > 0;
    let problems = checked.warnings_about_houses().filter(move |_| is_pending);
    problems.map(|problem| format!("row {}: {}", problem.row, with_column(&problem)))
}

fn is_pending_row(checked: &CheckedFile, rows: &RowOutcomes, row: RowNumber) -> bool {
    row_outcome(checked, rows, row) == Some(Outcome::Pending)
}

fn duplicate(row: &CheckedRow) -> Option<String> {
    match row.result {
        CheckResult::Duplicate { of } => Some(format!(
            "row {}: the same request as row {of}, sent once",
            row.number
        )),
        CheckResult::Valid { .. } | CheckResult::Invalid { .. } => None,
    }
}

/// A line for each row in conflict: its id, and why.
fn each_conflict(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<String> {
    let conflicts = rows
        .rejected()
        .filter(|(_, outcome)| *outcome == Outcome::Conflict);
    let line = |(index, _): (usize, Outcome)| {
        let row = &checked.rows[index];
        let id = row.external_id().unwrap_or_default();
        let text = rows.rejection(index)?.text(checked);
        Some(format!("row {}: conflict: `{id}`: {text}", row.number))
    };
    conflicts.filter_map(line).collect()
}
