//! XLSB workbooks, Excel's binary format: calamine reads the values, and the records of the sheet are scanned for errors
//! of formulas, which calamine reads as empty cells, for leading zeros of a number format, and for cells that it skips.
//!
//! A record is its type and its length, seven bits a byte, followed by its data: [MS-XLSB] 2.1.4.

use std::fs::File;
use std::io::{BufReader, Read};
use std::sync::mpsc::SyncSender;

use calamine::{Reader as _, Xlsb, XlsbError};

use crate::model::RowNumber;
use crate::sheet::batch::CellKind;
use crate::sheet::cell_range::CellRange;
use crate::sheet::number::{NumberDisplay, unpacked};
use crate::sheet::number_formats::NumberFormats;
use crate::sheet::row_details::{RowDetail, ScanChunk};
use crate::sheet::workbook::WorkbookFormat;
use crate::sheet::workbook::{
    OpenWorkbook, RowAssembler, RowVisitor, SheetVisibility, WorkbookReader, damaged,
    sheets_of_cells,
};
use crate::sheet::xls::compound::{read_f64, read_u16, read_u32};
use crate::sheet::xlsx::parts::{self, PackageArchive, part_of_id};
use crate::sheet::{SheetError, limits};

const ROW: u16 = 0;
const PACKED_NUMBER: u16 = 2;
const ERROR: u16 = 3;
const NUMBER: u16 = 5;
const FORMULA_NUMBER: u16 = 9;
const FORMULA_ERROR: u16 = 11;
/// Cells that leave out their column, as each follows the one before: [MS-XLSB] 2.4.
const FIRST_SHORT_CELL: u16 = 12;
const LAST_SHORT_CELL: u16 = 18;
const FORMAT: u16 = 44;
const STYLE: u16 = 47;
const END_OF_ROWS: u16 = 146;
const RICH_TEXT: u16 = 62;
const SHEET: u16 = 156;
const MERGED: u16 = 176;
const CELL_STYLES: u16 = 617;
const END_OF_CELL_STYLES: u16 = 618;

/// Rows of the largest sheet.
const ROWS: u32 = 1 << 20;
/// Rows between two reports.
const REPORT_EVERY: u32 = 256;
/// Longer than any record that is looked at here.
const MAX_RECORD_BYTES: usize = 64 << 10;

/// How these workbooks are read.
pub(super) const WORKBOOK_FORMAT: WorkbookFormat = WorkbookFormat {
    name: "XLSB",
    extensions: &["xlsb"],
    part: Some("xl/workbook.bin"),
    check_limits: limits::refuse_bomb,
    open,
    scan: Some(scan),
};

fn open(file: File) -> Result<OpenWorkbook, SheetError> {
    match Xlsb::new(BufReader::new(file)) {
        Ok(book) => Ok(Box::new(book)),
        Err(XlsbError::Password) => Err(SheetError::Password),
        Err(error) => Err(damaged(error)),
    }
}

impl WorkbookReader for Xlsb<BufReader<File>> {
    fn sheets(&self) -> Vec<(String, SheetVisibility)> {
        sheets_of_cells(self.sheets_metadata())
    }

    fn rows(&mut self, sheet: &str, each: RowVisitor<'_>) -> Result<(), SheetError> {
        let mut rows = RowAssembler::new(each);
        let mut reader = self.worksheet_cells_reader(sheet).map_err(damaged)?;
        loop {
            match reader.next_cell() {
                Ok(None) => {
                    // No later cell ends the last row.
                    let _ = rows.end_row();
                    return Ok(());
                }
                Ok(Some(cell)) => {
                    let general = &NumberDisplay::General;
                    let added = rows.cell(cell.get_position(), cell.get_value(), general)?;
                    if added.is_break() {
                        return Ok(());
                    }
                }
                // An error that calamine does not know; the row's details hold the cell.
                Err(XlsbError::CellError(_)) => {}
                Err(error) => return Err(damaged(error)),
            }
        }
    }
}

fn scan(file: File, sheet: &str, chunks: &SyncSender<ScanChunk>) -> Option<()> {
    let mut archive = parts::open(file).ok()?;
    let part = sheet_part(&mut archive, sheet)?;
    let formats = formats(&mut archive).unwrap_or_default();
    let mut records = Records::new(BufReader::new(archive.by_name(&part).ok()?));
    let mut chunk = ScanChunk::default();
    let mut row = 0;
    while let Some((kind, data)) = records.next() {
        match kind {
            ROW => {
                row = read_u32(data, 0)?.saturating_add(1);
                if row > ROWS {
                    chunk.fault = Some(SheetError::TooManyRows { limit: ROWS });
                    break;
                }
                if row >= chunk.complete_before.saturating_add(REPORT_EVERY) {
                    chunks.send(std::mem::take(&mut chunk)).ok()?;
                    chunk.complete_before = row;
                }
                // The fifth bit of the flags' second byte: the row has no height.
                if data.get(11).is_some_and(|flags| flags & 0x10 != 0) {
                    chunk.details.push(RowDetail::Hidden { row });
                }
            }
            ERROR | FORMULA_ERROR => chunk.details.push(RowDetail::Cell {
                row,
                column: read_u32(data, 0)? as usize,
                kind: CellKind::Error,
                text: error_name(*data.get(8)?),
            }),
            PACKED_NUMBER | NUMBER | FORMULA_NUMBER => {
                let number = if kind == PACKED_NUMBER {
                    unpacked(read_u32(data, 8)?)
                } else {
                    read_f64(data, 8)?
                };
                // A byte of flags follows the three of the style.
                let style = read_u32(data, 4)? & 0x00FF_FFFF;
                let at = (row, read_u32(data, 0)? as usize);
                chunk
                    .details
                    .extend(formats.shown(at, style as usize, number));
            }
            RICH_TEXT | FIRST_SHORT_CELL..=LAST_SHORT_CELL => {
                chunk.fault = Some(SheetError::Damaged(format!(
                    "row {row} has a cell of a kind that cannot be read from XLSB"
                )));
                break;
            }
            END_OF_ROWS => chunk.complete_before = u32::MAX,
            MERGED => chunk.summary.merges.extend(merge(data)),
            _ => {}
        }
    }
    chunks.send(chunk).ok()
}

/// The number formats of the workbook. Cell styles are stored among other styles.
fn formats(archive: &mut PackageArchive) -> Option<NumberFormats> {
    let styles = archive.by_name("xl/styles.bin").ok()?;
    let mut records = Records::new(BufReader::new(styles));
    let mut formats = NumberFormats::default();
    let mut of_cells = false;
    while let Some((kind, data)) = records.next() {
        match kind {
            FORMAT => formats.format(read_u16(data, 0)?, &wide_text(data.get(2..)?)?.0),
            STYLE if of_cells => formats.style(read_u16(data, 2)?),
            CELL_STYLES => of_cells = true,
            END_OF_CELL_STYLES => break,
            _ => {}
        }
    }
    Some(formats)
}

/// The code of an error as Excel writes it: [MS-XLSB] 2.5.97.2.
fn error_name(code: u8) -> String {
    let name = match code {
        0x00 => "#NULL!",
        0x07 => "#DIV/0!",
        0x0F => "#VALUE!",
        0x17 => "#REF!",
        0x1D => "#NAME?",
        0x24 => "#NUM!",
        0x2A => "#N/A",
        0x2B => "#GETTING_DATA",
        other => return format!("#ERROR {other}"),
    };
    name.to_owned()
}

fn merge(data: &[u8]) -> Option<CellRange> {
    let number = |at| read_u32(data, at);
    Some(CellRange {
        top: RowNumber(number(0)?.checked_add(1)?),
        bottom: RowNumber(number(4)?.checked_add(1)?),
        left: number(8)? as usize,
        right: number(12)? as usize,
    })
}

fn sheet_part(archive: &mut PackageArchive, sheet: &str) -> Option<String> {
    let id = {
        let book = archive.by_name("xl/workbook.bin").ok()?;
        relation_of(sheet, &mut Records::new(BufReader::new(book)))?
    };
    part_of_id(archive, "xl/workbook.bin", &id)
}

/// The relation by which the workbook names a sheet's part.
fn relation_of<R: Read>(sheet: &str, records: &mut Records<R>) -> Option<String> {
    while let Some((kind, data)) = records.next() {
        if kind != SHEET {
            continue;
        }
        let (relation, rest) = wide_text(data.get(8..)?)?;
        let (name, _) = wide_text(rest)?;
        if name == sheet {
            return Some(relation);
        }
    }
    None
}

/// A text of two bytes a character, with their count in front; and what follows it.
fn wide_text(data: &[u8]) -> Option<(String, &[u8])> {
    let length = read_u32(data, 0)? as usize;
    let (text, rest) = data.get(4..)?.split_at_checked(length.checked_mul(2)?)?;
    let units: Vec<u16> = text
        .chunks_exact(2)
        .filter_map(|unit| read_u16(unit, 0))
        .collect();
    Some((String::from_utf16_lossy(&units), rest))
}

/// The records of a part, one after the other.
struct Records<R> {
    source: R,
    data: Vec<u8>,
}

impl<R: Read> Records<R> {
    fn new(source: R) -> Self {
        Self {
            source,
            data: Vec::new(),
        }
    }

    /// The next record's kind and the beginning of its data; `None` at the end, or where it is broken.
    fn next(&mut self) -> Option<(u16, &[u8])> {
        let kind = u16::try_from(self.number(2)?).ok()?;
        let length = self.number(4)?;
        self.data.clear();
        let mut data = self.source.by_ref().take(u64::from(length));
        data.by_ref()
            .take(MAX_RECORD_BYTES as u64)
            .read_to_end(&mut self.data)
            .ok()?;
        std::io::copy(&mut data, &mut std::io::sink()).ok()?;
        Some((kind, &self.data))
    }

    /// A number of seven bits a byte, the lowest first.
    fn number(&mut self, most_bytes: u32) -> Option<u32> {
        let mut number = 0;
        for index in 0..most_bytes {
            let mut byte = [0];
            self.source.read_exact(&mut byte).ok()?;
            number |= u32::from(byte[0] & 0x7F) << (7 * index);
            if byte[0] & 0x80 == 0 {
                break;
            }
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_read_whatever_their_length() {
        let long = [vec![0xB0, 0x01, 0x80, 0x01], vec![7; 128]].concat();
        let bytes = [vec![0x00, 0x02, 1, 2], long, vec![0x0B, 0x00]].concat();
        let mut records = Records::new(bytes.as_slice());
        assert_eq!(records.next(), Some((ROW, &[1, 2][..])));
        assert_eq!(records.next(), Some((MERGED, &[7; 128][..])));
        assert_eq!(records.next(), Some((FORMULA_ERROR, &[][..])));
        assert_eq!(records.next(), None);
    }

    #[test]
    fn a_merged_block_is_four_numbers() {
        let data: Vec<u8> = [1_u32, 2, 6, 6]
            .into_iter()
            .flat_map(u32::to_le_bytes)
            .collect();
        assert_eq!(merge(&data).unwrap().address(), "G2:G3");
        assert_eq!(merge(&data[..15]), None);
    }
}
