//! Writes rows of a sheet of any format to a new XLSX workbook of one sheet: numbers, dates, texts and errors keep their
//! kinds, formulas become their values, and headers keep their fonts and fills.

use std::collections::HashMap;

use rust_xlsxwriter::{Format, FormatAlign, Note, Workbook, XlsxError};
use textwrap::wrap;

use crate::model::{pluralize, shortened};
use crate::sheet::batch::{Cell, CellKind, Row};
use crate::sheet::rewrite::RewriteOutput;
use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{
    AppendedValue, EarlierColumns, RewriteNote, RewritePlan, Rewritten, RowAddition,
};
use crate::sheet::xlsx::archive_file::ArchiveFile;
use crate::sheet::xlsx::new_cells::{CellWriter, column_number};
use crate::sheet::xlsx::rewrite::analysis::{AdditionFor, SheetSource};
use crate::sheet::xlsx::save::{end_rows, save_workbook, sheet_name};
use crate::sheet::{column_letters, folder_of};

/// The narrowest column, in characters.
const NARROWEST: u16 = 9;

/// Number of columns that a window usually shows.
const COLUMNS_IN_SIGHT: usize = 12;

/// The height of a line of text in points, and the number of lines in the highest row.
const LINE_HEIGHT: u16 = 15;
const MAX_LINES: usize = 27;

/// The fill of a highlighted cell.
const HIGHLIGHT: u32 = 0x00FF_C7CE;

/// Maximum number of notes in one sheet; with many more, a spreadsheet takes minutes to open.
const NOTE_LIMIT: usize = 5_000;

/// Maximum number of characters in a note; the library refuses a note that is longer than a cell's text.
const NOTE_CHARS: usize = 2_000;

/// Writes the rows for which `each` returns something, or all if the plan keeps what is around them. Temporary files are
/// created beside the output.
pub(super) fn write(
    mut source: SheetSource<'_>,
    plan: &RewritePlan<'_>,
    each: AdditionFor<'_>,
    output: RewriteOutput<'_>,
) -> Result<Rewritten, RewriteError> {
    let (sheet, region) = (source.sheet, source.region);
    let header_row = region.header_row;
    let header_formats = header_row.map(|row| source.book.formats_of_row(sheet, row));
    let mut workbook = Workbook::new();
    workbook.set_tempdir(folder_of(output.path))?;
    let mut writer = RowWriter {
        cells: CellWriter::new(
            workbook
                .add_worksheet_with_constant_memory()?
                .set_name(sheet_name(sheet))?,
        ),
        plan,
        columns: ColumnTargets::new(&region.headers, plan),
        header_formats: header_formats.unwrap_or_default(),
        formats: appended_formats(plan),
        next_row: 0,
        notes: 0,
        without_notes: 0,
    };
    let mut rows = source.rows()?;
    let mut body_rows = 0;
    while rows.advance()? {
        let row = rows.row();
        if row.is_blank() {
            continue;
        }
        let addition = match region.header_row {
            Some(header) if row.number <= header => None,
            _ => each(row.number),
        };
        if region.header_row == Some(row.number) {
            writer.header(row)?;
        } else if let Some(addition) = addition {
            writer.body(row, &addition)?;
            body_rows += 1;
        } else if plan.keeps_surroundings || region.title_row == Some(row.number) {
            writer.unedited(row)?;
        }
    }
    if !plan.keeps_surroundings {
        writer.prepare_for_review(body_rows)?;
    }
    let notes = writer.finish()?;
    let mut file = ArchiveFile::new(output.file);
    save_workbook(&mut workbook, &mut file)?;
    file.end()?;
    Ok(Rewritten {
        rows: body_rows,
        notes,
    })
}

/// Which column of the new sheet takes each column of the old one.
#[derive(Debug, PartialEq, Eq)]
struct ColumnTargets {
    /// Columns of an earlier copy; ascending.
    dropped: Vec<usize>,
    first_appended: usize,
    appended: usize,
    is_overwriting: bool,
}

impl ColumnTargets {
    /// The appended columns replace those of an earlier copy, or follow the last header; cells further right follow them.
    fn new(headers: &[String], plan: &RewritePlan<'_>) -> Self {
        let dropped = plan.dropped_of(headers);
        let overwritten = plan.overwritten(headers);
        let last = headers.len() - dropped.len();
        Self {
            first_appended: overwritten.as_ref().map_or(last, |block| block.start),
            is_overwriting: overwritten.is_some(),
            dropped,
            appended: plan.appended.len(),
        }
    }

    /// Where a column goes; `None` if it is left out.
    fn target_of(&self, column: usize) -> Option<usize> {
        if self.dropped.contains(&column) {
            return None;
        }
        let before = self.dropped.iter().filter(|dropped| **dropped < column);
        let kept = column - before.count();
        let is_behind = kept >= self.first_appended;
        Some(kept + if is_behind { self.appended } else { 0 })
    }
}

/// The format of each appended column.
fn appended_formats(plan: &RewritePlan<'_>) -> Vec<Format> {
    let top = Format::new().set_align(FormatAlign::Top);
    let format = |code: Option<&String>| match code {
        Some(code) => top.clone().set_num_format(code),
        None => top.clone().set_text_wrap(),
    };
    let columns = plan.appended.iter();
    columns
        .map(|column| format(column.number_format.as_ref()))
        .collect()
}

/// Writes whole rows.
struct RowWriter<'a> {
    cells: CellWriter<'a>,
    plan: &'a RewritePlan<'a>,
    columns: ColumnTargets,
    /// Of the headers, by column; the others are bold.
    header_formats: HashMap<usize, Format>,
    /// Of the appended columns.
    formats: Vec<Format>,
    next_row: u32,
    notes: usize,
    /// Highlighted cells beyond the limit of notes.
    without_notes: u64,
}

impl RowWriter<'_> {
    /// A row stays at its number only where everything around the rows is kept.
    fn begin(&mut self, row: Row<'_>) {
        self.cells.row = if self.plan.keeps_surroundings {
            row.number.0 - 1
        } else {
            self.next_row
        };
        self.next_row += 1;
    }

    /// A row to which nothing is appended.
    fn unedited(&mut self, row: Row<'_>) -> Result<(), XlsxError> {
        self.begin(row);
        let format = Format::new();
        for (column, cell) in row.cells().enumerate() {
            let target = self.columns.target_of(column);
            let stays = self.columns.is_overwriting.then_some(column);
            if let Some(target) = stays.or(target) {
                self.cells.own(target, cell, &format)?;
            }
        }
        Ok(())
    }

    fn header(&mut self, row: Row<'_>) -> Result<(), XlsxError> {
        self.begin(row);
        // Titles above the headers make no column wider.
        self.cells.widths.clear();
        let bold = Format::new().set_bold();
        let mut last = &bold;
        for (column, cell) in row.cells().enumerate() {
            let format = self.header_formats.get(&column).unwrap_or(&bold);
            if let Some(target) = self.columns.target_of(column) {
                self.cells.own(target, cell, format)?;
                if target < self.columns.first_appended && cell.kind != CellKind::Empty {
                    last = format;
                }
            }
        }
        for (target, column) in (self.columns.first_appended..).zip(self.plan.appended) {
            let length = self.cells.text(target, &column.header, last)?;
            self.cells.widen(target, length, u16::MAX);
        }
        let below = self.cells.row + 1;
        let is_wide = self.columns.first_appended > COLUMNS_IN_SIGHT;
        if is_wide && let EarlierColumns::Anywhere(..) = self.plan.earlier {
            // The first column stays in sight, and beside it what was appended.
            let appended = column_number(self.columns.first_appended)?;
            let sheet = &mut *self.cells.sheet;
            sheet.set_freeze_panes(below, 1)?;
            sheet.set_freeze_panes_top_cell(below, appended)?;
        } else {
            self.cells.sheet.set_freeze_panes(below, 0)?;
        }
        Ok(())
    }

    fn body(&mut self, row: Row<'_>, addition: &RowAddition) -> Result<(), XlsxError> {
        let columns = &self.columns;
        let has_own = |(column, cell): (usize, Cell<'_>)| {
            cell.kind != CellKind::Empty && columns.target_of(column).is_some()
        };
        let stays = addition.values.is_empty() || !row.cells().enumerate().any(has_own);
        if columns.is_overwriting && stays {
            return self.unedited(row);
        }
        self.begin(row);
        // A high row is read along its top.
        let plain = Format::new().set_align(FormatAlign::Top);
        let marked = plain.clone().set_background_color(HIGHLIGHT);
        let is_marked = |column| addition.highlights.iter().any(|one| one.column == column);
        for (column, cell) in row.cells().enumerate() {
            if let Some(target) = self.columns.target_of(column) {
                let format = if is_marked(column) { &marked } else { &plain };
                self.cells.own(target, cell, format)?;
            }
        }
        for highlight in &addition.highlights {
            if let Some(target) = self.columns.target_of(highlight.column) {
                let is_empty = row.cell(highlight.column).kind == CellKind::Empty;
                self.highlight(target, &highlight.note, is_empty.then_some(&marked))?;
            }
        }
        let texts = addition.values.iter().zip(self.plan.appended);
        let lines = texts.map(|(value, column)| match value {
            AppendedValue::Text(text) => wrap(text, usize::from(column.max_width)).len(),
            _ => 1,
        });
        if let Some(lines @ 2..) = lines.max() {
            let height = LINE_HEIGHT * u16::try_from(lines.min(MAX_LINES)).unwrap_or(1);
            self.cells.sheet.set_row_height(self.cells.row, height)?;
        }
        let appended = self.plan.appended.iter().zip(&self.formats);
        let targets = self.columns.first_appended..;
        for ((value, (column, format)), target) in addition.values.iter().zip(appended).zip(targets)
        {
            let length = self.cells.appended(target, value, format)?;
            self.cells.widen(target, length, column.max_width);
        }
        Ok(())
    }

    /// Adds a note to a cell, and the fill if the cell is empty.
    fn highlight(
        &mut self,
        target: usize,
        note: &str,
        fill: Option<&Format>,
    ) -> Result<(), XlsxError> {
        let (sheet, row) = (&mut *self.cells.sheet, self.cells.row);
        let column = column_number(target)?;
        if let Some(fill) = fill {
            sheet.write_blank(row, column, fill)?;
        }
        if self.notes == NOTE_LIMIT {
            self.without_notes += 1;
            return Ok(());
        }
        self.notes += 1;
        sheet.insert_note(row, column, &new_note(note))?;
        Ok(())
    }

    /// Makes the sheet print on wide pages, and explains the highlighted cells in a note at its first cell.
    fn prepare_for_review(&mut self, rows: u64) -> Result<(), XlsxError> {
        let sheet = &mut *self.cells.sheet;
        sheet.set_landscape().set_print_fit_to_pages(1, 0);
        let EarlierColumns::Anywhere([reason, ..], _) = self.plan.earlier else {
            return Ok(());
        };
        let mut appended = self.plan.appended.iter();
        let Some(place) = appended.position(|column| column.header == *reason) else {
            return Ok(());
        };
        let text = format!(
            "{} in {}; the reason is in column {}, {reason}",
            pluralize(self.notes as u64 + self.without_notes, "red cell"),
            pluralize(rows, "row"),
            column_letters(self.columns.first_appended + place)
        );
        sheet.insert_note(0, 0, &new_note(&text))?;
        Ok(())
    }

    /// Sets the widths, and tells what the new sheet lacks.
    fn finish(self) -> Result<Vec<RewriteNote>, XlsxError> {
        let CellWriter {
            sheet,
            row,
            widths,
            shortened,
        } = self.cells;
        end_rows(sheet, row + 1)?;
        for (column, width) in (0..).zip(widths) {
            sheet.set_column_width(column, width.saturating_add(2).max(NARROWEST))?;
        }
        let shortened = (shortened > 0).then_some(RewriteNote::Shortened { cells: shortened });
        let cells = self.without_notes;
        let without_notes = (cells > 0).then_some(RewriteNote::WithoutNotes { cells });
        Ok(shortened.into_iter().chain(without_notes).collect())
    }
}

/// A note that is as high as its text needs: about 30 characters a line at this width, and 18 pixels a line.
fn new_note(text: &str) -> Note {
    let lines = text.lines().map(|line| 1 + line.chars().count() / 30);
    let height = u32::try_from(18 * (lines.sum::<usize>() + 1)).unwrap_or(u32::MAX);
    Note::new(shortened(text, NOTE_CHARS))
        .set_author("gutterbatch")
        .add_author_prefix(false)
        .set_width(240)
        .set_height(height.min(400))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_sheet_has_the_appended_columns_behind_the_last_header() {
        let appended = ["error", "source_row"];
        let headers = ["ID", "error", "Name", "source_row"].map(str::to_owned);
        let columns = appended.map(|header| crate::sheet::rewrite::AppendedColumn {
            header: header.to_owned(),
            number_format: None,
            max_width: 9,
        });
        let plan = RewritePlan {
            appended: &columns,
            earlier: EarlierColumns::Anywhere(&appended, "same_house"),
            keeps_surroundings: true,
            fills_short_rows: false,
            adds_mark: false,
        };
        let columns = ColumnTargets::new(&headers, &plan);
        let targets: Vec<_> = (0..6).map(|column| columns.target_of(column)).collect();
        assert_eq!(targets, [Some(0), None, Some(1), None, Some(4), Some(5)]);
        assert_eq!(columns.first_appended, 2);
    }
}
