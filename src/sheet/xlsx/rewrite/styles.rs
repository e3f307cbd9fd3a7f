//! The styles of the workbook, with more at the end: one for each appended column, and for a new workbook a highlighted
//! variant of each style. Existing styles keep their numbers.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};

use crate::sheet::rewrite::AppendedColumn;
use crate::sheet::xlsx::rewrite::RewriteMode;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xml::{local, number, prefix, with};

/// The lowest number of a workbook's own number formats.
const OWN_FORMATS: u32 = 164;
/// Styles in a workbook that can have a highlighted variant each: Excel reads about 64,000.
const STYLE_LIMIT: u32 = 30_000;
/// The fill of a highlighted cell.
const HIGHLIGHT: &str = "FFFFC7CE";

/// The numbers of the added styles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct AddedStyles {
    /// The style of the first appended column; the others follow.
    pub(super) first_appended: u32,
    /// The highlighted variant of the first style; the others follow.
    pub(super) first_highlighted: u32,
}

/// What the part contains before it is written again.
#[derive(Debug, Default)]
struct StylesPart {
    prefix: String,
    formats: Option<u32>,
    next_format: u32,
    fills: Option<u32>,
    /// The tag and the content of each cell style.
    styles: Option<Vec<(BytesStart<'static>, String)>>,
}

/// Returns the rewritten part, and the numbers of the added styles.
pub(super) fn extended(
    part: &str,
    appended: &[AppendedColumn],
    mode: RewriteMode,
) -> Result<(Vec<u8>, AddedStyles), XmlRewriteError> {
    let existing = existing(part)?;
    let styles = existing.styles.as_ref().ok_or(XmlRewriteError::Unusual)?;
    let count = u32::try_from(styles.len()).unwrap_or(u32::MAX);
    let (formats, mut added) = appended_styles(&existing, appended);
    let mut fill = String::new();
    if mode == RewriteMode::NewWorkbook {
        let number = existing.fills.filter(|_| count <= STYLE_LIMIT);
        let number = number.ok_or(XmlRewriteError::Unusual)?;
        for style in styles {
            added.push(highlighted(style, number));
        }
        let prefix = &existing.prefix;
        fill = format!(
            r#"<{prefix}fill><{prefix}patternFill patternType="solid"><{prefix}fgColor rgb="{HIGHLIGHT}"/><{prefix}bgColor indexed="64"/></{prefix}patternFill></{prefix}fill>"#
        );
    }
    let lists = [
        ExtendedList::new("numFmts", existing.formats.unwrap_or(0), &formats),
        ExtendedList::new(
            "fills",
            existing.fills.unwrap_or(0),
            std::slice::from_ref(&fill),
        ),
        ExtendedList::new("cellXfs", count, &added),
    ];
    let new_formats = match (existing.formats, formats.is_empty()) {
        (None, false) => lists[0].whole(&existing.prefix),
        _ => String::new(),
    };
    let part = with_lists(part, &lists, (&existing.prefix, &new_formats))?;
    let numbers = AddedStyles {
        first_appended: count,
        first_highlighted: count + u32::try_from(appended.len()).unwrap_or(0),
    };
    Ok((part, numbers))
}

/// A list of the part, and what is added at its end.
struct ExtendedList {
    name: &'static str,
    count: usize,
    added: String,
}

impl ExtendedList {
    fn new(name: &'static str, count: u32, added: &[String]) -> Self {
        let more = added.iter().filter(|element| !element.is_empty()).count();
        Self {
            name,
            count: count as usize + more,
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
                "fills" => existing.fills = Some(0),
                "fill" => existing.fills = existing.fills.map(|fills| fills + 1),
                "cellXfs" => {
                    in_cell_styles = true;
                    existing.styles = Some(Vec::new());
                }
                "xf" if in_cell_styles => {
                    let content = reader.read_text(tag.name())?.to_string();
                    let styles = existing.styles.get_or_insert_default();
                    styles.push((tag.into_owned(), content));
                }
                // Fills of differences from a style are in no list of their own.
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

/// A cell style with another fill.
fn highlighted((tag, content): &(BytesStart<'static>, String), fill: u32) -> String {
    let fill = fill.to_string();
    let tag = with(tag, &[("fillId", Some(&fill)), ("applyFill", Some("1"))]);
    let (name, attributes) = (tag.name().into_inner(), tag.attributes_raw());
    format!("<{name}{attributes}>{content}</{name}>")
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
        let (part, added) = extended(part, &money(), RewriteMode::InPlace).unwrap();
        (String::from_utf8(part).unwrap(), added.first_appended)
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
        assert!(extended("<styleSheet/>", &money(), RewriteMode::InPlace).is_err());
    }

    #[test]
    fn every_style_has_a_highlighted_variant_in_a_new_workbook() {
        let part = r#"<styleSheet><fills count="1"><fill/></fills><cellXfs><xf fillId="0"/><xf><alignment/></xf></cellXfs><dxfs><dxf><fill/></dxf></dxfs></styleSheet>"#;
        let (part, added) = extended(part, &money(), RewriteMode::NewWorkbook).unwrap();
        let part = String::from_utf8(part).unwrap();
        let numbers = AddedStyles {
            first_appended: 2,
            first_highlighted: 4,
        };
        assert_eq!(added, numbers);
        for piece in [
            r#"<fills count="2"><fill/><fill><patternFill patternType="solid">"#,
            r#"<cellXfs count="6">"#,
            r#"<xf fillId="1" applyFill="1"></xf><xf fillId="1" applyFill="1"><alignment/></xf></cellXfs>"#,
        ] {
            assert!(part.contains(piece), "{piece}: {part}");
        }
    }
}
