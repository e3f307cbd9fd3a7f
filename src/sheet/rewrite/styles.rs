//! The styles of the source workbook, converted for `rust_xlsxwriter`.

use calamine::{
    Alignment, Border, BorderStyle, Borders, Color, Fill, FillPattern, Font, HorizontalAlignment,
    Style, TextRotation, UnderlineStyle, VerticalAlignment,
};
use rust_xlsxwriter::{
    Format, FormatAlign, FormatBorder, FormatDiagonalBorder, FormatPattern, FormatUnderline,
};

/// The fill of a highlighted cell.
const MARK: u32 = 0x00FF_C7CE;

/// The formats of a workbook, by style number; each with a highlighted variant.
#[derive(Debug)]
pub(super) struct StyleTable {
    styles: Vec<CellStyle>,
    /// The style of every header, where the format provides no styles.
    heading: Option<usize>,
    /// The format of appended text: the default style, wrapped.
    pub(super) message: Format,
}

/// The formats of one cell style.
#[derive(Debug)]
pub(super) struct CellStyle {
    pub(super) plain: Format,
    /// With the fill of a highlighted cell.
    pub(super) marked: Format,
    /// Whether it has no number format; a date in it would be displayed as a number.
    pub(super) is_general: bool,
}

impl StyleTable {
    /// Converts the styles of a workbook; without any, a default style and a bold one for the headers.
    pub(super) fn new(palette: &[Style]) -> Self {
        let mut styles: Vec<CellStyle> = palette.iter().map(CellStyle::new).collect();
        let mut heading = None;
        if styles.is_empty() {
            let bold = |look: CellStyle| CellStyle {
                plain: look.plain.set_bold(),
                ..look
            };
            styles.push(CellStyle::new(&Style::default()));
            styles.push(bold(CellStyle::new(&Style::default())));
            heading = Some(1);
        }
        let usual = styles[0].plain.clone();
        Self {
            styles,
            heading,
            message: usual.set_text_wrap().set_align(FormatAlign::Top),
        }
    }

    /// The style of that number; the first one, which is the sheet's default, where there is none.
    pub(super) fn get(&self, style: usize) -> &CellStyle {
        self.styles.get(style).unwrap_or(&self.styles[0])
    }

    /// The style of a header: its own, or the bold one.
    pub(super) fn heading(&self, style: usize) -> usize {
        self.heading.unwrap_or(style)
    }
}

impl CellStyle {
    fn new(style: &Style) -> Self {
        let number = style.number_format.as_ref();
        Self {
            plain: format(style),
            marked: format_without_fill(style)
                .set_pattern(FormatPattern::Solid)
                .set_background_color(MARK),
            is_general: number.is_none_or(|number| number.format_code == "General"),
        }
    }
}

fn format(style: &Style) -> Format {
    let format = format_without_fill(style);
    match &style.fill {
        Some(fill) if fill.is_visible() => filled(format, fill),
        _ => format,
    }
}

fn format_without_fill(style: &Style) -> Format {
    let mut format = Format::new();
    if let Some(font) = &style.font {
        format = written(format, font);
    }
    if let Some(alignment) = &style.alignment {
        format = aligned(format, alignment);
    }
    if let Some(borders) = &style.borders {
        format = bordered(format, borders);
    }
    match &style.number_format {
        Some(number) if number.format_code != "General" => {
            format.set_num_format(&number.format_code)
        }
        _ => format,
    }
}

fn color(color: Color) -> u32 {
    color.to_argb() & 0x00FF_FFFF
}

fn written(mut format: Format, font: &Font) -> Format {
    if let Some(name) = &font.name {
        format = format.set_font_name(name);
    }
    if let Some(size) = font.size {
        format = format.set_font_size(size);
    }
    if let Some(family) = font.family {
        format = format.set_font_family(family);
    }
    if let Some(font_color) = font.color.filter(|color| !color.is_black()) {
        format = format.set_font_color(color(font_color));
    }
    if font.is_bold() {
        format = format.set_bold();
    }
    if font.is_italic() {
        format = format.set_italic();
    }
    if font.has_strikethrough() {
        format = format.set_font_strikethrough();
    }
    match font.underline {
        UnderlineStyle::Single => format.set_underline(FormatUnderline::Single),
        UnderlineStyle::Double => format.set_underline(FormatUnderline::Double),
        UnderlineStyle::SingleAccounting => format.set_underline(FormatUnderline::SingleAccounting),
        UnderlineStyle::DoubleAccounting => format.set_underline(FormatUnderline::DoubleAccounting),
        _ => format,
    }
}

fn filled(format: Format, fill: &Fill) -> Format {
    let pattern = match fill.pattern {
        // A solid fill shows its foreground, which the writing library calls its background.
        FillPattern::Solid => {
            return match fill.get_color() {
                Some(shown) => format
                    .set_pattern(FormatPattern::Solid)
                    .set_background_color(color(shown)),
                None => format,
            };
        }
        FillPattern::DarkGray => FormatPattern::DarkGray,
        FillPattern::MediumGray => FormatPattern::MediumGray,
        FillPattern::LightGray => FormatPattern::LightGray,
        FillPattern::Gray125 => FormatPattern::Gray125,
        FillPattern::Gray0625 => FormatPattern::Gray0625,
        FillPattern::DarkHorizontal => FormatPattern::DarkHorizontal,
        FillPattern::DarkVertical => FormatPattern::DarkVertical,
        FillPattern::DarkDown => FormatPattern::DarkDown,
        FillPattern::DarkUp => FormatPattern::DarkUp,
        FillPattern::DarkGrid => FormatPattern::DarkGrid,
        FillPattern::DarkTrellis => FormatPattern::DarkTrellis,
        FillPattern::LightHorizontal => FormatPattern::LightHorizontal,
        FillPattern::LightVertical => FormatPattern::LightVertical,
        FillPattern::LightDown => FormatPattern::LightDown,
        FillPattern::LightUp => FormatPattern::LightUp,
        FillPattern::LightGrid => FormatPattern::LightGrid,
        FillPattern::LightTrellis => FormatPattern::LightTrellis,
        _ => return format,
    };
    let mut format = format.set_pattern(pattern);
    if let Some(lines) = fill.foreground_color {
        format = format.set_foreground_color(color(lines));
    }
    match fill.background_color {
        Some(ground) => format.set_background_color(color(ground)),
        None => format,
    }
}

fn aligned(mut format: Format, alignment: &Alignment) -> Format {
    let across = match alignment.horizontal {
        HorizontalAlignment::Left => Some(FormatAlign::Left),
        HorizontalAlignment::Center => Some(FormatAlign::Center),
        HorizontalAlignment::CenterContinuous => Some(FormatAlign::CenterAcross),
        HorizontalAlignment::Right => Some(FormatAlign::Right),
        HorizontalAlignment::Justify => Some(FormatAlign::Justify),
        HorizontalAlignment::Distributed => Some(FormatAlign::Distributed),
        HorizontalAlignment::Fill => Some(FormatAlign::Fill),
        _ => None,
    };
    let down = match alignment.vertical {
        VerticalAlignment::Top => Some(FormatAlign::Top),
        VerticalAlignment::Center => Some(FormatAlign::VerticalCenter),
        VerticalAlignment::Justify => Some(FormatAlign::VerticalJustify),
        VerticalAlignment::Distributed => Some(FormatAlign::VerticalDistributed),
        _ => None,
    };
    for align in [across, down].into_iter().flatten() {
        format = format.set_align(align);
    }
    if alignment.wrap_text {
        format = format.set_text_wrap();
    }
    if alignment.shrink_to_fit {
        format = format.set_shrink();
    }
    if let Some(indent) = alignment.indent {
        format = format.set_indent(indent);
    }
    match alignment.text_rotation {
        TextRotation::Stacked => format.set_rotation(270),
        TextRotation::Degrees(degrees) => match i16::try_from(degrees) {
            // A workbook counts the degrees downwards on from 90.
            Ok(up @ 1..=90) => format.set_rotation(up),
            Ok(down @ 91..=180) => format.set_rotation(90 - down),
            _ => format,
        },
        _ => format,
    }
}

fn bordered(mut format: Format, borders: &Borders) -> Format {
    if let Some((line, tint)) = line(&borders.left) {
        format = format.set_border_left(line).set_border_left_color(tint);
    }
    if let Some((line, tint)) = line(&borders.right) {
        format = format.set_border_right(line).set_border_right_color(tint);
    }
    if let Some((line, tint)) = line(&borders.top) {
        format = format.set_border_top(line).set_border_top_color(tint);
    }
    if let Some((line, tint)) = line(&borders.bottom) {
        format = format.set_border_bottom(line).set_border_bottom_color(tint);
    }
    let (up, down) = (line(&borders.diagonal_up), line(&borders.diagonal_down));
    let kind = match (up, down) {
        (Some(_), Some(_)) => FormatDiagonalBorder::BorderUpDown,
        (Some(_), None) => FormatDiagonalBorder::BorderUp,
        (None, Some(_)) => FormatDiagonalBorder::BorderDown,
        (None, None) => return format,
    };
    match up.or(down) {
        Some((line, tint)) => format
            .set_border_diagonal(line)
            .set_border_diagonal_color(tint)
            .set_border_diagonal_type(kind),
        None => format,
    }
}

fn line(border: &Border) -> Option<(FormatBorder, u32)> {
    let line = match border.style {
        BorderStyle::Thin => FormatBorder::Thin,
        BorderStyle::Medium => FormatBorder::Medium,
        BorderStyle::Thick => FormatBorder::Thick,
        BorderStyle::Double => FormatBorder::Double,
        BorderStyle::Hair => FormatBorder::Hair,
        BorderStyle::Dashed => FormatBorder::Dashed,
        BorderStyle::Dotted => FormatBorder::Dotted,
        BorderStyle::MediumDashed => FormatBorder::MediumDashed,
        BorderStyle::DashDot => FormatBorder::DashDot,
        BorderStyle::MediumDashDot => FormatBorder::MediumDashDot,
        BorderStyle::DashDotDot => FormatBorder::DashDotDot,
        BorderStyle::MediumDashDotDot => FormatBorder::MediumDashDotDot,
        BorderStyle::SlantDashDot => FormatBorder::SlantDashDot,
        _ => return None,
    };
    Some((line, border.color.map_or(0, color)))
}
