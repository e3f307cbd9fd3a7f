//! The origin of a row: file, sheet and row number.

use std::fmt;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// A row number as Excel or a text editor shows it, starting at 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RowNumber(pub u32);

impl RowNumber {
    /// The first number of the rows that a person added to rejects, in the journal: no sheet has so many rows.
    const FIRST_ADDED: u32 = 1 << 31;

    /// The number in the journal of a row that a person added to rejects, made from any number.
    pub fn added(number: u32) -> Self {
        Self(Self::FIRST_ADDED | number)
    }

    /// Whether a row of rejects has no row in the original, by its number in the journal.
    pub fn is_added(self) -> bool {
        self.0 >= Self::FIRST_ADDED
    }
}

/// The first rows of rejects: the number of each in the original, if it has one, and the texts of its cells.
pub type SampledRows = Vec<(Option<RowNumber>, Vec<String>)>;

impl fmt::Display for RowNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// The table that a run reads: a file, and a sheet of it if it is a workbook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TableSource {
    /// The file's absolute path; `-` for standard input.
    pub path: PathBuf,
    /// The sheet's name; `None` for a text file.
    pub sheet: Option<String>,
}

/// A row of a file, or of the sheet of a workbook: `row 2 of sheet Oct of leads.xlsx`.
pub fn row_name(row: RowNumber, sheet: Option<&str>, file: &str) -> String {
    let of_sheet = sheet.map_or_else(String::new, |sheet| format!(" of sheet {sheet}"));
    format!("row {row}{of_sheet} of {file}")
}

impl TableSource {
    /// Returns the file's name without its folder.
    pub fn file_name(&self) -> String {
        self.path
            .file_name()
            .unwrap_or(self.path.as_os_str())
            .to_string_lossy()
            .into_owned()
    }
}
