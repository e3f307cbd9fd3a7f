//! Scans the records of an XLS sheet: [MS-XLS] 2.4. A record is its type, its length, and its data.

use std::fs::File;
use std::sync::mpsc::SyncSender;

use crate::model::RowNumber;
use crate::sheet::cell_range::CellRange;
use crate::sheet::number::unpacked;
use crate::sheet::number_formats::NumberFormats;
use crate::sheet::row_details::{RowDetail, ScanChunk};
use crate::sheet::xls::compound::{self, read_f64, read_u16, read_u32, records};

const FORMULA: u16 = 0x0006;
const END: u16 = 0x000A;
const SHEET: u16 = 0x0085;
const PACKED_NUMBERS: u16 = 0x00BD;
const STYLE: u16 = 0x00E0;
const MERGED: u16 = 0x00E5;
const NUMBER: u16 = 0x0203;
const ROW: u16 = 0x0208;
const PACKED_NUMBER: u16 = 0x027E;
const FORMAT: u16 = 0x041E;
const BEGIN: u16 = 0x0809;

/// What a row of no height has among its flags.
const HIDDEN: u16 = 0x20;

pub(in crate::sheet) fn scan(
    mut file: File,
    sheet: &str,
    chunks: &SyncSender<ScanChunk>,
) -> Option<()> {
    let stream = compound::cells(&mut file).ok()?;
    let (formats, start) = globals(&stream, sheet)?;
    let mut chunk = ScanChunk {
        complete_before: u32::MAX,
        ..ScanChunk::default()
    };
    let mut depth = 0_u32;
    for (kind, data) in records(stream.get(start..)?) {
        match kind {
            BEGIN => depth += 1,
            END if depth <= 1 => break,
            END => depth -= 1,
            // A chart within the sheet has its own records.
            _ if depth > 1 => {}
            _ => {
                chunk.summary.formulas += u64::from(kind == FORMULA);
                details(kind, data, &formats, &mut chunk);
            }
        }
    }
    // Row records come in blocks, each before its cells.
    chunk.details.sort_by_key(RowDetail::row);
    chunks.send(chunk).ok()
}

/// The formats of the workbook, and where a sheet begins in the stream.
fn globals(stream: &[u8], sheet: &str) -> Option<(NumberFormats, usize)> {
    let mut formats = NumberFormats::default();
    let mut start = None;
    for (kind, data) in records(stream) {
        match kind {
            SHEET if start.is_none() => {
                let is_asked = short_text(data.get(6..)?).is_some_and(|name| name == sheet);
                start = read_u32(data, 0).filter(|_| is_asked);
            }
            FORMAT => {
                if let (Some(number), Some(code)) = (read_u16(data, 0), long_text(data.get(2..)?)) {
                    formats.format(number, &code);
                }
            }
            STYLE => formats.style(read_u16(data, 2)?),
            END => break,
            _ => {}
        }
    }
    Some((formats, start? as usize))
}

fn details(kind: u16, data: &[u8], formats: &NumberFormats, chunk: &mut ScanChunk) {
    let at = |column: u16| Some((u32::from(read_u16(data, 0)?) + 1, usize::from(column)));
    let number = |number: Option<f64>| {
        let (place, style) = (at(read_u16(data, 2)?)?, usize::from(read_u16(data, 4)?));
        formats.shown(place, style, number?)
    };
    match kind {
        ROW => {
            let hidden = read_u16(data, 12).is_some_and(|flags| flags & HIDDEN != 0);
            let row = at(0).filter(|_| hidden);
            chunk
                .details
                .extend(row.map(|(row, _)| RowDetail::Hidden { row }));
        }
        NUMBER => chunk.details.extend(number(read_f64(data, 6))),
        // Results that are not numbers end in two bytes of ones.
        FORMULA if read_u16(data, 12) != Some(u16::MAX) => {
            chunk.details.extend(number(read_f64(data, 6)));
        }
        PACKED_NUMBER => chunk
            .details
            .extend(number(read_u32(data, 6).map(unpacked))),
        PACKED_NUMBERS => {
            let cells = data.get(4..).unwrap_or_default().chunks_exact(6);
            let columns = read_u16(data, 2).unwrap_or_default()..;
            chunk
                .details
                .extend(columns.zip(cells).filter_map(|(column, cell)| {
                    let style = usize::from(read_u16(cell, 0)?);
                    formats.shown(at(column)?, style, unpacked(read_u32(cell, 2)?))
                }));
        }
        MERGED => {
            let blocks = data.get(2..).unwrap_or_default().chunks_exact(8);
            chunk.summary.merges.extend(blocks.filter_map(merge));
        }
        _ => {}
    }
}

fn merge(block: &[u8]) -> Option<CellRange> {
    Some(CellRange {
        top: RowNumber(u32::from(read_u16(block, 0)?) + 1),
        bottom: RowNumber(u32::from(read_u16(block, 2)?) + 1),
        left: usize::from(read_u16(block, 4)?),
        right: usize::from(read_u16(block, 6)?),
    })
}

/// A text whose length takes one byte.
fn short_text(data: &[u8]) -> Option<String> {
    let (&length, rest) = data.split_first()?;
    text(usize::from(length), rest)
}

/// A text whose length takes two bytes.
fn long_text(data: &[u8]) -> Option<String> {
    text(usize::from(read_u16(data, 0)?), data.get(2..)?)
}

/// A text of one byte a character or, as its first byte says, of two. Workbooks from before 1997 have no such byte:
/// their sheets are found where the first letter of the name is not such a number, and have no details.
fn text(length: usize, data: &[u8]) -> Option<String> {
    let (&flags, characters) = data.split_first()?;
    if flags & 1 == 0 {
        let characters = characters.get(..length)?;
        return Some(characters.iter().map(|byte| char::from(*byte)).collect());
    }
    let characters = characters.get(..length.checked_mul(2)?)?.chunks_exact(2);
    let units: Vec<u16> = characters.filter_map(|unit| read_u16(unit, 0)).collect();
    Some(String::from_utf16_lossy(&units))
}
