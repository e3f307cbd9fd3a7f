//! The template as a workbook: text columns, lists to choose from, lengths with messages, a page of help.

use rust_xlsxwriter::{
    Color, DataValidation, DataValidationRule, DocProperties, ExcelDateTime, Format, FormatAlign,
    FormatBorder, Formula, Workbook, Worksheet, XlsxError,
};

use crate::cli::template::columns::{COLUMNS, Checked, Column, TITLE};
use crate::import::region_codes;

/// Where things stand, counted from 0.
const EXAMPLE_ROW: u32 = 1;
const HEADER_ROW: u32 = 2;
const FIRST_ROW: u32 = 3;
/// Excel's last row.
const LAST_ROW: u32 = 1_048_575;

/// The workbook's bytes, the same every time.
pub(super) fn workbook() -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let birthday = ExcelDateTime::from_ymd(2026, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&birthday));
    let leads = workbook.add_worksheet();
    leads.set_name("Leads")?;
    fill_leads(leads)?;
    let help = workbook.add_worksheet();
    help.set_name("Help")?;
    fill_help(help)?;
    workbook.save_to_buffer()
}

fn fill_leads(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let text = Format::new().set_num_format("@");
    let title = Format::new()
        .set_bold()
        .set_font_color(Color::RGB(0x001F_4E78));
    let example = Format::new()
        .set_italic()
        .set_font_color(Color::RGB(0x0080_8080))
        .set_num_format("@");
    let header = header_format();
    sheet.write_string_with_format(0, 0, TITLE, &title)?;
    for (index, column) in (0_u16..).zip(&COLUMNS) {
        // Every column is text: nothing that is typed becomes a number or a date.
        sheet.set_column_format(index, &text)?;
        sheet.set_column_width(index, column.width)?;
        sheet.write_string_with_format(EXAMPLE_ROW, index, column.example, &example)?;
        sheet.write_string_with_format(HEADER_ROW, index, column.header, &header)?;
        if let Some(validation) = validation(index, column)? {
            sheet.add_data_validation(FIRST_ROW, index, LAST_ROW, index, &validation)?;
        }
    }
    sheet.set_row_height(HEADER_ROW, 24)?;
    sheet.set_freeze_panes(FIRST_ROW, 0)?;
    Ok(())
}

fn header_format() -> Format {
    Format::new()
        .set_bold()
        .set_font_color(Color::White)
        .set_background_color(Color::RGB(0x001F_4E78))
        .set_border(FormatBorder::Thin)
        .set_align(FormatAlign::VerticalCenter)
}

fn validation(index: u16, column: &Column) -> Result<Option<DataValidation>, XlsxError> {
    let validation = DataValidation::new();
    let validation = match column.checked {
        Checked::Free => return Ok(None),
        Checked::Length(limit) => validation
            .allow_text_length(DataValidationRule::LessThanOrEqualTo(limit))
            .set_error_message(format!("At most {limit} characters."))?,
        Checked::Country => validation
            .allow_list_strings(&["CA", "US"])?
            .set_error_message("CA or US.")?,
        Checked::Region => validation
            .allow_list_strings(&region_codes().collect::<Vec<_>>())?
            .set_error_message(
                "The two letters of a province or a state, for instance ON or MA.",
            )?,
        Checked::Email => {
            let cell = format!(
                "{}{}",
                crate::table::column_letters(usize::from(index)),
                FIRST_ROW + 1
            );
            validation
                .allow_custom(Formula::new(format!("=ISNUMBER(FIND(\"@\",{cell}))")))
                .set_error_message("An email has an @ in it.")?
        }
    };
    let validation = validation
        .set_error_title(column.header)?
        .set_input_title(column.header)?
        .set_input_message(column.help.chars().take(255).collect::<String>())?
        .ignore_blank(true);
    Ok(Some(validation))
}

fn fill_help(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let wrap = Format::new().set_text_wrap().set_align(FormatAlign::Top);
    let bold = Format::new().set_bold().set_align(FormatAlign::Top);
    let header = header_format();
    sheet.set_column_width(0, 20)?;
    sheet.set_column_width(1, 80)?;
    sheet.set_column_width(2, 24)?;
    for (index, title) in (0_u16..).zip(["Column", "What to write", "Limit"]) {
        sheet.write_string_with_format(0, index, title, &header)?;
    }
    for (row, column) in (1_u32..).zip(&COLUMNS) {
        sheet.write_string_with_format(row, 0, column.header, &bold)?;
        sheet.write_string_with_format(row, 1, column.help, &wrap)?;
        sheet.write_string_with_format(row, 2, limit(column.checked), &wrap)?;
    }
    let after = u32::try_from(COLUMNS.len()).unwrap_or(0) + 2;
    let steps = [
        "1. Fill in the sheet Leads, one house a row, and save it.",
        "2. gutterbatch check leads.xlsx shows every problem by cell and sends nothing.",
        "3. gutterbatch import leads.xlsx sends the rows; the same command again finishes the job.",
    ];
    for (row, step) in (after..).zip(steps) {
        sheet.write_string(row, 1, step)?;
    }
    Ok(())
}

fn limit(checked: Checked) -> String {
    match checked {
        Checked::Free => String::new(),
        Checked::Length(limit) => format!("{limit} characters"),
        Checked::Country => "CA or US".to_owned(),
        Checked::Region => "from the list".to_owned(),
        Checked::Email => "has an @".to_owned(),
    }
}
