//! The styles of the workbook, with one more for each appended column at their end: those that are there keep their
//! numbers.

use std::fmt::Write as _;

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::table::rejects::echo::in_place::Halt;
use crate::table::rejects::echo::in_place::tag::{local, number, prefix, with};
use crate::table::rejects::echo::plan::Appended;

/// The first number that a format of a workbook's own may have.
const OWN_FORMATS: u32 = 164;

/// What the part holds before it is written again.
#[derive(Debug, Default)]
struct Held {
    prefix: String,
    formats: Option<u32>,
    next_format: u32,
    styles: Option<u32>,
}

/// The part again, and the number of the first style of ours.
pub(super) fn extended(part: &[u8], appended: &[Appended]) -> Result<(Vec<u8>, usize), Halt> {
    let held = held(part)?;
    let styles = held.styles.ok_or(Halt::Unusual)?;
    let (formats, cells) = ours(&held, appended);
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

fn held(part: &[u8]) -> Result<Held, Halt> {
    let mut reader = Reader::from_reader(part);
    let mut held = Held {
        next_format: OWN_FORMATS,
        ..Held::default()
    };
    let mut buffer = Vec::new();
    let mut inside = false;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer)? {
            Event::Eof => return Ok(held),
            Event::Start(tag) | Event::Empty(tag) => match local(&tag) {
                "styleSheet" => held.prefix = prefix(&tag),
                "numFmts" => held.formats = Some(0),
                "numFmt" => {
                    held.formats = held.formats.map(|formats| formats + 1);
                    let next = number(&tag, "numFmtId").map_or(0, |id| id.saturating_add(1));
                    held.next_format = held.next_format.max(next);
                }
                "cellXfs" => {
                    held.styles = Some(0);
                    inside = true;
                }
                "xf" if inside => held.styles = held.styles.map(|styles| styles + 1),
                _ => {}
            },
            Event::End(tag) if tag.local_name().into_inner() == "cellXfs" => inside = false,
            _ => {}
        }
    }
}

/// Number formats of ours.
struct Formats {
    xml: String,
    count: u32,
}

impl Formats {
    /// The whole list, for a workbook without one.
    fn list(&self, prefix: &str) -> String {
        let Self { xml, count } = self;
        if *count == 0 {
            return String::new();
        }
        format!(r#"<{prefix}numFmts count="{count}">{xml}</{prefix}numFmts>"#)
    }
}

/// A format and a style for each column: theirs of usual cells, with our number format; text wraps.
fn ours(held: &Held, appended: &[Appended]) -> (Formats, String) {
    let prefix = &held.prefix;
    let mut formats = Formats {
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
