//! Texts and dates as the cells of an XLSX workbook hold them.

use jiff::civil::DateTime;
use rust_xlsxwriter::{ExcelDateTime, XlsxError};

/// Maximum length of a cell's text, in UTF-16 units.
const CELL_LIMIT: usize = 32_767;

/// As much of a text as a cell can hold.
pub(in crate::sheet) fn fitting(text: &str) -> &str {
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

/// A point in time as Excel counts it.
pub(in crate::sheet) fn serial_of(moment: DateTime) -> Result<ExcelDateTime, XlsxError> {
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
    date.and_hms(hour.into(), minute, second)
}
