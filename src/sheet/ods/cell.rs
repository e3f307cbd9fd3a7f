//! One cell: its value, and the displayed text where that differs.
//!
//! A cell's tag has the exact value; the paragraphs within have the displayed text.

use std::io::BufRead;

use jiff::SignedDuration;
use quick_xml::events::{BytesStart, Event};

use crate::sheet::SheetError;
use crate::sheet::batch::CellKind;
use crate::sheet::csv::lines::ROW_LIMIT;
use crate::sheet::number::{NumberDisplay, write_number};
use crate::sheet::ods::markup::{Markup, referred, repeats};
use crate::sheet::workbook::shown_date;
use crate::sheet::xml::attributes;

/// What a cell holds, and its text.
type ShownValue = (CellKind, String);

/// The value in a cell's tag.
#[derive(Debug)]
enum OdsValue {
    /// A number, which may be displayed otherwise.
    Number(f64),
    Other(ShownValue),
}

/// The attributes of a cell's tag.
#[derive(Debug, Default)]
pub(super) struct CellTag {
    pub(super) repeats: u32,
    pub(super) rows_spanned: u32,
    pub(super) columns_spanned: u32,
    pub(super) is_formula: bool,
    /// A merged cell lies over it.
    pub(super) is_covered: bool,
    is_error: bool,
    is_truth: bool,
    /// Neither a percentage nor an amount of money.
    is_plain_number: bool,
    value: Option<OdsValue>,
}

impl CellTag {
    pub(super) fn parse(tag: &BytesStart<'_>) -> Self {
        let mut parsed = Self {
            repeats: 1,
            rows_spanned: 1,
            columns_spanned: 1,
            is_covered: tag.local_name().into_inner() == "covered-table-cell",
            ..Self::default()
        };
        for (name, value) in attributes(tag) {
            match name {
                "number-columns-repeated" => parsed.repeats = repeats(Some(value)),
                "number-rows-spanned" => parsed.rows_spanned = repeats(Some(value)),
                "number-columns-spanned" => parsed.columns_spanned = repeats(Some(value)),
                "formula" => parsed.is_formula = true,
                "value-type" => {
                    parsed.is_error |= value == "error";
                    parsed.is_truth |= value == "boolean";
                    parsed.is_plain_number |= value == "float";
                }
                "value" => parsed.value = value.trim().parse().ok().map(OdsValue::Number),
                "boolean-value" => {
                    let is_true = matches!(value.as_str(), "true" | "TRUE" | "1");
                    parsed.is_truth = true;
                    parsed.value = Some(OdsValue::Number(f64::from(u8::from(is_true))));
                }
                "date-value" => {
                    parsed.value = Some(OdsValue::Other((CellKind::Date, shown_date(&value))));
                }
                "time-value" => {
                    parsed.value = Some(OdsValue::Other((CellKind::Date, clock(&value))));
                }
                "string-value" => {
                    let kind = if value.is_empty() {
                        CellKind::Empty
                    } else {
                        CellKind::Text
                    };
                    parsed.value = Some(OdsValue::Other((kind, value)));
                }
                _ => {}
            }
        }
        parsed
    }
}

/// Reads to the end of a cell; `None` for one that is empty.
pub(super) fn cell<R: BufRead>(
    tag: CellTag,
    markup: &mut Markup<R>,
) -> Result<Option<ShownValue>, SheetError> {
    let shown = paragraphs(markup)?;
    if tag.is_error {
        return Ok(Some((CellKind::Error, shown)));
    }
    Ok(match tag.value {
        // Some sheets on the web save TRUE as the number that it counts for.
        Some(OdsValue::Number(number)) if tag.is_truth => {
            let text = if number == 0.0 { "FALSE" } else { "TRUE" };
            Some((CellKind::Boolean, text.to_owned()))
        }
        Some(OdsValue::Number(number)) if in_places(number, &shown) => {
            Some((CellKind::Formatted, shown))
        }
        Some(OdsValue::Number(number)) if tag.is_plain_number && has_other_text(number, &shown) => {
            Some((CellKind::DisplayDiffers, number.to_string()))
        }
        Some(OdsValue::Number(number)) => {
            let mut text = String::new();
            let kind = write_number(number, &NumberDisplay::General, &mut text);
            Some((kind, text))
        }
        Some(OdsValue::Other(value)) => Some(value),
        None if !shown.is_empty() => Some((CellKind::Text, shown)),
        None if tag.is_formula => Some((CellKind::Uncalculated, String::new())),
        None => None,
    })
}

/// Whether a cell shows the digits of a number in places of a format: `02134` for 2134, `L-00123` for 123.
fn in_places(number: f64, shown: &str) -> bool {
    let plain = number.to_string();
    let digits: String = shown.chars().filter(char::is_ascii_digit).collect();
    // A point and the like belong to words: `Apt. 5`, `N° 12`.
    let has_words = shown.contains(char::is_alphabetic);
    let only_places = shown.chars().all(|c| {
        c.is_alphanumeric()
            || matches!(c, ' ' | '-' | '(' | ')' | '#')
            || has_words && matches!(c, '.' | ':' | '°' | 'º')
    });
    only_places
        && shown != plain
        && number >= 0.0
        && plain.trim_start_matches('0') == digits.trim_start_matches('0')
}

/// Whether a cell shows something else than a number: a fraction, or words with other digits.
fn has_other_text(number: f64, shown: &str) -> bool {
    let is_exponent = |c: char| matches!(c, 'e' | 'E');
    let has_words = shown.contains(|c: char| c.is_alphabetic() && !is_exponent(c));
    (shown.contains('/') || has_words) && shown.parse() != Ok(number)
}

/// A duration as a clock shows it; the system of dates writes `PT10H30M00S`.
fn clock(duration: &str) -> String {
    let Ok(parsed) = duration.trim().parse::<SignedDuration>() else {
        return duration.to_owned();
    };
    let seconds = parsed.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

/// The paragraphs of a cell up to its end, a line each. Notes, drawings and pronunciations within it are left out.
fn paragraphs<R: BufRead>(markup: &mut Markup<R>) -> Result<String, SheetError> {
    let mut text = Paragraphs::default();
    let (mut depth, mut skipped_from) = (0_usize, None);
    loop {
        text.refuse_large()?;
        match markup.next()? {
            Event::Start(tag) => {
                depth += 1;
                if skipped_from.is_none() && is_beside(&tag) {
                    skipped_from = Some(depth);
                }
                if skipped_from.is_none() {
                    text.element(&tag);
                }
            }
            Event::End(_) if depth == 0 => return Ok(text.text),
            Event::End(_) => {
                if skipped_from == Some(depth) {
                    skipped_from = None;
                }
                depth -= 1;
            }
            Event::Eof => {
                return Err(SheetError::Damaged(
                    "its content ends within a cell".to_owned(),
                ));
            }
            // Between the paragraphs of an indented document there is only white space.
            _ if skipped_from.is_some() || depth == 0 => {}
            Event::Text(part) => text.text.push_str(&part.xml10_content()),
            Event::CData(part) => text.text.push_str(&part.xml10_content()),
            Event::GeneralRef(reference) => {
                if let Some(character) = referred(&reference) {
                    text.text.push(character);
                }
            }
            _ => {}
        }
    }
}

fn is_beside(tag: &BytesStart<'_>) -> bool {
    let is_drawing = tag
        .name()
        .prefix()
        .is_some_and(|prefix| prefix.as_ref() == "draw");
    is_drawing
        || matches!(
            tag.local_name().into_inner(),
            "annotation" | "ruby-text" | "table"
        )
}

/// Text as it is displayed: white space is kept, as LibreOffice does.
#[derive(Default)]
struct Paragraphs {
    text: String,
    count: usize,
}

impl Paragraphs {
    fn element(&mut self, tag: &BytesStart<'_>) {
        match tag.local_name().into_inner() {
            "p" | "h" => {
                if self.count > 0 {
                    self.text.push('\n');
                }
                self.count += 1;
            }
            "s" => {
                let spaces =
                    attributes(tag).find_map(|(name, value)| (name == "c").then_some(value));
                for _ in 0..repeats(spaces).min(1024) {
                    self.text.push(' ');
                }
            }
            "tab" => self.text.push('\t'),
            "line-break" => self.text.push('\n'),
            _ => {}
        }
    }

    fn refuse_large(&self) -> Result<(), SheetError> {
        if self.text.len() > ROW_LIMIT {
            return Err(SheetError::CellTooLarge {
                limit_mib: ROW_LIMIT >> 20,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(attributes: &str, inner: &str) -> Option<ShownValue> {
        let xml = format!("<table:table-cell {attributes}>{inner}</table:table-cell>");
        let mut markup = Markup::new(xml.as_bytes());
        let Event::Start(tag) = markup.next().unwrap() else {
            panic!("a cell begins with its tag");
        };
        let tag = CellTag::parse(&tag);
        cell(tag, &mut markup).unwrap()
    }

    fn text(inner: &str) -> String {
        match read("office:value-type=\"string\"", inner) {
            Some((CellKind::Text, text)) => text,
            other => panic!("{other:?} is not a text"),
        }
    }

    #[test]
    fn paragraphs_are_lines_and_white_space_between_them_is_nothing() {
        assert_eq!(
            text(
                "
  <text:p>12 Elm</text:p>
  <text:p>Rear</text:p>
"
            ),
            "12 Elm
Rear"
        );
        assert_eq!(
            text("<text:p>a<text:s text:c=\"3\"/>b<text:tab/>c  d</text:p>"),
            "a   b	c  d"
        );
        assert_eq!(
            text("<text:p>a<text:line-break/>b &amp; c&#233;</text:p>"),
            "a
b & cé"
        );
    }

    #[test]
    fn notes_and_drawings_are_no_part_of_the_text() {
        let inner = "<office:annotation><dc:date>x</dc:date><text:p>a note</text:p></office:annotation>\
            <draw:frame><draw:text-box><text:p>a box</text:p></draw:text-box></draw:frame>\
            <text:p><text:span>12</text:span> <text:a xlink:href=\"x\">Elm</text:a></text:p>";
        assert_eq!(text(inner), "12 Elm");
    }

    #[test]
    fn a_number_is_its_value_and_shows_the_zeros_of_its_format() {
        let float = |value: &str, shown: &str| {
            read(
                &format!("office:value-type=\"float\" office:value=\"{value}\""),
                &format!("<text:p>{shown}</text:p>"),
            )
            .unwrap()
        };
        let formatted = |text: &str| (CellKind::Formatted, text.to_owned());
        assert_eq!(float("2134", "02134"), formatted("02134"));
        assert_eq!(
            float("4165550100", "(416) 555-0100"),
            formatted("(416) 555-0100")
        );
        for (value, shown) in [
            ("1001", "1001"),
            ("1001.4", "1001"),
            ("0.5", "50%"),
            ("1001", "1,001"),
            ("-5", "(5)"),
            ("1e20", "1E+20"),
        ] {
            assert_eq!(float(value, shown).0, CellKind::Number, "{shown}");
        }
    }

    #[test]
    fn errors_dates_times_and_formulas_without_a_value_are_what_they_are() {
        let error = read(
            "table:formula=\"of:=NA()\" office:value-type=\"string\" office:string-value=\"\" calcext:value-type=\"error\"",
            "<text:p>#N/A</text:p>",
        );
        assert_eq!(error, Some((CellKind::Error, "#N/A".to_owned())));
        let time = read(
            "office:value-type=\"time\" office:time-value=\"PT10H30M05S\"",
            "<text:p>10:30</text:p>",
        );
        assert_eq!(time, Some((CellKind::Date, "10:30:05".to_owned())));
        let date = read(
            "office:value-type=\"date\" office:date-value=\"2026-03-04\"",
            "<text:p>4 March</text:p>",
        );
        assert_eq!(date, Some((CellKind::Date, "2026-03-04".to_owned())));
        let truth = read(
            "office:value-type=\"boolean\" office:boolean-value=\"true\"",
            "<text:p>TRUE</text:p>",
        );
        assert_eq!(truth, Some((CellKind::Boolean, "TRUE".to_owned())));
        let uncalculated = read("table:formula=\"of:=A1\"", "");
        assert_eq!(uncalculated, Some((CellKind::Uncalculated, String::new())));
        assert_eq!(read("", ""), None);
    }
}
