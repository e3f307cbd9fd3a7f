//! Reads XLSX workbooks with calamine.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

use calamine::{
    DataRef, Fill, Font, HorizontalAlignment, Reader as _, Style, VerticalAlignment, Xlsx,
    XlsxError,
};
use rust_xlsxwriter::{Format, FormatAlign};

use crate::model::RowNumber;
use crate::sheet::number::NumberDisplay;
use crate::sheet::workbook::{
    OpenWorkbook, RowAssembler, RowVisitor, SheetVisibility, WorkbookReader, damaged,
    sheets_of_cells,
};
use crate::sheet::xlsx::rewrite::accepted_copy;
use crate::sheet::{SheetError, limits};

/// Opens a workbook; if calamine refuses it or one of its sheets, a copy without what it refuses.
pub(in crate::sheet) fn open(file: File) -> Result<OpenWorkbook, SheetError> {
    let mut book = workbook(&file);
    let is_refused = match &mut book {
        Ok(book) => sheets_of_cells(book.sheets_metadata())
            .iter()
            .any(|(sheet, _)| book.worksheet_cells_reader(sheet).is_err()),
        Err(cause) => matches!(cause, SheetError::Damaged(_)),
    };
    if is_refused && let Some(Ok(copy)) = accepted_copy(&file).as_ref().map(workbook) {
        book = Ok(copy);
    }
    Ok(Box::new(book?))
}

fn workbook(file: &File) -> Result<Xlsx<BufReader<File>>, SheetError> {
    let file = || file.try_clone().map_err(SheetError::Read);
    limits::refuse_claim(file()?)?;
    Xlsx::new(BufReader::new(file()?)).map_err(|error| match error {
        XlsxError::Password => SheetError::Password,
        error => damaged(error),
    })
}

impl WorkbookReader for Xlsx<BufReader<File>> {
    fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        sheets_of_cells(self.sheets_metadata())
    }

    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError> {
        let mut rows = RowAssembler::new(each);
        let mut reader = self.worksheet_cells_reader(sheet).map_err(damaged)?;
        let styles: Vec<CellStyle> = reader.styles().iter().map(CellStyle::new).collect();
        loop {
            match reader.next_cell_with_style_id() {
                Ok(None) => {
                    // No later cell ends the last row.
                    let _ = rows.end_row();
                    return Ok(());
                }
                Ok(Some((cell, style))) => {
                    let style = styles.get(style).unwrap_or(&CellStyle::PLAIN);
                    let value = cell.get_value();
                    let added = rows.cell(cell.get_position(), value, &style.display)?;
                    if let ControlFlow::Break(()) = added {
                        return Ok(());
                    }
                    if style.is_struck && *value != DataRef::Empty {
                        rows.cross_out();
                    }
                }
                // A cell with an error that calamine does not know, such as #SPILL!: reading continues after it, and
                // the row's details hold the cell. calamine does not count its column.
                Err(XlsxError::CellError(_)) => {}
                Err(error) => return Err(damaged(error)),
            }
        }
    }

    fn formats_of_row(&mut self, sheet: &str, row: RowNumber) -> HashMap<usize, Format> {
        let mut formats = HashMap::new();
        let Ok(mut cells) = self.worksheet_cells_reader(sheet) else {
            return formats;
        };
        let styles = cells.styles().to_vec();
        while let Ok(Some((cell, style))) = cells.next_cell_with_style_id() {
            let (index, column) = cell.get_position();
            if index >= row.0 {
                break;
            }
            if let Some(style) = styles.get(style).filter(|_| index + 1 == row.0) {
                formats.insert(column as usize, format_of(style));
            }
        }
        formats
    }
}

/// How the cells of a style show their values.
struct CellStyle {
    display: NumberDisplay,
    /// In manually maintained lists, strikethrough usually marks a row as obsolete.
    is_struck: bool,
}

impl CellStyle {
    const PLAIN: Self = Self {
        display: NumberDisplay::General,
        is_struck: false,
    };

    fn new(style: &Style) -> Self {
        let format = style.number_format.as_ref();
        Self {
            display: format.map_or(NumberDisplay::General, |format| {
                NumberDisplay::parse(&format.format_code)
            }),
            is_struck: style.font.as_ref().is_some_and(Font::has_strikethrough),
        }
    }
}

/// The font, fill and alignment of a style.
fn format_of(style: &Style) -> Format {
    let mut format = Format::new();
    if let Some(font) = &style.font {
        if font.is_bold() {
            format = format.set_bold();
        }
        if font.is_italic() {
            format = format.set_italic();
        }
        if let (Some(name), Some(size)) = (&font.name, font.size) {
            format = format.set_font_name(name).set_font_size(size);
        }
        if let Some(color) = font.color {
            format = format.set_font_color(color.to_argb() & 0x00FF_FFFF);
        }
    }
    let fill = style.fill.as_ref().filter(|fill| fill.is_visible());
    if let Some(color) = fill.and_then(Fill::get_color) {
        format = format.set_background_color(color.to_argb() & 0x00FF_FFFF);
    }
    if let Some(alignment) = &style.alignment {
        format = match alignment.horizontal {
            HorizontalAlignment::Center => format.set_align(FormatAlign::Center),
            HorizontalAlignment::Right => format.set_align(FormatAlign::Right),
            _ => format,
        };
        if alignment.vertical == VerticalAlignment::Center {
            format = format.set_align(FormatAlign::VerticalCenter);
        }
        if alignment.wrap_text {
            format = format.set_text_wrap();
        }
    }
    format
}
