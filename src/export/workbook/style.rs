//! The formats of the workbook: typeface, colors and number formats.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

use crate::export::result_column::ColumnKind;

/// A typeface that spreadsheet programs have, or replace by one of the same widths.
const TYPEFACE: &str = "Arial";
/// Size in points.
const SIZE: f64 = 10.0;
/// Height of a row and width of a column, in pixels.
pub(super) const ROW_PIXELS: u32 = 18;
pub(super) const COLUMN_PIXELS: u32 = 64;

pub(super) const DARK: Color = Color::RGB(0x1F_3A5F);
pub(super) const MIDDLE: Color = Color::RGB(0x3B_76B0);
const WARM: Color = Color::RGB(0xFF_E9B8);
const GREY: Color = Color::RGB(0x5F_6B7A);
const LINE: Color = Color::RGB(0xC9_D2DC);
const LINK: Color = Color::RGB(0x1B_5FAA);

/// Returns the default format.
pub(super) fn base() -> Format {
    Format::new()
        .set_font_name(TYPEFACE)
        .set_font_size(SIZE)
        .set_align(FormatAlign::Top)
}

/// Returns the format of a column's cells.
pub(super) fn cell(kind: ColumnKind) -> Format {
    let base = match kind.number_format() {
        Some(number_format) => base().set_num_format(number_format),
        None => base(),
    };
    match kind {
        ColumnKind::Text | ColumnKind::Picture | ColumnKind::Moment => left(base),
        ColumnKind::WrappedText => left(base).set_text_wrap(),
        ColumnKind::Count | ColumnKind::Feet | ColumnKind::Mixed => base,
        ColumnKind::Inches => base.set_num_format("General").set_align(FormatAlign::Right),
        ColumnKind::Link => left(base).set_font_color(LINK),
    }
}

fn left(format: Format) -> Format {
    format.set_align(FormatAlign::Left).set_indent(1)
}

/// Returns the format of a time with the abbreviation of its zone, for instance `EDT`.
pub(super) fn local_time(abbreviation: &str) -> Format {
    let named: String = abbreviation.chars().filter(|&c| c != '"').collect();
    cell(ColumnKind::Moment).set_num_format(format!("yyyy-mm-dd hh:mm \"{named}\""))
}

/// Returns the format of a highlighted cell.
pub(super) fn highlighted(kind: ColumnKind) -> Format {
    cell(kind).set_background_color(WARM)
}

/// Returns the format of a table's header.
pub(super) fn header(kind: ColumnKind) -> Format {
    let (side, indent) = match kind {
        ColumnKind::Count | ColumnKind::Feet | ColumnKind::Inches | ColumnKind::Mixed => {
            (FormatAlign::Right, 0)
        }
        ColumnKind::Text
        | ColumnKind::WrappedText
        | ColumnKind::Moment
        | ColumnKind::Link
        | ColumnKind::Picture => (FormatAlign::Left, 1),
    };
    base()
        .set_bold()
        .set_font_color(Color::White)
        .set_background_color(DARK)
        .set_text_wrap()
        .set_align(side)
        .set_indent(indent)
        .set_align(FormatAlign::VerticalCenter)
}

/// Returns the border below every row of a table, which keeps the cell's own color.
pub(super) fn row_border() -> Format {
    Format::new()
        .set_border_bottom(FormatBorder::Thin)
        .set_border_bottom_color(LINE)
}

/// Returns the format of the title.
pub(super) fn title() -> Format {
    base()
        .set_bold()
        .set_font_size(18)
        .set_font_color(DARK)
        .set_align(FormatAlign::VerticalCenter)
}

/// Returns the format of secondary text.
pub(super) fn secondary() -> Format {
    base()
        .set_font_color(GREY)
        .set_text_wrap()
        .set_align(FormatAlign::Top)
}

/// Returns the format of a warning.
pub(super) fn warning() -> Format {
    base()
        .set_bold()
        .set_background_color(WARM)
        .set_text_wrap()
        .set_align(FormatAlign::VerticalCenter)
}

/// Returns the format of a heading in `Summary`.
pub(super) fn heading() -> Format {
    base()
        .set_bold()
        .set_font_size(11)
        .set_font_color(DARK)
        .set_border_bottom(FormatBorder::Medium)
        .set_border_bottom_color(DARK)
}

/// Returns the format of a label in `Summary`.
pub(super) fn label() -> Format {
    with_row_border(base().set_align(FormatAlign::VerticalCenter))
}

/// Returns the format of a number in `Summary`.
pub(super) fn figure(kind: ColumnKind) -> Format {
    let figure = cell(kind).set_align(FormatAlign::Right);
    with_row_border(figure.set_align(FormatAlign::VerticalCenter))
}

/// Returns the format of a day in `Summary`.
pub(super) fn day() -> Format {
    with_row_border(
        base()
            .set_num_format("yyyy-mm-dd")
            .set_align(FormatAlign::Left)
            .set_align(FormatAlign::VerticalCenter),
    )
}

fn with_row_border(format: Format) -> Format {
    format
        .set_border_bottom(FormatBorder::Thin)
        .set_border_bottom_color(LINE)
}
