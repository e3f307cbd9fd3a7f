//! One table, written row by row in constant memory. A table that is longer than a sheet continues on further sheets.
//!
//! `rust_xlsxwriter` requires an order: name, panes and table first, then the rows, ascending. It does not report too
//! many links, which damage the file; so links are counted here, and further addresses are written as text.

use rust_xlsxwriter::{Format, IntoExcelData, Workbook, Worksheet, XlsxError};

use crate::export::column_value::ColumnValue;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::{cell_width, fitting, link_target, whole_seconds};
use crate::export::workbook::sheet_setup::{column_width, lines, note, part_name, set_up};
use crate::export::workbook::table_definition::{CellHighlight, TableDefinition};
use crate::export::workbook::thumbnail::{MARGIN, WIDTH};
use crate::export::workbook::{footer, style};
use crate::export::{ExportResults, TimeZoneName};
use crate::model::pluralize;
use crate::sheet::end_rows;

/// The limits of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SheetLimits {
    /// Maximum number of rows, the header included.
    pub rows: u32,
    /// Maximum number of links. The workbook as a whole keeps to it, since links are in memory until the file is written.
    pub links: u32,
    /// Maximum number of notes, which are in memory until the file is written. Further cells are highlighted only.
    pub notes: u32,
}

impl SheetLimits {
    /// The limits of Excel, and a limit of notes.
    pub const EXCEL: Self = Self {
        rows: 1_048_576,
        links: 65_530,
        notes: 5_000,
    };
}

/// A table on as many sheets as it needs.
pub(super) struct TableSheet {
    definition: TableDefinition,
    limits: SheetLimits,
    zone: TimeZoneName,
    /// Moved out of the workbook, so that each table can be written by a thread of its own.
    sheets: Vec<Worksheet>,
    written: u64,
    widths: Vec<usize>,
    formats: CellFormats,
    links_left: u32,
    notes_left: u32,
    links_as_text: u64,
    highlights_without_note: u64,
}

/// The formats of single cells; all other cells have that of their column.
#[derive(Debug)]
struct CellFormats {
    highlighted: Vec<Format>,
    link: Format,
    moments: Vec<(String, Format)>,
}

/// Width of the column of pictures, in pixels.
const PICTURE_COLUMN: u32 = WIDTH + 2 * MARGIN;

impl TableSheet {
    /// Creates the sheets, with headers, table, panes and page setup.
    pub(super) fn new(
        workbook: &mut Workbook,
        definition: TableDefinition,
        limits: SheetLimits,
        results: &ExportResults<'_>,
    ) -> Result<Self, XlsxError> {
        let footer = footer(results);
        let body = u64::from(limits.rows - 1);
        let parts = definition.rows.div_ceil(body).max(1);
        let before = workbook.worksheets().len();
        for part in 0..parts {
            let rows = definition.rows.saturating_sub(part * body).min(body);
            let sheet = workbook.add_worksheet_with_constant_memory()?;
            let rows = u32::try_from(rows).expect("a part is no longer than a sheet");
            set_up(sheet, &definition, (part, rows.max(1)), &footer)?;
        }
        let columns = definition.columns.iter();
        Ok(Self {
            limits,
            zone: results.context.zone.clone(),
            sheets: workbook.worksheets_mut().split_off(before),
            written: 0,
            widths: vec![0; definition.columns.len()],
            formats: CellFormats {
                highlighted: columns
                    .map(|column| style::highlighted(column.kind))
                    .collect(),
                link: style::cell(ColumnKind::Link),
                moments: Vec::new(),
            },
            links_left: limits.links,
            notes_left: limits.notes,
            links_as_text: 0,
            highlights_without_note: 0,
            definition,
        })
    }

    /// Returns what a reader should know: further sheets, and limits that were reached.
    pub(super) fn remarks(&self) -> impl Iterator<Item = String> {
        let name = self.definition.name;
        let parts = self.sheets.len();
        let last = part_name(name, parts as u64 - 1);
        let remarks = [
            (parts > 1).then(|| format!("{name} continues up to {last}")),
            (self.links_as_text > 0).then(|| {
                format!(
                    "Excel limits the number of links; {} further addresses in {name} are text",
                    self.links_as_text
                )
            }),
            (self.highlights_without_note > 0).then(|| {
                format!(
                    "{name} has {}; {} further cells are highlighted without one",
                    pluralize(self.limits.notes.into(), "note"),
                    self.highlights_without_note
                )
            }),
        ];
        remarks.into_iter().flatten()
    }

    /// Writes the next row.
    pub(super) fn push(
        &mut self,
        cells: &[ColumnValue<'_>],
        highlight: Option<&CellHighlight>,
    ) -> Result<(), XlsxError> {
        let (part, row) = self.next_position();
        if row == 1 {
            self.links_left = self.limits.links;
            self.notes_left = self.limits.notes;
        }
        if let Some(lines) = lines(&self.definition.columns, cells) {
            self.sheets[part].set_row_height_pixels(row, lines * style::ROW_PIXELS)?;
        }
        let sheet = &mut self.sheets[part];
        for (index, cell) in cells.iter().enumerate() {
            self.widths[index] = self.widths[index].max(cell_width(cell));
            let column = u16::try_from(index).expect("tables have few columns");
            let is_highlighted = highlight.is_some_and(|highlight| highlight.column == column);
            let format = is_highlighted.then(|| &self.formats.highlighted[index]);
            let at = (row, column);
            match cell {
                ColumnValue::Empty => {
                    if let Some(format) = format {
                        sheet.write_blank(row, column, format)?;
                    }
                }
                ColumnValue::Text(text) => write(sheet, at, &*fitting(text), format)?,
                ColumnValue::Count(_) | ColumnValue::Number(_) => {
                    write(sheet, at, cell.number().unwrap_or_default(), format)?;
                }
                ColumnValue::Moment(moment) => {
                    let format = self.formats.moment(&self.zone.abbreviation(*moment));
                    write(sheet, at, &whole_seconds(*moment, &self.zone), Some(format))?;
                }
                ColumnValue::Link { text, url } => match url.and_then(link_target) {
                    Some(url) if self.links_left > 0 => {
                        self.links_left -= 1;
                        let format = format.or(Some(&self.formats.link));
                        let (url, text) = (url.as_str(), &*fitting(text));
                        sheet.write_url_with_options(row, column, url, text, "", format)?;
                    }
                    url => {
                        self.links_as_text += u64::from(url.is_some());
                        write(sheet, at, &*fitting(text), format)?;
                    }
                },
            }
        }
        match highlight {
            Some(highlight) if self.notes_left > 0 => {
                self.notes_left -= 1;
                sheet.insert_note(row, highlight.column, &note(&highlight.note))?;
            }
            Some(_) => self.highlights_without_note += 1,
            None => {}
        }
        self.written += 1;
        Ok(())
    }

    /// Writes rows of sums below the table, apart from it, so that its filter does not sort them among the rows. A last
    /// sheet that is full has none.
    pub(super) fn push_totals<'a>(
        &mut self,
        totals: impl Iterator<Item = [ColumnValue<'a>; 10]>,
    ) -> Result<(), XlsxError> {
        self.written += 1;
        for cells in totals {
            if self.next_position().0 < self.sheets.len() {
                self.push(&cells, None)?;
            }
        }
        Ok(())
    }

    /// Returns the sheet and the row number of the next row.
    pub(super) fn next_row(&mut self) -> (&mut Worksheet, u32) {
        let (part, row) = self.next_position();
        (&mut self.sheets[part], row)
    }

    fn next_position(&self) -> (usize, u32) {
        let body = u64::from(self.limits.rows - 1);
        let part = usize::try_from(self.written / body).expect("the sheets were created");
        let row = u32::try_from(self.written % body + 1).expect("a part is no longer than a sheet");
        (part, row)
    }

    /// Sets the widths of the columns, and moves the sheets into the workbook, after those that are there.
    pub(super) fn finish(mut self, workbook: &mut Workbook) -> Result<(), XlsxError> {
        let (last, next) = self.next_position();
        for (part, sheet) in self.sheets.iter_mut().enumerate() {
            end_rows(sheet, if part == last { next } else { self.limits.rows })?;
            let columns = self.definition.columns.iter().zip(&self.widths);
            for (index, (column, width)) in (0_u16..).zip(columns) {
                if column.kind == ColumnKind::Picture {
                    sheet.set_column_width_pixels(index, PICTURE_COLUMN)?;
                } else {
                    sheet.set_column_width(index, column_width(column, *width))?;
                }
            }
        }
        workbook.worksheets_mut().append(&mut self.sheets);
        Ok(())
    }
}

impl CellFormats {
    /// Returns the format of times with a zone's abbreviation. A zone has few.
    fn moment(&mut self, abbreviation: &str) -> &Format {
        let mut known = self.moments.iter();
        let at = known.position(|(known, _)| known == abbreviation);
        let at = at.unwrap_or_else(|| {
            let format = style::local_time(abbreviation);
            self.moments.push((abbreviation.to_owned(), format));
            self.moments.len() - 1
        });
        &self.moments[at].1
    }
}

fn write(
    sheet: &mut Worksheet,
    (row, column): (u32, u16),
    value: impl IntoExcelData,
    format: Option<&Format>,
) -> Result<(), XlsxError> {
    match format {
        Some(format) => sheet.write_with_format(row, column, value, format)?,
        None => sheet.write(row, column, value)?,
    };
    Ok(())
}
