//! The styles of the workbook, with one more at the end for each appended column. Existing styles keep their numbers.

use std::io::Write;

use quick_xml::events::Event;

use crate::sheet::rewrite::plan::AppendedColumn;
use crate::sheet::xlsx::rewrite::error::XmlRewriteError;
use crate::sheet::xlsx::rewrite::ranges::rewritten;
use crate::sheet::xml::{local, number, prefix, tags, with};

/// The lowest number of a workbook's own number formats.
const OWN_FORMATS: u32 = 164;

/// Returns the rewritten part, and the number of the first added style; the others follow.
pub(super) fn extended(
    part: &str,
    appended: &[AppendedColumn],
) -> Result<(String, u32), XmlRewriteError> {
    let root = tags(part, "styleSheet").into_iter().next();
    let prefix = prefix(&root.ok_or(XmlRewriteError::Unusual)?);
    let first = entries(part, &format!("{prefix}cellXfs"), "xf");
    let first = first.ok_or(XmlRewriteError::Unusual)?;
    let ids = tags(part, "numFmt").into_iter();
    let largest = ids.filter_map(|format| number(&format, "numFmtId")).max();
    let next_format = largest.map_or(OWN_FORMATS, |id| id.saturating_add(1).max(OWN_FORMATS));
    let (formats, styles) = appended_styles(&prefix, next_format, appended);
    let formats_before = entries(part, &format!("{prefix}numFmts"), "numFmt");
    let lists = [
        ExtendedList::new("numFmts", formats_before.unwrap_or(0), &formats),
        ExtendedList::new("cellXfs", first, &styles),
    ];
    let new_formats = if formats.is_empty() || !tags(part, "numFmts").is_empty() {
        String::new()
    } else {
        lists[0].whole(&prefix)
    };
    let part = with_lists(part, &lists, &prefix, &new_formats)?;
    Ok((part, first))
}

/// The number of entries of a list; `None` if the part has no such list, or an empty one in a single tag.
fn entries(part: &str, list: &str, entry: &str) -> Option<u32> {
    let (_, from) = part.split_once(&format!("<{list}"))?;
    let (content, _) = from.split_once(&format!("</{list}>"))?;
    u32::try_from(tags(content, entry).len()).ok()
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
    prefix: &str,
    new_formats: &str,
) -> Result<String, XmlRewriteError> {
    let list = |name: &str| lists.iter().find(|list| list.name == name);
    rewritten(part, |event, out| {
        let list = match &event {
            Event::Start(tag) | Event::Empty(tag) => list(local(tag)),
            Event::End(tag) => list(tag.local_name().into_inner()),
            _ => None,
        };
        match (event, list) {
            (Event::Start(tag), Some(list)) => {
                let count = list.count.to_string();
                out.write_event(Event::Start(with(&tag, &[("count", Some(&count))])))
            }
            (Event::Start(tag), None) if local(&tag) == "styleSheet" => {
                out.write_event(Event::Start(tag))?;
                out.get_mut().write_all(new_formats.as_bytes())
            }
            // An empty list is a single tag.
            (Event::Empty(_), Some(list)) => out.get_mut().write_all(list.whole(prefix).as_bytes()),
            (Event::End(tag), Some(list)) => {
                out.get_mut().write_all(list.added.as_bytes())?;
                out.write_event(Event::End(tag))
            }
            (other, _) => out.write_event(other),
        }
    })
}

/// A number format where one is needed, and a style, for each appended column: the default cell style with the column's
/// number format, or wrapped.
fn appended_styles(
    prefix: &str,
    next_format: u32,
    appended: &[AppendedColumn],
) -> (Vec<String>, Vec<String>) {
    let (mut formats, mut styles) = (Vec::new(), Vec::new());
    for column in appended {
        let Some(code) = &column.number_format else {
            styles.push(format!(
                r#"<{prefix}xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0" applyAlignment="1"><{prefix}alignment vertical="top" wrapText="1"/></{prefix}xf>"#
            ));
            continue;
        };
        let id = (next_format..).nth(formats.len()).unwrap_or(u32::MAX);
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
        extended(part, &money()).unwrap()
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
