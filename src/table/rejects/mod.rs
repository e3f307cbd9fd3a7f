//! Rejected rows in the user's own layout, in a file beside the input, each with its errors.
//!
//! Two columns are appended: `error`, with every message and the header of its column, and `source_row`, with the row's
//! number in the original. Where rows are rejected as the same house, a third column `same_house` before them takes the
//! user's decision. A file is recognized as rejects when its headers have both names, or one and the journal knows its
//! rows; whether it may be replaced or removed is known to the journal, which remembers what was written. When such a file
//! is imported again and has rejects of its own, its two columns are replaced. In a table without headers the cells have
//! the names as prefixes (`source_row: 12`), so that these files are recognized too.

mod recognition;
mod rejects_path;

pub use recognition::RejectsSample;
pub use rejects_path::{ExistingFile, RejectsPath, rejects_name};

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use crate::model::{Outcome, Problem, RowNumber, excerpt};
use crate::sheet::rewrite::{
    AppendedColumn, AppendedValue, EarlierColumns, Highlight, RewriteNote, RewritePlan, RowAddition,
};
use crate::sheet::{Error, MISSING_VALUES, Row, SheetError};
use crate::table::KnownTable;
use crate::table::rejects_columns::{DECISION, HEADERS, is_decision_header};
use crate::table::{Columns, annotate};

/// How the error of a row begins that was held as the same house.
const SAME_HOUSE: &str = "same house: ";

/// A row that did not become a measurement, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RowRejection {
    /// As Excel or an editor shows it.
    pub row: RowNumber,
    /// Its external id, if it has a valid one.
    pub external_id: Option<String>,
    /// Its number in the original, where the file that was read is rejects itself: `None` for a row that was added there.
    /// Else the same.
    pub source_row: Option<RowNumber>,
    /// Invalid, refused, in conflict or of the same house as another.
    pub outcome: Outcome,
    /// What is wrong with it.
    pub problems: Vec<Problem>,
    /// The text in the column `same_house`, into which the user types a decision; `None` if there is nothing to decide.
    pub decision: Option<&'static str>,
    /// The zero-based column of the input into which the decision was typed; `None` if only the journal has it.
    pub decision_column: Option<usize>,
}

/// The file of rejects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RejectsFile {
    /// Where it is.
    pub path: PathBuf,
    /// How many rows it holds.
    pub rows: u64,
    /// Differences from the original that the user should know.
    pub notes: Vec<RewriteNote>,
}

/// Writes the rejected rows, and replaces those of an earlier run; removes these if there are no rejected rows.
///
/// `finished` is given the file that is about to be renamed into its place.
///
/// # Errors
/// [`SheetError::Changed`] and other errors of the input; [`SheetError::Write`].
pub fn update(
    table: KnownTable<'_>,
    rejected: &[RowRejection],
    rejects_path: &RejectsPath,
    finished: &mut dyn FnMut(&Path) -> io::Result<()>,
) -> Result<Option<RejectsFile>, Error> {
    let in_file = |cause: SheetError| cause.in_file(&table.input_file.name());
    if rejected.is_empty() {
        rejects_path.remove().map_err(in_file)?;
        return Ok(None);
    }
    let by_row: HashMap<RowNumber, &RowRejection> = rejected
        .iter()
        .map(|rejected| (rejected.row, rejected))
        .collect();
    let asks = rejected.iter().any(|rejected| rejected.decision.is_some());
    let headers = asks.then_some(DECISION).into_iter().chain(HEADERS);
    let appended: Vec<AppendedColumn> = headers
        .map(|header| AppendedColumn {
            header: header.to_owned(),
            number_format: None,
            max_width: 60,
        })
        .collect();
    let plan = RewritePlan {
        appended: &appended,
        earlier: EarlierColumns::Anywhere(&HEADERS, DECISION),
        keeps_surroundings: false,
        fills_short_rows: false,
        adds_mark: true,
    };
    let header_row = table.layout.header_row;
    let each = |columns: &Columns, row: RowNumber| {
        let rejected = by_row.get(&row)?;
        let mut addition = addition(rejected, columns, header_row);
        if asks {
            let cell = decision_cell(rejected, columns, header_row);
            addition.values.insert(0, cell);
        }
        Some(addition)
    };
    let rewritten = annotate::write(table, &plan, each, rejects_path.path(), finished)?;
    if rewritten.rows != by_row.len() as u64 {
        return Err(in_file(SheetError::Changed));
    }
    rejects_path.remove_outdated().map_err(in_file)?;
    Ok(Some(RejectsFile {
        path: rejects_path.path().to_owned(),
        rows: rewritten.rows,
        notes: rewritten.notes,
    }))
}

/// The number in the column `source_row` of imported rejects, or in the cell with its name as a prefix.
pub fn source_row(row: &Row<'_>, columns: &Columns) -> Option<RowNumber> {
    let [_, number] = columns.of_rejects;
    let text = match number {
        Some(column) => row.cell(column).text,
        None => row
            .cells()
            .find_map(|cell| recognition::labeled_value(cell.text, HEADERS[1]))?,
    };
    text.trim().parse().ok().map(RowNumber)
}

/// The end of the question about the row of an external id.
pub fn question_id(external_id: &str) -> String {
    format!(" as `{external_id}`")
}

/// What the column `error` of rejects asks about a row that was held as the same house, or the cell with its name as a
/// prefix.
pub fn question<'a>(row: &Row<'a>, columns: &Columns) -> Option<&'a str> {
    let text = match columns.of_rejects[0] {
        Some(column) => row.cell(column).text,
        None => row
            .cells()
            .find_map(|cell| recognition::labeled_value(cell.text, HEADERS[0]))?,
    };
    let text = text.trim();
    text.starts_with(SAME_HOUSE).then_some(text)
}

/// Whether a row of rejects that had more or fewer values than headers is not corrected yet: it has the note about missing
/// values, or since it was edited as text, a number as its error or a text as its number.
pub fn has_moved_cells(row: &Row<'_>, columns: &Columns) -> bool {
    if !columns.are_of_rejects() {
        return false;
    }
    let [error, number] = columns
        .of_rejects
        .map(|column| column.map_or("", |column| row.cell(column).text.trim()));
    error.parse::<u32>().is_ok() && !number.is_empty()
        || number.contains(char::is_alphabetic)
        || row.cells().any(|cell| cell.text.ends_with(MISSING_VALUES))
}

/// Whether a row of rejects has a value behind the last header.
pub fn has_more_cells(row: &Row<'_>, columns: &Columns) -> bool {
    if !columns.are_of_rejects() {
        return false;
    }
    let mut headers = columns.headers().iter();
    let named = headers.rposition(|header| !header.trim().is_empty());
    let mut behind = row.cells().skip(named.map_or(0, |last| last + 1));
    behind.any(|cell| !cell.is_blank())
}

/// The first rows of a file that has a column of rejects; `None` for another file, and where it cannot be read.
pub fn sample(path: &Path) -> Option<RejectsSample> {
    recognition::sample(path).ok().flatten()
}

fn addition(
    rejected: &RowRejection,
    columns: &Columns,
    header_row: Option<RowNumber>,
) -> RowAddition {
    let error = sentence(rejected, columns, header_row);
    let row = rejected.source_row;
    let number = row.map_or_else(String::new, |row| format!(" {row}"));
    let values = match header_row {
        None => {
            let [error_name, row_name] = HEADERS;
            vec![
                AppendedValue::Text(format!("{error_name}: {error}")),
                AppendedValue::Text(format!("{row_name}:{number}")),
            ]
        }
        Some(_) => {
            vec![
                AppendedValue::Text(error),
                row.map_or(AppendedValue::Empty, |row| {
                    AppendedValue::Number(row.0.into())
                }),
            ]
        }
    };
    RowAddition {
        values,
        highlights: highlights(rejected, columns),
    }
}

/// The cell for the user's decision; empty if it was typed into a column of the input's own, where the word stays.
fn decision_cell(
    rejected: &RowRejection,
    columns: &Columns,
    header_row: Option<RowNumber>,
) -> AppendedValue {
    let headers = columns.headers();
    let own = headers.iter().position(|header| is_decision_header(header));
    let has_own = own.is_some_and(|own| headers.get(own + 1).is_none_or(|next| next != HEADERS[0]));
    match (rejected.decision, header_row) {
        (Some(word), None) => AppendedValue::Text(format!("{DECISION}:{word}")),
        (None | Some(""), _) => AppendedValue::Empty,
        (Some(_), _) if has_own && rejected.decision_column == own => AppendedValue::Empty,
        (Some(word), _) => AppendedValue::Text(word.to_owned()),
    }
}

/// Every message with the header of its column: `Zip: the postal code is empty; Phone: too few digits`.
fn sentence(rejected: &RowRejection, columns: &Columns, header_row: Option<RowNumber>) -> String {
    let mut sentence = match rejected.outcome {
        Outcome::Refused => "refused by the service: ".to_owned(),
        Outcome::Conflict => "conflict: ".to_owned(),
        Outcome::SameHouse => SAME_HOUSE.to_owned(),
        Outcome::Created
        | Outcome::Existing
        | Outcome::Known
        | Outcome::Invalid
        | Outcome::Duplicate
        | Outcome::Pending => String::new(),
    };
    for (index, problem) in rejected.problems.iter().enumerate() {
        let between = if index == 0 { "" } else { "; " };
        // Writing to a string cannot fail.
        let _ = match name(problem, columns, header_row) {
            Some(name) => write!(sentence, "{between}{name}: {}", problem.message),
            None => write!(sentence, "{between}{}", problem.message),
        };
    }
    if rejected.outcome == Outcome::SameHouse {
        let id = rejected.external_id.as_deref().unwrap_or_default();
        // With another id, for instance another prefix, the row was not asked about.
        let _ = write!(
            sentence,
            "; in the column same_house, type skip to leave the row out, or send to request it again{}",
            question_id(id)
        );
    }
    sentence
}

/// The user's name for the field of a message: the header of its column, or the field's own name where no column feeds
/// it.
fn name(problem: &Problem, columns: &Columns, header_row: Option<RowNumber>) -> Option<String> {
    let field = problem.field?;
    let column = problem.column_index.or_else(|| columns.supplying(field));
    let header = column.and_then(|column| columns.headers().get(column));
    let header = header.map(|header| match header_row {
        None => format!("column {header}"),
        Some(_) => excerpt(header.trim()).into_owned(),
    });
    Some(
        header
            .filter(|header| !header.is_empty())
            .unwrap_or_else(|| field.words()),
    )
}

fn highlights(rejected: &RowRejection, columns: &Columns) -> Vec<Highlight> {
    let mut highlights: Vec<Highlight> = Vec::new();
    for problem in &rejected.problems {
        let of_field = || columns.supplying(problem.field?);
        let Some(column) = problem.column_index.or_else(of_field) else {
            continue;
        };
        match highlights
            .iter_mut()
            .find(|highlight| highlight.column == column)
        {
            Some(highlight) => highlight.note = format!("{}\n{}", highlight.note, problem.message),
            None => highlights.push(Highlight {
                column,
                note: problem.message.clone(),
            }),
        }
    }
    highlights
}
