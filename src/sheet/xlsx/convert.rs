//! Converts a sheet of any format to an XLSX workbook with the same cells: numbers, dates, texts and errors keep their
//! kinds, and formulas become their values. The headers are bold.

use std::fs::File;
use std::io::{Seek, SeekFrom};
use std::path::Path;

use rust_xlsxwriter::{ColNum, Format, Formula, Workbook, Worksheet, XlsxError};

use crate::model::RowNumber;
use crate::sheet::batch::{Cell, CellKind, Row};
use crate::sheet::feed::{self, RowFilter};
use crate::sheet::folder_of;
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::stream::RowStream;
use crate::sheet::workbook::OpenWorkbook;
use crate::sheet::xlsx::save::{save_workbook, sheet_name};
use crate::sheet::xlsx::values::{fitting, serial_of};

/// The widest and the narrowest column, in characters.
const WIDEST: u16 = 50;
const NARROWEST: u16 = 9;

/// The sheet to convert.
pub(super) struct ConvertedSheet {
    pub(super) book: OpenWorkbook,
    pub(super) sheet: String,
    pub(super) row_filter: RowFilter,
    pub(super) header_row: Option<RowNumber>,
}

/// The XLSX workbook.
pub(super) struct Conversion {
    pub(super) file: File,
    /// How many texts were cut to what a cell can hold.
    pub(super) shortened: u64,
}

/// Converts a sheet; the result and other temporary files are beside `to`.
pub(super) fn to_xlsx(source: ConvertedSheet, to: &Path) -> Result<Conversion, RewriteError> {
    let ConvertedSheet {
        book,
        sheet,
        row_filter,
        header_row,
    } = source;
    let mut file = tempfile::tempfile_in(folder_of(to))?;
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder_of(to))?;
    let name = sheet.clone();
    let mut rows = RowStream::start(move |feed| feed::feed(book, &sheet, None, row_filter, feed))?;
    let shortened = {
        let mut copy = SheetCopy {
            sheet: workbook
                .add_worksheet_with_constant_memory()?
                .set_name(sheet_name(&name))?,
            widths: Vec::new(),
            shortened: 0,
        };
        while rows.advance()? {
            let row = rows.row();
            let format = if header_row == Some(row.number) {
                copy.widths.clear();
                Format::new().set_bold()
            } else {
                Format::new()
            };
            copy.row(row, &format)?;
        }
        copy.set_widths()?;
        let shortened = copy.shortened;
        save_workbook(&mut workbook, &mut file)?;
        shortened
    };
    file.seek(SeekFrom::Start(0))?;
    Ok(Conversion { file, shortened })
}

struct SheetCopy<'a> {
    sheet: &'a mut Worksheet,
    /// The longest text of each column.
    widths: Vec<u16>,
    shortened: u64,
}

impl SheetCopy<'_> {
    fn row(&mut self, row: Row<'_>, format: &Format) -> Result<(), RewriteError> {
        let number = row.number.0 - 1;
        for (column, cell) in (0..).zip(row.cells()) {
            let shown = self.cell((number, column), cell, format)?;
            let column = usize::from(column);
            if self.widths.len() <= column {
                self.widths.resize(column + 1, 0);
            }
            let shown = u16::try_from(shown).unwrap_or(u16::MAX);
            self.widths[column] = self.widths[column].max(shown);
        }
        Ok(())
    }

    /// Writes a cell; returns how many characters wide it is.
    fn cell(
        &mut self,
        (row, column): (u32, ColNum),
        cell: Cell<'_>,
        format: &Format,
    ) -> Result<usize, XlsxError> {
        let sheet = &mut *self.sheet;
        let number = match cell.kind {
            CellKind::Number => cell.text.parse().ok().map(|number| (number, None)),
            CellKind::Date => serial(cell.text).map(|(serial, code)| (serial, Some(code))),
            _ => None,
        };
        match (cell.kind, number) {
            (CellKind::Empty, None) => return Ok(0),
            (_, Some((number, None))) => {
                sheet.write_number_with_format(row, column, number, format)?;
            }
            (_, Some((serial, Some(code)))) => {
                let format = format.clone().set_num_format(code);
                sheet.write_number_with_format(row, column, serial, &format)?;
            }
            (CellKind::Boolean, None) => {
                sheet.write_boolean_with_format(row, column, cell.text == "TRUE", format)?;
            }
            // An error stays one, so that an uncorrected copy is rejected again; so does a formula without a value,
            // which would look corrected as an empty cell.
            (CellKind::Error | CellKind::Uncalculated, None) => {
                let error = match cell.kind {
                    CellKind::Error => cell.text,
                    _ => "#N/A",
                };
                let formula = Formula::new(format!("={error}")).set_result(error);
                sheet.write_formula_with_format(row, column, formula, format)?;
            }
            (CellKind::Text | CellKind::Formatted | CellKind::Number | CellKind::Date, None) => {
                let text = fitting(cell.text);
                self.shortened += u64::from(text.len() < cell.text.len());
                sheet.write_string_with_format(row, column, text, format)?;
                let longest = text.lines().map(|line| line.chars().count()).max();
                return Ok(longest.unwrap_or(0));
            }
        }
        Ok(cell.text.len().max(10))
    }

    fn set_widths(&mut self) -> Result<(), XlsxError> {
        for (column, width) in (0..).zip(&self.widths) {
            let width = width.saturating_add(2).clamp(NARROWEST, WIDEST);
            self.sheet.set_column_width(column, width)?;
        }
        Ok(())
    }
}

/// The number of a date or time as the reader shows it, with its number format; none for one that Excel has no number
/// for.
fn serial(shown: &str) -> Option<(f64, &'static str)> {
    if let Ok(date) = shown.parse::<jiff::civil::Date>()
        && !shown.contains(':')
    {
        let serial = serial_of(date.at(0, 0, 0, 0)).ok()?;
        return Some((serial.to_excel(), "yyyy-mm-dd"));
    }
    if let Ok(moment) = shown.parse::<jiff::civil::DateTime>() {
        return Some((serial_of(moment).ok()?.to_excel(), "yyyy-mm-dd hh:mm:ss"));
    }
    let time: jiff::civil::Time = shown.parse().ok()?;
    let seconds = time
        .duration_since(jiff::civil::Time::midnight())
        .as_secs_f64();
    Some((seconds / 86_400.0, "hh:mm:ss"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_become_the_numbers_that_excel_counts() {
        let close = |shown, number: f64, code| {
            let (serial, format) = serial(shown).unwrap();
            assert!((serial - number).abs() < 1e-9, "{shown}: {serial}");
            assert_eq!(format, code);
        };
        close("2026-10-05", 46300.0, "yyyy-mm-dd");
        close("2026-10-05 12:00:00", 46300.5, "yyyy-mm-dd hh:mm:ss");
        close("06:00:00", 0.25, "hh:mm:ss");
        assert_eq!(serial("1899-12-01"), None);
        assert_eq!(serial("PT5H"), None);
    }
}
