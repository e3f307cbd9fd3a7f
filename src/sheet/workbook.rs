//! Workbooks of any format: their sheets, and rows assembled from single cells.

use std::collections::HashMap;
use std::fs::File;
use std::ops::ControlFlow;

use calamine::{DataRef, ExcelDateTime, Sheet, SheetType, SheetVisible};
use rust_xlsxwriter::Format;

use crate::model::RowNumber;
use crate::sheet::SheetError;
use crate::sheet::batch::{CellKind, RowVisibility, SheetSummary};
use crate::sheet::csv::read::COLUMN_LIMIT;
use crate::sheet::number::{NumberDisplay, write_number};
use crate::sheet::row_details::ScanPart;
use crate::sheet::stream;

/// Whether a workbook's tabs show a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SheetVisibility {
    Visible,
    Hidden,
}

/// What is done with each row, until it breaks.
pub(crate) type RowVisitor<'a> = &'a mut dyn FnMut(&SheetRow) -> ControlFlow<()>;

/// What the reader of each format provides.
pub(crate) trait WorkbookReader: Send {
    /// The sheets that hold cells, in order.
    fn sheets(&self) -> Vec<(String, SheetVisibility)>;

    /// Calls `each` for every row of a sheet that is not empty, until it breaks.
    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError>;

    /// The fonts, fills and alignments in a row, by zero-based column; none where the reader does not know them.
    fn formats_of_row(&mut self, _sheet: &str, _row: RowNumber) -> HashMap<usize, Format> {
        HashMap::new()
    }

    /// What is known of the sheet after its last row, where the reader knows it by itself.
    fn summary(&self) -> SheetSummary {
        SheetSummary::default()
    }
}

/// An open workbook of any format.
pub(crate) type OpenWorkbook = Box<dyn WorkbookReader>;

/// How the workbooks of one format are recognized and read.
pub(crate) struct WorkbookFormat {
    /// The name in a sentence.
    pub(super) name: &'static str,
    /// The extensions of its files, in lower case.
    pub(super) extensions: &'static [&'static str],
    /// The part by which its archive is recognized; `None` for a format that is not an archive.
    pub(super) part: Option<&'static str>,
    /// Refuses a workbook that would exhaust the machine, and seeks to the start of the file.
    pub(super) check_limits: fn(&mut File) -> Result<(), SheetError>,
    pub(super) open: fn(File) -> Result<OpenWorkbook, SheetError>,
    /// Finds what the reader omits of a sheet.
    pub(super) scan: Option<ScanPart>,
}

/// The sheets of cells among the sheets that calamine lists.
pub(in crate::sheet) fn sheets_of_cells(all: &[Sheet]) -> Vec<(String, SheetVisibility)> {
    let visibility = |sheet: &Sheet| match sheet.visible {
        SheetVisible::Visible => SheetVisibility::Visible,
        SheetVisible::Hidden | SheetVisible::VeryHidden => SheetVisibility::Hidden,
    };
    let sheets = all.iter().filter(|sheet| sheet.typ == SheetType::WorkSheet);
    sheets
        .map(|sheet| (sheet.name.clone(), visibility(sheet)))
        .collect()
}

/// A workbook that a library cannot read. Its reason is for programmers: `Could not find EOCD`.
pub(in crate::sheet) fn damaged<E>(_: E) -> SheetError {
    stream::damaged()
}

/// One row of a sheet: its cells that hold something, by column.
#[derive(Debug, Default)]
pub(crate) struct SheetRow {
    pub(crate) number: u32,
    /// Hidden or crossed out where the reader knows it by itself.
    pub(crate) visibility: RowVisibility,
    text: String,
    cells: Vec<(usize, CellKind, usize, usize)>,
}

impl SheetRow {
    /// The cells in the order of their columns: column, kind, text.
    pub(crate) fn cells(&self) -> impl Iterator<Item = (usize, CellKind, &str)> {
        self.cells
            .iter()
            .map(|&(column, kind, from, to)| (column, kind, &self.text[from..to]))
    }
}

/// Gathers cells, which come one by one, into rows.
pub(in crate::sheet) struct RowAssembler<'a> {
    each: RowVisitor<'a>,
    row: SheetRow,
}

impl<'a> RowAssembler<'a> {
    pub(in crate::sheet) fn new(each: RowVisitor<'a>) -> Self {
        Self {
            each,
            row: SheetRow::default(),
        }
    }

    /// Adds a cell; one of another row ends the row before.
    pub(in crate::sheet) fn cell(
        &mut self,
        (row, column): (u32, u32),
        value: &DataRef<'_>,
        display: &NumberDisplay,
    ) -> Result<ControlFlow<()>, SheetError> {
        let number = row
            .checked_add(1)
            .ok_or(SheetError::TooManyRows { limit: u32::MAX })?;
        if number != self.row.number {
            if number < self.row.number {
                return Err(repeated_row(number));
            }
            if self.end_row().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.row.number = number;
            self.row.visibility = RowVisibility::Visible;
        }
        let column = column as usize;
        if column >= COLUMN_LIMIT {
            return Err(SheetError::TooManyColumns(RowNumber(number)));
        }
        let from = self.row.text.len();
        let kind = write_value(value, display, &mut self.row.text);
        let is_after = self.row.cells.last().is_none_or(|last| last.0 < column);
        if kind != CellKind::Empty
            && !is_after
            && self.row.cells.iter().any(|cell| cell.0 == column)
        {
            return Err(repeated_row(number));
        }
        self.push(column, kind, from);
        Ok(ControlFlow::Continue(()))
    }

    /// Adds a cell to the row that was started last.
    pub(in crate::sheet) fn value(&mut self, column: usize, kind: CellKind, text: &str) {
        let from = self.row.text.len();
        self.row.text.push_str(text);
        self.push(column, kind, from);
    }

    /// Begins a row whose cells follow, and which [`RowAssembler::end_row`] ends.
    pub(in crate::sheet) fn begin_row(&mut self, number: u32, visibility: RowVisibility) {
        self.row.number = number;
        self.row.visibility = visibility;
    }

    /// Marks the row of the last cell as crossed out.
    pub(in crate::sheet) fn cross_out(&mut self) {
        self.row.visibility = RowVisibility::CrossedOut;
    }

    fn push(&mut self, column: usize, kind: CellKind, from: usize) {
        if kind != CellKind::Empty {
            let cell = (column, kind, from, self.row.text.len());
            self.row.cells.push(cell);
        }
    }

    /// Hands the row over, unless it is empty.
    pub(in crate::sheet) fn end_row(&mut self) -> ControlFlow<()> {
        self.end_rows(1)
    }

    /// Hands a row over that is repeated, unless it is empty.
    pub(in crate::sheet) fn end_rows(&mut self, repeats: u32) -> ControlFlow<()> {
        let mut flow = ControlFlow::Continue(());
        if !self.row.cells.is_empty() {
            self.row.cells.sort_by_key(|cell| cell.0);
            let first = self.row.number;
            for number in first..first.saturating_add(repeats) {
                self.row.number = number;
                flow = (self.each)(&self.row);
                if flow.is_break() {
                    break;
                }
            }
        }
        self.row.text.clear();
        self.row.cells.clear();
        flow
    }
}

/// A row that comes twice has two houses, of which one would be lost. Rows that are not in order are not told apart
/// from it, because the rows before are not kept.
fn repeated_row(number: u32) -> SheetError {
    SheetError::Damaged(format!(
        "its rows are not in order, or row {number} comes twice"
    ))
}

fn write_value(value: &DataRef<'_>, display: &NumberDisplay, out: &mut String) -> CellKind {
    match value {
        DataRef::Empty => CellKind::Empty,
        DataRef::String(text) => write_text(text, out),
        DataRef::SharedString(text) => write_text(text, out),
        DataRef::Int(number) => {
            // Precise up to 2^53, and beyond it Excel itself keeps 15 digits.
            #[expect(clippy::cast_precision_loss, reason = "a sheet holds only floats")]
            let number = *number as f64;
            write_number(number, display, out)
        }
        DataRef::Float(number) => write_number(*number, display, out),
        DataRef::Bool(truth) => {
            out.push_str(if *truth { "TRUE" } else { "FALSE" });
            CellKind::Boolean
        }
        DataRef::DateTime(moment) if !moment.as_f64().is_finite() => {
            write_number(moment.as_f64(), display, out)
        }
        DataRef::DateTime(moment) => {
            write_moment(*moment, out);
            CellKind::Date
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            out.push_str(&shown_date(text));
            CellKind::Date
        }
        DataRef::Error(error) => {
            out.push_str(&error.to_string());
            CellKind::Error
        }
    }
}

/// An ISO date as it is shown: without midnight, and with a space before any other time.
pub(in crate::sheet) fn shown_date(iso: &str) -> String {
    let day = iso.strip_suffix("T00:00:00").unwrap_or(iso);
    day.replacen('T', " ", usize::from(!day.starts_with('P')))
}

fn write_text(text: &str, out: &mut String) -> CellKind {
    if memchr::memchr(0, text.as_bytes()).is_some() {
        // Some old programs write two bytes per character and declare one: every second byte is zero.
        out.extend(text.chars().filter(|c| *c != '\0'));
    } else {
        out.push_str(text);
    }
    if text.is_empty() {
        CellKind::Empty
    } else {
        CellKind::Text
    }
}

fn write_moment(moment: ExcelDateTime, out: &mut String) {
    use std::fmt::Write as _;
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    // Writing to a string cannot fail.
    let time = format!("{hour:02}:{minute:02}:{second:02}");
    // A number below 1 is a time of no day.
    let _ = match (hour, minute, second) {
        _ if moment.as_f64() < 1.0 => write!(out, "{time}"),
        (0, 0, 0) => write!(out, "{year:04}-{month:02}-{day:02}"),
        _ => write!(out, "{year:04}-{month:02}-{day:02} {time}"),
    };
}
