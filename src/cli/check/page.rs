//! What `check` prints for people.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::check::document::{Document, Plan};
use crate::cli::clock;
use crate::import::{Checked, MappedColumn};
use crate::model::{Problem, Severity, counted, printable};
use crate::table;

/// Problems of a kind that are shown.
const SHOWN: usize = 20;
/// Characters of a sample that are shown.
const SAMPLE_WIDTH: usize = 28;

/// The whole answer.
///
/// # Errors
/// When what the check found cannot be read any more.
pub(super) fn page(
    checked: &Checked,
    document: &Document<'_>,
    now: Timestamp,
) -> Result<String, table::Error> {
    let mut page = format!("read {}\n\n", checked.reading);
    page.push_str(&mapping(&checked.mapping));
    if !checked.unused.is_empty() {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(
            page,
            "\nnot used: {}",
            printable(&checked.unused.join(", "))
        );
    }
    let found = Found::of(checked)?;
    for (severity, title) in [
        (Severity::Error, "errors: these rows are not sent"),
        (
            Severity::Warning,
            "warnings: these rows are sent all the same",
        ),
        (
            Severity::Tidied,
            "tidied: what is sent instead (--as-is leaves values as they stand)",
        ),
    ] {
        page.push_str(&problems(checked, &found, severity, title));
    }
    let _ = write!(
        page,
        "\n{}\n{}\n",
        counts(document),
        plan(&document.plan, now)
    );
    Ok(page)
}

/// The first problems of each severity.
struct Found(Vec<Problem>);

impl Found {
    fn of(checked: &Checked) -> Result<Self, table::Error> {
        let mut left = [Severity::Error, Severity::Warning, Severity::Tidied]
            .map(|severity| (severity, checked.counts.of(severity).min(SHOWN as u64)));
        let mut shown = Vec::new();
        let mut problems = checked.problems()?;
        while left.iter().any(|(_, left)| *left > 0)
            && let Some(problem) = problems.next().transpose()?
        {
            let wanted = left
                .iter_mut()
                .find(|(severity, _)| *severity == problem.severity);
            if let Some((_, left @ 1..)) = wanted {
                *left -= 1;
                shown.push(problem);
            }
        }
        Ok(Self(shown))
    }
}

fn mapping(columns: &[MappedColumn]) -> String {
    let width = columns
        .iter()
        .map(|column| column.header.chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    let mut lines = String::new();
    for column in columns {
        let samples: Vec<String> = column.samples.iter().map(|sample| cut(sample)).collect();
        let samples = match samples.as_slice() {
            [] => "(empty)".to_owned(),
            samples => samples.join(" · "),
        };
        let header = printable(&column.header);
        let _ = writeln!(
            lines,
            "  {:<12} {header:<width$}  {}",
            column.field.name(),
            samples
        );
    }
    lines
}

fn cut(sample: &str) -> String {
    let sample = printable(sample);
    if sample.chars().count() <= SAMPLE_WIDTH {
        return sample;
    }
    let start: String = sample.chars().take(SAMPLE_WIDTH - 1).collect();
    format!("{start}…")
}

fn problems(checked: &Checked, found: &Found, severity: Severity, title: &str) -> String {
    let count = checked.counts.of(severity);
    if count == 0 {
        return String::new();
    }
    let mut lines = format!("\n{title}\n");
    let found = found.0.iter();
    for problem in found.filter(|problem| problem.severity == severity) {
        let _ = writeln!(lines, "  {}", line(problem));
    }
    if count > SHOWN as u64 {
        let _ = writeln!(
            lines,
            "  and {} more; --json lists all",
            count - SHOWN as u64
        );
    }
    lines
}

fn line(problem: &Problem) -> String {
    let place = match &problem.cell {
        Some(cell) => cell.clone(),
        None => format!("row {}", problem.row),
    };
    let column = problem
        .column
        .as_deref()
        .map(|column| format!("{}: ", column.trim()))
        .unwrap_or_default();
    printable(&format!("{place:<8} {column}{}", problem.message))
}

fn counts(document: &Document<'_>) -> String {
    let mut parts = vec![format!("{} valid", document.valid)];
    if document.invalid > 0 {
        parts.push(format!("{} invalid", document.invalid));
    }
    if document.duplicate > 0 {
        parts.push(counted(document.duplicate, "duplicate"));
    }
    if document.warnings > 0 {
        parts.push(counted(document.warnings, "warning"));
    }
    if document.tidied > 0 {
        parts.push(format!("{} tidied", counted(document.tidied, "value")));
    }
    let blank = match document.blank_skipped {
        0 => String::new(),
        count => format!("; {} skipped", counted(count, "blank row")),
    };
    format!(
        "{}: {}{blank}",
        counted(document.rows, "row"),
        parts.join(", ")
    )
}

fn plan(plan: &Plan, now: Timestamp) -> String {
    if plan.requests == 0 {
        return "plan: nothing to send".to_owned();
    }
    let requests = counted(plan.requests, "request");
    if plan.seconds == 0 {
        return format!(
            "plan: {requests}, one of them to prove the team; the quota lets all through at once"
        );
    }
    format!(
        "plan: {requests}, one of them to prove the team, in {}: about {}, until {} if started now",
        counted(plan.windows, "window"),
        duration(plan.seconds),
        clock::local(plan.finishes_at, now)
    )
}

fn duration(seconds: u64) -> String {
    let minutes = seconds.div_ceil(60);
    match (minutes / 60, minutes % 60) {
        (0, _) if seconds < 60 => counted(seconds, "second"),
        (0, minutes) => counted(minutes, "minute"),
        (hours, 0) => counted(hours, "hour"),
        (hours, minutes) => format!("{} {}", counted(hours, "hour"), counted(minutes, "minute")),
    }
}
