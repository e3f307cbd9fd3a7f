//! XLS workbooks, Excel before 2007: calamine reads the values, and the records of the sheet are scanned for what it
//! omits.

pub(super) mod compound;
mod details;

use std::fs::File;
use std::io::BufReader;

use calamine::{Data, DataRef, Reader as _, Xls, XlsError};

use crate::sheet::number::NumberDisplay;
use crate::sheet::workbook::WorkbookFormat;
use crate::sheet::workbook::{
    OpenWorkbook, RowAssembler, RowVisitor, SheetVisibility, WorkbookReader, damaged,
    sheets_of_cells,
};
use crate::sheet::{SheetError, limits};

/// How these workbooks are read.
pub(super) const WORKBOOK_FORMAT: WorkbookFormat = WorkbookFormat {
    name: "XLS",
    extensions: &["xls"],
    part: None,
    check_limits: limits::refuse_dimensions,
    open,
    scan: Some(details::scan),
};

fn open(file: File) -> Result<OpenWorkbook, SheetError> {
    match Xls::new(BufReader::new(file)) {
        Ok(book) => Ok(Box::new(book)),
        Err(XlsError::Password) => Err(SheetError::Password),
        Err(error) => Err(damaged(error)),
    }
}

impl WorkbookReader for Xls<BufReader<File>> {
    fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        sheets_of_cells(self.sheets_metadata())
    }

    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError> {
        let mut rows = RowAssembler::new(each);
        let range = self.worksheet_range(sheet).map_err(damaged)?;
        let (top, left) = range.start().unwrap_or_default();
        for (row, column, value) in range.used_cells() {
            let row = top
                + u32::try_from(row).map_err(|_| SheetError::TooManyRows { limit: u32::MAX })?;
            let column = left + u32::try_from(column).unwrap_or(u32::MAX);
            let general = &NumberDisplay::General;
            if rows
                .cell((row, column), &borrowed(value), general)?
                .is_break()
            {
                return Ok(());
            }
        }
        // No later cell ends the last row.
        let _ = rows.end_row();
        Ok(())
    }
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
