//! The styles of the workbook, with one more at the end for each appended column. Existing styles keep their numbers.

use quick_xml::events::Event;
use quick_xml::{Reader, Writer};

use crate::sheet::rewrite::AppendedColumn;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{local, number, prefix, with};

/// The lowest number of a workbook's own number formats.
const OWN_FORMATS: u32 = 164;

/// What the part contains before it is written again.
#[derive(Debug, Default)]
struct StylesPart {
    prefix: String,
    formats: Option<u32>,
    next_format: u32,
    styles: Option<u32>,
}

/// Returns the rewritten part, and the number of the first added style; the others follow.
pub(super) fn extended(
    part: &str,
    appended: &[AppendedColumn],
) -> Result<(Vec<u8>, u32), XmlRewriteError> {
    let existing = existing(part)?;
    let first = existing.styles.ok_or(XmlRewriteError::Unusual)?;
    let (formats, styles) = appended_styles(&existing, appended);
    let lists = [
        ExtendedList::new("numFmts", existing.formats.unwrap_or(0), &formats),
        ExtendedList::new("cellXfs", first, &styles),
    ];
    let new_formats = match (existing.formats, formats.is_empty()) {
        (None, false) => lists[0].whole(&existing.prefix),
        _ => String::new(),
    };
    let part = with_lists(part, &lists, (&existing.prefix, &new_formats))?;
    Ok((part, first))
}

/// A list of the part, and what is added at its end.
struct ExtendedList {
    name: &'static str,
    count: usize,
    added: String,
}

impl ExtendedList {
    fn new(name: &'static str, count: u32, added: &[String]) -> Self {
        Self {
            name,
            count: count as usize + added.len(),
            added: added.concat(),
        }
    }

    /// The whole list, for a part without one.
    fn whole(&self, prefix: &str) -> String {
        let Self { name, count, added } = self;
        format!(r#"<{prefix}{name} count="{count}">{added}</{prefix}{name}>"#)
    }
}

/// Writes the part with its lists extended, and a list of number formats where it has none.
fn with_lists(
    part: &str,
    lists: &[ExtendedList],
    (prefix, new_formats): (&str, &str),
) -> Result<Vec<u8>, XmlRewriteError> {
    let list = |name: &str| lists.iter().find(|list| list.name == name);
    let mut reader = Reader::from_str(part);
    let mut out = Writer::new(Vec::with_capacity(part.len() + 4096));
    loop {
        let event = reader.read_event()?;
        let list = match &event {
            Event::Start(tag) | Event::Empty(tag) => list(local(tag)),
            Event::End(tag) => list(tag.local_name().into_inner()),
            _ => None,
        };
        match (event, list) {
            (Event::Eof, _) => return Ok(out.into_inner()),
            (Event::Start(tag), Some(list)) => {
                let count = list.count.to_string();
                out.write_event(Event::Start(with(&tag, &[("count", Some(&count))])))?;
            }
            (Event::Start(tag), None) if local(&tag) == "styleSheet" => {
                out.write_event(Event::Start(tag))?;
                out.get_mut().extend(new_formats.as_bytes());
            }
            // An empty list is a single tag.
            (Event::Empty(_), Some(list)) => {
                out.get_mut().extend(list.whole(prefix).into_bytes());
            }
            (Event::End(tag), Some(list)) => {
                out.get_mut().extend(list.added.as_bytes());
                out.write_event(Event::End(tag))?;
            }
            (other, _) => out.write_event(other)?,
        }
    }
}

/// Reads the lists that are extended.
fn existing(part: &str) -> Result<StylesPart, XmlRewriteError> {
    let mut reader = Reader::from_str(part);
    reader.config_mut().expand_empty_elements = true;
    let mut existing = StylesPart {
        next_format: OWN_FORMATS,
        ..StylesPart::default()
    };
    let mut in_cell_styles = false;
    loop {
        match reader.read_event()? {
            Event::Eof => return Ok(existing),
            Event::Start(tag) => match local(&tag) {
                "styleSheet" => existing.prefix = prefix(&tag),
                "numFmts" => existing.formats = Some(0),
                "numFmt" => {
                    existing.formats = existing.formats.map(|formats| formats + 1);
                    let next = number(&tag, "numFmtId").map_or(0, |id| id.saturating_add(1));
                    existing.next_format = existing.next_format.max(next);
                }
                "cellXfs" => {
                    in_cell_styles = true;
                    existing.styles = Some(0);
                }
                "xf" if in_cell_styles => {
                    existing.styles = existing.styles.map(|styles| styles + 1);
                }
                // A difference from a style may have a number format.
                "dxfs" => {
                    reader.read_to_end(tag.name())?;
                }
                _ => {}
            },
            Event::End(tag) if tag.local_name().into_inner() == "cellXfs" => in_cell_styles = false,
            _ => {}
        }
    }
}

/// A number format where one is needed, and a style, for each appended column: the default cell style with the column's
/// number format, or wrapped.
fn appended_styles(
    existing: &StylesPart,
    appended: &[AppendedColumn],
) -> (Vec<String>, Vec<String>) {
    let prefix = &existing.prefix;
    let (mut formats, mut styles) = (Vec::new(), Vec::new());
    for column in appended {
        let Some(code) = &column.number_format else {
            styles.push(format!(
                r#"<{prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><{prefix}alignment vertical="top" wrapText="1"/></{prefix}xf>"#
            ));
            continue;
        };
        let id = (existing.next_format..)
            .nth(formats.len())
            .unwrap_or(u32::MAX);
        let code = quick_xml::escape::escape(code.as_str());
        formats.push(format!(
            r#"<{prefix}numFmt numFmtId="{id}" formatCode="{code}"/>"#
        ));
        styles.push(format!(
            r#"<{prefix}xf numFmtId="{id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>"#
        ));
    }
    (formats, styles)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money() -> [AppendedColumn; 2] {
        [None, Some("#,##0.00")].map(|number_format| AppendedColumn {
            header: "Price".to_owned(),
            number_format: number_format.map(str::to_owned),
            max_width: 9,
        })
    }

    fn extended_text(part: &str) -> (String, u32) {
        let (part, first) = extended(part, &money()).unwrap();
        (String::from_utf8(part).unwrap(), first)
    }

    #[test]
    fn styles_come_last_and_formats_get_a_number_of_their_own() {
        let part = r#"<s:styleSheet><s:numFmts count="1"><s:numFmt numFmtId="170" formatCode="0"/></s:numFmts><s:cellStyleXfs count="1"><s:xf/></s:cellStyleXfs><s:cellXfs count="2"><s:xf/><s:xf/></s:cellXfs></s:styleSheet>"#;
        let (part, first) = extended_text(part);
        assert_eq!(first, 2);
        for piece in [
            r#"<s:numFmts count="2">"#,
            r##"<s:numFmt numFmtId="171" formatCode="#,##0.00"/></s:numFmts>"##,
            r#"<s:cellXfs count="4"><s:xf/><s:xf/><s:xf numFmtId="0""#,
            r#"<s:xf numFmtId="171""#,
        ] {
            assert!(part.contains(piece), "{piece}: {part}");
        }
    }

    #[test]
    fn a_workbook_without_formats_of_its_own_gets_a_list_of_them() {
        for none in ["", r#"<numFmts count="0"/>"#] {
            let part = format!("<styleSheet>{none}<fonts/><cellXfs><xf/></cellXfs></styleSheet>");
            let (part, first) = extended_text(&part);
            assert_eq!(first, 1);
            let list = r#"<styleSheet><numFmts count="1"><numFmt numFmtId="164""#;
            assert!(part.starts_with(list), "{part}");
            assert_eq!(part.matches("numFmts ").count(), 1, "{part}");
        }
        assert!(extended("<styleSheet/>", &money()).is_err());
    }
}
