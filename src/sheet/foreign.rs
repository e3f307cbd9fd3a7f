//! Files that are mistaken for spreadsheets: lock files and shortcuts of other programs, and workbooks that
//! `export` wrote.

use std::io::{Read, Seek};

use crate::sheet::SheetError;
use crate::sheet::regular_file::head_of;

/// A shortcut to a Google sheet is one short line of JSON.
const SHORTCUT: u64 = 4 << 10;

/// The sheets that every workbook of `export` has.
const EXPORTED: [&str; 6] = [
    "Summary",
    "Measurements",
    "Downspouts",
    "Images",
    "Open",
    "Rejected",
];

/// Refuses a lock file or a shortcut, recognized by name or content; seeks any other file to its start.
pub(crate) fn refuse_shortcut(file: &mut (impl Read + Seek), name: &str) -> Result<(), SheetError> {
    if name.starts_with("~$") || name.starts_with(".~lock.") {
        return Err(SheetError::LockFile);
    }
    let bytes = head_of(file, SHORTCUT)?;
    let head = String::from_utf8_lossy(&bytes);
    let text = head.trim_start_matches('\u{FEFF}').trim_start();
    let is_json = text.starts_with('{') && text[1..].trim_start().starts_with('"');
    if is_json && head.contains("docs.google.com/") {
        return Err(SheetError::NotATable("a shortcut to a Google sheet"));
    }
    if is_json || text.starts_with("[{") {
        return Err(SheetError::NotATable("JSON"));
    }
    if text.starts_with('<') && text[1..].starts_with(['!', '?', 'h', 'H', 't', 'T']) {
        return Err(SheetError::NotATable("a web page or XML"));
    }
    Ok(())
}

/// Refuses a workbook that `export` wrote.
pub(crate) fn refuse_exported(sheets: &[&str]) -> Result<(), SheetError> {
    if EXPORTED.iter().all(|name| sheets.contains(name)) {
        Err(SheetError::Exported)
    } else {
        Ok(())
    }
}
