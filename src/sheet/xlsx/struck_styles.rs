//! The cell styles of an XLSX workbook whose font is struck through: in lists kept by hand, a row that is crossed out is
//! often one that nobody wants any more.

use std::collections::HashSet;

use quick_xml::Reader;
use quick_xml::events::Event;

use crate::sheet::xlsx::parts::{PackageArchive, part_of_type, text};
use crate::sheet::xml::{attribute, local, number};

/// The indices of the struck styles; none where the styles cannot be read.
pub(super) fn struck_styles(archive: &mut PackageArchive) -> HashSet<u32> {
    let part = part_of_type(archive, "/styles");
    let styles = part.and_then(|part| text(archive, &part));
    styles
        .filter(|styles| styles.contains("strike"))
        .map(|styles| of_document(&styles))
        .unwrap_or_default()
}

fn of_document(styles: &str) -> HashSet<u32> {
    let mut reader = Reader::from_str(styles);
    let (mut section, mut fonts, mut formats) = (String::new(), 0, 0);
    let (mut struck_fonts, mut struck) = (HashSet::new(), HashSet::new());
    loop {
        let tag = match reader.read_event() {
            Ok(Event::Start(tag) | Event::Empty(tag)) => tag,
            Ok(Event::Eof) | Err(_) => return struck,
            Ok(_) => continue,
        };
        match (section.as_str(), local(&tag)) {
            (_, name @ ("fonts" | "cellXfs" | "cellStyleXfs" | "dxfs")) => {
                name.clone_into(&mut section);
            }
            ("fonts", "font") => fonts += 1,
            ("fonts", "strike") => {
                let off = attribute(&tag, "val").is_some_and(|val| val == "0" || val == "false");
                struck_fonts.extend((!off).then_some(fonts));
            }
            ("cellXfs", "xf") => {
                let font = number(&tag, "fontId").unwrap_or_default() + 1;
                struck.extend(struck_fonts.contains(&font).then_some(formats));
                formats += 1;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_cell_styles_with_a_struck_font_count() {
        let styles = r#"<styleSheet><fonts count="3"><font><sz val="11"/></font><font><strike/></font>
            <font><strike val="0"/></font></fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs>
            <cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="2"/><xf/></cellXfs>
            <dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>"#;
        assert_eq!(of_document(styles), HashSet::from([1]));
    }
}
