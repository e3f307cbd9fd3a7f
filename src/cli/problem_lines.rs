//! Problems as lines of text: equal ones share a line with their cells, and of one kind only the first are shown.

use std::collections::HashMap;

use crate::import::{CheckedFile, RowOutcomes, comparison_problems, is_corrected};
use crate::model::{
    CONTACT_ELSEWHERE, DATED_ID, Field, HEADING, Problem, Severity, and_more, excerpt, pluralize,
    printable,
};
use crate::sheet;
use crate::table::{Columns, NameFrom};

/// Maximum number of lines about one kind of problem in a column.
const OF_KIND: usize = 5;
/// Maximum number of lines about one kind of normalized values in a column.
const OF_TIDIED: usize = 2;
/// Maximum number of cells that are listed for a problem.
const CELLS: usize = 5;
/// Maximum number of rows that are listed for a problem of whole rows.
const ROWS: usize = 12;

/// The lines of problems, by severity.
#[derive(Debug)]
pub(super) struct ProblemLines {
    /// Maximum number of lines per severity; `None` for a line for each problem.
    max: Option<usize>,
    lines: Vec<ProblemLine>,
    /// How many problems are in no line.
    omitted: HashMap<Severity, u64>,
}

/// A problem, and the cells or rows in which it occurs.
#[derive(Debug)]
pub(super) struct ProblemLine {
    /// The first of them.
    pub(super) problem: Problem,
    /// Where the first are.
    places: Vec<String>,
    count: u64,
    /// Whether the others have other texts.
    is_varied: bool,
}

impl ProblemLines {
    pub(super) fn new(max: Option<usize>) -> Self {
        Self {
            max,
            lines: Vec::new(),
            omitted: HashMap::new(),
        }
    }

    /// Every problem of the rows; those of the comparison with earlier requests come first.
    ///
    /// # Errors
    /// If the problems of the check cannot be read.
    pub(super) fn from_rows(
        checked: &CheckedFile,
        rows: &RowOutcomes,
        max: Option<usize>,
    ) -> Result<Self, sheet::Error> {
        let mut lines = Self::new(max);
        lines.extend(comparison_problems(checked, rows));
        for problem in checked.problems()? {
            let problem = problem?;
            if !is_corrected(checked, rows, &problem) {
                lines.add(problem);
            }
        }
        Ok(lines)
    }

    /// Adds problems.
    pub(super) fn extend(&mut self, problems: impl IntoIterator<Item = Problem>) {
        for problem in problems {
            self.add(problem);
        }
    }

    /// Adds a problem, which is only counted if there are enough lines of its kind.
    pub(super) fn add(&mut self, problem: Problem) {
        let Some(max) = self.max else {
            return self.lines.push(ProblemLine::new(problem));
        };
        if let Some(line) = self.lines.iter_mut().find(|line| line.is_same(&problem)) {
            return line.add(&problem);
        }
        let severity = problem.severity;
        let of_kind = self
            .with_severity(severity)
            .filter(|line| line.is_similar(&problem));
        let max_of_kind = match severity {
            Severity::Error | Severity::Warning => OF_KIND,
            Severity::Tidied => OF_TIDIED,
        };
        if of_kind.count() < max_of_kind && self.with_severity(severity).count() < max {
            self.lines.push(ProblemLine::new(problem));
        } else {
            *self.omitted.entry(severity).or_default() += 1;
        }
    }

    /// The lines about problems of a severity.
    pub(super) fn with_severity(&self, severity: Severity) -> impl Iterator<Item = &ProblemLine> {
        let lines = self.lines.iter();
        lines.filter(move |line| line.problem.severity == severity)
    }

    /// How many problems of a severity are in no line: `and 12 more`.
    pub(super) fn omitted(&self, severity: Severity) -> Option<String> {
        and_more(self.omitted.get(&severity).copied().unwrap_or_default())
    }
}

impl ProblemLine {
    fn new(problem: Problem) -> Self {
        Self {
            places: vec![cell_or_row(&problem)],
            count: 1,
            is_varied: false,
            problem,
        }
    }

    /// Whether another problem has the same cause in the same column.
    fn is_similar(&self, other: &Problem) -> bool {
        let of_kind = |problem: &Problem| (problem.severity, problem.column_index, problem.field);
        of_kind(&self.problem) == of_kind(other) && self.problem.kind == other.kind
    }

    /// Whether another problem shares the line.
    fn is_same(&self, other: &Problem) -> bool {
        let has_one_cause = [HEADING, DATED_ID].contains(&&*other.kind);
        self.is_similar(other) && (self.problem.message == other.message || has_one_cause)
    }

    fn add(&mut self, problem: &Problem) {
        self.count += 1;
        self.is_varied |= problem.message != self.problem.message;
        let most = problem.cell.as_ref().map_or(ROWS, |_| CELLS);
        if self.places.len() < most {
            self.places.push(cell_or_row(problem));
        }
    }

    /// The first cells or rows: `D2, D3`, or `rows 3, 5, …`.
    pub(super) fn places(&self) -> String {
        let label = match (&self.problem.cell, self.count) {
            (Some(_), _) => "",
            (None, 1) => "row ",
            (None, _) => "rows ",
        };
        let more = if self.count > self.places.len() as u64 {
            ", …"
        } else {
            ""
        };
        format!("{label}{}{more}", self.places.join(", "))
    }

    /// The message after the user's name for its column or field, and the number of cells.
    pub(super) fn message(&self, checked: &CheckedFile) -> String {
        let problem = &self.problem;
        let column = match (problem.column.as_deref(), problem.field) {
            (Some(column), _) => format!("{}: ", excerpt(column.trim())),
            (None, Some(field)) => format!("{}: ", field.words()),
            (None, None) => String::new(),
        };
        let more = if self.is_varied { ", …" } else { "" };
        let message = printable(&format!("{column}{}{more}", problem.message));
        if self.count == 1 {
            return message;
        }
        let what = problem.cell.as_ref().map_or("row", |_| "cell");
        let message = format!("{message} (in {})", pluralize(self.count, what));
        // Another column is probably meant if most cells cannot be used, but not that of another address, for all rows.
        let is_of_address =
            |field: Field| field.is_address_part() && checked.columns.has_other_address;
        let is_most = self.count * 2 > checked.rows.len() as u64;
        let column = problem.column_index;
        let is_merged = column.is_some_and(|column| checked.is_merged_away(problem.row, column));
        let is_of_other_column = is_most
            && problem.severity == Severity::Error
            && !is_merged
            && problem.kind != CONTACT_ELSEWHERE;
        match problem.field {
            Some(field) if is_of_other_column && !is_of_address(field) => {
                let flags = flags_for(&checked.columns, field);
                // Besides the flags of the columns that are used.
                let what = if flags.matches("--map").count() > 1 && flags.ends_with("=HEADER") {
                    ", put its header in the place of HEADER"
                } else {
                    ""
                };
                format!("{message}; if another column holds it{what}: {flags}")
            }
            _ => message,
        }
    }
}

/// The flags for a field that is empty in most rows, with the unused column that looks like it; a phone is as good as
/// an email.
fn flags_for(columns: &Columns, field: Field) -> String {
    let mut unused = columns.unused_parts.iter();
    let found =
        unused.find(|(_, part)| *part == field || field == Field::Email && *part == Field::Phone);
    let used = match field {
        // In each row, the first column that is filled is sent.
        Field::Email | Field::Phone => columns.flags_with(field, None),
        Field::Name if columns.name_from == NameFrom::Parts => {
            let parts = [Field::FirstName, Field::LastName];
            parts.map(|part| columns.flags_with(part, None)).join(" ")
        }
        _ => String::new(),
    };
    found.map_or_else(
        || {
            format!("{used} --map {field}=HEADER")
                .trim_start()
                .to_owned()
        },
        |&(column, part)| columns.flags_with(part, Some(column as usize)),
    )
}

fn cell_or_row(problem: &Problem) -> String {
    let row = || problem.row.to_string();
    problem.cell.clone().unwrap_or_else(row)
}
