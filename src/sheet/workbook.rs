//! Rows of workbooks, assembled from calamine's cells.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

use calamine::{
    Cell as CalamineCell, Data, DataRef, ExcelDateTime, Reader as _, SheetType, SheetVisible, Xls,
    Xlsb, Xlsx, XlsxError,
};

use crate::model::RowNumber;
use crate::sheet::batch::{CellKind, SheetSummary};
use crate::sheet::format::FileFormat;
use crate::sheet::number::{NumberDisplay, write_number};
use crate::sheet::ods::{self, Ods, OdsRow};
use crate::sheet::stream::apart;
use crate::sheet::text::COLUMN_LIMIT;
use crate::sheet::{Fault, limits, repair};

/// Whether a workbook's tabs show a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SheetVisibility {
    Visible,
    Hidden,
}

/// An open workbook of any format.
pub(crate) enum OpenWorkbook {
    Xlsx(Box<Xlsx<BufReader<File>>>),
    Xlsb(Box<Xlsb<BufReader<File>>>),
    Xls(Box<Xls<BufReader<File>>>),
    Ods(Ods),
}

/// Opens a workbook, after the guard has looked at it.
pub(crate) fn open(mut file: File, format: FileFormat) -> Result<OpenWorkbook, Fault> {
    limits::look(&mut file, format)?;
    open_unlimited(file, format)
}

/// Opens a workbook that this program wrote itself.
pub(crate) fn open_unlimited(file: File, format: FileFormat) -> Result<OpenWorkbook, Fault> {
    apart(|| open_book(file, format))
}

fn open_book(file: File, format: FileFormat) -> Result<OpenWorkbook, Fault> {
    let damaged = |error: &dyn std::fmt::Display| Fault::Damaged(error.to_string());
    match format {
        FileFormat::Xlsx | FileFormat::Text => open_xlsx(file),
        FileFormat::Ods => Ok(OpenWorkbook::Ods(Ods::open(file)?)),
        FileFormat::Xlsb => match Xlsb::new(BufReader::new(file)) {
            Ok(book) => Ok(OpenWorkbook::Xlsb(Box::new(book))),
            Err(calamine::XlsbError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
        FileFormat::Xls => match Xls::new(BufReader::new(file)) {
            Ok(book) => Ok(OpenWorkbook::Xls(Box::new(book))),
            Err(calamine::XlsError::Password) => Err(Fault::Password),
            Err(error) => Err(damaged(&error)),
        },
    }
}

/// Opens a workbook; one whose list of sheets the library cannot make out is opened again with the list in order.
fn open_xlsx(mut file: File) -> Result<OpenWorkbook, Fault> {
    let again = file.try_clone().map_err(Fault::Read)?;
    let opened = match Xlsx::new(BufReader::new(again)) {
        Err(error @ (XlsxError::RelationshipNotFound | XlsxError::Unrecognized { .. })) => {
            match repair::repaired(&mut file) {
                Some(copy) => Xlsx::new(BufReader::new(copy)),
                None => Err(error),
            }
        }
        opened => opened,
    };
    match opened {
        Ok(book) => Ok(OpenWorkbook::Xlsx(Box::new(book))),
        Err(XlsxError::Password) => Err(Fault::Password),
        Err(error) => Err(Fault::Damaged(error.to_string())),
    }
}

impl OpenWorkbook {
    /// The sheets that hold cells, in order, with whether they show.
    pub(crate) fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        let all = match self {
            Self::Xlsx(book) => book.sheets_metadata(),
            Self::Xlsb(book) => book.sheets_metadata(),
            Self::Xls(book) => book.sheets_metadata(),
            Self::Ods(book) => return book.sheets().iter().map(shown).collect(),
        };
        all.iter()
            .filter(|sheet| sheet.typ == SheetType::WorkSheet)
            .map(|sheet| (sheet.name.clone(), visibility(sheet.visible)))
            .collect()
    }

    /// What is known of the sheet after its last row, where the format's reader provides it.
    pub(crate) fn summary(&self) -> SheetSummary {
        match self {
            Self::Ods(book) => book.summary(),
            Self::Xlsx(_) | Self::Xlsb(_) | Self::Xls(_) => SheetSummary::default(),
        }
    }

    /// Calls `each` for every row of a sheet that is not empty, until it breaks.
    pub(crate) fn rows(
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
            Self::Ods(book) => return book.rows(sheet, &mut |row| rows.ods_row(row)),
        };
        match outcome {
            ControlFlow::Break(()) => Ok(()),
            ControlFlow::Continue(()) => {
                // No later cell ends the last row.
                let _ = rows.end_row();
                Ok(())
            }
        }
    }
}

fn shown(sheet: &ods::OdsSheet) -> (String, SheetVisibility) {
    let visibility = if sheet.hidden {
        SheetVisibility::Hidden
    } else {
        SheetVisibility::Visible
    };
    (sheet.name.clone(), visibility)
}

fn visibility(visible: SheetVisible) -> SheetVisibility {
    match visible {
        SheetVisible::Visible => SheetVisibility::Visible,
        SheetVisible::Hidden | SheetVisible::VeryHidden => SheetVisibility::Hidden,
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
    let looks: Vec<NumberDisplay> = reader
        .styles()
        .iter()
        .map(|style| {
            let format = style.number_format.as_ref();
            format.map_or(NumberDisplay::General, |format| {
                NumberDisplay::parse(&format.format_code)
            })
        })
        .collect();
    loop {
        match reader.next_cell_with_style_id() {
            Ok(None) => return Ok(ControlFlow::Continue(())),
            Ok(Some((cell, style))) => {
                let look = looks.get(style).unwrap_or(&NumberDisplay::General);
                if rows.cell(&cell, look)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
            }
            // A cell with an error that calamine does not know, such as #SPILL!: reading continues after it, and the
            // row's details hold the cell.
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
                if rows.cell(&cell, &NumberDisplay::General)?.is_break() {
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
            .cell(
                &CalamineCell::new((row, column), value),
                &NumberDisplay::General,
            )?
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
pub(crate) struct SheetRow {
    pub(crate) number: u32,
    /// Whether the sheet hides it, where the reader provides it.
    pub(crate) hidden: bool,
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
        cell: &CalamineCell<DataRef<'_>>,
        look: &NumberDisplay,
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
        self.push(column, kind, from);
        Ok(ControlFlow::Continue(()))
    }

    /// A complete row of an ODS sheet.
    fn ods_row(&mut self, row: &OdsRow) -> ControlFlow<()> {
        self.row.number = row.number;
        self.row.hidden = row.hidden;
        for cell in &row.cells {
            let from = self.row.text.len();
            let kind = match &cell.seen {
                Some((kind, seen)) => {
                    self.row.text.push_str(seen);
                    *kind
                }
                None => write_value(
                    &borrowed(&cell.value),
                    &NumberDisplay::General,
                    &mut self.row.text,
                ),
            };
            self.push(cell.column, kind, from);
        }
        self.end_row()
    }

    fn push(&mut self, column: usize, kind: CellKind, from: usize) {
        if kind != CellKind::Empty {
            let cell = (column, kind, from, self.row.text.len());
            self.row.cells.push(cell);
        }
    }

    /// A cell that calamine rejects is taken to follow the previous one, or to be the first of its row.
    fn unknown_error(&mut self, text: &str) {
        let column = self.row.cells.last().map_or(0, |cell| cell.0 + 1);
        let from = self.row.text.len();
        self.row.text.push_str(text);
        self.push(column, CellKind::Error, from);
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

fn write_value(value: &DataRef<'_>, look: &NumberDisplay, out: &mut String) -> CellKind {
    match value {
        DataRef::Empty => CellKind::Empty,
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
            CellKind::Truth
        }
        DataRef::DateTime(moment) => {
            write_moment(*moment, out);
            CellKind::Date
        }
        DataRef::DateTimeIso(text) | DataRef::DurationIso(text) => {
            let day = text.strip_suffix("T00:00:00").unwrap_or(text);
            out.push_str(&day.replacen('T', " ", usize::from(!day.starts_with('P'))));
            CellKind::Date
        }
        DataRef::Error(error) => {
            out.push_str(&error.to_string());
            CellKind::Error
        }
    }
}

fn write_text(text: &str, out: &mut String) -> CellKind {
    if text.contains('\0') {
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
