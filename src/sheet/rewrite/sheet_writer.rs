//! The sheet of a copy, written row by row.

use std::collections::HashMap;

use calamine::Data;
use rust_xlsxwriter::{ColNum, ExcelDateTime, Format, Formula, Workbook, Worksheet};

use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::{AppendedColumn, AppendedValue, RewriteNote};
use crate::sheet::rewrite::styles::StyleTable;

/// Notes in one sheet; with many more, a spreadsheet takes minutes to open.
const NOTES: u64 = 5_000;
/// Characters that a cell can hold, in UTF-16 units.
const CELL_LIMIT: usize = 32_767;
/// The widest and the narrowest that a column of the user's own becomes, in characters.
const WIDEST: u16 = 50;
const NARROWEST: u16 = 9;

/// The height of a line, in points, and how many a row shows.
const LINE_HEIGHT: u32 = 15;
const MOST_LINES: u32 = 20;

/// A cell of the copy.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellPosition {
    pub(super) column: usize,
    /// Its style in the workbook that was read.
    pub(super) style: usize,
}

/// How wide a column becomes, in characters.
#[derive(Clone, Copy, Debug)]
pub(super) enum ColumnWidth {
    /// As the sheet that was read has it.
    Exactly(f64),
    /// As its text needs, up to a limit.
    AtMost(u16),
}

/// The sheet being written.
pub(super) struct SheetWriter<'a> {
    sheet: &'a mut Worksheet,
    styles: &'a StyleTable,
    next_row: u32,
    widths: Vec<u16>,
    set: HashMap<usize, ColumnWidth>,
    notes: u64,
    without_notes: u64,
    shortened: u64,
}

impl<'a> SheetWriter<'a> {
    pub(super) fn new(
        copy: &'a mut Workbook,
        name: &str,
        styles: &'a StyleTable,
    ) -> Result<Self, RewriteError> {
        let sheet = copy.add_worksheet_with_constant_memory()?;
        sheet.set_name(name)?;
        Ok(Self {
            sheet,
            styles,
            next_row: 0,
            widths: Vec::new(),
            set: HashMap::new(),
            notes: 0,
            without_notes: 0,
            shortened: 0,
        })
    }

    /// The headers stay in sight. Titles above them make no column wider.
    pub(super) fn begin_headers(&mut self) -> Result<(), RewriteError> {
        self.begin_row();
        self.sheet.set_freeze_panes(self.next_row, 0)?;
        self.widths.clear();
        Ok(())
    }

    pub(super) fn begin_row(&mut self) {
        self.next_row += 1;
    }

    /// A cell of the original; with a note, it is highlighted.
    pub(super) fn own(
        &mut self,
        cell: CellPosition,
        value: &Data,
        note: Option<&str>,
    ) -> Result<(), RewriteError> {
        let look = self.styles.get(cell.style);
        let format = match note {
            Some(_) => &look.marked,
            None => &look.plain,
        };
        match value {
            Data::DateTime(moment) if look.is_general => {
                let format = dated(format, serial(*moment));
                self.data(cell.column, value, &format)?;
            }
            _ => self.data(cell.column, value, format)?,
        }
        if let Some(note) = note {
            self.note(cell.column, note)?;
        }
        Ok(())
    }

    /// The header of an appended column, in a style of the workbook.
    pub(super) fn header(
        &mut self,
        cell: CellPosition,
        value: &AppendedValue,
    ) -> Result<(), RewriteError> {
        let look = self.styles.get(cell.style);
        self.value(cell.column, value, &look.plain, None)
    }

    /// An appended value; text wraps, and the row's height grows with it.
    pub(super) fn appended(
        &mut self,
        column: usize,
        value: &AppendedValue,
        manner: &AppendedColumn,
    ) -> Result<(), RewriteError> {
        let styles = self.styles;
        let number_format = manner.number_format.as_deref();
        let AppendedValue::Text(text) = value else {
            return self.value(column, value, &styles.get(0).plain, number_format);
        };
        let lines = 1 + text.chars().count() / usize::from(manner.widest.max(1));
        if lines > 1 {
            let lines = u32::try_from(lines).unwrap_or(u32::MAX).min(MOST_LINES);
            self.sheet.set_row_height(self.row(), LINE_HEIGHT * lines)?;
        }
        self.value(column, value, &styles.message, number_format)
    }

    /// Sets the width of a column, which otherwise follows its text.
    pub(super) fn set_width(&mut self, column: usize, width: ColumnWidth) {
        self.set.insert(column, width);
    }

    /// Sets the widths, and returns notes on what was shortened or omitted.
    pub(super) fn finish(self) -> Result<Vec<RewriteNote>, RewriteError> {
        for (column, &needed) in self.widths.iter().enumerate() {
            let needed = needed.saturating_add(2);
            let width = match self
                .set
                .get(&column)
                .unwrap_or(&ColumnWidth::AtMost(WIDEST))
            {
                ColumnWidth::Exactly(width) => *width,
                ColumnWidth::AtMost(widest) => f64::from(needed.min(*widest).max(NARROWEST)),
            };
            self.sheet.set_column_width(number(column)?, width)?;
        }
        let mut notes = Vec::new();
        if self.shortened > 0 {
            notes.push(RewriteNote::Shortened {
                cells: self.shortened,
            });
        }
        if self.without_notes > 0 {
            notes.push(RewriteNote::WithoutNotes {
                cells: self.without_notes,
            });
        }
        Ok(notes)
    }

    fn row(&self) -> u32 {
        self.next_row - 1
    }

    fn data(&mut self, column: usize, value: &Data, format: &Format) -> Result<(), RewriteError> {
        let (row, at) = (self.row(), number(column)?);
        match value {
            Data::Empty => self.sheet.write_blank(row, at, format)?,
            Data::String(text) => return self.text(column, text, format),
            Data::DateTimeIso(text) | Data::DurationIso(text) => {
                return match iso_moment(text) {
                    Some(moment) => self.value(column, &moment, format, None),
                    None => self.text(column, text, format),
                };
            }
            Data::Float(float) => self
                .sheet
                .write_number_with_format(row, at, *float, format)?,
            Data::Int(whole) => {
                // Precise up to 2^53, and beyond it Excel itself keeps 15 digits.
                #[expect(clippy::cast_precision_loss, reason = "a sheet holds floats alone")]
                let float = *whole as f64;
                self.sheet
                    .write_number_with_format(row, at, float, format)?
            }
            Data::Bool(truth) => self
                .sheet
                .write_boolean_with_format(row, at, *truth, format)?,
            Data::DateTime(moment) => {
                let serial = serial(*moment);
                self.sheet
                    .write_number_with_format(row, at, serial, format)?;
                let width = if serial.fract() == 0.0 { 10 } else { 19 };
                self.widen(column, width);
                return Ok(());
            }
            // An error cell stays an error cell, so that an uncorrected copy is rejected again.
            Data::Error(error) => {
                let formula = Formula::new(format!("={error}")).set_result(error.to_string());
                self.sheet
                    .write_formula_with_format(row, at, formula, format)?
            }
        };
        self.widen(column, 10);
        Ok(())
    }

    fn value(
        &mut self,
        column: usize,
        value: &AppendedValue,
        format: &Format,
        number_format: Option<&str>,
    ) -> Result<(), RewriteError> {
        let (row, at) = (self.row(), number(column)?);
        let formatted = |usual: &str| {
            format
                .clone()
                .set_num_format(number_format.unwrap_or(usual))
        };
        let width = match value {
            AppendedValue::Empty => return Ok(()),
            AppendedValue::Text(text) => return self.text(column, text, format),
            AppendedValue::Number(float) => {
                let format = number_format.map_or_else(|| format.clone(), formatted);
                self.sheet
                    .write_number_with_format(row, at, *float, &format)?;
                10
            }
            AppendedValue::Date(date) => {
                let serial = serial_of(date.at(0, 0, 0, 0))?;
                self.sheet
                    .write_datetime_with_format(row, at, serial, &formatted("yyyy-mm-dd"))?;
                10
            }
            AppendedValue::Moment(moment) => {
                let format = formatted("yyyy-mm-dd hh:mm");
                self.sheet
                    .write_datetime_with_format(row, at, serial_of(*moment)?, &format)?;
                16
            }
        };
        self.widen(column, width);
        Ok(())
    }

    fn text(&mut self, column: usize, text: &str, format: &Format) -> Result<(), RewriteError> {
        let fitting = fitting(text);
        self.shortened += u64::from(fitting.len() < text.len());
        let at = number(column)?;
        self.sheet
            .write_string_with_format(self.row(), at, fitting, format)?;
        let longest = fitting.lines().map(|line| line.chars().count()).max();
        self.widen(column, longest.unwrap_or(0));
        Ok(())
    }

    fn note(&mut self, column: usize, text: &str) -> Result<(), RewriteError> {
        self.notes += 1;
        if self.notes > NOTES {
            self.without_notes += 1;
            return Ok(());
        }
        // About 30 characters a line at this width, and 18 pixels a line.
        let lines = text
            .lines()
            .map(|line| 1 + line.chars().count() / 30)
            .sum::<usize>();
        let height = u32::try_from(18 * (lines + 1)).unwrap_or(u32::MAX).min(400);
        let note = rust_xlsxwriter::Note::new(fitting(text))
            .set_author("gutterbatch")
            .add_author_prefix(false)
            .set_width(240)
            .set_height(height);
        self.sheet.insert_note(self.row(), number(column)?, &note)?;
        Ok(())
    }

    fn widen(&mut self, column: usize, characters: usize) {
        if self.widths.len() <= column {
            self.widths.resize(column + 1, 0);
        }
        let characters = u16::try_from(characters).unwrap_or(u16::MAX);
        self.widths[column] = self.widths[column].max(characters);
    }
}

fn number(column: usize) -> Result<ColNum, RewriteError> {
    ColNum::try_from(column).map_err(|_| rust_xlsxwriter::XlsxError::RowColumnLimitError.into())
}

/// As much of a text as a cell can hold.
pub(super) fn fitting(text: &str) -> &str {
    if text.len() <= CELL_LIMIT {
        return text;
    }
    let mut units = 0;
    let end = text.char_indices().find(|(_, character)| {
        units += character.len_utf16();
        units > CELL_LIMIT
    });
    end.map_or(text, |(end, _)| &text[..end])
}

/// The serial in the date system of the copy, which counts from 1900.
fn serial(moment: calamine::ExcelDateTime) -> f64 {
    if moment.is_duration() {
        return moment.as_f64();
    }
    let (year, month, day, hour, minute, second, milli) = moment.to_ymd_hms_milli();
    let dated = ExcelDateTime::from_ymd(year, month, day);
    let exact = dated.and_then(|date| date.and_hms_milli(hour.into(), minute, second, milli));
    match exact {
        // The system of 1904 counts 1,462 days less; everything else is the number that was read.
        Ok(date) if date.to_excel() - moment.as_f64() > 1_461.0 => date.to_excel(),
        _ => moment.as_f64(),
    }
}

/// Formats other than XLSX provide no number formats, and a date without one would be displayed as a number.
fn dated(format: &Format, serial: f64) -> Format {
    let usual = match serial {
        ..1.0 => "hh:mm:ss",
        _ if serial.fract() == 0.0 => "yyyy-mm-dd",
        _ => "yyyy-mm-dd hh:mm:ss",
    };
    format.clone().set_num_format(usual)
}

pub(super) fn serial_of(moment: jiff::civil::DateTime) -> Result<ExcelDateTime, RewriteError> {
    let year = u16::try_from(moment.year()).unwrap_or(0);
    let [month, day, hour, minute, second] = [
        moment.month(),
        moment.day(),
        moment.hour(),
        moment.minute(),
        moment.second(),
    ]
    .map(i8::unsigned_abs);
    let date = ExcelDateTime::from_ymd(year, month, day)?;
    Ok(date.and_hms(hour.into(), minute, second)?)
}

fn iso_moment(text: &str) -> Option<AppendedValue> {
    if let Ok(date) = text.parse::<jiff::civil::Date>()
        && !text.contains('T')
    {
        return (date.year() >= 1900).then_some(AppendedValue::Date(date));
    }
    let moment: jiff::civil::DateTime = text.parse().ok()?;
    (moment.year() >= 1900).then_some(AppendedValue::Moment(moment))
}
