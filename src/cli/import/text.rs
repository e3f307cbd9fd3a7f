//! The plan and the summary of an import as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::check::with_column;
use crate::cli::clock;
use crate::cli::edited_rows::{self, numbered};
use crate::import::{
    CheckResult, CheckedFile, CheckedRow, ImportSchedule, RowOutcomes, SubmissionPlan,
    problem_outcome, row_problems,
};
use crate::model::{
    Field, Outcome, Problem, Request, RowNumber, Severity, TableSource, and_more, counted,
    first_of, group_digits, printable,
};
use crate::sheet;

/// Maximum number of lines in a list.
const LISTED: usize = 20;

/// Maximum number of rejected rows, and of warnings before the question.
const FIRST: usize = 5;

/// Maximum number of cells that a warning before the question names.
const CELLS: usize = 5;

/// What a run will do: rows, requests, windows, and when it ends.
pub(super) fn plan(
    source: &TableSource,
    plan: &SubmissionPlan,
    schedule: &ImportSchedule,
    now: Timestamp,
) -> String {
    let repeated = plan.unanswered.len() as u64;
    let rows = plan.send.len() as u64 - repeated;
    let mut text = format!("{}: {} to submit", source.file_name(), counted(rows, "row"));
    let outcomes = plan.rows.outcomes();
    // They add up to the rows of the file.
    for (rows, what) in [
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
    ] {
        if rows > 0 {
            let _ = write!(text, ", {} {what}", group_digits(rows));
        }
    }
    let _ = write!(text, ", of {}", group_digits(outcomes.total()));
    if repeated > 0 {
        let again = counted(repeated, "earlier request");
        let _ = write!(text, "; {again} without an answer sent again");
    }
    let _ = write!(
        text,
        "; {} in {}, ends {}",
        counted(schedule.requests, "request"),
        counted(schedule.windows, "window"),
        clock::local(schedule.finishes_at, now)
    );
    text
}

/// How many rows have warnings, and in which columns, for the question before the first row is submitted; `check` lists
/// them.
///
/// # Errors
/// If the findings of the check cannot be read.
pub(super) fn warnings(
    checked: &CheckedFile,
    plan: &SubmissionPlan,
    check: &str,
) -> Result<String, sheet::Error> {
    if checked.counts.of(Severity::Warning) == 0 && plan.rows.warnings().is_empty() {
        return Ok(String::new());
    }
    let mut rows = BTreeSet::new();
    let mut by_column: BTreeMap<String, BTreeSet<RowNumber>> = BTreeMap::new();
    for problem in row_problems(checked, &plan.rows)? {
        let problem = problem?;
        if problem.severity == Severity::Warning {
            rows.insert(problem.row);
            let of_field = || problem.field.map(|field| checked.name_of(field));
            let column = problem.column.or_else(of_field);
            let column = column.unwrap_or_else(|| "others".to_owned());
            by_column.entry(column).or_default().insert(problem.row);
        }
    }
    let columns = by_column.iter();
    let columns: Vec<String> = columns
        .map(|(column, rows)| format!("{column} {}", rows.len()))
        .collect();
    Ok(format!(
        "; {} with warnings ({}), listed by `{check}`",
        counted(rows.len() as u64, "row"),
        printable(&columns.join(", "))
    ))
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
        counted(outcomes.total(), "row")
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
        let _ = write!(text, "\n  {} skipped", counted(blank, "blank row"));
    }
    for sentence in checked.skipped_sentences() {
        let _ = write!(text, "\n  {sentence}");
    }
    text
}

/// The first invalid and refused rows, a line for each with its cells and messages, and the number of others in the rejects.
///
/// # Errors
/// If the findings of the check cannot be read.
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

/// The warnings before rows are submitted, about their addresses and about rows that may be of one house: the first, and the
/// number of others.
///
/// # Errors
/// If the findings of the check cannot be read.
pub(super) fn first_warnings(
    checked: &CheckedFile,
    plan: &SubmissionPlan,
) -> Result<Vec<String>, sheet::Error> {
    let lines = |mut lines: Vec<(usize, String)>| {
        lines.sort();
        lines.into_iter().map(|(_, line)| line)
    };
    let houses = lines(about_houses(checked, &plan.rows).collect());
    let addresses = odd_addresses(checked, plan)?;
    let rows = lines(warned_rows(checked, &plan.rows));
    Ok(shortened(
        houses.chain(rows).chain(addresses).collect(),
        FIRST,
    ))
}

/// A line for each warning of the check about the addresses of rows to submit, because an address cannot be corrected once it
/// is submitted.
fn odd_addresses(
    checked: &CheckedFile,
    plan: &SubmissionPlan,
) -> Result<Vec<String>, sheet::Error> {
    let is_submitted = |number: RowNumber| {
        let index = checked.rows.binary_search_by_key(&number, |row| row.number);
        index.is_ok_and(|index| plan.send.binary_search(&index).is_ok())
    };
    let mut by_message: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for problem in checked.problems()? {
        let problem = problem?;
        let is_odd = problem.severity == Severity::Warning && is_of_address(&problem);
        if let Some(cell) = problem.cell.clone().filter(|_| is_odd)
            && is_submitted(problem.row)
        {
            let cells = by_message.entry(with_column(&problem)).or_default();
            cells.push(cell);
        }
    }
    let line = |(message, cells): (String, Vec<String>)| {
        format!("{}: {message}", first_of(cells, CELLS, ", "))
    };
    Ok(by_message.into_iter().map(line).collect())
}

fn is_of_address(problem: &Problem) -> bool {
    let is_part = |field: Field| field == Field::Address || field.is_address_part();
    problem.field.is_some_and(is_part)
}

/// Warnings about rows; rows with the same warning share a line.
pub(super) fn row_warnings(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<String> {
    let mut lines = edited_rows::lines(checked, rows);
    let held = rows.held().keys().filter_map(|index| {
        let (_, message) = rows.rejection(*index)?.messages.first()?;
        let number = checked.rows[*index].number;
        Some((*index, format!("row {number}: not sent: {message}")))
    });
    lines.extend(held);
    lines.extend(edited_rows::conflict_causes(rows).map(|causes| (0, causes)));
    lines.extend(each_conflict(checked, rows));
    lines.extend(warned_rows(checked, rows));
    lines.extend(about_houses(checked, rows));
    lines.sort();
    let mut lines: Vec<String> = lines.into_iter().map(|(_, line)| line).collect();
    lines.extend(checked.rows.iter().filter_map(duplicate));
    shortened(lines, LISTED)
}

/// The first lines, and the number of others.
fn shortened(mut lines: Vec<String>, listed: usize) -> Vec<String> {
    let more = lines.len().saturating_sub(listed) as u64;
    lines.truncate(listed);
    if more > 0 {
        lines.push(format!("and {} more", counted(more, "line")));
    }
    lines
}

/// A line for each message of a warning, with the index of the first row that it is about.
fn warned_rows(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<(usize, String)> {
    let mut by_message: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for warning in rows.warnings() {
        let indices = by_message.entry(&warning.message).or_default();
        indices.push(warning.index);
    }
    let lines = by_message.into_iter().map(|(message, indices)| {
        let rows = numbered(checked, &indices);
        (indices[0], format!("{rows}: {message}"))
    });
    lines.collect()
}

/// The warnings about which houses are sent, in front of the others, unless all rows were submitted before.
fn about_houses(
    checked: &CheckedFile,
    rows: &RowOutcomes,
) -> impl Iterator<Item = (usize, String)> {
    let outcomes = rows.outcomes();
    let is_sent = outcomes.count(Outcome::Created) + outcomes.count(Outcome::Pending) > 0;
    let problems = checked.warnings_about_houses().filter(move |_| is_sent);
    problems.map(|problem| (0, format!("row {}: {}", problem.row, with_column(&problem))))
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
fn each_conflict(checked: &CheckedFile, rows: &RowOutcomes) -> Vec<(usize, String)> {
    let conflicts = rows
        .rejected()
        .filter(|(_, outcome)| *outcome == Outcome::Conflict);
    let line = |(index, _): (usize, Outcome)| {
        let row = &checked.rows[index];
        let id = row.external_id().unwrap_or_default();
        let text = rows.rejection(index)?.text(checked);
        Some((
            index,
            format!("row {}: conflict: `{id}`: {text}", row.number),
        ))
    };
    conflicts.filter_map(line).collect()
}
