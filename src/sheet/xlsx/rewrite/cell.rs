//! One appended cell, as XML.

use std::fmt::Write as _;

use jiff::civil::DateTime;

use crate::sheet::rewrite::error::RewriteError;
use crate::sheet::rewrite::plan::AppendedValue;
use crate::sheet::xlsx::values::{fitting, serial_of};

/// Where the workbook's days are counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Epoch {
    Of1900,
    Of1904,
}

/// Days between the two.
const DAYS_BETWEEN_EPOCHS: f64 = 1462.0;

/// Whether a value is in its cell whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellFit {
    Whole,
    Shortened,
}

/// Where a cell is, and how it looks.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellTarget<'a> {
    /// The prefix of the XML names.
    pub(super) prefix: &'a str,
    pub(super) address: &'a str,
    pub(super) style: u32,
}

/// Writes a cell; an empty value writes none.
pub(super) fn write(
    xml: &mut String,
    value: &AppendedValue,
    epoch: Epoch,
    target: CellTarget<'_>,
) -> Result<CellFit, RewriteError> {
    let CellTarget {
        prefix,
        address,
        style,
    } = target;
    let mut number = |number: f64| {
        // Writing to a string cannot fail.
        let _ = write!(
            xml,
            r#"<{prefix}c r="{address}" s="{style}"><{prefix}v>{number}</{prefix}v></{prefix}c>"#
        );
    };
    match value {
        AppendedValue::Empty => {}
        AppendedValue::Number(value) => number(*value),
        AppendedValue::Moment(moment) => number(days(*moment, epoch)?),
        AppendedValue::Text(text) => {
            let fitting = fitting(text);
            let _ = write!(
                xml,
                r#"<{prefix}c r="{address}" s="{style}" t="inlineStr"><{prefix}is><{prefix}t xml:space="preserve">{}</{prefix}t></{prefix}is></{prefix}c>"#,
                escaped(fitting)
            );
            if fitting.len() < text.len() {
                return Ok(CellFit::Shortened);
            }
        }
    }
    Ok(CellFit::Whole)
}

fn days(moment: DateTime, epoch: Epoch) -> Result<f64, RewriteError> {
    let serial = serial_of(moment)?.to_excel();
    Ok(match epoch {
        Epoch::Of1900 => serial,
        Epoch::Of1904 => serial - DAYS_BETWEEN_EPOCHS,
    })
}

/// Escapes text for a cell: characters that XML cannot represent become `_x0007_`, and literal text of that shape is
/// escaped too.
///
/// See ECMA-376 part 1, 22.9.2.19 (`ST_Xstring`).
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (at, character) in text.char_indices() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '_' if is_escape(&text[at..]) => escaped.push_str("_x005F_"),
            '\t' | '\n' => escaped.push(character),
            '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}' => {
                let _ = write!(escaped, "_x{:04X}_", u32::from(character));
            }
            _ => escaped.push(character),
        }
    }
    escaped
}

fn is_escape(text: &str) -> bool {
    let digits = text.strip_prefix("_x").and_then(|rest| rest.get(..5));
    digits.is_some_and(|digits| {
        digits.ends_with('_') && digits[..4].bytes().all(|byte| byte.is_ascii_hexdigit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text_whatever_it_holds() {
        assert_eq!(escaped("=A1 < \"b\" & 'c'"), "=A1 &lt; \"b\" &amp; 'c'");
        assert_eq!(escaped("a\r\nb\u{7}"), "a_x000D_\nb_x0007_");
        assert_eq!(escaped("_x0041_ _x_ é🏠"), "_x005F_x0041_ _x_ é🏠");
    }

    #[test]
    fn a_day_is_the_same_day_in_both_systems() {
        let day: DateTime = "2026-10-05T12:00:00".parse().unwrap();
        let of_1900 = days(day, Epoch::Of1900).unwrap();
        assert!((of_1900 - 46300.5).abs() < 1e-9, "{of_1900}");
        assert!((of_1900 - days(day, Epoch::Of1904).unwrap() - DAYS_BETWEEN_EPOCHS).abs() < 1e-9);
    }
}
