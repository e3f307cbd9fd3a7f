//! Compound files, the container of XLS workbooks: sectors chained to streams; only the stream of cells is read.
//!
//! calamine follows a chain of sectors to its end, so cyclic chains are refused here.

use std::io::{Read, Seek, SeekFrom};

use crate::sheet::SheetError;

/// Larger than any XLS workbook.
const FILE_LIMIT: u64 = 100 << 20;

/// The stream of cells, from the whole of a file.
///
/// # Errors
/// What makes the file no workbook: a broken container, a password, another kind of document.
pub(in crate::sheet) fn cells(file: &mut (impl Read + Seek)) -> Result<Vec<u8>, SheetError> {
    let length = file.seek(SeekFrom::End(0)).map_err(SheetError::Read)?;
    if length > FILE_LIMIT {
        return Err(SheetError::Bomb {
            limit_mib: FILE_LIMIT >> 20,
        });
    }
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(SheetError::Read)?;
    let compound = Compound::parse(&bytes).ok_or_else(broken)?;
    compound.refuse_endless()?;
    if compound.entry("EncryptedPackage").is_some() {
        return Err(SheetError::Password);
    }
    let entry = compound
        .entry("Workbook")
        .or_else(|| compound.entry("Book"));
    let Some(entry) = entry else {
        return Err(SheetError::NotATable(
            "a compound document without a workbook in it",
        ));
    };
    Ok(compound.stream(&entry))
}

fn broken() -> SheetError {
    SheetError::Damaged("its list of parts is broken".to_owned())
}

/// A compound file, laid out in sectors.
struct Compound<'a> {
    bytes: &'a [u8],
    sector: usize,
    table: Vec<u32>,
    directory: Vec<u8>,
}

/// A stream of a compound file.
struct DirectoryEntry {
    start: u32,
    length: usize,
}

/// Shorter streams are stored in the stream of small sectors.
const SMALL: usize = 4096;
const SMALL_SECTOR: usize = 64;

impl<'a> Compound<'a> {
    fn parse(bytes: &'a [u8]) -> Option<Self> {
        let sector = 1_usize
            .checked_shl(u32::from(read_u16(bytes, 30)?))
            .filter(|size| (128..=4096).contains(size))?;
        let mut compound = Self {
            bytes,
            sector,
            table: Vec::new(),
            directory: Vec::new(),
        };
        for number in compound.table_sectors()? {
            let sector = compound.sector(number)?;
            compound.table.extend(
                sector
                    .chunks_exact(4)
                    .filter_map(|entry| read_u32(entry, 0)),
            );
        }
        compound.directory = compound.chain(read_u32(bytes, 48)?);
        Some(compound)
    }

    /// The sectors of the allocation table: the first 109 in the header, the others in a chain of their own.
    fn table_sectors(&self) -> Option<Vec<u32>> {
        let limit = self.bytes.len() / self.sector + 1;
        let mut sectors: Vec<u32> = (0..109)
            .filter_map(|index| read_u32(self.bytes, 76 + index * 4))
            .collect();
        let mut next = read_u32(self.bytes, 68)?;
        for _ in 0..limit {
            let Some(sector) = self.sector(next) else {
                break;
            };
            let (numbers, link) = sector.split_at(self.sector - 4);
            sectors.extend(
                numbers
                    .chunks_exact(4)
                    .filter_map(|entry| read_u32(entry, 0)),
            );
            next = read_u32(link, 0)?;
        }
        sectors.retain(|number| (*number as usize) < limit);
        sectors.truncate(limit);
        Some(sectors)
    }

    fn sector(&self, number: u32) -> Option<&'a [u8]> {
        let start = (number as usize).checked_add(1)?.checked_mul(self.sector)?;
        self.bytes.get(start..start.checked_add(self.sector)?)
    }

    /// The sectors of a chain, one after the other; a cyclic chain ends when it is longer than the file.
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

    /// Refuses cyclic chains, which the library would follow until the memory is gone, and streams that
    /// claim to be longer than the file.
    fn refuse_endless(&self) -> Result<(), SheetError> {
        let is_endless = |chain: &[u8]| chain.len() > self.bytes.len();
        let small_links = self.chain(read_u32(self.bytes, 60).ok_or_else(broken)?);
        if is_endless(&self.directory) || is_endless(&small_links) {
            return Err(broken());
        }
        let mut entries = self.directory.chunks_exact(128);
        let claims_too_much = entries.any(|entry| {
            let length = read_u32(entry, 120).unwrap_or_default();
            read_u16(entry, 64) != Some(0) && length as usize > self.bytes.len()
        });
        if claims_too_much {
            return Err(broken());
        }
        Ok(())
    }

    fn entry(&self, name: &str) -> Option<DirectoryEntry> {
        // Names are compared without regard to case: some programs write `WORKBOOK`.
        let encoded: Vec<u8> = name.encode_utf16().flat_map(u16::to_le_bytes).collect();
        let found = self.directory.chunks_exact(128).find(|entry| {
            entry[..encoded.len()].eq_ignore_ascii_case(&encoded)
                && read_u16(entry, 64)
                    .is_some_and(|length| usize::from(length) == encoded.len() + 2)
        })?;
        Some(DirectoryEntry {
            start: read_u32(found, 116)?,
            length: read_u32(found, 120)? as usize,
        })
    }

    fn stream(&self, entry: &DirectoryEntry) -> Vec<u8> {
        let mut stream = if entry.length < SMALL {
            self.small_chain(entry.start).unwrap_or_default()
        } else {
            self.chain(entry.start)
        };
        stream.truncate(entry.length);
        stream
    }

    fn small_chain(&self, mut next: u32) -> Option<Vec<u8>> {
        let links = self.chain(read_u32(self.bytes, 60)?);
        let sectors = self.chain(read_u32(self.directory.get(..128)?, 116)?);
        let mut chained = Vec::new();
        while chained.len() < SMALL {
            let start = (next as usize).checked_mul(SMALL_SECTOR)?;
            let Some(sector) = sectors.get(start..start + SMALL_SECTOR) else {
                break;
            };
            chained.extend_from_slice(sector);
            next = read_u32(&links, next as usize * 4)?;
        }
        Some(chained)
    }
}

/// Two bytes, the lower first.
pub(in crate::sheet) fn read_u16(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(bytes.get(at..at + 2)?.try_into().ok()?))
}

/// Four bytes, the lowest first.
pub(in crate::sheet) fn read_u32(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A float at an offset.
pub(in crate::sheet) fn read_f64(data: &[u8], at: usize) -> Option<f64> {
    let bytes = data.get(at..at + 8)?;
    Some(f64::from_le_bytes(bytes.try_into().ok()?))
}

/// The records of a stream of cells, kind and data.
pub(in crate::sheet) fn records(mut stream: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    std::iter::from_fn(move || {
        let (kind, length) = (read_u16(stream, 0)?, usize::from(read_u16(stream, 2)?));
        let data = stream.get(4..4 + length)?;
        stream = &stream[4 + length..];
        Some((kind, data))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A compound file of one table sector and one directory sector, whose chain continues at `next`, with one stream.
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
    fn a_cyclic_chain_is_refused() {
        let end = 0xFFFF_FFFE;
        let refused = |bytes: &[u8]| Compound::parse(bytes).unwrap().refuse_endless().is_err();
        assert!(!refused(&file(end, 100)));
        assert!(refused(&file(1, 100)));
        assert!(refused(&file(end, u32::MAX)));
    }

    #[test]
    fn names_of_parts_are_compared_whatever_their_case() {
        let mut bytes = file(0xFFFF_FFFE, 100);
        bytes[1024..1034].copy_from_slice(b"B\0O\0O\0K\0\0\0");
        let compound = Compound::parse(&bytes).unwrap();
        assert!(compound.entry("Book").is_some());
        assert!(compound.entry("Boot").is_none());
    }

    #[test]
    fn a_file_of_noise_is_no_compound_file() {
        for length in [0, 8, 76, 600] {
            let noise: Vec<u8> = (0..length)
                .map(|index| u8::try_from(index * 37 % 251).unwrap())
                .collect();
            if let Some(compound) = Compound::parse(&noise) {
                assert!(compound.entry("Workbook").is_none());
            }
        }
    }
}
