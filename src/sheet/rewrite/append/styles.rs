//! The styles of the workbook, with one more for each appended column at the end, so that existing styles keep their
//! numbers.

use std::fmt::Write as _;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::sheet::rewrite::append::error::AppendError;
use crate::sheet::rewrite::append::tag::{local, number, prefix, with};
use crate::sheet::rewrite::plan::AppendedColumn;

/// The first number that a format of a workbook's own may have.
const OWN_FORMATS: u32 = 164;

/// What the part holds before it is written again.
#[derive(Debug, Default)]
struct StylesPart {
    prefix: String,
    formats: Option<u32>,
    next_format: u32,
    styles: Option<u32>,
}

/// Returns the rewritten part, and the number of the first appended style.
pub(super) fn extended(
    part: &[u8],
    appended: &[AppendedColumn],
) -> Result<(Vec<u8>, usize), AppendError> {
    let held = held(part)?;
    let styles = held.styles.ok_or(AppendError::Unusual)?;
    let (formats, cells) = appended_styles(&held, appended);
    let added = u32::try_from(appended.len()).unwrap_or(0);
    let with_formats = held.formats.unwrap_or(0) + formats.count;
    let mut reader = Reader::from_reader(part);
    let mut out = Writer::new(Vec::with_capacity(part.len() + 4096));
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let event = reader.read_event_into(&mut buffer)?;
        match &event {
            Event::Eof => break,
            Event::Start(tag) if local(tag) == "numFmts" => {
                out.write_event(Event::Start(counted(tag, with_formats)))?;
            }
            Event::Start(tag) if local(tag) == "cellXfs" => {
                out.write_event(Event::Start(counted(tag, styles + added)))?;
            }
            Event::Start(tag) if local(tag) == "styleSheet" => {
                out.write_event(event.borrow())?;
                if held.formats.is_none() {
                    out.get_mut()
                        .extend(formats.list(&held.prefix).into_bytes());
                }
            }
            // An empty list is a single tag.
            Event::Empty(tag) if local(tag) == "numFmts" => {
                out.get_mut()
                    .extend(formats.list(&held.prefix).into_bytes());
            }
            Event::End(tag) if tag.local_name().into_inner() == "numFmts" => {
                out.get_mut().extend(formats.xml.as_bytes());
                out.write_event(event)?;
            }
            Event::End(tag) if tag.local_name().into_inner() == "cellXfs" => {
                out.get_mut().extend(cells.as_bytes());
                out.write_event(event)?;
            }
            _ => out.write_event(event)?,
        }
    }
    Ok((out.into_inner(), styles as usize))
}

fn counted<'t>(tag: &BytesStart<'t>, count: u32) -> BytesStart<'t> {
    with(tag, &[("count", Some(&count.to_string()))])
}

fn held(part: &[u8]) -> Result<StylesPart, AppendError> {
    let mut reader = Reader::from_reader(part);
    let mut held = StylesPart {
        next_format: OWN_FORMATS,
        ..StylesPart::default()
    };
    let mut buffer = Vec::new();
    let mut inside = false;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer)? {
            Event::Eof => return Ok(held),
            Event::Start(tag) if local(&tag) == "cellXfs" => {
                held.styles = Some(0);
                inside = true;
            }
            Event::Start(tag) | Event::Empty(tag) => match local(&tag) {
                "styleSheet" => held.prefix = prefix(&tag),
                "numFmts" => held.formats = Some(0),
                "numFmt" => {
                    held.formats = held.formats.map(|formats| formats + 1);
                    let next = number(&tag, "numFmtId").map_or(0, |id| id.saturating_add(1));
                    held.next_format = held.next_format.max(next);
                }
                "xf" if inside => held.styles = held.styles.map(|styles| styles + 1),
                _ => {}
            },
            Event::End(tag) if tag.local_name().into_inner() == "cellXfs" => inside = false,
            _ => {}
        }
    }
}

/// The appended number formats.
struct AppendedFormats {
    xml: String,
    count: u32,
}

impl AppendedFormats {
    /// The whole list, for a workbook without one.
    fn list(&self, prefix: &str) -> String {
        let Self { xml, count } = self;
        if *count == 0 {
            return String::new();
        }
        format!(r#"<{prefix}numFmts count="{count}">{xml}</{prefix}numFmts>"#)
    }
}

/// A format and a style for each appended column: the default cell style with the column's number format, wrapped.
fn appended_styles(held: &StylesPart, appended: &[AppendedColumn]) -> (AppendedFormats, String) {
    let prefix = &held.prefix;
    let mut formats = AppendedFormats {
        xml: String::new(),
        count: 0,
    };
    let mut cells = String::new();
    for column in appended {
        // Writing to a string cannot fail.
        let _ = match &column.number_format {
            Some(code) => {
                let id = held.next_format + formats.count;
                formats.count += 1;
                let code = quick_xml::escape::escape(code.as_str());
                let _ = write!(
                    formats.xml,
                    r#"<{prefix}numFmt numFmtId="{id}" formatCode="{code}"/>"#
                );
                write!(
                    cells,
                    r#"<{prefix}xf numFmtId="{id}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>"#
                )
            }
            None => write!(
                cells,
                r#"<{prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><{prefix}alignment wrapText="1"/></{prefix}xf>"#
            ),
        };
    }
    (formats, cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money() -> [AppendedColumn; 2] {
        [None, Some("#,##0.00")].map(|number_format| AppendedColumn {
            header: "Price".to_owned(),
            number_format: number_format.map(str::to_owned),
            widest: 9,
        })
    }

    fn extended_text(part: &str) -> (String, usize) {
        let (part, first) = extended(part.as_bytes(), &money()).unwrap();
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
        assert!(extended(b"<styleSheet/>", &money()).is_err());
    }
}
