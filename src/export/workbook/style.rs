//! How the workbook looks: one typeface, one dark and one warm colour, and a number format for each kind of value.

use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

use crate::export::result_column::ColumnKind;

/// A typeface that every office has, or has a twin of the same widths for.
const TYPEFACE: &str = "Arial";
/// Points.
const SIZE: f64 = 10.0;
/// Pixels: a row of that size, and the column that goes with it.
pub(super) const ROW_PIXELS: u32 = 18;
pub(super) const COLUMN_PIXELS: u32 = 64;

pub(super) const DARK: Color = Color::RGB(0x1F_3A5F);
pub(super) const MIDDLE: Color = Color::RGB(0x3B_76B0);
const WARM: Color = Color::RGB(0xFF_E9B8);
const GREY: Color = Color::RGB(0x5F_6B7A);
const LINE: Color = Color::RGB(0xC9_D2DC);
const LINK: Color = Color::RGB(0x1B_5FAA);

/// The workbook's own default.
pub(super) fn base() -> Format {
    Format::new()
        .set_font_name(TYPEFACE)
        .set_font_size(SIZE)
        .set_align(FormatAlign::Top)
}

/// The cells of a column.
pub(super) fn cell(kind: ColumnKind) -> Format {
    let base = match kind.number_format() {
        Some(number_format) => base().set_num_format(number_format),
        None => base(),
    };
    match kind {
        ColumnKind::Text | ColumnKind::Picture | ColumnKind::Moment => left(base),
        ColumnKind::Prose => left(base).set_text_wrap(),
        ColumnKind::Count | ColumnKind::Feet => base,
        ColumnKind::Inches | ColumnKind::Mixed => {
            base.set_num_format("General").set_align(FormatAlign::Right)
        }
        ColumnKind::Link => left(base).set_font_color(LINK),
    }
}

fn left(format: Format) -> Format {
    format.set_align(FormatAlign::Left).set_indent(1)
}

/// A moment with what people call the zone's time then, for instance `EDT`: the number stays a date.
pub(super) fn moment(abbreviation: &str) -> Format {
    let named: String = abbreviation.chars().filter(|&c| c != '"').collect();
    cell(ColumnKind::Moment).set_num_format(format!("yyyy-mm-dd hh:mm \"{named}\""))
}

/// A cell that a person should look at.
pub(super) fn marked(kind: ColumnKind) -> Format {
    cell(kind).set_background_color(WARM)
}

/// The headers of a table.
pub(super) fn header(kind: ColumnKind) -> Format {
    let (side, indent) = match kind {
        ColumnKind::Count | ColumnKind::Feet | ColumnKind::Inches | ColumnKind::Mixed => {
            (FormatAlign::Right, 0)
        }
        ColumnKind::Text
        | ColumnKind::Prose
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

/// The hairline below every row of a table. It leaves a cell's own colour alone.
pub(super) fn rule() -> Format {
    Format::new()
        .set_border_bottom(FormatBorder::Thin)
        .set_border_bottom_color(LINE)
}

/// The workbook's name at the top of the first sheet.
pub(super) fn title() -> Format {
    base()
        .set_bold()
        .set_font_size(18)
        .set_font_color(DARK)
        .set_align(FormatAlign::VerticalCenter)
}

/// The line below the name, and small print.
pub(super) fn quiet() -> Format {
    base()
        .set_font_color(GREY)
        .set_text_wrap()
        .set_align(FormatAlign::Top)
}

/// A warning across the page.
pub(super) fn warning() -> Format {
    base()
        .set_bold()
        .set_background_color(WARM)
        .set_text_wrap()
        .set_align(FormatAlign::VerticalCenter)
}

/// The heading of a block on the first sheet.
pub(super) fn heading() -> Format {
    base()
        .set_bold()
        .set_font_size(11)
        .set_font_color(DARK)
        .set_border_bottom(FormatBorder::Medium)
        .set_border_bottom_color(DARK)
}

/// A label of a block.
pub(super) fn label() -> Format {
    ruled(base().set_align(FormatAlign::VerticalCenter))
}

/// A number of a block.
pub(super) fn figure(kind: ColumnKind) -> Format {
    let figure = cell(kind).set_align(FormatAlign::Right);
    ruled(figure.set_align(FormatAlign::VerticalCenter))
}

/// A day of a block.
pub(super) fn day() -> Format {
    ruled(
        base()
            .set_num_format("yyyy-mm-dd")
            .set_align(FormatAlign::Left)
            .set_align(FormatAlign::VerticalCenter),
    )
}

fn ruled(format: Format) -> Format {
    format
        .set_border_bottom(FormatBorder::Thin)
        .set_border_bottom_color(LINE)
}
