//! A workbook once more: header and column styles kept, our columns behind, marked cells with a note that says why.

use std::path::Path;

use rust_xlsxwriter::{Color, ExcelDateTime, Format, Note, Workbook, Worksheet, XlsxError};

use crate::table::echo::style::format_of;
use crate::table::echo::{Addition, Extra, Failed, own_columns};
use crate::table::replace::{folder_of, replace};
use crate::table::workbook::{self, ColumnStyle};
use crate::table::{Cell, Fault, Kind, Row, Table};

/// The red in which a faulty cell stands out.
const FAULTY: Color = Color::RGB(0x00FF_C7CE);
/// What one cell can hold.
const CELL_LIMIT: usize = 32_767;

pub(super) fn write(
    mut table: Table,
    path: &Path,
    headers: &[&str],
    each: &mut dyn FnMut(&Row<'_>) -> Option<Addition>,
) -> Result<u64, Failed> {
    let mut page = Page::new(&table, headers)?;
    let mut reading = None;
    let written = replace(path, |file| {
        let failed = |error: XlsxError| Fault::Write {
            path: path.to_owned(),
            source: std::io::Error::other(error.to_string()),
        };
        let mut workbook = Workbook::new();
        workbook.set_tempdir(folder_of(path)).map_err(failed)?;
        let sheet = workbook
            .add_worksheet_with_constant_memory()
            .map_err(failed)?;
        page.begin(sheet, &table).map_err(failed)?;
        let mut written = 0;
        loop {
            let row = match table.next_row() {
                Ok(Some(row)) => row,
                Ok(None) => break,
                Err(error) => {
                    reading = Some(error);
                    return Err(Fault::Changed);
                }
            };
            if let Some(addition) = each(&row) {
                page.row(sheet, &row, &addition).map_err(failed)?;
                written += 1;
            }
        }
        workbook
            .save_to_writer(file.as_file_mut())
            .map_err(failed)?;
        Ok(written)
    });
    match reading {
        Some(error) => Err(error.into()),
        None => Ok(written?),
    }
}

/// The sheet being written.
struct Page {
    names: Vec<String>,
    own: usize,
    header_formats: Vec<Format>,
    formats: Vec<Format>,
    marked: Vec<Format>,
    date: Format,
    next: u32,
}

impl Page {
    fn new(table: &Table, headers: &[&str]) -> Result<Self, Fault> {
        let mut names = table.columns().headers().to_vec();
        let own = own_columns(&names, headers);
        names.truncate(own);
        let styles = workbook::column_styles(table)?;
        let style = |column: usize| styles.get(column).cloned().unwrap_or_default();
        let columns: Vec<ColumnStyle> = (0..own).map(style).collect();
        let formats = |pick: fn(&ColumnStyle) -> Option<&calamine::Style>| -> Vec<Format> {
            columns
                .iter()
                .map(|column| pick(column).map(format_of).unwrap_or_default())
                .collect()
        };
        let body = formats(|column| column.body.as_ref());
        let mut header_formats = formats(|column| column.header.as_ref());
        let ours = header_formats
            .last()
            .cloned()
            .unwrap_or_else(|| Format::new().set_bold());
        header_formats.extend(headers.iter().map(|_| ours.clone()));
        names.extend(headers.iter().map(|header| (*header).to_owned()));
        Ok(Self {
            marked: body
                .iter()
                .map(|format| format.clone().set_background_color(FAULTY))
                .collect(),
            names,
            own,
            header_formats,
            formats: body,
            date: Format::new().set_num_format("yyyy-mm-dd"),
            next: 0,
        })
    }

    fn begin(&mut self, sheet: &mut Worksheet, table: &Table) -> Result<(), XlsxError> {
        if let Some(name) = &table.reading().sheet {
            // A name that Excel would refuse is not worth failing for.
            let _ = sheet.set_name(name);
        }
        for (column, name) in self.names.iter().enumerate() {
            let shown = name.chars().count().clamp(9, 40);
            let width = if name == "error" { 60 } else { shown + 6 };
            sheet.set_column_width(column_of(column), u32::try_from(width).unwrap_or(20))?;
        }
        if table.reading().header_row.is_some() {
            sheet.set_freeze_panes(1, 0)?;
            for (column, name) in self.names.iter().enumerate() {
                sheet.write_string_with_format(
                    0,
                    column_of(column),
                    name,
                    &self.header_formats[column],
                )?;
            }
            self.next = 1;
        }
        Ok(())
    }

    fn row(
        &mut self,
        sheet: &mut Worksheet,
        row: &Row<'_>,
        addition: &Addition,
    ) -> Result<(), XlsxError> {
        for column in 0..self.own {
            let is_marked = addition.marks.iter().any(|(marked, _)| *marked == column);
            let formats = if is_marked {
                &self.marked
            } else {
                &self.formats
            };
            write_cell(
                sheet,
                self.next,
                column_of(column),
                row.cell(column),
                &formats[column],
            )?;
        }
        for (index, extra) in addition.extras.iter().enumerate() {
            self.write_extra(sheet, column_of(self.own + index), extra)?;
        }
        for (column, reason) in &addition.marks {
            if *column < self.own {
                let note = Note::new(reason).add_author_prefix(false);
                sheet.insert_note(self.next, column_of(*column), &note)?;
            }
        }
        self.next += 1;
        Ok(())
    }

    fn write_extra(
        &self,
        sheet: &mut Worksheet,
        column: u16,
        extra: &Extra,
    ) -> Result<(), XlsxError> {
        match extra {
            Extra::Empty => {}
            Extra::Text(text) => {
                sheet.write_string(self.next, column, cut(text))?;
            }
            Extra::Number(number) => {
                sheet.write_number(self.next, column, *number)?;
            }
            Extra::Date(date) => {
                let text = date.to_string();
                let date = ExcelDateTime::parse_from_str(&text)?;
                sheet.write_datetime_with_format(self.next, column, &date, &self.date)?;
            }
        }
        Ok(())
    }
}

/// A sheet has fewer columns than 16 bits count, and so has every table that was read.
fn column_of(column: usize) -> u16 {
    u16::try_from(column).unwrap_or(u16::MAX)
}

fn write_cell(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    cell: Cell<'_>,
    format: &Format,
) -> Result<(), XlsxError> {
    match cell.kind {
        Kind::Empty | Kind::Uncalculated => sheet.write_blank(row, column, format)?,
        Kind::Number => match cell.text.parse::<f64>() {
            Ok(number) => sheet.write_number_with_format(row, column, number, format)?,
            Err(_) => sheet.write_string_with_format(row, column, cut(cell.text), format)?,
        },
        Kind::Truth => sheet.write_boolean_with_format(row, column, cell.text == "TRUE", format)?,
        Kind::Date => match ExcelDateTime::parse_from_str(cell.text) {
            Ok(date) => sheet.write_datetime_with_format(row, column, &date, format)?,
            Err(_) => sheet.write_string_with_format(row, column, cut(cell.text), format)?,
        },
        Kind::Text | Kind::Formatted | Kind::Error => {
            sheet.write_string_with_format(row, column, cut(cell.text), format)?
        }
    };
    Ok(())
}

fn cut(text: &str) -> &str {
    match text.char_indices().nth(CELL_LIMIT) {
        Some((end, _)) => &text[..end],
        None => text,
    }
}
