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
    compared: &[Problem],
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
    page.push_str(&beside_earlier_requests(compared));
    let _ = write!(
        page,
        "\n{}\n{}\n",
        counts(document),
        plan(&document.plan, now)
    );
    Ok(page)
}

/// The first problems of each severity.
struct Found(Vec<Shown>);

/// A problem that is shown, and in how many cells it occurs.
struct Shown {
    problem: Problem,
    cells: u64,
}

impl Found {
    fn of(checked: &Checked) -> Result<Self, table::Error> {
        let mut found: Vec<Shown> = Vec::new();
        for problem in checked.problems()? {
            let problem = problem?;
            if let Some(shown) = found.iter_mut().find(|shown| shown.tells(&problem)) {
                shown.cells += 1;
                continue;
            }
            let same = found
                .iter()
                .filter(|shown| shown.problem.severity == problem.severity);
            if same.count() < SHOWN {
                found.push(Shown { problem, cells: 1 });
            }
        }
        Ok(Self(found))
    }
}

impl Shown {
    /// Whether another problem says the same. A country that was mended in every row is told once; what a person must
    /// mend is told cell by cell.
    fn tells(&self, other: &Problem) -> bool {
        let problem = &self.problem;
        problem.severity == Severity::Tidied
            && other.severity == Severity::Tidied
            && (&problem.column, &problem.message) == (&other.column, &other.message)
    }

    fn line(&self) -> String {
        match self.cells {
            1 => line(&self.problem),
            cells => format!("{} (in {})", line(&self.problem), counted(cells, "cell")),
        }
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
    let mut told = 0;
    let found = found.0.iter();
    for shown in found.filter(|shown| shown.problem.severity == severity) {
        let _ = writeln!(lines, "  {}", shown.line());
        told += shown.cells;
    }
    if count > told {
        let _ = writeln!(lines, "  and {} more; --json lists all", count - told);
    }
    lines
}

/// What the comparison with earlier requests found.
fn beside_earlier_requests(compared: &[Problem]) -> String {
    let mut lines = String::new();
    for (severity, title) in [
        (
            Severity::Error,
            "compared with earlier requests: these rows are not sent",
        ),
        (
            Severity::Warning,
            "compared with earlier requests: these rows are sent",
        ),
    ] {
        let found = || {
            compared
                .iter()
                .filter(|problem| problem.severity == severity)
        };
        let more = found().count().saturating_sub(SHOWN);
        for (index, problem) in found().take(SHOWN).enumerate() {
            if index == 0 {
                let _ = writeln!(lines, "\n{title}");
            }
            let _ = writeln!(lines, "  {}", line(problem));
        }
        if more > 0 {
            let _ = writeln!(lines, "  and {more} more; --json lists all");
        }
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
    let mut requests = String::new();
    for (rows, what) in [
        (plan.known, "known already"),
        (plan.same_house, "of the same house as others"),
        (plan.conflict, "in conflict"),
    ] {
        if rows > 0 {
            let _ = write!(requests, "{} {what}; ", counted(rows, "row"));
        }
    }
    if plan.requests == 0 {
        return format!("plan: {requests}nothing to send");
    }
    requests += &counted(plan.requests, "request");
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
