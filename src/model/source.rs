//! Where a row stands: its file, its sheet, its number.

use std::fmt;
use std::path::PathBuf;

/// A row's number as Excel, or an editor for text, shows it; the first is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RowNumber(pub u32);

impl fmt::Display for RowNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The table that a run reads.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableSource {
    /// Absolute path; `-` for standard input.
    pub path: PathBuf,
    /// The sheet's name; none for text.
    pub sheet: Option<String>,
}

impl TableSource {
    /// The file's name without its folder, for messages and the workbook.
    pub fn file_name(&self) -> String {
        self.path
            .file_name()
            .unwrap_or(self.path.as_os_str())
            .to_string_lossy()
            .into_owned()
    }
}
