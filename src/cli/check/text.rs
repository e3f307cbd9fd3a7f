//! The report of a check as text.

use std::collections::HashMap;
use std::fmt::Write as _;

use jiff::Timestamp;

use crate::cli::check::mapping_text::{address_samples, mapping};
use crate::cli::check::report::CheckReport;
use crate::cli::clock;
use crate::import::{CheckedFile, comparison_problems};
use crate::model::{Problem, Severity, and_more, excerpt, group_digits, pluralize, printable};
use crate::sheet;

/// Maximum number of problems per severity.
const MAX_SHOWN_PROBLEMS: usize = 20;
/// Maximum number of cells that are listed for a problem.
const PLACES: usize = 3;
/// Maximum number of rows that are listed for a problem of whole rows.
const ROWS: usize = 12;
/// Maximum number of lines that differ only in numbers and in what they quote, such as those about duplicates.
const MAX_SIMILAR: usize = 5;
/// Maximum number of lines about normalized values of a column.
const MAX_SIMILAR_TIDIED: usize = 2;

/// How problems are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Listing {
    /// One line for equal problems, and only the first lines.
    Folded,
    /// One line for each problem.
    All,
}

/// The whole report: the verdict, errors, warnings, normalized values, which column feeds which field, and what an import
/// would do.
///
/// # Errors
/// If the problems of the check cannot be read.
pub(super) fn page(
    checked: &CheckedFile,
    document: &CheckReport<'_>,
    listing: Listing,
    now: Timestamp,
) -> Result<String, sheet::Error> {
    let found = ShownProblems::read(checked, document, listing)?;
    let sections = [
        verdict(checked, document),
        found.problems(checked, Severity::Error, "errors: these rows are not sent"),
        found.problems(
            checked,
            Severity::Warning,
            "warnings: these do not stop a row from being sent",
        ),
        found.problems(
            checked,
            Severity::Tidied,
            "tidied: values cleaned up before they are sent (--as-is sends them as they are)",
        ),
        mapping(checked),
        address_samples(&checked.address_samples),
        plan(document, now),
    ];
    let filled = sections.iter().filter(|section| !section.is_empty());
    Ok(filled.map(String::as_str).collect::<Vec<_>>().join("\n"))
}

/// How many rows may be sent, which were skipped, and how the file was read.
fn verdict(checked: &CheckedFile, document: &CheckReport<'_>) -> String {
    let mut lines = vec![counts(document)];
    lines.extend(checked.skipped_sentences());
    lines.push(format!("read {}", checked.layout_summary));
    if document.invalid + document.warnings > 0 && checked.has_cells_of_several_lines() {
        lines.push("rows are numbered by line, as in a text editor: cells have line breaks, so a spreadsheet shows lower numbers".to_owned());
    }
    lines.join("\n") + "\n"
}

/// The first problems of each severity.
struct ShownProblems {
    listing: Listing,
    shown: Vec<ShownProblem>,
    /// How many there are in all.
    all: HashMap<Severity, u64>,
}

/// A problem, and the cells in which it occurs.
struct ShownProblem {
    problem: Problem,
    /// The first of them.
    places: Vec<String>,
    cells: u64,
}

impl ShownProblem {
    fn new(problem: Problem) -> Self {
        Self {
            places: vec![cell_or_row(&problem)],
            cells: 1,
            problem,
        }
    }

    /// Whether another problem has the same message and column, so that both share a line. Headings between the rows
    /// differ only in what they quote, and empty addresses in what another column has.
    fn is_same_problem(&self, other: &Problem) -> bool {
        let problem = &self.problem;
        let gist = |problem: &Problem| match problem.cell {
            Some(_) => match problem.message.split_once("; `") {
                Some((before, _)) => format!("{before}; "),
                None => problem.message.clone(),
            },
            None => problem.message.split('`').step_by(2).collect(),
        };
        let is_gist = || problem.severity != Severity::Tidied && gist(problem) == gist(other);
        problem.severity == other.severity
            && problem.column == other.column
            && (problem.message == other.message || is_gist())
    }

    /// Whether another problem in the same column differs only in numbers and in what it quotes, or another normalized value
    /// has the same column.
    fn is_similar_to(&self, other: &Problem) -> bool {
        if other.severity == Severity::Tidied {
            let place =
                |problem: &Problem| (problem.severity, problem.field, problem.column.clone());
            return place(&self.problem) == place(other);
        }
        let gist = |problem: &Problem| {
            let unquoted: String = problem.message.split('`').step_by(2).collect();
            unquoted.replace(|c: char| c.is_ascii_digit(), "")
        };
        self.problem.column == other.column && gist(&self.problem) == gist(other)
    }

    fn add(&mut self, problem: &Problem) {
        self.cells += 1;
        let shown = if self.problem.cell.is_some() {
            PLACES
        } else {
            ROWS
        };
        if self.places.len() < shown {
            self.places.push(cell_or_row(problem));
        }
    }

    fn line(&self, checked: &CheckedFile) -> String {
        let (what, label) = match (&self.problem.cell, self.cells) {
            (Some(_), _) => ("cell", ""),
            (None, 1) => ("row", "row "),
            (None, _) => ("row", "rows "),
        };
        let places = format!("{label}{}", self.places.join(", "));
        let mut message = with_column(&self.problem);
        if self.problem.cell.is_none() && self.cells > 1 {
            // The others quote something else.
            message = message.replacen("`;", "`, …;", 1);
        }
        match self.cells {
            1 => format!("{places:<7}  {message}"),
            cells if cells == self.places.len() as u64 => {
                format!("{places:<7}  {message} (in {})", pluralize(cells, what))
            }
            cells => format!(
                "{places}, …  {message} (in {}){}",
                pluralize(cells, what),
                self.mapping_hint(checked)
            ),
        }
    }

    /// A hint for a column most of whose cells cannot be used: another column is probably meant.
    fn mapping_hint(&self, checked: &CheckedFile) -> String {
        let is_most = self.cells * 2 > checked.rows.len() as u64;
        match self.problem.field {
            Some(field) if is_most && self.problem.severity == Severity::Error => {
                format!("; if another column holds it: --map {field}=HEADER")
            }
            _ => String::new(),
        }
    }
}

impl ShownProblems {
    fn read(
        checked: &CheckedFile,
        document: &CheckReport<'_>,
        listing: Listing,
    ) -> Result<Self, sheet::Error> {
        let mut found = Self {
            listing,
            shown: Vec::new(),
            all: HashMap::new(),
        };
        for problem in checked.problems()? {
            let problem = problem?;
            if !document.problems.is_corrected(&problem) {
                found.add(problem, 0);
            }
        }
        let compared = found.shown.len();
        for problem in comparison_problems(checked, document.problems.rows()) {
            found.add(problem, compared);
        }
        Ok(found)
    }

    /// Counts a problem and shows it, unless the lines from `first` on are enough of its kind.
    fn add(&mut self, problem: Problem, first: usize) {
        *self.all.entry(problem.severity).or_default() += 1;
        if self.listing == Listing::All {
            self.shown.push(ShownProblem::new(problem));
            return;
        }
        let shown = &mut self.shown[first..];
        if let Some(same) = shown.iter_mut().find(|one| one.is_same_problem(&problem)) {
            same.add(&problem);
            return;
        }
        let similar = shown.iter().filter(|shown| shown.is_similar_to(&problem));
        let is_repeated = match problem.severity {
            Severity::Tidied => similar.count() >= MAX_SIMILAR_TIDIED,
            Severity::Error | Severity::Warning => similar.count() >= MAX_SIMILAR,
        };
        let same = shown.iter();
        let same = same.filter(|shown| shown.problem.severity == problem.severity);
        if !is_repeated && same.count() < MAX_SHOWN_PROBLEMS {
            self.shown.push(ShownProblem::new(problem));
        }
    }

    fn problems(&self, checked: &CheckedFile, severity: Severity, title: &str) -> String {
        let Some(count) = self.all.get(&severity) else {
            return String::new();
        };
        let mut lines = format!("{title}\n");
        let mut listed = 0;
        let shown = self.shown.iter();
        for shown in shown.filter(|shown| shown.problem.severity == severity) {
            // Writing to a string cannot fail, here and below.
            let _ = writeln!(lines, "  {}", shown.line(checked));
            listed += shown.cells;
        }
        if let Some(more) = and_more(count.saturating_sub(listed)) {
            let _ = writeln!(lines, "  {more}; -v or --json lists all");
        }
        lines
    }
}

fn cell_or_row(problem: &Problem) -> String {
    let row = || problem.row.to_string();
    problem.cell.clone().unwrap_or_else(row)
}

/// The message after the user's name for its column or field.
pub(in crate::cli) fn with_column(problem: &Problem) -> String {
    let column = match (problem.column.as_deref(), problem.field) {
        (Some(column), _) => format!("{}: ", excerpt(column.trim())),
        (None, Some(field)) => format!("{}: ", field.words()),
        (None, None) => String::new(),
    };
    printable(&format!("{column}{}", problem.message))
}

fn counts(document: &CheckReport<'_>) -> String {
    let mut valid = format!("{} valid", group_digits(document.valid));
    // Valid rows among the errors: their id or house was requested before.
    let rejected = document.plan.same_house + document.plan.conflict;
    if rejected > 0 {
        let _ = write!(valid, " ({} of them not sent)", group_digits(rejected));
    }
    let mut parts = vec![valid];
    let tidied = pluralize(document.tidied, "value") + " cleaned up";
    let others = [
        (
            document.invalid,
            group_digits(document.invalid) + " invalid",
        ),
        (
            document.corrected,
            group_digits(document.corrected) + " known from corrected rejects",
        ),
        (
            document.duplicate,
            pluralize(document.duplicate, "duplicate"),
        ),
        (document.warnings, pluralize(document.warnings, "warning")),
        (document.tidied, tidied),
    ];
    let others = others.into_iter().filter(|(rows, _)| *rows > 0);
    parts.extend(others.map(|(_, text)| text));
    let blank = match document.blank_skipped - document.other_skipped() {
        0 => String::new(),
        count => format!("; {} skipped", pluralize(count, "blank row")),
    };
    format!(
        "{}: {}{blank}",
        pluralize(document.rows, "row"),
        parts.join(", ")
    )
}

fn plan(document: &CheckReport<'_>, now: Timestamp) -> String {
    let plan = &document.plan;
    let in_file = document.problems.rows().same_house_in_file();
    let others = [
        (plan.known, "known already"),
        (
            plan.same_house.saturating_sub(in_file),
            "whose house was requested before",
        ),
        (in_file, "with the same house as another row"),
        (plan.conflict, "in conflict"),
        (plan.decided_skip, "not sent because you decided `skip`"),
    ];
    let others = others.into_iter().filter(|(rows, _)| *rows > 0);
    let mut requests = others.fold(String::new(), |text, (rows, what)| {
        text + &format!("{} {what}; ", pluralize(rows, "row"))
    });
    if plan.requests == 0 {
        return format!("plan: {requests}nothing to send");
    }
    requests += &pluralize(plan.requests, "request");
    if plan.seconds == 0 {
        return format!(
            "plan: {requests}, one of them to verify the team; the quota allows all of them at once"
        );
    }
    format!(
        "plan: {requests}, one of them to verify the team, in {}: about {}, until {} if started now",
        pluralize(plan.windows, "window"),
        clock::duration(plan.seconds),
        clock::local(plan.finishes_at, now)
    )
}
