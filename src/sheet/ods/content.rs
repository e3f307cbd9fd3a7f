//! The part that holds all sheets, unpacked to a temporary file, so that a sheet can be read from its offset.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};

use crate::sheet::SheetError;
use crate::sheet::limits::TextRuns;
use crate::sheet::workbook::damaged;
use crate::sheet::xlsx::parts::PackageArchive;

pub(super) fn unpacked(archive: &mut PackageArchive) -> Result<File, SheetError> {
    let mut part = archive.by_name("content.xml").map_err(damaged)?;
    let mut content = tempfile::tempfile().map_err(SheetError::Unpacked)?;
    let mut runs = TextRuns::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let read = part.read(&mut buffer).map_err(damaged)?;
        if read == 0 {
            break;
        }
        runs.see(&buffer[..read])?;
        content
            .write_all(&buffer[..read])
            .map_err(SheetError::Unpacked)?;
    }
    content.seek(SeekFrom::Start(0)).map_err(SheetError::Read)?;
    Ok(content)
}
