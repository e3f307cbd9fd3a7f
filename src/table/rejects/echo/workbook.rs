//! A workbook again, as XLSX.
//!
//! The work is done on a thread of the readers' name. A broken workbook makes the reading library panic, and a full
//! disk the writing one; both become what they are.

use std::fs::File;
use std::path::Path;

use calamine::Data;
use rust_xlsxwriter::Workbook;

use crate::model::RowNumber;
use crate::sheet::folder_of;
use crate::table::address_blocks::address_titles;
use crate::table::feed::RowMarks;
use crate::table::kind::Form;
use crate::table::marks::Marks;
use crate::table::options::Options;
use crate::table::refusal::refusal;
use crate::table::rejects::echo::look::Looks;
use crate::table::rejects::echo::page::{Cell, Page, Width};
use crate::table::rejects::echo::plan::{Addition, Appended, Around, Echoed, Note, Plan, Value};
use crate::table::rejects::echo::sheet::{self, SheetRow};
use crate::table::rejects::echo::trouble::Trouble;
use crate::table::rejects::echo::widths::Widths;
use crate::table::sheet::find_sheet;
use crate::table::stream::READER_THREAD;
use crate::table::text::COLUMN_LIMIT;
use crate::table::workbook;
use crate::table::{Columns, Document, Fault};

/// The style of cells that were not there.
const USUAL: usize = 0;

/// The workbook that is read.
pub(super) struct Source<'a> {
    pub(super) document: &'a Document,
    pub(super) file: File,
    pub(super) form: Form,
    pub(super) options: &'a Options,
}

pub(super) fn echo<F>(
    source: Source<'_>,
    plan: &Plan<'_>,
    each: F,
    (out, to): (&mut File, &Path),
) -> Result<Echoed, Trouble>
where
    F: FnMut(&Columns, RowNumber) -> Option<Addition> + Send,
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
    source: Source<'_>,
    plan: &Plan<'_>,
    mut each: impl FnMut(&Columns, RowNumber) -> Option<Addition>,
) -> Result<Echoed, Trouble> {
    let Source {
        document,
        file,
        form,
        options,
    } = source;
    let mut book = workbook::open(file, form)?;
    let found = find_sheet(&mut book, options)?;
    let header_row = found.headers.row;
    let titles = address_titles(&found.headers);
    let columns = Columns::find(found.headers.clone(), options)?;
    let places = Places::new(columns.headers(), plan)?;
    let looks = Looks::of(&sheet::palette(&mut book, &found.name)?);
    let mut page = Page::new(copy, &found.name, &looks)?;
    let mut echoed = Echoed::default();
    let row_marks = RowMarks {
        marks: Marks::of(document.open()?.0, form, &found.name),
        hidden_rows: options.hidden_rows,
    };
    sheet::rows(&mut book, &found.name, row_marks, &mut |row| {
        let number = RowNumber(row.number);
        if header_row == Some(number) {
            page.begin_headers()?;
            return places.headers(row, plan, &looks, &mut page);
        }
        if row.is_blank() {
            return Ok(());
        }
        if header_row.is_some_and(|header| number < header) {
            return match plan.around {
                Around::LeftOut if titles != Some(number) => Ok(()),
                _ => places.title(row, &mut page),
            };
        }
        let Some(addition) = each(&columns, number) else {
            return Ok(());
        };
        page.begin_row();
        places.row(row, &addition, plan.appended, &mut page)?;
        echoed.rows += 1;
        Ok(())
    })?;
    let widths = match form {
        Form::Xlsx => Widths::of(document.open()?.0, &found.name),
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
