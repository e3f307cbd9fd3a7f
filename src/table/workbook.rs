//! Workbooks: cells by calamine, assembled to rows.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

use calamine::{
    Cell as SheetCell, Data, DataRef, ExcelDateTime, Ods, Reader as _, SheetType, SheetVisible,
    Xls, Xlsb, Xlsx, XlsxError,
};

use crate::model::RowNumber;
use crate::table::batch::{Batch, Hidden, Kind};
use crate::table::columns::Columns;
use crate::table::kind::Form;
use crate::table::marks::{Mark, Marks};
use crate::table::number::{Look, write_number};
use crate::table::options::{HiddenRows, Options};
use crate::table::sniff::{self, Candidate, Headers};
use crate::table::stream::{Feed, apart};
use crate::table::text::COLUMN_LIMIT;
use crate::table::{Fault, guard};

/// An open workbook of any form.
pub(super) enum Book {
    Xlsx(Box<Xlsx<BufReader<File>>>),
    Xlsb(Box<Xlsb<BufReader<File>>>),
    Xls(Box<Xls<BufReader<File>>>),
    Ods(Box<Ods<BufReader<File>>>),
}

/// The sheet that is read, and its headers.
pub(super) struct Sheet {
    pub(super) name: String,
    pub(super) headers: Headers,
}

/// Opens a workbook, after the guard has looked at it.
pub(super) fn open(mut file: File, form: Form) -> Result<Book, Fault> {
    guard::look(&mut file, form)?;
    apart(|| open_book(BufReader::new(file), form))
}

fn open_book(file: BufReader<File>, form: Form) -> Result<Book, Fault> {
    let damaged = |error: &dyn std::fmt::Display| Fault::Damaged(error.to_string());
    match form {
        Form::Xlsx | Form::Text => match Xlsx::new(file) {
            Ok(book) => Ok(Book::Xlsx(Box::new(book))),
            Err(XlsxError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
        Form::Xlsb => match Xlsb::new(file) {
            Ok(book) => Ok(Book::Xlsb(Box::new(book))),
            Err(calamine::XlsbError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
        Form::Xls => match Xls::new(file) {
            Ok(book) => Ok(Book::Xls(Box::new(book))),
            Err(calamine::XlsError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
        Form::Ods => match Ods::new(file) {
            Ok(book) => Ok(Book::Ods(Box::new(book))),
            Err(calamine::OdsError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
    }
}

impl Book {
    /// The sheets that hold cells, in order, with whether they show.
    pub(super) fn sheets(&self) -> Vec<(String, SheetVisible)> {
        let all = match self {
            Self::Xlsx(book) => book.sheets_metadata(),
            Self::Xlsb(book) => book.sheets_metadata(),
            Self::Xls(book) => book.sheets_metadata(),
            Self::Ods(book) => book.sheets_metadata(),
        };
        all.iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet)
            .map(|sheet| (sheet.name.clone(), sheet.visible))
            .collect()
    }

    /// Goes through the rows of a sheet, empty ones left out, until told to stop.
    pub(super) fn rows(
        &mut self,
        sheet: &str,
        each: &mut dyn FnMut(&SheetRow) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        let mut rows = Assembler::new(each);
        let outcome = match self {
            Self::Xlsx(book) => xlsx_cells(book, sheet, &mut rows)?,
            Self::Xlsb(book) => xlsb_cells(book, sheet, &mut rows)?,
            Self::Xls(book) => {
                let range = book
                    .worksheet_range(sheet)
                    .map_err(|error| Fault::Damaged(error.to_string()))?;
                range_cells(&range, &mut rows)?
            }
            Self::Ods(book) => {
                let range = book
                    .worksheet_range(sheet)
                    .map_err(|error| Fault::Damaged(error.to_string()))?;
                range_cells(&range, &mut rows)?
            }
        };
        match outcome {
            ControlFlow::Break(()) => Ok(()),
            ControlFlow::Continue(()) => {
                // The last row has nobody after it to end it.
                let _ = rows.end_row();
                Ok(())
            }
        }
    }
}

fn xlsx_cells(
    book: &mut Xlsx<BufReader<File>>,
    sheet: &str,
    rows: &mut Assembler<'_>,
) -> Result<ControlFlow<()>, Fault> {
    let mut reader = book
        .worksheet_cells_reader(sheet)
        .map_err(|error| Fault::Damaged(error.to_string()))?;
    let looks: Vec<Look> = reader
        .styles()
        .iter()
        .map(|style| {
            let format = style.number_format.as_ref();
            format.map_or(Look::General, |format| Look::of(&format.format_code))
        })
        .collect();
    loop {
        match reader.next_cell_with_style_id() {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some((cell, style))) => {
                let look = looks.get(style).unwrap_or(&Look::General);
                if rows.cell(&cell, look)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            // One cell with an error that the library does not know, such as #SPILL!: it goes on after it, and the
            // marks have the cell.
            Err(XlsxError::CellError(_)) => {}
            Err(XlsxError::Unrecognized { val, .. }) => rows.unknown_error(&val),
            Err(error) => return Err(Fault::Damaged(error.to_string())),
        }
    }
}

fn xlsb_cells(
    book: &mut Xlsb<BufReader<File>>,
    sheet: &str,
    rows: &mut Assembler<'_>,
) -> Result<ControlFlow<()>, Fault> {
    let mut reader = book
        .worksheet_cells_reader(sheet)
        .map_err(|error| Fault::Damaged(error.to_string()))?;
    loop {
        match reader.next_cell() {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some(cell)) => {
                if rows.cell(&cell, &Look::General)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Err(calamine::XlsbError::CellError(code)) => {
                rows.unknown_error(&format!("#ERROR {code}"));
            }
            Err(error) => return Err(Fault::Damaged(error.to_string())),
        }
    }
}

fn range_cells(
    range: &calamine::Range<Data>,
    rows: &mut Assembler<'_>,
) -> Result<ControlFlow<()>, Fault> {
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        let row = top + u32::try_from(row).map_err(|_| Fault::TooManyRows { limit: u32::MAX })?;
        let column = left + u32::try_from(column).unwrap_or(u32::MAX);
        let value = borrowed(value);
        if rows
            .cell(&SheetCell::new((row, column), value), &Look::General)?
            .is_break()
        {
            return Ok(ControlFlow::Break(()));
        }
    }
    Ok(ControlFlow::Continue(()))
}

fn borrowed(value: &Data) -> DataRef<'_> {
    match value {
        Data::Int(number) => DataRef::Int(*number),
        Data::Float(number) => DataRef::Float(*number),
        Data::String(text) => DataRef::SharedString(text),
        Data::Bool(truth) => DataRef::Bool(*truth),
        Data::DateTime(moment) => DataRef::DateTime(*moment),
        Data::DateTimeIso(text) => DataRef::DateTimeIso(text.clone()),
        Data::DurationIso(text) => DataRef::DurationIso(text.clone()),
        Data::Error(error) => DataRef::Error(error.clone()),
        Data::Empty => DataRef::Empty,
    }
}

/// One row of a sheet: its cells that hold something, by column.
#[derive(Debug, Default)]
pub(super) struct SheetRow {
    pub(super) number: u32,
    text: String,
    cells: Vec<(usize, Kind, usize, usize)>,
}

impl SheetRow {
    /// The cells in the order of their columns: column, kind, text.
    pub(super) fn cells(&self) -> impl Iterator<Item = (usize, Kind, &str)> {
        self.cells
            .iter()
            .map(|&(column, kind, from, to)| (column, kind, &self.text[from..to]))
    }
}

/// Gathers cells, which come one by one, into rows.
struct Assembler<'a> {
    each: &'a mut dyn FnMut(&SheetRow) -> ControlFlow<()>,
    row: SheetRow,
}

impl<'a> Assembler<'a> {
    fn new(each: &'a mut dyn FnMut(&SheetRow) -> ControlFlow<()>) -> Self {
        Self {
            each,
            row: SheetRow::default(),
        }
    }

    fn cell(
        &mut self,
        cell: &SheetCell<DataRef<'_>>,
        look: &Look,
    ) -> Result<ControlFlow<()>, Fault> {
        let (row, column) = cell.get_position();
        let number = row
            .checked_add(1)
            .ok_or(Fault::TooManyRows { limit: u32::MAX })?;
        if number != self.row.number {
            if self.end_row().is_break() {
                return Ok(ControlFlow::Break(()));
            }
            self.row.number = number;
        }
        let column = column as usize;
        if column >= COLUMN_LIMIT {
            return Err(Fault::TooManyColumns {
                row: RowNumber(number),
                limit: COLUMN_LIMIT,
            });
        }
        let from = self.row.text.len();
        let kind = write_value(cell.get_value(), look, &mut self.row.text);
        if kind != Kind::Empty {
            self.row
                .cells
                .push((column, kind, from, self.row.text.len()));
        }
        Ok(ControlFlow::Continue(()))
    }

    /// A cell that the library refuses stands right after the one before it, or first in its row.
    fn unknown_error(&mut self, text: &str) {
        let column = self.row.cells.last().map_or(0, |cell| cell.0 + 1);
        let from = self.row.text.len();
        self.row.text.push_str(text);
        self.row
            .cells
            .push((column, Kind::Error, from, self.row.text.len()));
    }

    fn end_row(&mut self) -> ControlFlow<()> {
        let flow = if self.row.cells.is_empty() {
            ControlFlow::Continue(())
        } else {
            self.row.cells.sort_by_key(|cell| cell.0);
            (self.each)(&self.row)
        };
        self.row.text.clear();
        self.row.cells.clear();
        flow
    }
}

fn write_value(value: &DataRef<'_>, look: &Look, out: &mut String) -> Kind {
    match value {
        DataRef::Empty => Kind::Empty,
        DataRef::String(text) => write_text(text, out),
        DataRef::SharedString(text) => write_text(text, out),
        DataRef::Int(number) => {
            // Precise up to 2^53, and beyond it Excel itself keeps 15 digits.
            #[expect(clippy::cast_precision_loss, reason = "a sheet holds floats alone")]
            let number = *number as f64;
            write_number(number, look, out)
        }
        DataRef::Float(number) => write_number(*number, look, out),
        DataRef::Bool(truth) => {
            out.push_str(if *truth { "TRUE" } else { "FALSE" });
            Kind::Truth
        }
        DataRef::DateTime(moment) => {
            write_moment(*moment, out);
            Kind::Date
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            out.push_str(text);
            Kind::Date
        }
        DataRef::Error(error) => {
            out.push_str(&error.to_string());
            Kind::Error
        }
    }
}

fn write_text(text: &str, out: &mut String) -> Kind {
    out.push_str(text);
    if text.is_empty() {
        Kind::Empty
    } else {
        Kind::Text
    }
}

fn write_moment(moment: ExcelDateTime, out: &mut String) {
    use std::fmt::Write as _;
    let (year, month, day, hour, minute, second, _) = moment.to_ymd_hms_milli();
    // Writing to a string cannot fail.
    let _ = write!(out, "{year:04}-{month:02}-{day:02}");
    if (hour, minute, second) != (0, 0, 0) {
        let _ = write!(out, " {hour:02}:{minute:02}:{second:02}");
    }
}

/// Finds the sheet whose headers fit.
pub(super) fn find_sheet(book: &mut Book, options: &Options) -> Result<Sheet, Fault> {
    let sheets = book.sheets();
    if let Some(asked) = &options.sheet {
        let names: Vec<String> = sheets.into_iter().map(|(name, _)| name).collect();
        let name = asked_sheet(&names, asked)?;
        let headers = sheet_headers(book, &name, options)?;
        return Ok(Sheet { name, headers });
    }
    let visible = sheets
        .into_iter()
        .filter(|(_, visible)| *visible == SheetVisible::Visible);
    let mut found = Vec::new();
    let mut fault = Fault::NoSheet;
    for (name, _) in visible {
        match sheet_headers(book, &name, options) {
            Ok(headers) => found.push(Sheet { name, headers }),
            Err(error) if matches!(fault, Fault::NoSheet | Fault::Empty) => fault = error,
            Err(_) => {}
        }
    }
    choose(found, fault, options)
}

/// The sheets that could be imported are those whose headers leave nothing missing; without any, the likeliest one says
/// what is missing.
fn choose(found: Vec<Sheet>, fault: Fault, options: &Options) -> Result<Sheet, Fault> {
    let fits = |sheet: &Sheet| {
        let row = sheet.headers.row.unwrap_or(RowNumber(1));
        !matches!(
            Columns::find(sheet.headers.names.clone(), row, options),
            Err(Fault::MissingFields { .. } | Fault::NoSuchHeader { .. })
        )
    };
    let (mut fitting, others): (Vec<Sheet>, Vec<Sheet>) = found.into_iter().partition(fits);
    match fitting.len() {
        0 => others
            .into_iter()
            .reduce(|best, next| {
                if next.headers.score > best.headers.score {
                    next
                } else {
                    best
                }
            })
            .ok_or(fault),
        1 => Ok(fitting.remove(0)),
        _ => Err(Fault::SeveralSheets {
            sheets: fitting.into_iter().map(|sheet| sheet.name).collect(),
        }),
    }
}

fn asked_sheet(names: &[String], asked: &str) -> Result<String, Fault> {
    let by_name = names.iter().find(|name| *name == asked).or_else(|| {
        names
            .iter()
            .find(|name| name.trim().eq_ignore_ascii_case(asked.trim()))
    });
    let by_number = || {
        let number: usize = asked.trim().parse().ok()?;
        names.get(number.checked_sub(1)?)
    };
    by_name
        .or_else(by_number)
        .cloned()
        .ok_or_else(|| Fault::NoSuchSheet {
            asked: asked.to_owned(),
            sheets: names.to_vec(),
        })
}

fn sheet_headers(book: &mut Book, sheet: &str, options: &Options) -> Result<Headers, Fault> {
    let mut rows = Vec::new();
    book.rows(sheet, &mut |row| {
        let mut cells = Vec::new();
        for (column, _, text) in row.cells() {
            cells.resize(column, String::new());
            cells.push(text.to_owned());
        }
        rows.push(Candidate {
            number: RowNumber(row.number),
            cells,
        });
        if sniff::is_enough(&rows, options) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    sniff::headers(&rows, options)
}

/// Feeds every row below the headers.
pub(super) fn feed(
    mut book: Book,
    sheet: &str,
    below: Option<RowNumber>,
    beside: Beside,
    feed: &mut Feed,
) -> Result<(), Fault> {
    let Beside {
        mut marks,
        hidden_rows,
    } = beside;
    let mut before = below.map_or(0, |header| header.0);
    book.rows(sheet, &mut |row| {
        if below.is_some_and(|header| row.number <= header.0) {
            return ControlFlow::Continue(());
        }
        feed.batch.blank_lines += u64::from(row.number.saturating_sub(before + 1));
        before = row.number;
        let marks = marks
            .as_mut()
            .map(|marks| marks.of_row(row.number))
            .unwrap_or_default();
        let hidden = marks.iter().any(|mark| matches!(mark, Mark::Hidden { .. }));
        if hidden && hidden_rows == HiddenRows::LeftOut {
            return ControlFlow::Continue(());
        }
        let number = RowNumber(row.number);
        feed.batch
            .begin(number, if hidden { Hidden::Yes } else { Hidden::No });
        feed_cells(row, &marks, &mut feed.batch);
        match feed.turn() {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    })
}

/// What is read beside the values.
pub(super) struct Beside {
    /// None where the form has no marks that we read.
    pub(super) marks: Option<Marks>,
    pub(super) hidden_rows: HiddenRows,
}

fn feed_cells(row: &SheetRow, marks: &[Mark], batch: &mut Batch) {
    let marked = marks.iter().filter_map(|mark| match mark {
        Mark::Cell {
            column, kind, text, ..
        } => Some((*column, *kind, text.as_str())),
        Mark::Hidden { .. } => None,
    });
    let mut cells: Vec<(usize, Kind, &str)> = Vec::new();
    if !marks.is_empty() {
        cells.extend(row.cells().chain(marked));
        cells.sort_by_key(|cell| cell.0);
    }
    let mut next = 0;
    let mut add = |(column, kind, text): (usize, Kind, &str)| {
        if column < next {
            return;
        }
        while next < column {
            batch.cell(Kind::Empty, "");
            next += 1;
        }
        batch.cell(kind, text);
        next = column + 1;
    };
    if marks.is_empty() {
        row.cells().for_each(&mut add);
    } else {
        cells.into_iter().for_each(&mut add);
    }
}
