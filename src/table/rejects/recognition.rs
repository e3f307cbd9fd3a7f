//! Recognizes a rejects file that this program wrote: its headers have both added columns.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;

use crate::sheet::Delimiter;
use crate::sheet::csv::encoding::decoded_by_mark;
use crate::sheet::csv::read::TextRows;
use crate::sheet::file_format::{FileFormat, recognize};
use crate::table::rejects_columns::HEADERS;

/// How many rows are searched for the headers: titles over groups of columns may be above them.
const HEADER_ROWS: usize = 2;

/// How much text is searched for these rows.
const SAMPLE_BYTES: u64 = 1 << 20;

/// The delimiters that are tried.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Whether the file is one; an error of kind `NotFound` if there is no file.
pub(super) fn is_rejects_file(path: &Path) -> io::Result<bool> {
    let metadata = path.symlink_metadata()?;
    // A broken link belongs to the user, and opening a pipe would block.
    if metadata.is_dir() || !path.is_file() {
        return Ok(false);
    }
    let mut file = File::open(path)?;
    Ok(match recognize(&mut file) {
        Ok(FileFormat::Text) => text_is_rejects_file(file)?,
        Ok(format) => workbook_is_rejects_file(file, format),
        Err(_) => false,
    })
}

fn text_is_rejects_file(mut file: File) -> io::Result<bool> {
    file.seek(SeekFrom::Start(0))?;
    // The names are ASCII, so that whatever the encoding, only a byte order mark matters.
    let mut sample = Vec::new();
    decoded_by_mark(file)
        .take(SAMPLE_BYTES)
        .read_to_end(&mut sample)?;
    Ok(DELIMITERS.into_iter().any(|delimiter| {
        let mut rows = TextRows::new(sample.as_slice(), Delimiter(delimiter));
        (0..HEADER_ROWS).any(|_| {
            let Ok(Ok(row)) = rows.next() else {
                return false;
            };
            let fields = row.record.iter().map(String::from_utf8_lossy);
            has_both(fields.map(Cow::into_owned))
        })
    }))
}

fn workbook_is_rejects_file(file: File, format: FileFormat) -> bool {
    let Ok(mut book) = format.open(file) else {
        return false;
    };
    let Some((name, _)) = book.sheets().into_iter().next() else {
        return false;
    };
    let (mut is_found, mut rows) = (false, 0);
    let read = book.rows(&name, &mut |row| {
        rows += 1;
        is_found = has_both(row.cells().map(|(_, _, text)| text.to_owned()));
        if is_found || rows == HEADER_ROWS {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    });
    read.is_ok() && is_found
}

/// Whether the cells contain both names: as headers, or as prefixes of values in a table without headers.
fn has_both(cells: impl Iterator<Item = String>) -> bool {
    let mut found = [false; 2];
    for cell in cells {
        for (found, name) in found.iter_mut().zip(HEADERS) {
            let rest = cell.trim().strip_prefix(name);
            *found |= rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(": "));
        }
    }
    found == [true; 2]
}
