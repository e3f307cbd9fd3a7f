//! The sheets of a document: names, visibility, and where each begins.

use std::collections::HashSet;
use std::io::BufRead;

use quick_xml::events::Event;

use crate::sheet::SheetError;
use crate::sheet::ods::OdsSheet;
use crate::sheet::ods::markup::Markup;
use crate::sheet::workbook::SheetVisibility;
use crate::sheet::xml::attribute;

/// A sheet is a direct child of the document's body: `document-content`, `body`, `spreadsheet`, `table`.
const SHEET_DEPTH: usize = 4;

pub(super) fn sheets(content: impl BufRead) -> Result<Vec<OdsSheet>, SheetError> {
    let mut markup = Markup::new(content);
    let mut sheets = Vec::new();
    let mut style = String::new();
    let mut hiding = HashSet::new();
    let mut of_sheets = false;
    let mut depth = 0_usize;
    loop {
        let start = match markup.next()? {
            Event::Start(tag) => {
                depth += 1;
                match tag.local_name().into_inner() {
                    "spreadsheet" => of_sheets = true,
                    "style" => style = attribute(&tag, "name").unwrap_or_default(),
                    "table-properties"
                        if attribute(&tag, "display").as_deref() == Some("false") =>
                    {
                        hiding.insert(style.clone());
                    }
                    _ => {}
                }
                (depth == SHEET_DEPTH && tag.local_name().into_inner() == "table")
                    .then(|| (attribute(&tag, "name"), attribute(&tag, "style-name")))
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                None
            }
            Event::Eof => break,
            _ => None,
        };
        if let Some((Some(name), style)) = start {
            sheets.push(OdsSheet {
                name,
                visibility: match style {
                    Some(style) if hiding.contains(&style) => SheetVisibility::Hidden,
                    _ => SheetVisibility::Visible,
                },
                start: markup.position(),
            });
        }
    }
    if of_sheets {
        Ok(sheets)
    } else {
        Err(SheetError::NotATable(
            "a document of another office program",
        ))
    }
}
