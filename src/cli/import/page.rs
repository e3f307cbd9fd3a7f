//! The plan before a run and the summary after it, as text.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::clock;
use crate::import::{Checked, Plan, Rows, Schedule};
use crate::model::{Field, Outcome, Source, counted};

/// Lines of a list that are shown; the rest is counted.
const LISTED: usize = 20;

/// What a run is about to do: requests, windows and the clock time of its end.
pub(super) fn plan(source: &Source, plan: &Plan, schedule: &Schedule, now: Timestamp) -> String {
    let rows = plan.send.len() as u64;
    let mut text = format!("{}: {} to submit", source.file_name(), counted(rows, "row"));
    let known = plan.rows.outcomes().of(Outcome::Known);
    if known > 0 {
        let _ = write!(text, ", {} known already", counted(known, "row"));
    }
    if plan.held_back > 0 {
        let _ = write!(text, ", {} held back", counted(plan.held_back, "row"));
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

/// What a run came to.
pub(super) fn summary(checked: &Checked, rows: &Rows, team: Option<&str>) -> String {
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
        let _ = write!(text, "\n  {:>8} {}", rows, outcome.name());
    }
    let others: usize = checked.skipped.iter().map(|group| group.rows.len()).sum();
    let blank = checked.blank_skipped - others as u64;
    if blank > 0 {
        let _ = write!(text, "\n  {} skipped", counted(blank, "blank row"));
    }
    for group in &checked.skipped {
        let _ = write!(text, "\n  {}", group.sentence());
    }
    text
}

/// Rows that a person should look at, a line each.
pub(super) fn attention(checked: &Checked, rows: &Rows) -> Vec<String> {
    let number = |index: usize| checked.rows[index].number;
    let changed = rows.changed().iter().map(|(index, fields)| {
        format!(
            "row {}: edited after it was submitted{}; the service keeps what it has",
            number(*index),
            named(checked, fields)
        )
    });
    let warnings = rows
        .warnings()
        .iter()
        .map(|(index, message)| format!("row {}: {message}", number(*index)));
    let mut lines: Vec<String> = changed.chain(warnings).collect();
    let more = lines.len().saturating_sub(LISTED) as u64;
    lines.truncate(LISTED);
    if more > 0 {
        lines.push(format!("and {} more", counted(more, "row")));
    }
    lines
}

fn named(checked: &Checked, fields: &[Field]) -> String {
    if fields.is_empty() {
        return String::new();
    }
    let names: Vec<String> = fields.iter().map(|field| checked.name_of(*field)).collect();
    format!(" ({})", names.join(", "))
}
