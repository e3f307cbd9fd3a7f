//! Old workbooks: the stream of cells within a compound file, read just far enough to know what it claims.
//!
//! The library makes a rectangle of every sheet, as large as its two farthest cells ask for, believes the size that the
//! sheet gives of itself, and follows a chain of sectors for as long as it goes. So all three are looked at here first.

use std::collections::HashMap;
use std::io::{Read, Seek, SeekFrom};

use crate::table::Fault;

/// Larger than any workbook of the old form.
const FILE_LIMIT: u64 = 100 << 20;
/// Cells of the largest sheet that the old form allows.
const CLAIM_LIMIT: u64 = 65_536 * 256;
/// Cells of all rectangles together that are held in memory.
const CELL_LIMIT: u64 = 4 << 20;

/// Refuses an old workbook whose sheets ask for more than they hold.
pub(super) fn look(file: &mut (impl Read + Seek)) -> Result<(), Fault> {
    let length = file.seek(SeekFrom::End(0)).map_err(Fault::Read)?;
    if length > FILE_LIMIT {
        return Err(Fault::Bomb {
            limit_mib: FILE_LIMIT >> 20,
        });
    }
    file.seek(SeekFrom::Start(0)).map_err(Fault::Read)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(Fault::Read)?;
    let compound = Compound::of(&bytes).ok_or_else(broken)?;
    compound.refuse_endless()?;
    if compound.entry("EncryptedPackage").is_some() {
        return Err(Fault::Password);
    }
    let entry = compound
        .entry("Workbook")
        .or_else(|| compound.entry("Book"));
    let Some(entry) = entry else {
        return Err(Fault::NotATable(
            "a compound document without a workbook in it",
        ));
    };
    refuse_claims(&compound.stream(&entry))
}

fn broken() -> Fault {
    Fault::Damaged("its list of parts is broken".to_owned())
}

/// A compound file, laid out in sectors.
struct Compound<'a> {
    bytes: &'a [u8],
    sector: usize,
    table: Vec<u32>,
    directory: Vec<u8>,
}

/// A stream of a compound file.
struct Entry {
    start: u32,
    length: usize,
}

/// Streams shorter than this stand in the stream of small sectors.
const SMALL: usize = 4096;
const SMALL_SECTOR: usize = 64;

impl<'a> Compound<'a> {
    fn of(bytes: &'a [u8]) -> Option<Self> {
        let sector = 1_usize
            .checked_shl(u32::from(word(bytes, 30)?))
            .filter(|size| (128..=4096).contains(size))?;
        let mut compound = Self {
            bytes,
            sector,
            table: Vec::new(),
            directory: Vec::new(),
        };
        for number in compound.table_sectors()? {
            let sector = compound.sector(number)?;
            compound
                .table
                .extend(sector.chunks_exact(4).filter_map(|entry| long(entry, 0)));
        }
        compound.directory = compound.chain(long(bytes, 48)?);
        Some(compound)
    }

    /// The sectors of the allocation table: the first 109 in the header, the others in a chain of their own.
    fn table_sectors(&self) -> Option<Vec<u32>> {
        let limit = self.bytes.len() / self.sector + 1;
        let mut sectors: Vec<u32> = (0..109)
            .filter_map(|index| long(self.bytes, 76 + index * 4))
            .collect();
        let mut next = long(self.bytes, 68)?;
        for _ in 0..limit {
            let Some(sector) = self.sector(next) else {
                break;
            };
            let (numbers, link) = sector.split_at(self.sector - 4);
            sectors.extend(numbers.chunks_exact(4).filter_map(|entry| long(entry, 0)));
            next = long(link, 0)?;
        }
        sectors.retain(|number| (*number as usize) < limit);
        sectors.truncate(limit);
        Some(sectors)
    }

    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector)?;
        self.bytes.get(start..start.checked_add(self.sector)?)
    }

    /// The sectors of a chain, one after the other; a chain that bites its tail ends when it is longer than the file.
    fn chain(&self, mut next: u32) -> Vec<u8> {
        let mut chained = Vec::new();
        while chained.len() <= self.bytes.len() {
            let Some(sector) = self.sector(next) else {
                break;
            };
            chained.extend_from_slice(sector);
            let Some(link) = self.table.get(next as usize) else {
                break;
            };
            next = *link;
        }
        chained
    }

    /// Refuses chains that bite their tail, which the library would follow until the memory is gone, and streams that
    /// claim to be longer than the file.
    fn refuse_endless(&self) -> Result<(), Fault> {
        let is_endless = |chain: &[u8]| chain.len() > self.bytes.len();
        let small_links = self.chain(long(self.bytes, 60).ok_or_else(broken)?);
        if is_endless(&self.directory) || is_endless(&small_links) {
            return Err(broken());
        }
        let mut entries = self.directory.chunks_exact(128);
        let claims_too_much = entries.any(|entry| {
            let length = long(entry, 120).unwrap_or_default();
            word(entry, 64) != Some(0) && length as usize > self.bytes.len()
        });
        if claims_too_much {
            return Err(broken());
        }
        Ok(())
    }

    fn entry(&self, name: &str) -> Option<Entry> {
        // Names are compared whatever their case: some programs write `WORKBOOK`.
        let encoded: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = self.directory.chunks_exact(128).find(|entry| {
            entry[..encoded.len()].eq_ignore_ascii_case(&encoded)
                && word(entry, 64).is_some_and(|length| usize::from(length) == encoded.len() + 2)
        })?;
        Some(Entry {
            start: long(found, 116)?,
            length: long(found, 120)? as usize,
        })
    }

    fn stream(&self, entry: &Entry) -> Vec<u8> {
        let mut stream = if entry.length < SMALL {
            self.small_chain(entry.start).unwrap_or_default()
        } else {
            self.chain(entry.start)
        };
        stream.truncate(entry.length);
        stream
    }

    fn small_chain(&self, mut next: u32) -> Option<Vec<u8>> {
        let links = self.chain(long(self.bytes, 60)?);
        let sectors = self.chain(long(self.directory.get(..128)?, 116)?);
        let mut chained = Vec::new();
        while chained.len() < SMALL {
            let start = (next as usize).checked_mul(SMALL_SECTOR)?;
            let Some(sector) = sectors.get(start..start + SMALL_SECTOR) else {
                break;
            };
            chained.extend_from_slice(sector);
            next = long(&links, next as usize * 4)?;
        }
        Some(chained)
    }
}

/// The rectangle of one sheet.
#[derive(Default)]
struct Rectangle {
    claimed: u64,
    rows: Option<(u16, u16)>,
    columns: (u16, u16),
}

impl Rectangle {
    fn hold(&mut self, row: u16, first: u16, last: u16) {
        let (top, bottom) = self.rows.unwrap_or((row, row));
        let (left, right) = if self.rows.is_some() {
            self.columns
        } else {
            (first, last)
        };
        self.rows = Some((top.min(row), bottom.max(row)));
        self.columns = (left.min(first), right.max(last));
    }

    fn cells(&self) -> u64 {
        let span = |(from, to): (u16, u16)| u64::from(to.saturating_sub(from)) + 1;
        self.rows.map_or(0, |rows| span(rows) * span(self.columns))
    }
}

/// What begins a sheet, what says its size, and what holds a cell: [MS-XLS] 2.4.
const BEGIN: [u16; 4] = [0x0809, 0x0409, 0x0209, 0x0009];
const DIMENSIONS: [u16; 2] = [0x0200, 0x0000];
const ONE_CELL: [u16; 13] = [
    0x0203, 0x0204, 0x00D6, 0x0205, 0x0006, 0x0206, 0x0406, 0x027E, 0x00FD, 0x0002, 0x0003, 0x0004,
    0x0005,
];
const MANY_CELLS: u16 = 0x00BD;
/// What follows is encrypted.
const PASSWORD: u16 = 0x002F;

fn refuse_claims(stream: &[u8]) -> Result<(), Fault> {
    let mut sheets: HashMap<usize, Rectangle> = HashMap::new();
    let (mut sheet, mut rest) = (0, stream);
    while let (Some(kind), Some(length)) = (word(rest, 0), word(rest, 2)) {
        let Some(data) = rest.get(4..4 + usize::from(length)) else {
            break;
        };
        if kind == PASSWORD {
            return Err(Fault::Password);
        }
        if BEGIN.contains(&kind) {
            sheet += 1;
        }
        let rectangle = sheets.entry(sheet).or_default();
        if DIMENSIONS.contains(&kind) {
            rectangle.claimed = rectangle.claimed.max(claimed(data));
        } else if let (true, Some(row), Some(column)) =
            (ONE_CELL.contains(&kind), word(data, 0), word(data, 2))
        {
            rectangle.hold(row, column, column);
        } else if let (MANY_CELLS, Some(row), Some(first)) = (kind, word(data, 0), word(data, 2)) {
            let last = word(data, data.len().saturating_sub(2)).unwrap_or(first);
            rectangle.hold(row, first, last.max(first));
        }
        rest = &rest[4 + usize::from(length)..];
    }
    let held: u64 = sheets.values().map(Rectangle::cells).sum();
    if held > CELL_LIMIT || sheets.values().any(|sheet| sheet.claimed > CLAIM_LIMIT) {
        return Err(Fault::TooManyCells { limit: CELL_LIMIT });
    }
    Ok(())
}

/// The cells that a sheet says it has.
fn claimed(data: &[u8]) -> u64 {
    let bounds = match data.len() {
        14 | 16 => (long(data, 0), long(data, 4), word(data, 8), word(data, 10)),
        10 => (
            word(data, 0).map(u32::from),
            word(data, 2).map(u32::from),
            word(data, 4),
            word(data, 6),
        ),
        _ => return 0,
    };
    let (Some(top), Some(bottom), Some(left), Some(right)) = bounds else {
        return 0;
    };
    let left = if left > 0xFF || right < left { 0 } else { left };
    u64::from(bottom.saturating_sub(top)) * u64::from(right.saturating_sub(left))
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(kind: u16, words: &[u16]) -> Vec<u8> {
        let length = u16::try_from(words.len() * 2).unwrap();
        let all = [kind, length].into_iter().chain(words.iter().copied());
        all.flat_map(u16::to_le_bytes).collect()
    }

    #[test]
    fn two_cells_far_apart_are_refused() {
        let near = [
            record(0x0809, &[0]),
            record(0x0203, &[0, 0]),
            record(0x0203, &[9, 9]),
        ]
        .concat();
        assert!(refuse_claims(&near).is_ok());
        let far = [
            record(0x0809, &[0]),
            record(0x0203, &[0, 0]),
            record(0x0203, &[65_535, 255]),
        ]
        .concat();
        assert!(matches!(
            refuse_claims(&far),
            Err(Fault::TooManyCells { .. })
        ));
    }

    #[test]
    fn a_password_is_told() {
        let locked = [
            record(0x0809, &[0]),
            record(0x002F, &[1]),
            record(0x0203, &[65_535, 255]),
        ]
        .concat();
        assert!(matches!(refuse_claims(&locked), Err(Fault::Password)));
    }

    #[test]
    fn a_size_that_no_old_sheet_has_is_refused() {
        let claim = |bottom: u32| {
            let low = u16::try_from(bottom & 0xFFFF).unwrap();
            let high = u16::try_from(bottom >> 16).unwrap();
            [
                record(0x0809, &[0]),
                record(0x0200, &[0, 0, low, high, 0, 256, 0]),
            ]
            .concat()
        };
        assert!(refuse_claims(&claim(65_536)).is_ok());
        assert!(refuse_claims(&claim(1 << 24)).is_err());
    }

    /// A compound file of one table sector and one directory sector, whose chain goes on at `next`, with one stream.
    fn file(next: u32, length: u32) -> Vec<u8> {
        let mut bytes = vec![0; 512 * 3];
        bytes[30] = 9;
        bytes[48] = 1;
        bytes[60..64].fill(0xFF);
        bytes[68..72].fill(0xFF);
        bytes[76..512].fill(0xFF);
        bytes[76..80].fill(0);
        bytes[512..1024].fill(0xFF);
        bytes[516..520].copy_from_slice(&next.to_le_bytes());
        bytes[1024 + 64] = 10;
        bytes[1024 + 120..1024 + 124].copy_from_slice(&length.to_le_bytes());
        bytes
    }

    #[test]
    fn a_chain_that_bites_its_tail_is_refused() {
        let end = 0xFFFF_FFFE;
        let refused = |bytes: &[u8]| Compound::of(bytes).unwrap().refuse_endless().is_err();
        assert!(!refused(&file(end, 100)));
        assert!(refused(&file(1, 100)));
        assert!(refused(&file(end, u32::MAX)));
    }

    #[test]
    fn names_of_parts_are_compared_whatever_their_case() {
        let mut bytes = file(0xFFFF_FFFE, 100);
        bytes[1024..1034].copy_from_slice(b"B\0O\0O\0K\0\0\0");
        let compound = Compound::of(&bytes).unwrap();
        assert!(compound.entry("Book").is_some());
        assert!(compound.entry("Boot").is_none());
    }

    #[test]
    fn a_file_of_noise_is_no_compound_file() {
        for length in [0, 8, 76, 600] {
            let noise: Vec<u8> = (0..length)
                .map(|index| u8::try_from(index * 37 % 251).unwrap())
                .collect();
            if let Some(compound) = Compound::of(&noise) {
                assert!(compound.entry("Workbook").is_none());
            }
        }
    }
}
