//! Reads XLSX workbooks with calamine.

use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;

use calamine::{Reader as _, Xlsx, XlsxError};

use crate::sheet::SheetError;
use crate::sheet::number::NumberDisplay;
use crate::sheet::workbook::{
    OpenWorkbook, RowAssembler, RowVisitor, SheetVisibility, WorkbookReader, damaged,
    sheets_of_cells,
};

/// Opens a workbook. calamine rejects one whose list has macro sheets or sheets without a part; saved as .xlsx, it has none.
pub(in crate::sheet) fn open(file: File) -> Result<OpenWorkbook, SheetError> {
    match Xlsx::new(BufReader::new(file)) {
        Ok(book) => Ok(Box::new(book)),
        Err(XlsxError::Password) => Err(SheetError::Password),
        Err(error) => Err(damaged(error)),
    }
}

impl WorkbookReader for Xlsx<BufReader<File>> {
    fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        sheets_of_cells(self.sheets_metadata())
    }

    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError> {
        let mut rows = RowAssembler::new(each);
        let mut reader = self.worksheet_cells_reader(sheet).map_err(damaged)?;
        let displays: Vec<NumberDisplay> = reader
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
                Ok(None) => {
                    // No later cell ends the last row.
                    let _ = rows.end_row();
                    return Ok(());
                }
                Ok(Some((cell, style))) => {
                    let display = displays.get(style).unwrap_or(&NumberDisplay::General);
                    let added = rows.cell(cell.get_position(), cell.get_value(), display)?;
                    if let ControlFlow::Break(()) = added {
                        return Ok(());
                    }
                }
                // A cell with an error that calamine does not know, such as #SPILL!: reading continues after it, and
                // the row's details hold the cell. calamine does not count its column.
                Err(XlsxError::CellError(_)) => {}
                Err(error) => return Err(damaged(error)),
            }
        }
    }
}
