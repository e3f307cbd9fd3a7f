//! Sheet lists that calamine rejects: macro sheets, sheets without a part, unknown visibility states.
//!
//! Excel opens such workbooks. A copy is written whose list contains only worksheets; all other parts are copied
//! without decompressing them.

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom, Write};

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer};
use zip::ZipArchive;
use zip::write::SimpleFileOptions;

use crate::sheet::xlsx::archive_file::ArchiveFile;
use crate::sheet::xlsx::parts::{is_of_type, relations_of, text, workbook_part};
use crate::sheet::xml::{attribute, tags};

/// States that a sheet may have.
const STATES: [&str; 3] = ["visible", "hidden", "veryHidden"];
/// The last words of the types of parts that hold a sheet.
const TYPES: [&str; 3] = ["/worksheet", "/chartsheet", "/dialogsheet"];

/// A copy of the workbook with its list of sheets in order; none where that cannot be made.
pub(super) fn repaired(file: &mut File) -> Option<File> {
    file.seek(SeekFrom::Start(0)).ok()?;
    let mut archive = ZipArchive::new(BufReader::new(file)).ok()?;
    let book = workbook_part(&mut archive)?;
    let relations = text(&mut archive, &relations_of(&book))?;
    let list = with_sheets_of_cells(&text(&mut archive, &book)?, &relations)?;
    let mut copy = tempfile::tempfile().ok()?;
    write_copy(&mut archive, &book, &list, &mut copy).ok()?;
    copy.seek(SeekFrom::Start(0)).ok()?;
    Some(copy)
}

fn write_copy<R: Read + Seek>(
    archive: &mut ZipArchive<R>,
    book: &str,
    list: &[u8],
    copy: &mut File,
) -> Result<(), zip::result::ZipError> {
    let mut zip = ArchiveFile::start(copy);
    for index in 0..archive.len() {
        let part = archive.by_index_raw(index)?;
        if part.name()? == book {
            zip.start_file(book, SimpleFileOptions::default())?;
            zip.write_all(list)?;
        } else {
            zip.raw_copy_file(part)?;
        }
    }
    ArchiveFile::finish(zip)
}

/// The workbook's own part, without the sheets whose parts are missing or hold no cells.
fn with_sheets_of_cells(book: &str, relations: &str) -> Option<Vec<u8>> {
    let sheets: Vec<String> = tags(relations, "Relationship")
        .iter()
        .filter(|relation| TYPES.iter().any(|kind| is_of_type(relation, kind)))
        .filter_map(|relation| attribute(relation, "Id"))
        .collect();
    let mut reader = Reader::from_str(book);
    let mut writer = Writer::new(Vec::new());
    loop {
        let event = match reader.read_event().ok()? {
            Event::Eof => return Some(writer.into_inner()),
            Event::Start(tag) | Event::Empty(tag) if is_sheet(tag.local_name().into_inner()) => {
                let Some(sheet) = sheet(&tag, &sheets) else {
                    continue;
                };
                Event::Empty(sheet)
            }
            Event::End(tag) if is_sheet(tag.local_name().into_inner()) => continue,
            other => other,
        };
        writer.write_event(event).ok()?;
    }
}

fn is_sheet(name: &str) -> bool {
    name == "sheet"
}

/// A sheet of the list, with a state that is known; none for one whose part holds no cells.
fn sheet(tag: &BytesStart<'_>, sheets: &[String]) -> Option<BytesStart<'static>> {
    let mut kept = BytesStart::new(tag.name().as_ref().to_owned());
    let mut has_part = false;
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.ok()?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
        match attribute.key.local_name().into_inner() {
            "state" if !STATES.contains(&value.as_ref()) => continue,
            "id" => has_part = sheets.iter().any(|sheet| *sheet == value),
            _ => {}
        }
        kept.push_attribute((attribute.key.as_ref(), value.as_ref()));
    }
    has_part.then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sheets_of_cells_alone_stay_in_the_list() {
        let relations = r#"<Relationships>
            <Relationship Id="rId1" Type="http://x/relationships/worksheet" Target="worksheets/sheet1.xml"/>
            <Relationship Id="rId2" Type="http://x/relationships/xlMacrosheet" Target="macrosheets/sheet1.xml"/></Relationships>"#;
        let book = r#"<workbook><sheets><sheet name="A &amp; B" state="show" r:id="rId1"/><sheet name="Macro1" r:id="rId2"></sheet><sheet name="Module" state="veryHidden" r:id=""/></sheets></workbook>"#;
        let list = with_sheets_of_cells(book, relations).unwrap();
        assert_eq!(
            String::from_utf8(list).unwrap(),
            r#"<workbook><sheets><sheet name="A &amp; B" r:id="rId1"/></sheets></workbook>"#
        );
    }
}
