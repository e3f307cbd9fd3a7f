//! Copies a sheet of a workbook to a new XLSX file.
//!
//! This runs on a thread with the name of the reading threads. calamine panics on a damaged workbook, and
//! `rust_xlsxwriter` on a full disk; both panics are converted to errors.

use std::fs::File;
use std::path::Path;

use calamine::Data;
use rust_xlsxwriter::Workbook;

use crate::model::RowNumber;
use crate::sheet::Fault;
use crate::sheet::feed::RowFilter;
use crate::sheet::folder_of;
use crate::sheet::format::FileFormat;
use crate::sheet::refusal::refusal_of;
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
        let format = source.format;
        let mut rewritten = fill(&mut copy, source, plan, each)?;
        copy.save_to_writer(out)?;
        if format != FileFormat::Xlsx {
            rewritten.notes.insert(0, RewriteNote::AsXlsx(format));
        }
        Ok(rewritten)
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
            .unwrap_or_else(|panic| Err(error_from_panic(&*panic)))
    })
}

fn error_from_panic(panic: &(dyn std::any::Any + Send)) -> RewriteError {
    match refusal_of(panic) {
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
        format,
        sheet,
    } = source;
    let map = ColumnMap::new(&region.headers, plan)?;
    let styles = StyleTable::new(&cells::palette(&mut book, &sheet)?);
    let mut writer = SheetWriter::new(copy, &sheet, &styles)?;
    let mut rewritten = Rewritten::default();
    let row_filter = RowFilter {
        details: RowDetails::start(document.open()?.0, format, &sheet),
        hidden_rows: region.hidden_rows,
    };
    cells::rows(&mut book, &sheet, row_filter, &mut |row| {
        let number = RowNumber(row.number);
        if region.header_row == Some(number) {
            writer.begin_headers()?;
            return map.headers(row, plan, &styles, &mut writer);
        }
        if row.is_blank() {
            return Ok(());
        }
        if region.header_row.is_some_and(|header| number < header) {
            return match plan.surroundings {
                Surroundings::LeftOut if region.title_row != Some(number) => Ok(()),
                _ => map.title(row, &mut writer),
            };
        }
        let Some(addition) = each(number) else {
            return Ok(());
        };
        writer.begin_row();
        map.row(row, &addition, plan.appended, &mut writer)?;
        rewritten.rows += 1;
        Ok(())
    })?;
    let widths = match format {
        FileFormat::Xlsx => ColumnWidths::read(document.open()?.0, &sheet),
        _ => ColumnWidths::default(),
    };
    map.widths(&widths, plan, &mut writer);
    rewritten.notes = writer.finish()?;
    Ok(rewritten)
}

/// The column in the copy for each column of the sheet; cells past the last header follow the appended columns.
struct ColumnMap {
    width: usize,
    dropped: Vec<usize>,
    appended: usize,
}

impl ColumnMap {
    fn new(headers: &[String], plan: &RewritePlan<'_>) -> Result<Self, Fault> {
        let map = Self {
            width: headers.len(),
            dropped: plan.dropped_of(headers),
            appended: plan.appended.len(),
        };
        if map.width + map.appended > COLUMN_LIMIT {
            return Err(Fault::TooManyColumns {
                row: RowNumber(1),
                limit: COLUMN_LIMIT,
            });
        }
        Ok(map)
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

    fn widths(&self, widths: &ColumnWidths, plan: &RewritePlan<'_>, writer: &mut SheetWriter<'_>) {
        for column in 0..self.width {
            if let (Some(place), Some(width)) = (self.own(column), widths.get(column)) {
                writer.set_width(place, ColumnWidth::Exactly(width));
            }
        }
        for (index, column) in plan.appended.iter().enumerate() {
            writer.set_width(self.appended(index), ColumnWidth::AtMost(column.widest));
        }
    }

    /// Writes the headers unchanged; the appended ones take the style of the last of them.
    fn headers(
        &self,
        row: &StyledRow,
        plan: &RewritePlan<'_>,
        styles: &StyleTable,
        writer: &mut SheetWriter<'_>,
    ) -> Result<(), RewriteError> {
        let mut last = styles.heading(USUAL);
        for cell in &row.cells {
            let Some(column) = self.own(cell.column) else {
                continue;
            };
            let style = styles.heading(cell.style);
            writer.own(CellPosition { column, style }, &cell.value, None)?;
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
            writer.header(place, &value)?;
        }
        Ok(())
    }

    /// A row above the headers.
    fn title(&self, row: &StyledRow, writer: &mut SheetWriter<'_>) -> Result<(), RewriteError> {
        writer.begin_row();
        self.row(row, &RowAddition::default(), &[], writer)
    }

    fn row(
        &self,
        row: &StyledRow,
        addition: &RowAddition,
        appended: &[AppendedColumn],
        writer: &mut SheetWriter<'_>,
    ) -> Result<(), RewriteError> {
        let note = |column| {
            let highlight = addition
                .highlights
                .iter()
                .find(|highlight| highlight.column == column);
            highlight.map(|highlight| highlight.note.as_str())
        };
        for cell in &row.cells {
            if let Some(column) = self.own(cell.column) {
                writer.own(
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
        for highlight in addition
            .highlights
            .iter()
            .filter(|highlight| !is_there(highlight.column))
        {
            if let Some(column) = self.own(highlight.column) {
                writer.own(
                    CellPosition {
                        column,
                        style: USUAL,
                    },
                    &Data::Empty,
                    Some(&highlight.note),
                )?;
            }
        }
        for (index, (value, column)) in addition.values.iter().zip(appended).enumerate() {
            let place = self.appended(index);
            writer.appended(place, value, column)?;
        }
        Ok(())
    }
}
