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
use crate::sheet::feed::RowMarks;
use crate::sheet::folder_of;
use crate::sheet::format::Form;
use crate::sheet::refusal::refusal;
use crate::sheet::rewrite::cells::{self, SheetRow};
use crate::sheet::rewrite::error::Trouble;
use crate::sheet::rewrite::plan::{Addition, Appended, Around, Echoed, Note, Plan, Value};
use crate::sheet::rewrite::sheet_writer::{Cell, Page, Width};
use crate::sheet::rewrite::source::SourceWorkbook;
use crate::sheet::rewrite::styles::Looks;
use crate::sheet::rewrite::widths::Widths;
use crate::sheet::scan::Marks;
use crate::sheet::stream::READER_THREAD;
use crate::sheet::text::COLUMN_LIMIT;

/// The style of cells that were not there.
const USUAL: usize = 0;

pub(super) fn rewrite<F>(
    source: SourceWorkbook<'_>,
    plan: &Plan<'_>,
    each: F,
    (out, to): (&mut File, &Path),
) -> Result<Echoed, Trouble>
where
    F: FnMut(RowNumber) -> Option<Addition> + Send,
{
    on_reader_thread(move || {
        let mut copy = Workbook::new();
        copy.set_tempdir(folder_of(to))?;
        let form = source.form;
        let mut echoed = fill(&mut copy, source, plan, each)?;
        copy.save_to_writer(out)?;
        if form != Form::Xlsx {
            echoed.notes.insert(0, Note::AsXlsx(form));
        }
        Ok(echoed)
    })
}

/// Does work in a thread of that name and waits for it.
pub(super) fn on_reader_thread<T: Send>(
    work: impl FnOnce() -> Result<T, Trouble> + Send,
) -> Result<T, Trouble> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(READER_THREAD.to_owned())
            .spawn_scoped(scope, work)?;
        thread
            .join()
            .unwrap_or_else(|panic| Err(trouble_of(&*panic)))
    })
}

fn trouble_of(panic: &(dyn std::any::Any + Send)) -> Trouble {
    match refusal(panic) {
        Some(refusal) => Trouble::Write(refusal),
        None => Trouble::Read(Fault::Damaged("its parts do not fit together".to_owned())),
    }
}

fn fill(
    copy: &mut Workbook,
    source: SourceWorkbook<'_>,
    plan: &Plan<'_>,
    mut each: impl FnMut(RowNumber) -> Option<Addition>,
) -> Result<Echoed, Trouble> {
    let SourceWorkbook {
        document,
        region,
        mut book,
        form,
        sheet,
    } = source;
    let places = Places::new(&region.headers, plan)?;
    let looks = Looks::of(&cells::palette(&mut book, &sheet)?);
    let mut page = Page::new(copy, &sheet, &looks)?;
    let mut echoed = Echoed::default();
    let row_marks = RowMarks {
        marks: Marks::of(document.open()?.0, form, &sheet),
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
                Around::LeftOut if region.title_row != Some(number) => Ok(()),
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
        Form::Xlsx => Widths::of(document.open()?.0, &sheet),
        _ => Widths::default(),
    };
    places.widths(&widths, plan, &mut page);
    echoed.notes = page.finish()?;
    Ok(echoed)
}

/// Where each column of the sheet stands in the copy: cells past the last header come after what is appended.
struct Places {
    width: usize,
    dropped: Vec<usize>,
    appended: usize,
}

impl Places {
    fn new(headers: &[String], plan: &Plan<'_>) -> Result<Self, Fault> {
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

    fn widths(&self, widths: &Widths, plan: &Plan<'_>, page: &mut Page<'_>) {
        for column in 0..self.width {
            if let (Some(place), Some(width)) = (self.own(column), widths.get(column)) {
                page.set_width(place, Width::Exactly(width));
            }
        }
        for (index, column) in plan.appended.iter().enumerate() {
            page.set_width(self.appended(index), Width::AtMost(column.widest));
        }
    }

    /// The headers as they stand; those that are appended look like the last of them.
    fn headers(
        &self,
        row: &SheetRow,
        plan: &Plan<'_>,
        looks: &Looks,
        page: &mut Page<'_>,
    ) -> Result<(), Trouble> {
        let mut last = looks.heading(USUAL);
        for cell in &row.cells {
            let Some(column) = self.own(cell.column) else {
                continue;
            };
            let style = looks.heading(cell.style);
            page.own(Cell { column, style }, &cell.value, None)?;
            if cell.column < self.width && !matches!(cell.value, Data::Empty) {
                last = style;
            }
        }
        for (index, column) in plan.appended.iter().enumerate() {
            let value = Value::Text(column.header.clone());
            let place = Cell {
                column: self.appended(index),
                style: last,
            };
            page.header(place, &value)?;
        }
        Ok(())
    }

    /// A row above the headers.
    fn title(&self, row: &SheetRow, page: &mut Page<'_>) -> Result<(), Trouble> {
        page.begin_row();
        self.row(row, &Addition::default(), &[], page)
    }

    fn row(
        &self,
        row: &SheetRow,
        addition: &Addition,
        appended: &[Appended],
        page: &mut Page<'_>,
    ) -> Result<(), Trouble> {
        let note = |column| {
            let mark = addition.marks.iter().find(|mark| mark.column == column);
            mark.map(|mark| mark.note.as_str())
        };
        for cell in &row.cells {
            if let Some(column) = self.own(cell.column) {
                page.own(
                    Cell {
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
                    Cell {
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
