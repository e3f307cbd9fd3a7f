//! Limits that are checked before a library opens a workbook.

mod memory;
mod runs;
mod sheet_dimensions;

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

use crate::sheet::SheetError;
use crate::sheet::limits::memory::LoadedPart;
pub(super) use crate::sheet::limits::runs::TextRuns;
use crate::sheet::workbook::damaged;
use crate::sheet::xls::compound;
use crate::sheet::xlsx::parts::{self, PackageArchive};

const MIB: u64 = 1 << 20;

/// One sheet; Excel's largest come near, and they are streamed.
const SHEET_LIMIT: u64 = 2048 * MIB;
/// Everything that is held in memory: strings, styles, lists of parts.
const LOADED_LIMIT: u64 = 240 * MIB;
/// ODS, which stores all sheets in one part and is unpacked to a file.
const CONTENT_LIMIT: u64 = 1024 * MIB;
/// Parts below this are harmless, however well they compress.
const SMALL: u64 = 32 * MIB;
/// How many times its size in the archive a larger part may be: sheets are 10 to 30 times as large.
const RATIO_LIMIT: u64 = 200;
/// Sheets above this are looked through for a cell that no memory holds.
const LARGE: u64 = 192 * MIB;

/// Refuses an old workbook that claims more cells than memory holds, and seeks to the start of the file.
pub(super) fn refuse_dimensions(file: &mut File) -> Result<(), SheetError> {
    sheet_dimensions::refuse_dimensions(&compound::cells(file)?)?;
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    Ok(())
}

/// Refuses an archive whose parts would exhaust the machine, and seeks to the start of the file.
pub(super) fn refuse_bomb(file: &mut File) -> Result<(), SheetError> {
    let archive = parts::open(file.try_clone().map_err(SheetError::Read)?);
    refuse_parts(archive.map_err(damaged)?)?;
    file.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    Ok(())
}

fn refuse_parts(mut archive: PackageArchive) -> Result<(), SheetError> {
    let mut loaded = 0_u64;
    for index in 0..archive.len() {
        let entry = archive.by_index_raw(index).map_err(damaged)?;
        let name = entry.name().unwrap_or_default().to_ascii_lowercase();
        let (size, packed) = (entry.size(), entry.compressed_size());
        drop(entry);
        let limit = limit_of(&name);
        if limit == u64::MAX {
            continue;
        }
        refuse_doctype(&mut archive, index)?;
        refuse_over(size, limit)?;
        refuse_ratio(size, packed)?;
        if size > LARGE
            && name.contains("worksheets/")
            && let Ok(sheet) = archive.by_index(index)
        {
            runs::refuse_endless(sheet)?;
        }
        if let (Some(part), Ok(content)) = (LoadedPart::from_name(&name), archive.by_index(index)) {
            loaded = loaded.saturating_add(memory::estimated_bytes(part, content));
            refuse_over(loaded, LOADED_LIMIT)?;
        }
    }
    Ok(())
}

/// Refuses a workbook whose list of shared texts claims more of them than its bytes can hold.
pub(super) fn refuse_claim(file: File) -> Result<(), SheetError> {
    let mut archive = parts::open(file).map_err(damaged)?;
    let is_list = |name: &str| name.to_ascii_lowercase().ends_with("sharedstrings.xml");
    let names = archive.file_names().filter_map(Result::ok);
    let list = names.map(Cow::into_owned).find(|name| is_list(name));
    if let Some(Ok(strings)) = list.map(|name| archive.by_name(&name)) {
        let size = strings.size();
        memory::refuse_claim(strings, size)?;
    }
    Ok(())
}

/// How large a part may be; pictures and the like are never unpacked.
fn limit_of(name: &str) -> u64 {
    if name.contains("worksheets/") {
        SHEET_LIMIT
    } else if name == "content.xml" {
        CONTENT_LIMIT
    } else if LoadedPart::from_name(name).is_some() {
        LOADED_LIMIT
    } else {
        u64::MAX
    }
}

fn refuse_over(size: u64, limit: u64) -> Result<(), SheetError> {
    if size > limit {
        return Err(SheetError::Bomb {
            limit_mib: limit / MIB,
        });
    }
    Ok(())
}

fn refuse_ratio(size: u64, packed: u64) -> Result<(), SheetError> {
    if size > SMALL && size / packed.max(1) > RATIO_LIMIT {
        return Err(SheetError::Inflates {
            times: size / packed.max(1),
        });
    }
    Ok(())
}

/// Text before the first element, where a DOCTYPE would be.
const HEAD: u64 = 1024;

fn refuse_doctype(archive: &mut PackageArchive, index: usize) -> Result<(), SheetError> {
    // What cannot be opened here is refused by the library that reads it.
    let Ok(entry) = archive.by_index(index) else {
        return Ok(());
    };
    let mut head = Vec::new();
    if entry.take(HEAD).read_to_end(&mut head).is_ok()
        && memchr::memmem::find(&head, b"<!DOCTYPE").is_some()
    {
        return Err(SheetError::Doctype);
    }
    Ok(())
}
