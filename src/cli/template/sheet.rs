//! The template as a workbook: text columns, lists of values, validation with messages, and a help page.
//!
//! The examples are on the help page, in a column, so that they are never imported as rows.

use rust_xlsxwriter::{
    DataValidation, DataValidationErrorStyle, DataValidationRule, DocProperties, ExcelDateTime,
    Format, Formula, Workbook, Worksheet, XlsxError,
};

use crate::cli::template::columns::{COLUMNS, CellValidation, TemplateColumn};
use crate::cli::template::help::{fill_help, header_format};
use crate::model::region_codes;
use crate::sheet::{column_letters, workbook_bytes};

/// The sheet to fill in, and the hidden sheet with the lists.
const LEADS: &str = "Leads";
const LISTS: &str = "Lists";
/// The first row to fill in, counted from 0, and Excel's last.
const FIRST_ROW: u32 = 1;
const LAST_ROW: u32 = 1_048_575;

/// The workbook's bytes, the same every time.
pub(super) fn workbook() -> Result<Vec<u8>, XlsxError> {
    let mut workbook = Workbook::new();
    let birthday = ExcelDateTime::from_ymd(2026, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&birthday));
    fill_leads(workbook.add_worksheet().set_name(LEADS)?)?;
    fill_help(workbook.add_worksheet().set_name("Help")?)?;
    fill_lists(workbook.add_worksheet().set_name(LISTS)?)?;
    workbook_bytes(workbook)
}

fn fill_leads(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let text = Format::new().set_num_format("@");
    let header = header_format();
    for (index, column) in (0_u16..).zip(&COLUMNS) {
        // Every column is text: nothing that is typed becomes a number or a date.
        sheet.set_column_format(index, &text)?;
        sheet.set_column_width(index, column.width)?;
        sheet.write_string_with_format(0, index, column.header, &header)?;
        let validation = validation(index, column)?;
        sheet.add_data_validation(FIRST_ROW, index, LAST_ROW, index, &validation)?;
    }
    sheet.set_row_height(0, 24)?;
    sheet.set_freeze_panes(FIRST_ROW, 0)?;
    sheet.set_landscape().set_print_fit_to_pages(1, 0);
    Ok(())
}

/// The relative reference of a cell in the first row to fill in.
fn cell(index: u16) -> String {
    format!("{}{}", column_letters(index.into()), FIRST_ROW + 1)
}

/// The validation and the help of a column. Values that the service may accept only cause a warning.
fn validation(index: u16, column: &TemplateColumn) -> Result<DataValidation, XlsxError> {
    let rule = DataValidation::new();
    let rule = match column.checked {
        CellValidation::Free => rule.allow_any_value(),
        CellValidation::Length(limit) => rule
            .allow_text_length(DataValidationRule::LessThanOrEqualTo(
                u32::try_from(limit).unwrap_or(u32::MAX),
            ))
            .set_error_message(format!("At most {limit} characters."))?,
        CellValidation::Country => rule
            .allow_list_formula(list('A', 2))
            .set_error_message("CA or US; only these two countries are served.")?,
        CellValidation::Region => rule
            .allow_list_formula(list('B', region_codes().count()))
            .set_error_style(DataValidationErrorStyle::Warning)
            .set_error_message(
                "The two letters of a province or a state, for instance ON or MA.",
            )?,
        CellValidation::Email => rule
            .allow_custom(Formula::new(format!(
                "=ISNUMBER(FIND(\"@\",{}))",
                cell(index)
            )))
            .set_error_style(DataValidationErrorStyle::Warning)
            .set_error_message("An email has an @ in it.")?,
        CellValidation::Link => rule
            .allow_custom(Formula::new(format!(
                "=LEFT({},8)=\"https://\"",
                cell(index)
            )))
            .set_error_message("A link begins with https://")?,
    };
    let about = match column.limit() {
        limit if limit.is_empty() => column.need.to_owned(),
        limit => format!("{}, {limit}", column.need),
    };
    rule.set_error_title(column.header)?
        .set_input_title(column.header)?
        .set_input_message(format!("{}\n({about})", column.help))
        .map(|rule| rule.ignore_blank(true))
}

/// The range of a list, below its title.
fn list(column: char, length: usize) -> Formula {
    Formula::new(format!("={LISTS}!${column}$2:${column}${}", length + 1))
}

fn fill_lists(sheet: &mut Worksheet) -> Result<(), XlsxError> {
    let regions: Vec<&str> = region_codes().collect();
    let lists: [(&str, &[&str]); 2] = [
        ("Countries", &["CA", "US"]),
        ("Provinces and states", &regions),
    ];
    for (index, (title, values)) in (0_u16..).zip(lists) {
        sheet.write_string(0, index, title)?;
        for (row, value) in (1_u32..).zip(values) {
            sheet.write_string(row, index, *value)?;
        }
    }
    sheet.set_hidden(true);
    Ok(())
}
