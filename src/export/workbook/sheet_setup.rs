//! The setup of a table's sheet: panes, headers, column widths, row heights, page setup and notes.

use rust_xlsxwriter::{
    ConditionalFormatFormula, Format, Formula, Note, Table, TableColumn, TableStyle, Worksheet,
    XlsxError,
};

use crate::export::column_value::ColumnValue;
use crate::export::columns::IMAGES;
use crate::export::protected_file::AUTHOR;
use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::{fitting, line_count};
use crate::export::workbook::style;
use crate::export::workbook::table_definition::{SheetColumn, TableDefinition};

/// Returns the name of one sheet of a table: `Images`, then `Images (2)`.
pub(in crate::export) fn part_name(name: &str, part: u64) -> String {
    match part {
        0 => name.to_owned(),
        part => format!("{name} ({})", part + 1),
    }
}

/// Sets up an empty sheet for `rows` rows of a table.
pub(super) fn set_up(
    sheet: &mut Worksheet,
    definition: &TableDefinition,
    (part, rows): (u64, u32),
    footer: &str,
) -> Result<(), XlsxError> {
    let last = u16::try_from(definition.columns.len() - 1).expect("tables have few columns");
    sheet.set_name(part_name(definition.name, part))?;
    sheet.set_freeze_panes(1, definition.frozen)?;
    sheet.set_row_height(0, 32)?;
    for (index, column) in (0_u16..).zip(&definition.columns) {
        let kind = match column.kind {
            // Only cells with a link are formatted as links.
            ColumnKind::Link => ColumnKind::Text,
            kind => kind,
        };
        sheet.set_column_format(index, &style::cell(kind))?;
    }
    set_up_page(sheet, footer);
    sheet.set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    // The columns behind the result, about its origin, would make all others too small to read on paper.
    let origin = (0..).zip(&definition.columns);
    let mut origin = origin.filter(|(_, column)| column.header == IMAGES.header);
    if let Some((first, _)) = origin.next() {
        sheet.set_print_area(0, 0, rows, first - 1)?;
    }
    let border = ConditionalFormatFormula::new()
        .set_rule(Formula::new("=TRUE"))
        .set_format(style::row_border());
    sheet.add_conditional_format(1, 0, rows, last, &border)?;
    if u64::from(rows) * definition.columns.len() as u64 <= MAX_TABLE_CELLS {
        let table = table(definition, part);
        sheet.add_table(0, 0, rows, last, &table)?;
        return Ok(());
    }
    for (index, column) in (0_u16..).zip(&definition.columns) {
        let format = style::header(column.kind);
        sheet.write_string_with_format(0, index, column.header, &format)?;
    }
    sheet.autofilter(0, 0, rows, last)?;
    Ok(())
}

/// The library keeps every cell of a table in memory, so a larger sheet has a filter instead, and looks the same.
const MAX_TABLE_CELLS: u64 = 200_000;

fn table(definition: &TableDefinition, part: u64) -> Table {
    let columns = definition.columns.iter().map(|column| {
        TableColumn::new()
            .set_header(column.header)
            .set_header_format(style::header(column.kind))
    });
    let columns: Vec<TableColumn> = columns.collect();
    let name = match part {
        0 => definition.name.to_owned(),
        part => format!("{}_{}", definition.name, part + 1),
    };
    Table::new()
        .set_name(name)
        .set_columns(&columns)
        .set_style(TableStyle::None)
}

/// Sets letter paper, landscape, narrow margins and page numbers.
pub(super) fn set_up_page(sheet: &mut Worksheet, footer: &str) {
    sheet.set_paper_size(1);
    sheet.set_landscape();
    sheet.set_margins(0.4, 0.4, 0.5, 0.6, 0.3, 0.3);
    // An ampersand starts a code in a footer.
    let footer = footer.replace('&', "&&");
    sheet.set_footer(format!("&L&8{footer}&C&8&A&R&8Page &P of &N"));
}

/// Writes text across the columns `from` to `to` of a row.
pub(super) fn write_across(
    sheet: &mut Worksheet,
    row: u32,
    (from, to): (u16, u16),
    text: &str,
    format: &Format,
) -> Result<(), XlsxError> {
    sheet.merge_range(row, from, row, to, &fitting(text), format)?;
    Ok(())
}

/// Maximum height of a row in lines; longer text is cut off.
const MAX_LINES: u32 = 12;

/// Returns the height of a row in lines; `None` for one line.
pub(super) fn lines(columns: &[SheetColumn], cells: &[ColumnValue<'_>]) -> Option<u32> {
    let prose = columns
        .iter()
        .zip(cells)
        .filter(|(column, _)| column.kind == ColumnKind::WrappedText);
    // Letters are narrower on average than the digits that a column's width counts.
    let lines = prose.map(|(column, cell)| line_count(cell, usize::from(column.max_width) * 9 / 8));
    let lines = u32::try_from(lines.max()?).unwrap_or(MAX_LINES);
    (lines > 1).then_some(lines.min(MAX_LINES))
}

/// Width of a note in pixels.
const NOTE_WIDTH: u32 = 280;

/// Creates a note that is as high as its text needs.
pub(super) fn note(text: &str) -> Note {
    let lines = text.len().div_ceil(42).max(2);
    let height = 24 + 15 * u32::try_from(lines).unwrap_or(20).min(20);
    Note::new(fitting(text))
        .add_author_prefix(false)
        .set_author(AUTHOR)
        .set_width(NOTE_WIDTH)
        .set_height(height)
}

/// Returns the width of a column in characters: that of its widest value, as far as the column permits, and at least that
/// of the header's longest word with the filter's arrow.
pub(super) fn column_width(column: &SheetColumn, widest: usize) -> f64 {
    let word = column.header.split(' ').map(str::len).max().unwrap_or(0) + 5;
    let header = word.max(column.header.len().div_ceil(2) + 3);
    let value = widest.min(usize::from(column.max_width)) + 3;
    let width = u16::try_from(value.max(header)).unwrap_or(u16::MAX);
    f64::from(width)
}
