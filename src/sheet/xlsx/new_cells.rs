//! Writes the cells of a new sheet, as numbers, dates, texts and errors.

use rust_xlsxwriter::{ColNum, Format, Formula, Worksheet, XlsxError};

use crate::model::has_only_digits;
use crate::sheet::batch::{Cell, CellKind};
use crate::sheet::rewrite::plan::AppendedValue;
use crate::sheet::xlsx::values::{fitting, serial_of};

/// The widest of the sheet's own columns, in characters.
const WIDEST: u16 = 50;

/// Writes cells of one row after the other.
pub(super) struct CellWriter<'a> {
    pub(super) sheet: &'a mut Worksheet,
    pub(super) row: u32,
    /// Of each column, in characters.
    pub(super) widths: Vec<u16>,
    /// How many texts were cut to what a cell can hold.
    pub(super) shortened: u64,
}

impl<'a> CellWriter<'a> {
    pub(super) fn new(sheet: &'a mut Worksheet) -> Self {
        Self {
            sheet,
            row: 0,
            widths: Vec::new(),
            shortened: 0,
        }
    }

    /// Writes one of the sheet's own cells; nothing where it is empty.
    pub(super) fn own(
        &mut self,
        target: usize,
        cell: Cell<'_>,
        format: &Format,
    ) -> Result<(), XlsxError> {
        let (row, column) = (self.row, column_number(target)?);
        let number = match cell.kind {
            CellKind::Number => cell.text.parse().ok().map(|number| (number, None)),
            CellKind::Formatted => padded(cell.text).map(|(number, code)| (number, Some(code))),
            CellKind::DisplayDiffers => shown_otherwise(cell.text),
            CellKind::Date => {
                serial(cell.text).map(|(serial, code)| (serial, Some(code.to_owned())))
            }
            _ => None,
        };
        let length = match (cell.kind, number) {
            (CellKind::Empty, _) => return Ok(()),
            (_, Some((number, code))) => {
                let coded = code.map(|code| format.clone().set_num_format(code));
                let format = coded.as_ref().unwrap_or(format);
                self.sheet
                    .write_number_with_format(row, column, number, format)?;
                cell.text.len().max(10)
            }
            (CellKind::Boolean, _) => {
                let is_true = cell.text == "TRUE";
                self.sheet
                    .write_boolean_with_format(row, column, is_true, format)?;
                cell.text.len()
            }
            // An error stays one, so that an uncorrected copy is rejected again; so does a formula without a value,
            // which would look corrected as an empty cell.
            (CellKind::Error | CellKind::Uncalculated, _) => {
                let error = match cell.kind {
                    CellKind::Error => cell.text,
                    _ => "#N/A",
                };
                let formula = Formula::new(format!("={error}")).set_result(error);
                self.sheet
                    .write_formula_with_format(row, column, formula, format)?;
                error.len()
            }
            (
                CellKind::Text
                | CellKind::Formatted
                | CellKind::DisplayDiffers
                | CellKind::Number
                | CellKind::Date,
                None,
            ) => self.text(target, cell.text, format)?,
        };
        self.widen(target, length, WIDEST);
        Ok(())
    }

    /// Writes an appended cell; returns how many characters wide it is.
    pub(super) fn appended(
        &mut self,
        target: usize,
        value: &AppendedValue,
        format: &Format,
    ) -> Result<usize, XlsxError> {
        let (number, length) = match value {
            AppendedValue::Empty => return Ok(0),
            AppendedValue::Text(text) => return self.text(target, text, format),
            AppendedValue::Number(number) => (*number, 10),
            AppendedValue::Moment(moment) => (serial_of(*moment)?.to_excel(), 16),
        };
        let column = column_number(target)?;
        self.sheet
            .write_number_with_format(self.row, column, number, format)?;
        Ok(length)
    }

    /// Writes a text; returns the length of its longest line.
    pub(super) fn text(
        &mut self,
        target: usize,
        text: &str,
        format: &Format,
    ) -> Result<usize, XlsxError> {
        let fitting = fitting(text);
        self.shortened += u64::from(fitting.len() < text.len());
        let column = column_number(target)?;
        self.sheet
            .write_string_with_format(self.row, column, fitting, format)?;
        let lines = fitting.lines().map(|line| line.chars().count());
        Ok(lines.max().unwrap_or(0))
    }

    /// Makes a column at least as wide as a text, up to a limit.
    pub(super) fn widen(&mut self, target: usize, length: usize, widest: u16) {
        if self.widths.len() <= target {
            self.widths.resize(target + 1, 0);
        }
        let length = u16::try_from(length).unwrap_or(u16::MAX).min(widest);
        self.widths[target] = self.widths[target].max(length);
    }
}

/// The column as the library counts it.
pub(super) fn column_number(column: usize) -> Result<ColNum, XlsxError> {
    ColNum::try_from(column).map_err(|_| XlsxError::RowColumnLimitError)
}

/// Parses a number with leading zeros, and returns the number format that displays them.
fn padded(shown: &str) -> Option<(f64, String)> {
    let is_padded = shown.len() <= 15 && has_only_digits(shown);
    let number = shown.parse().ok().filter(|_| is_padded)?;
    Some((number, "0".repeat(shown.len())))
}

/// A number whose own format shows another one, and a format that is rejected as well until the cell is typed again: a
/// rounded one, and fractions for whole numbers.
fn shown_otherwise(text: &str) -> Option<(f64, Option<String>)> {
    let number: f64 = text.parse().ok()?;
    let code = if number.fract() == 0.0 { "# ?/?" } else { "0" };
    Some((number, Some(code.to_owned())))
}

/// The number of a date or time as the reader shows it, with its number format; `None` for one that Excel has no number
/// for.
fn serial(shown: &str) -> Option<(f64, &'static str)> {
    if let Ok(date) = shown.parse::<jiff::civil::Date>()
        && !shown.contains(':')
    {
        let serial = serial_of(date.at(0, 0, 0, 0)).ok()?;
        return Some((serial.to_excel(), "yyyy-mm-dd"));
    }
    if let Ok(moment) = shown.parse::<jiff::civil::DateTime>() {
        return Some((serial_of(moment).ok()?.to_excel(), "yyyy-mm-dd hh:mm:ss"));
    }
    let time: jiff::civil::Time = shown.parse().ok()?;
    let seconds = time
        .duration_since(jiff::civil::Time::midnight())
        .as_secs_f64();
    Some((seconds / 86_400.0, "hh:mm:ss"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_times_become_the_numbers_that_excel_counts() {
        let close = |shown, number: f64, code| {
            let (serial, format) = serial(shown).unwrap();
            assert!((serial - number).abs() < 1e-9, "{shown}: {serial}");
            assert_eq!(format, code);
        };
        close("2026-10-05", 46300.0, "yyyy-mm-dd");
        close("2026-10-05 12:00:00", 46300.5, "yyyy-mm-dd hh:mm:ss");
        close("06:00:00", 0.25, "hh:mm:ss");
        assert_eq!(serial("1899-12-01"), None);
        assert_eq!(serial("PT5H"), None);
    }
}
