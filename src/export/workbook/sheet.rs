//! A sheet that is one table, written row by row in constant memory, and continued on another sheet where it is full.
//!
//! The library keeps to an order: name, panes and table first, then rows ascending. It says nothing when a sheet has
//! too many links, and the file is then damaged; so links are counted here, and what is beyond the limit is text.

use rust_xlsxwriter::{Format, Workbook, Worksheet, XlsxError};

use crate::export::ZoneName;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::{OutputCell, fitting, serial};
use crate::export::workbook::layout::{fitted, lines, note, part_name, set_up};
use crate::export::workbook::plan::SheetLayout;
use crate::export::workbook::row_mark::RowMark;
use crate::export::workbook::style;
use crate::export::workbook::thumbnail::{MARGIN, WIDTH};
use crate::model::counted;

/// What a sheet can hold at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLimits {
    /// Rows, the header's included.
    pub rows: u32,
    /// Links: a sheet's limit, kept by the whole workbook, since they are kept in memory until the file is written.
    pub links: u32,
    /// Notes; beyond it the mark stands alone. Notes are kept in memory until the file is written.
    pub notes: u32,
}

impl SheetLimits {
    /// Excel's own, and a bound on notes for the sake of memory.
    pub const EXCEL: Self = Self {
        rows: 1_048_576,
        links: 65_530,
        notes: 5_000,
    };
}

/// One table over as many sheets as it needs.
pub(super) struct TableSheet {
    plan: SheetLayout,
    limits: SheetLimits,
    /// Taken out of the workbook, so that each table can be written by a thread of its own.
    sheets: Vec<Worksheet>,
    written: u64,
    widths: Vec<usize>,
    formats: CellFormats,
    links_left: u32,
    notes_left: u32,
    /// Links that became text.
    plain_links: u64,
    /// Marks whose note found no room.
    bare_marks: u64,
}

/// The formats that single cells need; all others come from their column.
#[derive(Debug)]
struct CellFormats {
    marked: Vec<Format>,
    link: Format,
    moments: Vec<(String, Format)>,
}

/// Pixels: as wide as a picture with its margins.
const PICTURE_COLUMN: u32 = WIDTH + 2 * MARGIN;

impl TableSheet {
    /// Lays out the sheets, with headers, table, panes and print set-up.
    pub(super) fn lay_out(
        workbook: &mut Workbook,
        plan: SheetLayout,
        limits: SheetLimits,
        footer: &str,
    ) -> Result<Self, XlsxError> {
        let body = u64::from(limits.rows - 1);
        let parts = plan.rows.div_ceil(body).max(1);
        let before = workbook.worksheets().len();
        for part in 0..parts {
            let rows = plan.rows.saturating_sub(part * body).min(body);
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            sheet.set_name(part_name(plan.name, part))?;
            let rows = u32::try_from(rows).expect("a part is no longer than a sheet");
            set_up(sheet, &plan, part, rows.max(1), footer)?;
        }
        Ok(Self {
            plan,
            limits,
            sheets: workbook.worksheets_mut().split_off(before),
            written: 0,
            widths: vec![0; plan.columns.len()],
            formats: CellFormats {
                marked: plan
                    .columns
                    .iter()
                    .map(|column| style::marked(column.kind))
                    .collect(),
                link: style::cell(ColumnKind::Link),
                moments: Vec::new(),
            },
            links_left: limits.links,
            notes_left: limits.notes,
            plain_links: 0,
            bare_marks: 0,
        })
    }

    /// What a reader should know of the sheets: where they go on, and what they had no room for.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        let name = self.plan.name;
        let parts = self.sheets.len();
        let last = part_name(name, parts as u64 - 1);
        let remarks = [
            (parts > 1).then(|| format!("{name} continues up to {last}")),
            (self.plain_links > 0).then(|| {
                format!(
                    "links are limited to what Excel bears; {} further addresses stand in {name} as text",
                    self.plain_links
                )
            }),
            (self.bare_marks > 0).then(|| {
                format!(
                    "{name} holds {}; {} further cells are marked without one",
                    counted(self.limits.notes.into(), "note"),
                    self.bare_marks
                )
            }),
        ];
        remarks.into_iter().flatten()
    }

    /// Writes the next row.
    pub(super) fn push(
        &mut self,
        zone: &ZoneName,
        cells: &[OutputCell<'_>],
        mark: Option<&RowMark>,
    ) -> Result<(), XlsxError> {
        let (part, row) = self.place();
        if row == 1 {
            self.links_left = self.limits.links;
            self.notes_left = self.limits.notes;
        }
        let sheet = &mut self.sheets[part];
        if let Some(lines) = lines(self.plan.columns, cells) {
            sheet.set_row_height_pixels(row, lines * style::ROW_PIXELS)?;
        }
        for (index, cell) in cells.iter().enumerate() {
            self.widths[index] = self.widths[index].max(cell.width());
            let column = u16::try_from(index).expect("tables have few columns");
            let marked = mark.is_some_and(|mark| mark.column == column);
            let format = marked.then(|| &self.formats.marked[index]);
            match cell {
                OutputCell::Nothing => {
                    if let Some(format) = format {
                        sheet.write_blank(row, column, format)?;
                    }
                }
                OutputCell::Text(text) => string(sheet, row, column, &fitting(text), format)?,
                #[expect(
                    clippy::cast_precision_loss,
                    reason = "counts of a roof are far below 2^53"
                )]
                OutputCell::Count(count) => number(sheet, row, column, *count as f64, format)?,
                OutputCell::Number(value) => number(sheet, row, column, *value, format)?,
                OutputCell::Moment(moment) => {
                    let format = self.formats.moment(&zone.abbreviation(*moment));
                    sheet.write_number_with_format(row, column, serial(*moment, zone), format)?;
                }
                OutputCell::Link { text, url } if self.links_left > 0 => {
                    self.links_left -= 1;
                    let format = format.or(Some(&self.formats.link));
                    sheet.write_url_with_options(
                        row,
                        column,
                        url.as_str(),
                        &*fitting(text),
                        "",
                        format,
                    )?;
                }
                OutputCell::Link { text, .. } => {
                    self.plain_links += 1;
                    string(sheet, row, column, &fitting(text), format)?;
                }
            }
        }
        match mark {
            Some(mark) if self.notes_left > 0 => {
                self.notes_left -= 1;
                sheet.insert_note(row, mark.column, &note(&mark.note))?;
            }
            Some(_) => self.bare_marks += 1,
            None => {}
        }
        self.written += 1;
        Ok(())
    }

    /// The sheet of the next row, and the row there.
    pub(super) fn next_row(&mut self) -> (&mut Worksheet, u32) {
        let (part, row) = self.place();
        (&mut self.sheets[part], row)
    }

    fn place(&self) -> (usize, u32) {
        let body = u64::from(self.limits.rows - 1);
        let part = usize::try_from(self.written / body).expect("parts were laid out");
        let row = u32::try_from(self.written % body + 1).expect("a part is no longer than a sheet");
        (part, row)
    }

    /// Fits the columns to what they hold, and puts the sheets into the workbook, behind those that are there.
    pub(super) fn finish(mut self, workbook: &mut Workbook) -> Result<(), XlsxError> {
        for sheet in &mut self.sheets {
            for (index, column) in (0_u16..).zip(self.plan.columns) {
                if column.kind == ColumnKind::Picture {
                    sheet.set_column_width_pixels(index, PICTURE_COLUMN)?;
                    continue;
                }
                sheet.set_column_width(index, fitted(column, self.widths[usize::from(index)]))?;
            }
        }
        workbook.worksheets_mut().append(&mut self.sheets);
        Ok(())
    }
}

impl CellFormats {
    /// A zone has few abbreviations, so a walk over the list is quick.
    fn moment(&mut self, abbreviation: &str) -> &Format {
        let at = self
            .moments
            .iter()
            .position(|(known, _)| known == abbreviation);
        let at = at.unwrap_or_else(|| {
            self.moments
                .push((abbreviation.to_owned(), style::moment(abbreviation)));
            self.moments.len() - 1
        });
        &self.moments[at].1
    }
}

fn string(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    text: &str,
    format: Option<&Format>,
) -> Result<(), XlsxError> {
    match format {
        Some(format) => sheet.write_string_with_format(row, column, text, format)?,
        None => sheet.write_string(row, column, text)?,
    };
    Ok(())
}

fn number(
    sheet: &mut Worksheet,
    row: u32,
    column: u16,
    number: f64,
    format: Option<&Format>,
) -> Result<(), XlsxError> {
    match format {
        Some(format) => sheet.write_number_with_format(row, column, number, format)?,
        None => sheet.write_number(row, column, number)?,
    };
    Ok(())
}
