//! How a table lies on its sheet: panes, headers, columns and rows that fit, paper, and notes.

use rust_xlsxwriter::{
    ConditionalFormatFormula, Formula, Note, Table, TableColumn, TableStyle, Worksheet, XlsxError,
};

use crate::export::result_column::ColumnKind;
use crate::export::workbook::cell::OutputCell;
use crate::export::workbook::plan::{OutputColumn, SheetLayout};
use crate::export::workbook::style;

/// The name of a sheet's part: `Images`, then `Images (2)`.
pub(in crate::export) fn part_name(name: &str, part: u64) -> String {
    match part {
        0 => name.to_owned(),
        part => format!("{name} ({})", part + 1),
    }
}

/// Sets up an empty sheet for so many rows.
pub(super) fn set_up(
    sheet: &mut Worksheet,
    plan: &SheetLayout,
    part: u64,
    rows: u32,
    footer: &str,
) -> Result<(), XlsxError> {
    let last = u16::try_from(plan.columns.len() - 1).expect("tables have few columns");
    sheet.set_freeze_panes(1, plan.frozen)?;
    sheet.set_row_height(0, 32)?;
    for (index, column) in (0_u16..).zip(plan.columns) {
        let kind = match column.kind {
            // Text that leads nowhere must not look as if it did; links say for themselves what they are.
            ColumnKind::Link => ColumnKind::Text,
            kind => kind,
        };
        sheet.set_column_format(index, &style::cell(kind))?;
    }
    print_set_up(sheet, footer);
    sheet.set_print_fit_to_pages(1, 0);
    sheet.set_repeat_rows(0, 0)?;
    let rule = ConditionalFormatFormula::new()
        .set_rule(Formula::new("=TRUE"))
        .set_format(style::rule());
    sheet.add_conditional_format(1, 0, rows, last, &rule)?;
    if cells(plan, rows) <= TABLE_CELLS {
        return add_table(sheet, plan, part, rows, last);
    }
    for (index, column) in (0_u16..).zip(plan.columns) {
        let format = style::header(column.kind);
        sheet.write_string_with_format(0, index, column.header, &format)?;
    }
    sheet.autofilter(0, 0, rows, last)?;
    Ok(())
}

/// The library keeps an entry for every cell of a table; a larger sheet filters without being one, and looks the same.
const TABLE_CELLS: u64 = 200_000;

fn cells(plan: &SheetLayout, rows: u32) -> u64 {
    u64::from(rows) * plan.columns.len() as u64
}

fn add_table(
    sheet: &mut Worksheet,
    plan: &SheetLayout,
    part: u64,
    rows: u32,
    last: u16,
) -> Result<(), XlsxError> {
    let columns: Vec<TableColumn> = plan
        .columns
        .iter()
        .map(|column| {
            TableColumn::new()
                .set_header(column.header)
                .set_header_format(style::header(column.kind))
        })
        .collect();
    let name = match part {
        0 => plan.name.to_owned(),
        part => format!("{}_{}", plan.name, part + 1),
    };
    let table = Table::new()
        .set_name(name)
        .set_columns(&columns)
        .set_style(TableStyle::None);
    sheet.add_table(0, 0, rows, last, &table)?;
    Ok(())
}

/// Letter paper across, narrow margins, the page's number below.
pub(super) fn print_set_up(sheet: &mut Worksheet, footer: &str) {
    sheet.set_paper_size(1);
    sheet.set_landscape();
    sheet.set_margins(0.4, 0.4, 0.5, 0.6, 0.3, 0.3);
    // An ampersand starts a code in a footer.
    let footer = footer.replace('&', "&&");
    sheet.set_footer(format!("&L&8{footer}&C&8&A&R&8Page &P of &N"));
}

/// The most lines that a row is high; a longer text goes on below the cell's edge.
const TALLEST: u32 = 12;

/// How many lines a row needs, where its prose needs more than one.
pub(super) fn lines(columns: &[OutputColumn], cells: &[OutputCell<'_>]) -> Option<u32> {
    let prose = columns
        .iter()
        .zip(cells)
        .filter(|(column, _)| column.kind == ColumnKind::Prose);
    // Letters are narrower on average than the digits that a column's width counts.
    let lines = prose.map(|(column, cell)| cell.lines(usize::from(column.widest) * 9 / 8));
    let lines = u32::try_from(lines.max()?).unwrap_or(TALLEST);
    (lines > 1).then_some(lines.min(TALLEST))
}

/// Pixels.
const NOTE_WIDTH: u32 = 280;

/// A note as large as its text.
pub(super) fn note(text: &str) -> Note {
    let lines = text.len().div_ceil(42).max(2);
    let height = 24 + 15 * u32::try_from(lines).unwrap_or(20).min(20);
    Note::new(text)
        .add_author_prefix(false)
        .set_author("gutterbatch")
        .set_width(NOTE_WIDTH)
        .set_height(height)
}

/// Characters: the widest value within the column's bounds, and never less than the header's longest word with the
/// arrow of the filter beside it.
pub(super) fn fitted(column: &OutputColumn, widest: usize) -> f64 {
    let word = column.header.split(' ').map(str::len).max().unwrap_or(0) + 5;
    let header = word.max(column.header.len().div_ceil(2) + 3);
    let value = widest.min(usize::from(column.widest)) + 3;
    let width = u16::try_from(value.max(header)).unwrap_or(u16::MAX);
    f64::from(width)
}
