//! What `check` prints for people.

use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::check::document::{Document, Plan};
use crate::cli::clock;
use crate::import::{AddressSample, Checked, Countries};
use crate::model::{Country, Field, Problem, Severity, counted, printable};
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
    page.push_str(&mapping(checked));
    page.push_str(&address_samples(&checked.address_samples));
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
            && problem.column == other.column
            && (problem.message == other.message || proved_country(problem, other))
    }

    fn line(&self) -> String {
        match self.cells {
            1 => line(&self.problem),
            rows if self.problem.column.is_none() => {
                format!("{} (in {})", line(&self.problem), counted(rows, "row"))
            }
            cells => format!("{} (in {})", line(&self.problem), counted(cells, "cell")),
        }
    }
}

/// Whether both fill in the same country, proved by region and postal code, which are others in each row.
fn proved_country(one: &Problem, other: &Problem) -> bool {
    let country = |problem: &Problem| {
        let (proof, country) = problem.message.split_once(" → ")?;
        (problem.field == Some(Field::Country) && !proof.starts_with('`'))
            .then(|| country.to_owned())
    };
    country(one).is_some() && country(one) == country(other)
}

fn mapping(checked: &Checked) -> String {
    let columns = &checked.mapping;
    let width = columns
        .iter()
        .map(|column| column.header.chars().count())
        .max()
        .unwrap_or(0)
        .min(40);
    let mut lines = String::new();
    let is_mapped = |field| columns.iter().any(|column| column.field == field);
    if !is_mapped(Field::Id) {
        let made = "(none: made from address and customer)";
        let _ = writeln!(lines, "  {:<12} {made}", Field::Id.name());
    }
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
    if !is_mapped(Field::Country) {
        let source = if is_mapped(Field::Address) && checked.countries.none == 0 {
            "(none: taken from the address)".to_owned()
        } else {
            without_country_column(&checked.countries)
        };
        let _ = writeln!(lines, "  {:<12} {source}", Field::Country.name());
    }
    lines
}

/// The first addresses that stood in one cell, each part below the field that it feeds.
fn address_samples(samples: &[AddressSample]) -> String {
    let mut lines: Vec<[String; 7]> = vec![
        [
            "row",
            "line1",
            "line2",
            "city",
            "region",
            "postal_code",
            "country",
        ]
        .map(str::to_owned),
    ];
    for AddressSample { row, address } in samples {
        lines.push([
            row.to_string(),
            cut(&address.line1),
            cut(address.line2.as_deref().unwrap_or_default()),
            cut(&address.city),
            cut(&address.region),
            cut(&address.postal_code),
            address.country.map_or("", Country::code).to_owned(),
        ]);
    }
    if lines.len() == 1 {
        return String::new();
    }
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or_default()
    };
    let widths: Vec<usize> = (0..7).map(width).collect();
    let mut page = "\nthe addresses come apart so\n".to_owned();
    for line in &lines {
        let cells = line
            .iter()
            .zip(&widths)
            .map(|(cell, width)| format!("{cell:<width$}"));
        let cells: Vec<String> = cells.collect();
        let _ = writeln!(page, "  {}", cells.join("  ").trim_end());
    }
    page
}

/// What tells the country of the rows where no column does.
fn without_country_column(countries: &Countries) -> String {
    let team = format!(
        "the service uses the team's own; --default-country {}",
        countries.usual().code()
    );
    let proved = || {
        let rows = counted(countries.proved, "row");
        format!("region and postal code prove it in {rows}")
    };
    match (countries.none, countries.proved) {
        (0, 0) if countries.canada + countries.united_states > 0 => {
            "(none: as --default-country says)".to_owned()
        }
        (0, 1..) => format!("(none: {})", proved()),
        (none, 1..) => format!("(none: {}; in {}, {team})", proved(), counted(none, "row")),
        (_, 0) => format!("(none: {team})"),
    }
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

fn line(problem: &Problem) -> String {
    let place = match &problem.cell {
        Some(cell) => cell.clone(),
        None => format!("row {}", problem.row),
    };
    let column = match (problem.column.as_deref(), problem.field) {
        (Some(column), _) => format!("{}: ", column.trim()),
        (None, Some(field)) => format!("{field}: "),
        (None, None) => String::new(),
    };
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
