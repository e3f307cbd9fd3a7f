//! The help page of the template: one line per column, with an example and the limit.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder, Worksheet, XlsxError};

use crate::cli::template::columns::COLUMNS;

/// The steps below the columns.
const STEPS: [&str; 4] = [
    "1. Fill in the sheet Leads, one house per row.",
    "2. gutterbatch check leads.xlsx shows every problem by its cell, and sends nothing.",
    "3. gutterbatch import leads.xlsx sends the rows. Run it again to resume after an interruption.",
    "4. Paste values only (Ctrl+Alt+V, then V): a normal paste overwrites the data validation.",
];

/// Characters in a line of help, and its height in points.
const HELP_LINE: usize = 84;
const LINE_HEIGHT: u32 = 15;

/// Titles and widths of the page.
const PAGE: [(&str, u32); 5] = [
    ("Column", 18),
    ("Example", 34),
    ("Contents", 72),
    ("Needed", 16),
    ("Limit", 20),
];

pub(super) fn fill_help(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let body = Format::new()
        .set_num_format("@")
        .set_text_wrap()
        .set_align(FormatAlign::Top)
        .set_border_bottom(FormatBorder::Hair);
    let bold = body.clone().set_bold();
    let example = body.clone().set_font_color(Color::RGB(0x001F_4E78));
    let header = header_format();
    for (index, (title, width)) in (0_u16..).zip(PAGE) {
        sheet.set_column_width(index, width)?;
        sheet.write_string_with_format(0, index, title, &header)?;
    }
    let mut row = 0;
    for column in &COLUMNS {
        row += 1;
        sheet.write_string_with_format(row, 0, column.header, &bold)?;
        sheet.write_string_with_format(row, 1, column.example, &example)?;
        sheet.write_string_with_format(row, 2, column.help, &body)?;
        sheet.write_string_with_format(row, 3, column.need, &body)?;
        sheet.write_string_with_format(row, 4, column.limit(), &body)?;
        let lines = column.help.len().div_ceil(HELP_LINE);
        if lines > 1 {
            let lines = u32::try_from(lines).unwrap_or(1);
            sheet.set_row_height(row, lines * LINE_HEIGHT)?;
        }
    }
    for (row, step) in (row + 2..).zip(STEPS) {
        sheet.write_string(row, 0, step)?;
    }
    sheet.set_row_height(0, 24)?;
    sheet.set_freeze_panes(1, 0)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
    Ok(())
}

/// The format of headers on both sheets.
pub(super) fn header_format() -> Format {
    Format::new()
        .set_bold()
        .set_font_color(Color::White)
        .set_background_color(Color::RGB(0x001F_4E78))
        .set_border(FormatBorder::Thin)
        .set_align(FormatAlign::VerticalCenter)
}
