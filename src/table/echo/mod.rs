//! The user's own table once more: its rows, some or all, in their order, with their columns, and columns of ours
//! behind them.
//!
//! Text stays text, in its encoding and with its delimiter; a workbook stays a workbook, with the styles of its headers
//! and columns. What was `.xls`, `.xlsb` or `.ods` becomes `.xlsx`, the one form of workbook that can be written.

mod sheet;
mod style;
mod text;

use std::path::{Path, PathBuf};

use crate::model::RowNumber;
use crate::table::{Document, Error, Fault, Form, Options, Row, open};

/// What stands in a column of ours.
#[derive(Clone, Debug, PartialEq)]
pub enum Extra {
    /// Nothing.
    Empty,
    /// Text, whatever it looks like.
    Text(String),
    /// A number.
    Number(f64),
    /// A moment, shown as a date.
    Date(jiff::civil::Date),
}

/// What is added to a row of the user's.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Addition {
    /// The cells of our columns, in order.
    pub extras: Vec<Extra>,
    /// Cells to be marked, by their zero-based column, each with the reason.
    pub marks: Vec<(usize, String)>,
}

/// Writes a table again.
///
/// `each` is asked for every row in order: what to add to it, or none to leave it out. Returns how many were written.
/// Columns called like ours at the table's end are left out, so that a table can be echoed again and again.
///
/// # Errors
/// As [`open`]; [`Fault::Write`] when the new file cannot be written, and then the old one stands.
pub fn echo(
    document: &Document,
    options: &Options,
    path: &Path,
    headers: &[&str],
    each: &mut dyn FnMut(&Row<'_>) -> Option<Addition>,
) -> Result<u64, Error> {
    let table = open(document, options)?;
    let name = document.name();
    let written = match form_of(path, table.reading().form) {
        Form::Text => text::write(table, path, headers, each),
        Form::Xlsx | Form::Xlsb | Form::Xls | Form::Ods => sheet::write(table, path, headers, each),
    };
    written.map_err(|failed| match failed {
        Failed::Reading(error) => error,
        Failed::Writing(fault) => fault.of(&name),
    })
}

/// Why an echo failed.
enum Failed {
    Reading(Error),
    Writing(Fault),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Reading(error)
    }
}

impl From<Fault> for Failed {
    fn from(fault: Fault) -> Self {
        Self::Writing(fault)
    }
}

/// What is written: what the path's ending says, and what the input is where it says nothing.
fn form_of(path: &Path, input: Form) -> Form {
    let extension = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    match extension.as_str() {
        "csv" | "tsv" | "txt" => Form::Text,
        "xlsx" => Form::Xlsx,
        _ if input == Form::Text => Form::Text,
        _ => Form::Xlsx,
    }
}

/// The path of a companion file: `leads.csv` and `rejects` make `leads.rejects.csv`, in the same folder. Standard
/// input's companions stand in the working directory.
pub fn companion(document: &Document, form: Form, what: &str) -> PathBuf {
    let path = document.path();
    let stem = if document.is_spooled() {
        "stdin".to_owned()
    } else {
        path.file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    let own = path
        .extension()
        .unwrap_or_default()
        .to_string_lossy()
        .to_ascii_lowercase();
    let extension = match form {
        Form::Text if matches!(own.as_str(), "csv" | "tsv" | "txt") => own.as_str(),
        Form::Text => "csv",
        Form::Xlsx | Form::Xlsb | Form::Xls | Form::Ods => "xlsx",
    };
    let name = format!("{stem}.{what}.{extension}");
    if document.is_spooled() {
        PathBuf::from(name)
    } else {
        path.with_file_name(name)
    }
}

/// How many of the table's columns are the user's: all, but for ours at the end.
fn own_columns(names: &[String], headers: &[&str]) -> usize {
    let own = names.len().saturating_sub(headers.len());
    let ends_with_ours = names[own..]
        .iter()
        .map(String::as_str)
        .eq(headers.iter().copied());
    if ends_with_ours { own } else { names.len() }
}

/// The number of a row as our column of row numbers holds it.
pub fn row_number(number: RowNumber) -> Extra {
    Extra::Number(f64::from(number.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn companions_stand_beside_their_file() {
        let beside = |path: &str, form| companion(&Document::at(Path::new(path)), form, "rejects");
        assert_eq!(
            beside("in/leads.csv", Form::Text),
            Path::new("in/leads.rejects.csv")
        );
        assert_eq!(
            beside("leads.TSV", Form::Text),
            Path::new("leads.rejects.tsv")
        );
        assert_eq!(
            beside("leads.xls", Form::Xls),
            Path::new("leads.rejects.xlsx")
        );
        assert_eq!(
            beside("leads.xlsx", Form::Text),
            Path::new("leads.rejects.csv")
        );
    }

    #[test]
    fn our_columns_are_not_doubled() {
        let names = ["id", "name", "error", "source_row"].map(str::to_owned);
        assert_eq!(own_columns(&names, &["error", "source_row"]), 2);
        assert_eq!(own_columns(&names, &["status"]), 4);
    }
}
