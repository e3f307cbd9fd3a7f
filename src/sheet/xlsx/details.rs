//! Scans the XML of an XLSX sheet: only tags are examined.

use std::fs::File;
use std::io::Read;
use std::sync::mpsc::SyncSender;

use crate::sheet::batch::{CellKind, SheetSummary};
use crate::sheet::cell_address::column_of;
use crate::sheet::cell_range::CellRange;
use crate::sheet::row_details::{RowDetail, ScanChunk};
use crate::sheet::xlsx::parts::{self, sheet_part};
use crate::sheet::xlsx::plain_rows::plain_rows;
use crate::sheet::xlsx::tags::{attribute, local_name};

/// XML read at a time.
const CHUNK_BYTES: usize = 64 << 10;
/// Maximum length of a tag.
const TAG_LIMIT: usize = 1 << 20;
/// The errors that the library knows.
const KNOWN_ERRORS: [&[u8]; 7] = [
    b"#DIV/0!", b"#N/A", b"#NAME?", b"#NULL!", b"#NUM!", b"#REF!", b"#VALUE!",
];

pub(in crate::sheet) fn scan(
    file: File,
    sheet: &str,
    chunks: &SyncSender<ScanChunk>,
) -> Option<()> {
    let mut archive = parts::open(file).ok()?;
    let part = sheet_part(&mut archive, sheet)?;
    let mut xml = archive.by_name(&part).ok()?;
    let mut scan = XlsxScanner::default();
    let mut buffer = Vec::new();
    loop {
        let kept = buffer.len();
        buffer.resize(kept + CHUNK_BYTES, 0);
        let read = xml.read(&mut buffer[kept..]).ok()?;
        buffer.truncate(kept + read);
        if read == 0 {
            return Some(());
        }
        let used = scan.chunk(&buffer);
        buffer.drain(..used);
        let chunk = ScanChunk {
            details: std::mem::take(&mut scan.details),
            complete_before: scan.row,
            summary: std::mem::take(&mut scan.summary),
            ..ScanChunk::default()
        };
        chunks.send(chunk).ok()?;
        if buffer.len() > TAG_LIMIT {
            return None;
        }
    }
}

/// Where the scan is in a sheet.
#[derive(Debug, Default)]
struct XlsxScanner {
    row: u32,
    column: usize,
    cell: Option<OpenCell>,
    details: Vec<RowDetail>,
    summary: SheetSummary,
}

#[derive(Debug)]
struct OpenCell {
    column: usize,
    kind: XlsxCellType,
    formula: bool,
    value: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XlsxCellType {
    Error,
    Text,
    Other,
}

impl XlsxScanner {
    /// Examines complete tags, except those of rows without details; returns how many bytes were processed.
    fn chunk(&mut self, xml: &[u8]) -> usize {
        let Some(plain) = plain_rows(xml) else {
            return self.tags(xml);
        };
        let used = self.tags(&xml[..plain.start]);
        if used < plain.start {
            return used;
        }
        plain.end + self.tags(&xml[plain.end..])
    }

    /// Examines complete tags; returns how many bytes were processed.
    fn tags(&mut self, xml: &[u8]) -> usize {
        let mut at = 0;
        while let Some(open) = memchr::memchr(b'<', &xml[at..]) {
            let open = at + open;
            let Some(length) = memchr::memchr(b'>', &xml[open..]) else {
                return open;
            };
            let (tag, after) = (&xml[open + 1..open + length], &xml[open + length + 1..]);
            // A value's text must be there before its tag is looked at.
            let is_value = self.cell.is_some() && local_name(tag) == b"v" && !tag.ends_with(b"/");
            if is_value && memchr::memchr(b'<', after).is_none() {
                return open;
            }
            self.tag(tag, after);
            at = open + length + 1;
        }
        xml.len()
    }

    fn tag(&mut self, tag: &[u8], after: &[u8]) {
        if let Some(closed) = tag.strip_prefix(b"/") {
            match local_name(closed) {
                b"c" => self.end_cell(),
                b"sheetData" => self.row = u32::MAX,
                _ => {}
            }
            return;
        }
        match local_name(tag) {
            b"row" => self.begin_row(tag),
            b"c" => self.begin_cell(tag),
            b"f" => {
                if let Some(cell) = &mut self.cell {
                    cell.formula = true;
                }
            }
            b"is" => {
                if let Some(cell) = &mut self.cell {
                    cell.value = true;
                }
            }
            b"v" => self.value(tag, after),
            b"mergeCell" => self.summary.merges.extend(merge(tag)),
            _ => {}
        }
    }

    fn begin_row(&mut self, tag: &[u8]) {
        self.row = attribute(tag, "r")
            .and_then(number)
            .unwrap_or(self.row.saturating_add(1));
        self.column = 0;
        if matches!(attribute(tag, "hidden"), Some(b"1" | b"true")) {
            self.details.push(RowDetail::Hidden { row: self.row });
        }
    }

    fn begin_cell(&mut self, tag: &[u8]) {
        let named = attribute(tag, "r").and_then(|address| {
            let letters = address
                .iter()
                .take_while(|byte| byte.is_ascii_alphabetic())
                .count();
            column_of(std::str::from_utf8(&address[..letters]).ok()?)
        });
        let column = named.unwrap_or(self.column);
        self.column = column + 1;
        let kind = attribute(tag, "t");
        self.cell = (!tag.ends_with(b"/")).then_some(OpenCell {
            column,
            kind: match kind {
                Some(b"e") => XlsxCellType::Error,
                Some(b"str") => XlsxCellType::Text,
                _ => XlsxCellType::Other,
            },
            formula: false,
            value: false,
        });
    }

    fn value(&mut self, tag: &[u8], after: &[u8]) {
        let Some(cell) = &mut self.cell else { return };
        let text = match memchr::memchr(b'<', after) {
            Some(end) if !tag.ends_with(b"/") => &after[..end],
            _ => &[],
        };
        // An empty text is the value of a formula that gives none.
        cell.value = !text.is_empty() || cell.kind == XlsxCellType::Text;
        if cell.kind == XlsxCellType::Error && !text.is_empty() && !KNOWN_ERRORS.contains(&text) {
            let detail = RowDetail::Cell {
                row: self.row,
                column: cell.column,
                kind: CellKind::Error,
                text: String::from_utf8_lossy(text).into_owned(),
            };
            self.details.push(detail);
        }
    }

    fn end_cell(&mut self) {
        let Some(cell) = self.cell.take() else { return };
        if cell.formula && cell.value {
            self.summary.formulas += 1;
        } else if cell.formula {
            self.details.push(RowDetail::Cell {
                row: self.row,
                column: cell.column,
                kind: CellKind::Uncalculated,
                text: String::new(),
            });
        }
    }
}

fn merge(tag: &[u8]) -> Option<CellRange> {
    CellRange::parse(std::str::from_utf8(attribute(tag, "ref")?).ok()?)
}

fn number(digits: &[u8]) -> Option<u32> {
    std::str::from_utf8(digits).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHEET: &str = r#"<worksheet><sheetData>
        <row r="1"><c r="A1" t="s"><v>0</v></c></row>
        <row r="2" hidden="1"><c r="A2"><f>B2+1</f><v>3</v></c><c r="C2"><f>B2</f></c><c r="D2"><f>B2</f><v></v></c></row>
        <row r="4"><c r="A4" t="str"><f>""</f><v></v></c><c t="e"><v>#SPILL!</v></c><c r="F4" t="e"><v>#N/A</v></c></row>
        </sheetData><mergeCells count="1"><mergeCell ref="A2:A4"/></mergeCells></worksheet>"#;

    fn cell(row: u32, column: usize, kind: CellKind, text: &str) -> RowDetail {
        RowDetail::Cell {
            row,
            column,
            kind,
            text: text.to_owned(),
        }
    }

    #[test]
    fn what_the_library_leaves_out_is_found() {
        let mut scan = XlsxScanner::default();
        scan.chunk(SHEET.as_bytes());
        assert_eq!(
            scan.details,
            [
                RowDetail::Hidden { row: 2 },
                cell(2, 2, CellKind::Uncalculated, ""),
                cell(2, 3, CellKind::Uncalculated, ""),
                cell(4, 1, CellKind::Error, "#SPILL!"),
            ]
        );
        assert_eq!(scan.row, u32::MAX);
        assert_eq!(scan.summary.merges, [CellRange::parse("A2:A4").unwrap()]);
        assert_eq!(scan.summary.formulas, 2);
    }

    #[test]
    fn chunks_may_break_anywhere() {
        let mut whole = XlsxScanner::default();
        whole.chunk(SHEET.as_bytes());
        for size in [1, 7, 64] {
            let mut scan = XlsxScanner::default();
            let mut kept = Vec::new();
            for chunk in SHEET.as_bytes().chunks(size) {
                kept.extend_from_slice(chunk);
                let used = scan.chunk(&kept);
                kept.drain(..used);
            }
            assert_eq!(
                (&scan.details, &scan.summary),
                (&whole.details, &whole.summary),
                "{size}"
            );
        }
    }

    #[test]
    fn rows_without_details_are_skipped_and_no_other() {
        let rows = (1..=60).map(|row| match row % 20 {
            5 => format!(r#"<row r="{row}"><c><v>1</v></c><c><f>A1</f></c></row>"#),
            11 => format!(r#"<row r="{row}"><c t="e"><v>#SPILL!</v></c></row>"#),
            17 => format!(r#"<row r="{row}" hidden="1"><c><v>1</v></c></row>"#),
            _ => format!(r#"<row r="{row}"><c><v>1</v></c><c t="s"><v>2</v></c></row>"#),
        });
        let sheet = rows.collect::<String>();
        let xml = sheet.as_bytes();
        let mut examined = XlsxScanner::default();
        examined.tags(xml);
        assert_eq!(examined.details.len(), 9);
        assert_eq!(plain_rows(xml), None);
        let plain = &xml[..sheet.find(r#"<row r="5""#).unwrap()];
        assert_eq!(plain_rows(plain), Some(0..plain.len() / 4 * 3));
        for size in [150, 300, 1000, xml.len()] {
            let mut scan = XlsxScanner::default();
            let mut kept = Vec::new();
            for chunk in xml.chunks(size) {
                kept.extend_from_slice(chunk);
                let used = scan.chunk(&kept);
                kept.drain(..used);
            }
            assert_eq!(scan.details, examined.details, "{size}");
            assert_eq!(scan.row, 60, "{size}");
        }
    }
}
