//! A workbook again, as XLSX.
//!
//! The work is done on a thread of the readers' name. A broken workbook makes the reading library panic, and a full
//! disk the writing one; both become what they are.

use std::fs::File;
use std::path::Path;

use calamine::Data;
use rust_xlsxwriter::Workbook;

use crate::model::RowNumber;
use crate::sheet::Fault;
use crate::sheet::feed::RowFilter;
use crate::sheet::folder_of;
use crate::sheet::format::FileFormat;
use crate::sheet::refusal::refusal;
use crate::sheet::rewrite::cells::{self, StyledRow};
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{
    AppendedColumn, AppendedValue, RewriteNote, RewritePlan, Rewritten, RowAddition, Surroundings,
};
use crate::sheet::rewrite::sheet_writer::{CellPosition, ColumnWidth, SheetWriter};
use crate::sheet::rewrite::source::SourceWorkbook;
use crate::sheet::rewrite::styles::StyleTable;
use crate::sheet::rewrite::widths::ColumnWidths;
use crate::sheet::scan::RowDetails;
use crate::sheet::stream::READER_THREAD;
use crate::sheet::text::COLUMN_LIMIT;

/// The style of cells that were not there.
const USUAL: usize = 0;

pub(super) fn rewrite<F>(
    source: SourceWorkbook<'_>,
    plan: &RewritePlan<'_>,
    each: F,
    (out, to): (&mut File, &Path),
) -> Result<Rewritten, RewriteError>
where
    F: FnMut(RowNumber) -> Option<RowAddition> + Send,
{
    on_reader_thread(move || {
        let mut copy = Workbook::new();
        copy.set_tempdir(folder_of(to))?;
        let form = source.form;
        let mut echoed = fill(&mut copy, source, plan, each)?;
        copy.save_to_writer(out)?;
        if form != FileFormat::Xlsx {
            echoed.notes.insert(0, RewriteNote::AsXlsx(form));
        }
        Ok(echoed)
    })
}

/// Does work in a thread of that name and waits for it.
pub(super) fn on_reader_thread<T: Send>(
    work: impl FnOnce() -> Result<T, RewriteError> + Send,
) -> Result<T, RewriteError> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn_scoped(scope, work)?;
        thread
            .join()
            .unwrap_or_else(|panic| Err(trouble_of(&*panic)))
    })
}

fn trouble_of(panic: &(dyn std::any::Any + Send)) -> RewriteError {
    match refusal(panic) {
        Some(refusal) => RewriteError::Write(refusal),
        None => RewriteError::Read(Fault::Damaged("its parts do not fit together".to_owned())),
    }
}

fn fill(
    copy: &mut Workbook,
    source: SourceWorkbook<'_>,
    plan: &RewritePlan<'_>,
    mut each: impl FnMut(RowNumber) -> Option<RowAddition>,
) -> Result<Rewritten, RewriteError> {
    let SourceWorkbook {
        document,
        region,
        mut book,
        form,
        sheet,
    } = source;
    let places = ColumnMap::new(&region.headers, plan)?;
    let looks = StyleTable::of(&cells::palette(&mut book, &sheet)?);
    let mut page = SheetWriter::new(copy, &sheet, &looks)?;
    let mut echoed = Rewritten::default();
    let row_marks = RowFilter {
        marks: RowDetails::of(document.open()?.0, form, &sheet),
        hidden_rows: region.hidden_rows,
    };
    cells::rows(&mut book, &sheet, row_marks, &mut |row| {
        let number = RowNumber(row.number);
        if region.header_row == Some(number) {
            page.begin_headers()?;
            return places.headers(row, plan, &looks, &mut page);
        }
        if row.is_blank() {
            return Ok(());
        }
        if region.header_row.is_some_and(|header| number < header) {
            return match plan.around {
                Surroundings::LeftOut if region.title_row != Some(number) => Ok(()),
                _ => places.title(row, &mut page),
            };
        }
        let Some(addition) = each(number) else {
            return Ok(());
        };
        page.begin_row();
        places.row(row, &addition, plan.appended, &mut page)?;
        echoed.rows += 1;
        Ok(())
    })?;
    let widths = match form {
        FileFormat::Xlsx => ColumnWidths::of(document.open()?.0, &sheet),
        _ => ColumnWidths::default(),
    };
    places.widths(&widths, plan, &mut page);
    echoed.notes = page.finish()?;
    Ok(echoed)
}

/// Where each column of the sheet stands in the copy: cells past the last header come after what is appended.
struct ColumnMap {
    width: usize,
    dropped: Vec<usize>,
    appended: usize,
}

impl ColumnMap {
    fn new(headers: &[String], plan: &RewritePlan<'_>) -> Result<Self, Fault> {
        let places = Self {
            width: headers.len(),
            dropped: plan.dropped_of(headers),
            appended: plan.appended.len(),
        };
        if places.width + places.appended > COLUMN_LIMIT {
            return Err(Fault::TooManyColumns {
                row: RowNumber(1),
                limit: COLUMN_LIMIT,
            });
        }
        Ok(places)
    }

    fn own(&self, column: usize) -> Option<usize> {
        if self.dropped.contains(&column) {
            return None;
        }
        let before = self
            .dropped
            .iter()
            .filter(|&&dropped| dropped < column)
            .count();
        let after = if column < self.width {
            0
        } else {
            self.appended
        };
        Some(column - before + after)
    }

    fn appended(&self, index: usize) -> usize {
        self.width - self.dropped.len() + index
    }

    fn widths(&self, widths: &ColumnWidths, plan: &RewritePlan<'_>, page: &mut SheetWriter<'_>) {
        for column in 0..self.width {
            if let (Some(place), Some(width)) = (self.own(column), widths.get(column)) {
                page.set_width(place, ColumnWidth::Exactly(width));
            }
        }
        for (index, column) in plan.appended.iter().enumerate() {
            page.set_width(self.appended(index), ColumnWidth::AtMost(column.widest));
        }
    }

    /// The headers as they stand; those that are appended look like the last of them.
    fn headers(
        &self,
        row: &StyledRow,
        plan: &RewritePlan<'_>,
        looks: &StyleTable,
        page: &mut SheetWriter<'_>,
    ) -> Result<(), RewriteError> {
        let mut last = looks.heading(USUAL);
        for cell in &row.cells {
            let Some(column) = self.own(cell.column) else {
                continue;
            };
            let style = looks.heading(cell.style);
            page.own(CellPosition { column, style }, &cell.value, None)?;
            if cell.column < self.width && !matches!(cell.value, Data::Empty) {
                last = style;
            }
        }
        for (index, column) in plan.appended.iter().enumerate() {
            let value = AppendedValue::Text(column.header.clone());
            let place = CellPosition {
                column: self.appended(index),
                style: last,
            };
            page.header(place, &value)?;
        }
        Ok(())
    }

    /// A row above the headers.
    fn title(&self, row: &StyledRow, page: &mut SheetWriter<'_>) -> Result<(), RewriteError> {
        page.begin_row();
        self.row(row, &RowAddition::default(), &[], page)
    }

    fn row(
        &self,
        row: &StyledRow,
        addition: &RowAddition,
        appended: &[AppendedColumn],
        page: &mut SheetWriter<'_>,
    ) -> Result<(), RewriteError> {
        let note = |column| {
            let mark = addition.marks.iter().find(|mark| mark.column == column);
            mark.map(|mark| mark.note.as_str())
        };
        for cell in &row.cells {
            if let Some(column) = self.own(cell.column) {
                page.own(
                    CellPosition {
                        column,
                        style: cell.style,
                    },
                    &cell.value,
                    note(cell.column),
                )?;
            }
        }
        let is_there = |column| row.cells.iter().any(|cell| cell.column == column);
        for mark in addition.marks.iter().filter(|mark| !is_there(mark.column)) {
            if let Some(column) = self.own(mark.column) {
                page.own(
                    CellPosition {
                        column,
                        style: USUAL,
                    },
                    &Data::Empty,
                    Some(&mark.note),
                )?;
            }
        }
        for (index, (value, column)) in addition.values.iter().zip(appended).enumerate() {
            let place = self.appended(index);
            page.appended(place, value, column)?;
        }
        Ok(())
    }
}
