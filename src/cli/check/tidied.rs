//! The normalized values as text: one line per column, with the number of cells and two examples.

use std::fmt::Write as _;

use crate::model::{Field, Problem, counted, excerpt, printable};

/// Maximum number of examples per column.
const EXAMPLES: usize = 2;
/// Maximum width of the column of names.
const WIDEST_NAME: usize = 28;

/// The columns with normalized values, in the order of their first.
#[derive(Debug, Default)]
pub(super) struct TidiedColumns(Vec<TidiedColumn>);

#[derive(Debug)]
struct TidiedColumn {
    /// The header, or the field if no column feeds it.
    name: String,
    first_cell: Option<String>,
    cells: u64,
    /// Different messages; one more than is shown, so that the rest is known to exist.
    examples: Vec<String>,
}

impl TidiedColumns {
    /// Adds a normalized value.
    pub(super) fn add(&mut self, problem: &Problem) {
        let field = problem.field.map(Field::words).unwrap_or_default();
        let name = problem.column.as_deref().map_or(field.as_str(), str::trim);
        let at = self.0.iter().position(|column| column.name == name);
        let at = at.unwrap_or_else(|| {
            self.0.push(TidiedColumn {
                name: name.to_owned(),
                first_cell: problem.cell.clone(),
                cells: 0,
                examples: Vec::new(),
            });
            self.0.len() - 1
        });
        let column = &mut self.0[at];
        column.cells += 1;
        if column.examples.len() <= EXAMPLES && !column.examples.contains(&problem.message) {
            column.examples.push(problem.message.clone());
        }
    }

    /// One line per column.
    pub(super) fn lines(&self) -> String {
        let names = self.0.iter().map(TidiedColumn::shown_name);
        let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
        let width = width.min(WIDEST_NAME);
        let mut lines = String::new();
        for column in &self.0 {
            // Writing to a string cannot fail.
            let _ = writeln!(
                lines,
                "  {:<width$}  {}",
                column.shown_name(),
                printable(&column.sentence())
            );
        }
        lines
    }
}

impl TidiedColumn {
    fn shown_name(&self) -> String {
        printable(&excerpt(&self.name))
    }

    fn sentence(&self) -> String {
        let shown = self.examples.iter().take(EXAMPLES);
        let mut sentence = shown.map(String::as_str).collect::<Vec<_>>().join(", ");
        if self.examples.len() > EXAMPLES {
            sentence.push_str(", …");
        }
        let place = match (&self.first_cell, self.cells) {
            (Some(cell), 1) => format!(" ({cell})"),
            (Some(cell), cells) => format!(" (in {}, first {cell})", counted(cells, "cell")),
            (None, rows) => format!(" (in {})", counted(rows, "row")),
        };
        sentence + &place
    }
}
