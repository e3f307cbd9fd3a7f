//! Workbooks written part by part, for what no library writes.

use std::io::{Read as _, Write as _};

use zip::write::SimpleFileOptions;

/// An archive of parts.
pub(crate) fn archive(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in parts {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// The archive with one of its parts changed.
pub(crate) fn rewritten(archive: &[u8], part: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut before = zip::ZipArchive::new(std::io::Cursor::new(archive)).unwrap();
    let mut after = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for index in 0..before.len() {
        let mut entry = before.by_index(index).unwrap();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).unwrap();
        let name = entry.name().unwrap().into_owned();
        if name == part {
            content = change(std::str::from_utf8(&content).unwrap()).into_bytes();
        }
        after
            .start_file(name, SimpleFileOptions::default())
            .unwrap();
        after.write_all(&content).unwrap();
    }
    after.finish().unwrap().into_inner()
}

/// The archive with one more part.
pub(crate) fn with_part(archive: &[u8], name: &str, content: &str) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new_append(std::io::Cursor::new(archive.to_vec())).unwrap();
    zip.start_file(name, SimpleFileOptions::default()).unwrap();
    zip.write_all(content.as_bytes()).unwrap();
    zip.finish().unwrap().into_inner()
}

const TYPES: (&str, &[u8]) = ("[Content_Types].xml", b"<Types/>");

/// A workbook of one sheet, from its XML and that of the workbook's properties.
pub(crate) fn xlsx(properties: &str, sheet: &str) -> Vec<u8> {
    xlsx_listing("", properties, sheet)
}

/// A workbook whose list names other sheets besides the one that it has.
pub(crate) fn xlsx_listing(others: &str, properties: &str, sheet: &str) -> Vec<u8> {
    let book = format!(
        r#"<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">{properties}<sheets><sheet name="Leads" sheetId="1" r:id="rId1"/>{others}</sheets></workbook>"#
    );
    let root = relations("officeDocument", "xl/workbook.xml");
    let relations = relations("worksheet", "worksheets/sheet1.xml");
    let styles = r#"<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>"#;
    archive(&[
        TYPES,
        ("_rels/.rels", root.as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations.as_bytes()),
        ("xl/styles.xml", styles.as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

fn relations(kind: &str, target: &str) -> String {
    format!(
        r#"<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/{kind}" Target="{target}"/></Relationships>"#
    )
}

/// A document of the open form with one sheet, from its rows as XML.
pub(crate) fn ods(rows: &str) -> Vec<u8> {
    let content = format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">
  <office:body>
    <office:spreadsheet>
      <table:table table:name="Leads">
        <table:table-column table:number-columns-repeated="11"/>
{rows}
      </table:table>
    </office:spreadsheet>
  </office:body>
</office:document-content>"#
    );
    archive(&[
        (
            "mimetype",
            b"application/vnd.oasis.opendocument.spreadsheet",
        ),
        ("content.xml", content.as_bytes()),
    ])
}

/// A cell of a binary workbook.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    /// Text that was typed.
    Text(String),
    /// An error that a formula left, by its code.
    FormulaError(u8),
    /// An error that a formula left in the last column that four bytes can name.
    FormulaErrorOutside,
    /// Text with formats of its own.
    RichText(String),
    /// Text without its column, as it follows the cell before.
    ShortText(String),
    /// A number under the format `00000`.
    FiveDigits(f64),
}

/// A binary workbook of one sheet; a row may be hidden, and blocks of cells merged: first and last row and column.
pub(crate) fn xlsb(
    rows: &[Vec<Option<Cell>>],
    hidden: Option<u32>,
    merged: &[[u32; 4]],
) -> Vec<u8> {
    let numbered: Vec<_> = (0..).zip(rows.iter().map(Vec::as_slice)).collect();
    xlsb_of_rows(&numbered, hidden, merged)
}

/// A binary workbook whose rows have these numbers.
pub(crate) fn xlsb_numbering(rows: &[Vec<Option<Cell>>], numbers: &[u32]) -> Vec<u8> {
    let rows = rows.iter().map(Vec::as_slice);
    let numbered: Vec<_> = numbers.iter().copied().zip(rows).collect();
    xlsb_of_rows(&numbered, None, &[])
}

fn xlsb_of_rows(
    rows: &[(u32, &[Option<Cell>])],
    hidden: Option<u32>,
    merged: &[[u32; 4]],
) -> Vec<u8> {
    let mut sheet = [record(129, &[]), record(148, &[0; 16]), record(145, &[])].concat();
    for &(number, row) in rows {
        let flags = if hidden == Some(number) { 0x10 } else { 0 };
        let head = [longs(&[number, 0]), vec![0, 0, 0, flags, 0], longs(&[0])].concat();
        sheet.extend(record(0, &head));
        for (column, cell) in (0..).zip(row) {
            let place = longs(&[column, 0]);
            match cell {
                None => {}
                Some(Cell::Text(text)) => sheet.extend(record(6, &[place, wide(text)].concat())),
                Some(Cell::FormulaError(code)) => {
                    let data = [place, vec![*code, 0, 0], longs(&[0, 0])].concat();
                    sheet.extend(record(11, &data));
                }
                Some(Cell::FormulaErrorOutside) => {
                    let data = [longs(&[u32::MAX, 0]), vec![0x2A, 0, 0], longs(&[0, 0])].concat();
                    sheet.extend(record(11, &data));
                }
                Some(Cell::RichText(text)) => {
                    sheet.extend(record(62, &[place, vec![0], wide(text)].concat()));
                }
                Some(Cell::ShortText(text)) => {
                    sheet.extend(record(17, &[longs(&[0]), wide(text)].concat()));
                }
                Some(Cell::FiveDigits(number)) => {
                    let place = longs(&[column, 1]);
                    sheet.extend(record(5, &[place, number.to_le_bytes().to_vec()].concat()));
                }
            }
        }
    }
    sheet.extend(record(146, &[]));
    for block in merged {
        sheet.extend(record(176, &longs(block)));
    }
    sheet.extend(record(130, &[]));
    let named = [longs(&[0, 1]), wide("rId1"), wide("Leads")].concat();
    let book = [
        record(131, &[]),
        record(143, &[]),
        record(156, &named),
        record(144, &[]),
        record(132, &[]),
    ];
    let style = |format: u16| record(47, &[0_u16, format].map(u16::to_le_bytes).concat());
    let styles = [
        record(
            44,
            &[164_u16.to_le_bytes().to_vec(), wide("00000")].concat(),
        ),
        // Styles of other things, which are none of cells.
        record(616, &[]),
        record(626, &longs(&[1])),
        style(0),
        record(627, &[]),
        record(617, &longs(&[2])),
        style(0),
        style(164),
        record(618, &[]),
    ];
    let relations = relations("worksheet", "worksheets/sheet1.bin");
    archive(&[
        TYPES,
        ("xl/workbook.bin", &book.concat()),
        ("xl/_rels/workbook.bin.rels", relations.as_bytes()),
        ("xl/styles.bin", &styles.concat()),
        ("xl/worksheets/sheet1.bin", &sheet),
    ])
}

fn longs(numbers: &[u32]) -> Vec<u8> {
    numbers
        .iter()
        .flat_map(|number| number.to_le_bytes())
        .collect()
}

fn wide(text: &str) -> Vec<u8> {
    let units: Vec<u16> = text.encode_utf16().collect();
    let length = longs(&[u32::try_from(units.len()).unwrap()]);
    let bytes = units.into_iter().flat_map(u16::to_le_bytes);
    length.into_iter().chain(bytes).collect()
}

/// A record: its kind and its length, seven bits a byte, and its data.
fn record(kind: u32, data: &[u8]) -> Vec<u8> {
    let length = u32::try_from(data.len()).unwrap();
    [seven_bits(kind), seven_bits(length), data.to_vec()].concat()
}

fn seven_bits(mut number: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let low = u8::try_from(number & 0x7F).unwrap();
        number >>= 7;
        if number == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}
