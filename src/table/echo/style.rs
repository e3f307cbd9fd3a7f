//! Styles from the library that reads to the library that writes.

use calamine::{BorderStyle, FontStyle, HorizontalAlignment, Style, VerticalAlignment};
use rust_xlsxwriter::{Color, Format, FormatAlign, FormatBorder};

/// The nearest format that can be written.
pub(super) fn format_of(style: &Style) -> Format {
    let mut format = Format::new();
    if let Some(number) = &style.number_format {
        format = format.set_num_format(&number.format_code);
    }
    if let Some(font) = &style.font {
        format = with_font(format, font);
    }
    if let Some(color) = style
        .fill
        .as_ref()
        .filter(|fill| fill.is_visible())
        .and_then(calamine::Fill::get_color)
    {
        format = format.set_background_color(color_of(color));
    }
    if let Some(alignment) = &style.alignment {
        format = with_alignment(format, alignment);
    }
    if let Some(borders) = &style.borders {
        format = format
            .set_border_left(border_of(borders.left.style))
            .set_border_right(border_of(borders.right.style))
            .set_border_top(border_of(borders.top.style))
            .set_border_bottom(border_of(borders.bottom.style));
    }
    format
}

fn with_font(mut format: Format, font: &calamine::Font) -> Format {
    if let Some(name) = &font.name {
        format = format.set_font_name(name);
    }
    if let Some(size) = font.size {
        format = format.set_font_size(size);
    }
    if let Some(color) = font.color {
        format = format.set_font_color(color_of(color));
    }
    if font.is_bold() {
        format = format.set_bold();
    }
    if font.style == FontStyle::Italic {
        format = format.set_italic();
    }
    if font.strikethrough {
        format = format.set_font_strikethrough();
    }
    format
}

fn with_alignment(mut format: Format, alignment: &calamine::Alignment) -> Format {
    if alignment.wrap_text {
        format = format.set_text_wrap();
    }
    format = match alignment.horizontal {
        HorizontalAlignment::Left => format.set_align(FormatAlign::Left),
        HorizontalAlignment::Center => format.set_align(FormatAlign::Center),
        HorizontalAlignment::Right => format.set_align(FormatAlign::Right),
        _ => format,
    };
    match alignment.vertical {
        VerticalAlignment::Top => format.set_align(FormatAlign::Top),
        VerticalAlignment::Center => format.set_align(FormatAlign::VerticalCenter),
        _ => format,
    }
}

fn border_of(style: BorderStyle) -> FormatBorder {
    match style {
        BorderStyle::None => FormatBorder::None,
        BorderStyle::Medium => FormatBorder::Medium,
        BorderStyle::Thick => FormatBorder::Thick,
        BorderStyle::Double => FormatBorder::Double,
        BorderStyle::Hair => FormatBorder::Hair,
        BorderStyle::Dotted => FormatBorder::Dotted,
        BorderStyle::Dashed => FormatBorder::Dashed,
        _ => FormatBorder::Thin,
    }
}

fn color_of(color: calamine::Color) -> Color {
    Color::RGB(color.to_argb() & 0x00FF_FFFF)
}
