//! The cells of a sheet as the workbook holds them: typed, each with the number of its style.

use std::ops::ControlFlow;

use calamine::{Data, DataRef, Range, Reader as _, Style, Xlsx, XlsxError};

use crate::sheet::Fault;
use crate::sheet::HiddenRows;
use crate::sheet::batch::CellKind;
use crate::sheet::feed::RowFilter;
use crate::sheet::ods::{Ods, OdsRow};
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::scan::RowDetail;
use crate::sheet::text::COLUMN_LIMIT;
use crate::sheet::workbook::OpenWorkbook;

/// One row of a sheet.
#[derive(Debug, Default)]
pub(super) struct StyledRow {
    /// From 1, as Excel shows it.
    pub(super) number: u32,
    pub(super) hidden: bool,
    pub(super) cells: Vec<StyledCell>,
}

/// One cell of a row.
#[derive(Debug)]
pub(super) struct StyledCell {
    /// Zero-based.
    pub(super) column: usize,
    pub(super) value: Data,
    /// An index into the palette.
    pub(super) style: usize,
}

impl StyledRow {
    pub(super) fn is_blank(&self) -> bool {
        self.cells.iter().all(|cell| match &cell.value {
            Data::Empty => true,
            Data::String(text) => text.trim().is_empty(),
            _ => false,
        })
    }
}

/// The styles of a workbook, by number; empty where the format provides none.
pub(super) fn palette(book: &mut OpenWorkbook, sheet: &str) -> Result<Vec<Style>, Fault> {
    match book {
        OpenWorkbook::Xlsx(book) => {
            let reader = book
                .worksheet_cells_reader(sheet)
                .map_err(|error| damaged(&error))?;
            Ok(reader.styles().to_vec())
        }
        OpenWorkbook::Xlsb(_) | OpenWorkbook::Xls(_) | OpenWorkbook::Ods(_) => Ok(Vec::new()),
    }
}

/// What is done with each row.
type RowCallback<'a> = &'a mut dyn FnMut(&StyledRow) -> Result<(), RewriteError>;

/// Calls `each` for every row of a sheet, in order.
pub(super) fn rows(
    book: &mut OpenWorkbook,
    sheet: &str,
    row_filter: RowFilter,
    each: RowCallback<'_>,
) -> Result<(), RewriteError> {
    let mut rows = RowAssembler {
        each,
        row_filter,
        row: StyledRow::default(),
    };
    match book {
        OpenWorkbook::Xlsx(book) => xlsx(book, sheet, &mut rows)?,
        OpenWorkbook::Xlsb(book) => {
            let mut reader = book
                .worksheet_cells_reader(sheet)
                .map_err(|error| damaged(&error))?;
            loop {
                match reader.next_cell() {
                    Ok(None) => break,
                    Ok(Some(cell)) => {
                        rows.cell(cell.get_position(), cell.get_value().clone().into(), 0)?;
                    }
                    Err(calamine::XlsbError::CellError(_)) => rows.unknown_error(),
                    Err(error) => return Err(damaged(&error).into()),
                }
            }
        }
        OpenWorkbook::Xls(book) => {
            let range = book.worksheet_range(sheet);
            whole(&range.map_err(|error| damaged(&error))?, &mut rows)?;
        }
        OpenWorkbook::Ods(book) => return ods(book, sheet, &mut rows),
    }
    rows.end()
}

/// Calls `each` for every row of an ODS sheet; an error of the callback ends the reading and is returned.
fn ods(book: &mut Ods, sheet: &str, rows: &mut RowAssembler<'_>) -> Result<(), RewriteError> {
    let mut error = None;
    book.rows(sheet, &mut |row| {
        error = rows.ods_row(row).err();
        if error.is_some() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    error.map_or(Ok(()), Err)
}

fn xlsx<R: std::io::Read + std::io::Seek>(
    book: &mut Xlsx<R>,
    sheet: &str,
    rows: &mut RowAssembler<'_>,
) -> Result<(), RewriteError> {
    let mut reader = book
        .worksheet_cells_reader(sheet)
        .map_err(|error| damaged(&error))?;
    loop {
        match reader.next_cell_with_style_id() {
            Ok(None) => return Ok(()),
            Ok(Some((cell, style))) => {
                let value: DataRef<'_> = cell.get_value().clone();
                rows.cell(cell.get_position(), value.into(), style)?;
            }
            // A cell with an error that calamine does not know, such as #SPILL!: reading continues after it, and the
            // row's details hold the cell.
            Err(XlsxError::CellError(_)) => {}
            Err(XlsxError::Unrecognized { .. }) => rows.unknown_error(),
            Err(error) => return Err(damaged(&error).into()),
        }
    }
}

fn whole(range: &Range<Data>, rows: &mut RowAssembler<'_>) -> Result<(), RewriteError> {
    let (top, left) = range.start().unwrap_or_default();
    for (row, column, value) in range.used_cells() {
        let row = top.saturating_add(u32::try_from(row).unwrap_or(u32::MAX));
        let column = left.saturating_add(u32::try_from(column).unwrap_or(u32::MAX));
        rows.cell((row, column), value.clone(), 0)?;
    }
    Ok(())
}

fn damaged(error: &dyn std::fmt::Display) -> Fault {
    Fault::Damaged(error.to_string())
}

/// Gathers cells, which come one by one, into rows.
struct RowAssembler<'a> {
    each: RowCallback<'a>,
    row_filter: RowFilter,
    row: StyledRow,
}

impl RowAssembler<'_> {
    fn cell(
        &mut self,
        position: (u32, u32),
        value: Data,
        style: usize,
    ) -> Result<(), RewriteError> {
        let number = position.0.saturating_add(1);
        if number != self.row.number {
            self.end()?;
            self.row.number = number;
        }
        let column = position.1 as usize;
        if column >= COLUMN_LIMIT {
            return Err(Fault::TooManyColumns {
                row: crate::model::RowNumber(number),
                limit: COLUMN_LIMIT,
            }
            .into());
        }
        self.row.cells.push(StyledCell {
            column,
            value,
            style,
        });
        Ok(())
    }

    /// A cell that calamine rejects is taken to follow the previous one, or to be the first of its row.
    fn unknown_error(&mut self) {
        let column = self.row.cells.last().map_or(0, |cell| cell.column + 1);
        self.row.cells.push(StyledCell {
            column,
            value: Data::Error(calamine::CellErrorType::Value),
            style: 0,
        });
    }

    /// A complete row of an ODS sheet.
    fn ods_row(&mut self, row: &OdsRow) -> Result<(), RewriteError> {
        self.row.number = row.number;
        self.row.hidden = row.hidden;
        let cells = row.cells.iter().map(|cell| StyledCell {
            column: cell.column,
            value: match &cell.seen {
                Some((CellKind::Formatted, text)) => Data::String(text.clone()),
                _ => cell.value.clone(),
            },
            style: 0,
        });
        self.row.cells.extend(cells);
        self.end()
    }

    fn end(&mut self) -> Result<(), RewriteError> {
        if self.row.cells.is_empty() {
            return Ok(());
        }
        let details = self.row_filter.details.as_mut();
        let details = details.map_or_else(Vec::new, |details| details.of_row(self.row.number));
        let left_out = self.row_filter.hidden_rows == HiddenRows::LeftOut;
        let is_hidden = details
            .iter()
            .any(|detail| matches!(detail, RowDetail::Hidden { .. }));
        let is_hidden = self.row.hidden || is_hidden;
        if !(left_out && is_hidden) {
            for detail in &details {
                self.apply(detail);
            }
            (self.each)(&self.row)?;
        }
        self.row.cells.clear();
        Ok(())
    }

    /// A cell without a value, as of a formula that was never calculated, becomes an error: an empty cell would look
    /// corrected. Leading zeros of a number format become text, since the copy has no such formats.
    fn apply(&mut self, detail: &RowDetail) {
        let RowDetail::Cell {
            column, kind, text, ..
        } = detail
        else {
            return;
        };
        let value = match kind {
            CellKind::Formatted => Data::String(text.clone()),
            _ => Data::Error(calamine::CellErrorType::NA),
        };
        match self
            .row
            .cells
            .iter_mut()
            .find(|cell| cell.column == *column)
        {
            Some(cell) => cell.value = value,
            None => self.row.cells.push(StyledCell {
                column: *column,
                value,
                style: 0,
            }),
        }
    }
}
